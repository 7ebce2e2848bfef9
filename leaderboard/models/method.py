"""Methods, not models: who made it, what kind it is, and its versions (SPEC L-1)."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from champollion.accounts.models import Organisation, Team
from champollion.common.models import PublicId, TimeStamped, one_of


class MethodClass(models.TextChoices):
    RAW_LLM = "raw-llm", _("raw LLM")
    COACHED_LLM = "coached-llm", _("coached LLM")
    PIPELINE = "pipeline", _("pipeline")
    CUSTOM_PLUGIN = "custom-plugin", _("custom plug-in")
    API = "api", _("API")
    HUMAN = "human", _("human")


class Method(PublicId, TimeStamped):
    """A way to translate, made by a team. Its attribution stays, also after a transfer."""

    slug = models.SlugField(max_length=120, unique=True)
    name = models.CharField(max_length=160)
    team = models.ForeignKey(Team, on_delete=models.PROTECT, related_name="methods")
    method_class = models.CharField(max_length=14, choices=MethodClass.choices, default=MethodClass.RAW_LLM)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")

    class Meta:
        constraints = [
            models.CheckConstraint(condition=one_of("method_class", MethodClass), name="method_class_valid"),
        ]

    def __str__(self) -> str:
        return self.name


class MethodVersion(PublicId, TimeStamped):
    """One configuration of a method. Two runs of one version are runs of one set-up."""

    method = models.ForeignKey(Method, on_delete=models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField()
    #: SHA-256 of the bundle, or of the identity components where there is none (SPEC L-1).
    identity_sha256 = models.CharField(max_length=64)
    identity = models.JSONField(default=dict)
    model_name = models.CharField(max_length=200, blank=True)
    #: Whoever handed the method in (LAW-10); empty for the organisation's own runs.
    submitted_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    #: The held method of SPEC L-3: where it lies, under which name and digest, and the parts of §9.1 it came with.
    held_by = models.ForeignKey(Organisation, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    held_file_name = models.CharField(max_length=255, blank=True)
    held_sha256 = models.CharField(max_length=64, blank=True)
    held_place = models.CharField(max_length=255, blank=True)
    held_parts = models.JSONField(default=list, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["method", "number"], name="method_version_number_unique"),
            models.UniqueConstraint(fields=["method", "identity_sha256"], name="method_version_identity_unique"),
            models.CheckConstraint(
                condition=models.Q(held_sha256="", held_by__isnull=True)
                | (~models.Q(held_sha256="") & ~models.Q(held_file_name="") & ~models.Q(held_place=""))
                & models.Q(held_by__isnull=False),
                name="method_version_held_whole",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.method} v{self.number}"

    @property
    def is_held(self) -> bool:
        """Whether an organisation holds the method's code (SPEC L-3)."""
        return bool(self.held_sha256)
