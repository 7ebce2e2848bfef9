"""The organisation that governs a language, its members and what makes it a key custodian (SPEC S-1)."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from champollion.common.models import PublicId, TimeStamped, one_of


class Organisation(PublicId, TimeStamped):
    """Governs one or more target languages."""

    name = models.CharField(max_length=200)
    slug = models.SlugField(max_length=60, unique=True)
    #: Stewards who must sign a decision; with one steward only, one signature stands, marked (SPEC V-10).
    quorum = models.PositiveSmallIntegerField(default=2)
    #: Draft campaigns open without a steward's look (SPEC V-2).
    opens_campaigns_automatically = models.BooleanField(default=False)
    #: Months a team waits after three refusals in twelve months (SPEC V-1).
    cool_down_days = models.PositiveSmallIntegerField(default=180)
    #: The organisation's own words for the four grades, by grade code, in its language (SPEC V-5).
    grade_words = models.JSONField(default=dict, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(quorum__gte=2), name="organisation_quorum_valid"),
        ]

    def __str__(self) -> str:
        return self.name


class GovernedLanguage(models.Model):
    """A target language; one organisation governs it per installation."""

    organisation = models.ForeignKey(Organisation, on_delete=models.PROTECT, related_name="languages")
    tag = models.CharField(max_length=35, unique=True)

    def __str__(self) -> str:
        return self.tag


class Role(models.TextChoices):
    STEWARD = "steward", _("steward")
    CURATOR = "curator", _("curator")
    COORDINATOR = "coordinator", _("coordinator")
    SPEAKER = "speaker", _("speaker")
    HELPER = "helper", _("helper")


class Membership(TimeStamped):
    """A role of a person in an organisation; whoever has one is a member."""

    organisation = models.ForeignKey(Organisation, on_delete=models.PROTECT, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="memberships")
    role = models.CharField(max_length=12, choices=Role.choices)
    #: A steward may give a member reading rights to secret text (SPEC C-7).
    may_read_secret = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organisation", "user", "role"], name="membership_unique"),
            models.CheckConstraint(condition=one_of("role", Role), name="membership_role_valid"),
        ]

    def __str__(self) -> str:
        return f"{self.user} {self.role}"


class CustodianRequirementKind(models.TextChoices):
    REPRESENTS = "represents", _("represents the community")
    KEYS = "keys", _("can manage keys")
    AVAILABILITY = "availability", _("commits to evaluation being available")
    TERMS = "terms", _("publishes participation terms")
    FRAMEWORK = "framework", _("works under a recognised framework")


class CustodianRequirement(TimeStamped):
    """One of the five requirements of a key custodian, with its evidence (SPEC S-1, §8.4)."""

    Kind = CustodianRequirementKind

    organisation = models.ForeignKey(Organisation, on_delete=models.PROTECT, related_name="requirements")
    kind = models.CharField(max_length=14, choices=Kind.choices)
    evidence = models.TextField()
    recorded_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organisation", "kind"], name="requirement_unique"),
            models.CheckConstraint(condition=one_of("kind", CustodianRequirementKind), name="requirement_kind_valid"),
            models.CheckConstraint(condition=~models.Q(evidence=""), name="requirement_evidence_given"),
        ]

    def __str__(self) -> str:
        return self.kind
