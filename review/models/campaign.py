"""A campaign and the items of its sample (SPEC V-2, V-3)."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from champollion.accounts.models import Organisation
from champollion.common.models import PublicId, TimeStamped, one_of
from leaderboard.models import Run, RunOutput
from review.models.nomination import Nomination


class CampaignStatus(models.TextChoices):
    DRAFT = "draft", _("draft")
    OPEN = "open", _("open")
    SUSPENDED = "suspended", _("suspended")
    CLOSED = "closed", _("closed")
    DECIDED = "decided", _("decided")
    WITHDRAWN = "withdrawn", _("withdrawn")


class Campaign(PublicId, TimeStamped):
    """A pre-registered review of one run. From its opening the plan is frozen (a trigger refuses changes)."""

    Status = CampaignStatus

    nomination = models.ForeignKey(Nomination, on_delete=models.PROTECT, related_name="campaigns")
    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="campaigns")
    organisation = models.ForeignKey(Organisation, on_delete=models.PROTECT, related_name="campaigns")
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.DRAFT)
    overlap = models.PositiveSmallIntegerField(default=3)
    #: Items to draw; null: the rule of SPEC V-3 decides. A steward may raise it before opening.
    chosen_size = models.PositiveIntegerField(null=True, blank=True)
    shows_reference = models.BooleanField(default=False)
    has_calibration = models.BooleanField(default=False)
    policy_name = models.CharField(max_length=60)
    policy_version = models.PositiveIntegerField()
    policy = models.JSONField()
    seed = models.CharField(max_length=64)
    #: The plan as drawn; from opening on also hashed. ``review.sampling`` re-derives the sample from it.
    plan = models.JSONField(default=dict)
    plan_sha256 = models.CharField(max_length=64, blank=True)
    is_extended = models.BooleanField(default=False)
    #: Ratings that a command made up for trying the reports; every page that rests on them says so.
    has_generated_ratings = models.BooleanField(default=False)
    opened_at = models.DateTimeField(null=True, blank=True)
    opened_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    closed_at = models.DateTimeField(null=True, blank=True)
    over_at = models.DateTimeField(null=True, blank=True)
    #: The report's figures at the close, as JSON, and their digest; the decision names it.
    evidence = models.JSONField(default=dict, blank=True)
    evidence_sha256 = models.CharField(max_length=64, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["nomination"], condition=~models.Q(status="withdrawn"), name="campaign_one_live"
            ),
            models.CheckConstraint(condition=one_of("status", CampaignStatus), name="campaign_status_valid"),
            models.CheckConstraint(condition=models.Q(overlap__range=(1, 3)), name="campaign_overlap_valid"),
            models.CheckConstraint(
                condition=models.Q(status__in=["draft", "withdrawn"]) | ~models.Q(plan_sha256=""),
                name="campaign_plan_frozen",
            ),
        ]

    def __str__(self) -> str:
        return f"campaign {str(self.uid)[:8]}"

    @property
    def is_under_way(self) -> bool:
        """Until it is decided or withdrawn, its results are nobody's but the stewards' (LAW-9)."""
        return self.status not in (self.Status.DECIDED, self.Status.WITHDRAWN)


class SampleItemKind(models.TextChoices):
    SAMPLE = "sample", _("sample")
    EXTENSION = "extension", _("extension")
    UNUSABLE = "unusable", _("no usable output")


class SampleItem(PublicId):
    """One output to be rated. Its place among others says nothing about the method."""

    Kind = SampleItemKind

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="items")
    output = models.ForeignKey(RunOutput, on_delete=models.PROTECT, related_name="items")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    #: "1".."5", "not given", or "no output": the names of ``review.sampling``.
    stratum = models.CharField(max_length=10)
    #: Place in the stratum's order of SPEC V-3, from 0.
    place = models.PositiveIntegerField()
    is_in_look = models.BooleanField(default=False)
    #: Set when three speakers say that it cannot be judged, or a fourth rating is tied (SPEC V-7).
    needs_talk = models.BooleanField(default=False)
    #: Set while a confirmed or open harm flag takes it out of the pool.
    is_held_back = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "output"], name="sample_item_unique"),
            models.CheckConstraint(condition=one_of("kind", SampleItemKind), name="sample_item_kind_valid"),
        ]
        indexes = [models.Index(fields=["campaign", "kind", "stratum", "place"], name="sample_item_order")]

    def __str__(self) -> str:
        return f"item {str(self.uid)[:8]}"
