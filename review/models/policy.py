"""An organisation's acceptance policies, each version kept (SPEC V-8)."""

from django.conf import settings
from django.db import models

from champollion.accounts.models import Organisation
from champollion.common.models import PublicId, TimeStamped


class AcceptancePolicy(PublicId, TimeStamped):
    """A preset or an organisation's own numbers; a campaign freezes the numbers of one version."""

    #: Empty for the presets that every organisation may choose.
    organisation = models.ForeignKey(Organisation, on_delete=models.PROTECT, null=True, related_name="policies")
    name = models.CharField(max_length=60)
    version = models.PositiveIntegerField(default=1)
    numbers = models.JSONField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organisation", "name", "version"], name="policy_version_unique"),
            models.UniqueConstraint(
                fields=["name", "version"], condition=models.Q(organisation=None), name="policy_preset_unique"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name}, version {self.version}"
