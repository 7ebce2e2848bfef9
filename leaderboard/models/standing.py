"""The board's rows: what is known of a method version on a segment of a corpus version (SPEC L-2, L-4).

Only ``leaderboard.services.standings`` writes here, and ``rank_ranges`` the ranks. ``review`` tells it what people
decided.
"""

from django.db import models
from django.utils.translation import gettext_lazy as _

from champollion.common.models import PublicId, TimeStamped, one_of
from corpora.constants import Segment
from corpora.models import CorpusVersion
from leaderboard.models.method import MethodVersion
from leaderboard.models.run import Run


class Tier(models.TextChoices):
    UNSCORED = "unscored", _("unscored")
    BASELINE = "baseline", _("Baseline")
    EMERGING = "emerging", _("Emerging")
    FUNCTIONAL = "functional", _("Functional")
    DEPLOYABLE = "deployable", _("Deployable")
    FLUENT = "fluent", _("Fluent")


class Claim(models.TextChoices):
    """How far a score above Functional is on its way to people (LAW-1)."""

    NONE = "", _("none")
    CANDIDATE = "candidate", _("candidate")
    NOMINATED = "nominated", _("nominated")
    IN_REVIEW = "in_review", _("in review")


class VerificationLevel(models.TextChoices):
    SELF_BENCHMARKED = "self_benchmarked", _("self-benchmarked")
    GDS_VERIFIED = "gds_verified", _("GDS verified")
    COMMUNITY_VALIDATED = "community_validated", _("community validated")


class Standing(PublicId, TimeStamped):
    """One row of a board."""

    method_version = models.ForeignKey(MethodVersion, on_delete=models.PROTECT, related_name="standings")
    corpus_version = models.ForeignKey(CorpusVersion, on_delete=models.PROTECT, related_name="standings")
    segment = models.CharField(max_length=14, choices=Segment.choices)
    #: The run that the row shows: the one under review or decided, else the first scored one, never the best.
    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="standings")
    run_count = models.PositiveIntegerField(default=1)
    composite_lowest = models.FloatField(null=True)
    composite_highest = models.FloatField(null=True)
    is_ranked = models.BooleanField(default=False)
    unranked_reason = models.CharField(max_length=40, blank=True)
    rank_low = models.PositiveIntegerField(null=True)
    rank_high = models.PositiveIntegerField(null=True)
    #: The board on which the range was tested, by its digest; "" while the rank is by composite alone (SPEC L-4).
    rank_digest = models.CharField(max_length=64, blank=True)
    # Figures of the shown run, so that the board is one query.
    composite = models.FloatField(null=True)
    composite_interval_low = models.FloatField(null=True)
    composite_interval_high = models.FloatField(null=True)
    chrf = models.FloatField(null=True)
    chrf_low = models.FloatField(null=True)
    chrf_high = models.FloatField(null=True)
    exact_match = models.FloatField(null=True)
    fst_acceptance = models.FloatField(null=True)
    semantic_score = models.FloatField(null=True)
    cost_per_entry_usd = models.FloatField(null=True)
    mean_latency_seconds = models.FloatField(null=True)
    cost_adjusted = models.FloatField(null=True)
    metric_set = models.CharField(max_length=300, blank=True)
    # Axis one: what the score means, capped until people decided (LAW-1).
    score_tier = models.CharField(max_length=12, choices=Tier.choices, default=Tier.UNSCORED)
    public_tier = models.CharField(max_length=12, choices=Tier.choices, default=Tier.UNSCORED)
    claim = models.CharField(max_length=10, choices=Claim.choices, default=Claim.NONE, blank=True)
    approved_tier = models.CharField(max_length=12, choices=Tier.choices, blank=True)
    is_override = models.BooleanField(default=False)
    has_one_signature = models.BooleanField(default=False)
    has_changed_evidence = models.BooleanField(default=False)
    # Axis two: who checked.
    verification_level = models.CharField(
        max_length=20, choices=VerificationLevel.choices, default=VerificationLevel.SELF_BENCHMARKED
    )
    verified_at = models.DateTimeField(null=True)
    verified_by = models.CharField(max_length=200, blank=True)
    evidence = models.CharField(max_length=200, blank=True)
    # What people said, shown once the campaign is over.
    human_share = models.FloatField(null=True)
    human_low = models.FloatField(null=True)
    human_high = models.FloatField(null=True)
    human_rating_count = models.PositiveIntegerField(default=0)
    human_verdict = models.CharField(max_length=20, blank=True)
    has_generated_ratings = models.BooleanField(default=False)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["method_version", "corpus_version", "segment"], name="standing_unique"),
            models.CheckConstraint(condition=one_of("public_tier", Tier), name="standing_tier_valid"),
            # LAW-1 in the database: above Functional only with an approved tier.
            models.CheckConstraint(
                condition=~models.Q(public_tier__in=["deployable", "fluent"]) | ~models.Q(approved_tier=""),
                name="standing_no_claim_without_people",
            ),
            models.CheckConstraint(
                condition=~models.Q(verification_level="community_validated")
                | models.Q(segment="gold_standard") & ~models.Q(approved_tier=""),
                name="standing_validated_by_decision",
            ),
        ]
        indexes = [models.Index(fields=["corpus_version", "segment", "-composite"], name="standing_board")]

    def __str__(self) -> str:
        return f"standing {str(self.uid)[:8]}"


class CutStanding(models.Model):
    """A row's figures on one cut, recomputed from that cut's entries only (SPEC L-4)."""

    standing = models.ForeignKey(Standing, on_delete=models.CASCADE, related_name="cuts")
    cut = models.CharField(max_length=20)
    key = models.CharField(max_length=60)
    entry_count = models.PositiveIntegerField()
    is_ranked = models.BooleanField(default=False)
    rank_low = models.PositiveIntegerField(null=True)
    rank_high = models.PositiveIntegerField(null=True)
    rank_digest = models.CharField(max_length=64, blank=True)
    composite = models.FloatField(null=True)
    composite_interval_low = models.FloatField(null=True)
    composite_interval_high = models.FloatField(null=True)
    chrf = models.FloatField(null=True)
    chrf_low = models.FloatField(null=True)
    chrf_high = models.FloatField(null=True)
    exact_match = models.FloatField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["standing", "cut", "key"], name="cut_standing_unique"),
        ]
        indexes = [models.Index(fields=["cut", "key", "-composite"], name="cut_standing_board")]

    def __str__(self) -> str:
        return f"{self.cut} {self.key}"
