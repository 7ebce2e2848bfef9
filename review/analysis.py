"""The figures of a campaign, from its ratings in the database: estimate, agreement, verdict (SPEC V-7, V-8).

The arithmetic stands in `review.verdicts`, `review.agreement` and `review.judging`, pure; here is what it is given, and
who may see what comes out. Until the look or the close nobody does. No function asks more queries where there are more
items or ratings.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q
from django.utils.translation import gettext as _

from champollion.accounts.permissions import may
from champollion.common.errors import StateError
from champollion.stats.agreement import Agreement
from review.agreement import agreement_of
from review.grades import Grade
from review.judging import Evidence, Stage, Verdict, judge, judge_early
from review.models import Campaign, HarmFlag, Rating, SampleItem
from review.policy import Policy, policy_from_dict
from review.sampling import NO_OUTPUT
from review.verdicts import Analysis, ItemRatings, analyse

COMPLETE, BY_LOOK, BY_EARLY_STOPPING, UNSETTLED = "complete", "look", "early", ""


@dataclass(frozen=True, slots=True)
class Figures:
    """All figures of a campaign, or of its look.

    Args:
        campaign: its public id.
        analysis: items, verdicts and the two estimates, by stratum.
        agreement: of first ratings.
        verdict: of the frozen policy, line by line.
        settled_by: why no more ratings are needed: "complete" (every item has a verdict), "look", "early" (the missing
            verdicts cannot change the outcome), or "" if they are.
        rating_count: ratings of these items that count.
        rater_count: people who gave ratings in the campaign.
        harm_open, harm_confirmed, harm_dismissed: harm flags.
        is_extended: the plan's extension is part of it.
        has_generated_ratings: a command made ratings up; every page says so.
    """

    campaign: str
    analysis: Analysis
    agreement: Agreement
    verdict: Verdict
    settled_by: str
    rating_count: int
    rater_count: int
    harm_open: int
    harm_confirmed: int
    harm_dismissed: int
    is_extended: bool
    has_generated_ratings: bool

    @property
    def is_complete(self) -> bool:
        """Say whether the campaign needs no more ratings. Source: SPEC V-2."""
        return self.settled_by != UNSETTLED

    @property
    def missing_count(self) -> int:
        """Return how many items have no verdict."""
        return self.analysis.missing_count

    @property
    def share(self) -> float:
        """Return the weighted usable share, 0-1."""
        return self.analysis.usable.p_hat

    @property
    def interval(self) -> tuple[float, float]:
        """Return its two-sided 95 % interval for display."""
        return self.analysis.usable.interval

    def human(self) -> dict[str, Any]:
        """Return what the board shows once the campaign is over: share, low, high, rating_count, verdict."""
        low, high = self.interval
        return {
            "share": self.share,
            "low": low,
            "high": high,
            "rating_count": self.rating_count,
            "verdict": self.verdict.outcome.value,
        }

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as JSON values: ids, strata, grades and figures, no text."""
        return {
            "campaign": self.campaign,
            "analysis": self.analysis.to_dict(),
            "agreement": self.agreement.to_dict(),
            "verdict": self.verdict.to_dict(),
            "settled_by": self.settled_by,
            "rating_count": self.rating_count,
            "rater_count": self.rater_count,
            "harm_flags": {
                "open": self.harm_open,
                "confirmed": self.harm_confirmed,
                "dismissed": self.harm_dismissed,
            },
            "is_extended": self.is_extended,
            "has_generated_ratings": self.has_generated_ratings,
        }


@dataclass(frozen=True, slots=True)
class CampaignRatings:
    """What a campaign's figures are computed from: its items in play with the ratings that count."""

    items: tuple[ItemRatings, ...]
    look: frozenset[str]
    sizes: Mapping[str, int]
    rater_count: int
    extension_left: int


def campaign_figures(campaign: Campaign) -> Figures:
    """Return the figures of a campaign that was closed, computed anew from its ratings.

    Raises:
        StateError: the campaign is not closed, and its results are nobody's.

    Source: SPEC V-7, V-8.
    """
    if not has_closed_figures(campaign):
        raise StateError(
            "campaign.figures_hidden",
            _("Results are hidden from everyone until the campaign is closed, so that nobody is led by them."),
        )
    return figures_compute(campaign)


def has_closed_figures(campaign: Campaign) -> bool:
    """Say whether a campaign was closed and not opened again: then it has figures that people may see."""
    if campaign.status == Campaign.Status.WITHDRAWN:
        return campaign.closed_at is not None and bool(campaign.evidence_sha256)
    return campaign.status in (Campaign.Status.CLOSED, Campaign.Status.DECIDED)


def estimate_visible(campaign: Campaign, user: Any) -> bool:
    """Say whether a person may see a campaign's estimate: after the close, with the right; coordinators never.

    Source: SPEC V-2, V-8; S-1.
    """
    return has_closed_figures(campaign) and may(user, "report.read", campaign.organisation)


def look_visible(campaign: Campaign, user: Any) -> bool:
    """Say whether a person may see what the look found while the campaign runs on; not whoever rates in it (LAW-9)."""
    if not look_of(campaign) or not may(user, "report.read", campaign.organisation):
        return False
    return not (campaign.is_under_way and Rating.objects.filter(item__campaign=campaign, rater=user).exists())


def look_of(campaign: Campaign) -> dict[str, Any]:
    """Return the figures of the campaign's one look as they were recorded, or nothing."""
    return campaign.evidence.get("look") or {}


def figures_compute(campaign: Campaign) -> Figures:
    """Return a campaign's figures whatever its state. For services alone: nobody sees them before the close."""
    ratings = ratings_read(campaign)
    flags = harm_counts(campaign)
    policy = policy_from_dict(campaign.policy)
    stage = Stage.EXTENDED if campaign.is_extended else Stage.CLOSE
    whole = _Judged.of(campaign, ratings, policy=policy, stage=stage, items=ratings.items, flags=flags)
    if whole.analysis.is_complete:
        return _figures(campaign, ratings, whole, flags=flags, settled_by=COMPLETE)
    settled = _settled_by_look(campaign, ratings, policy=policy, flags=flags)
    if settled is not None:
        return _figures(campaign, ratings, settled, flags=flags, settled_by=BY_LOOK)
    early = judge_early(
        ratings.items, sizes=ratings.sizes, overlap=campaign.overlap, policy=policy, evidence=whole.evidence
    )
    if early is not None:
        whole = _Judged(whole.analysis, whole.agreement, whole.evidence, early)
    return _figures(campaign, ratings, whole, flags=flags, settled_by=BY_EARLY_STOPPING if early else UNSETTLED)


def look_compute(campaign: Campaign) -> Figures | None:
    """Return the figures of a campaign's look, or None while an item of it has no verdict or where there is no look.

    Source: SPEC V-8.
    """
    ratings = ratings_read(campaign)
    if not ratings.look or campaign.is_extended:
        return None
    flags = harm_counts(campaign)
    judged = _judge_look(campaign, ratings, policy=policy_from_dict(campaign.policy), flags=flags)
    if not judged.analysis.is_complete:
        return None
    settled_by = BY_LOOK if judged.verdict.is_final else UNSETTLED
    return _figures(campaign, ratings, judged, flags=flags, settled_by=settled_by)


def ratings_read(campaign: Campaign) -> CampaignRatings:
    """Read the items in play and the grades that count, in the order they came. Three queries. Source: SPEC V-7."""
    rows = list(
        SampleItem.objects.filter(campaign=campaign)
        .exclude(kind=SampleItem.Kind.UNUSABLE)
        .order_by("stratum", "place")
        .values_list("pk", "uid", "stratum", "kind", "is_in_look", "talk__grade")
    )
    grades: dict[int, list[Grade]] = defaultdict(list)
    raters = set()
    counted = Rating.objects.filter(item__campaign=campaign, first_grade__isnull=False).order_by("rank", "pk")
    for item, rater, grade in counted.values_list("item_id", "rater_id", "first_grade"):
        if grade is not None:
            grades[item].append(Grade(grade))
            raters.add(rater)
    in_play = [row for row in rows if campaign.is_extended or row[3] == SampleItem.Kind.SAMPLE]
    return CampaignRatings(
        items=tuple(
            ItemRatings(str(uid), stratum, tuple(grades[pk]), None if talk is None else Grade(talk))
            for pk, uid, stratum, _kind, _is_in_look, talk in in_play
        ),
        look=frozenset(str(row[1]) for row in in_play if row[4]),
        sizes=plan_sizes(campaign.plan),
        rater_count=len(raters),
        extension_left=len(rows) - len(in_play),
    )


def plan_sizes(plan: Mapping[str, Any]) -> dict[str, int]:
    """Return N_h by stratum as the plan holds them, "no output" last if there are such entries."""
    sizes = {row["stratum"]: row["size"] for row in plan.get("strata", [])}
    unusable = len(plan.get("no_output", []))
    return sizes | ({NO_OUTPUT: unusable} if unusable else {})


def harm_counts(campaign: Campaign) -> dict[str, int]:
    """Return how many harm flags are open, confirmed and dismissed. One query."""
    return HarmFlag.objects.filter(item__campaign=campaign).aggregate(
        **{status: Count("pk", filter=Q(status=status)) for status in HarmFlag.Status.values}
    )


@dataclass(frozen=True, slots=True)
class _Judged:
    """Some items of a campaign with what they say."""

    analysis: Analysis
    agreement: Agreement
    evidence: Evidence
    verdict: Verdict

    @classmethod
    def of(
        cls,
        campaign: Campaign,
        ratings: CampaignRatings,
        *,
        policy: Policy,
        stage: Stage,
        items: Sequence[ItemRatings],
        flags: Mapping[str, int],
    ) -> "_Judged":
        analysis = analyse(items, sizes=ratings.sizes, overlap=campaign.overlap)
        agreement = agreement_of(analysis, seed=campaign.seed, level=getattr(policy, "agreement_level", 0.95))
        evidence = Evidence(
            stage=stage,
            agreement_upper=agreement.pairwise.upper,
            harm_open=flags[HarmFlag.Status.OPEN],
            harm_confirmed=flags[HarmFlag.Status.CONFIRMED],
            extension_left=0 if campaign.is_extended else ratings.extension_left,
        )
        return cls(analysis, agreement, evidence, judge(analysis, policy=policy, evidence=evidence))


def _judge_look(campaign: Campaign, ratings: CampaignRatings, *, policy: Policy, flags: Mapping[str, int]) -> _Judged:
    items = [item for item in ratings.items if item.item_id in ratings.look]
    return _Judged.of(campaign, ratings, policy=policy, stage=Stage.LOOK, items=items, flags=flags)


def _settled_by_look(
    campaign: Campaign, ratings: CampaignRatings, *, policy: Policy, flags: Mapping[str, int]
) -> _Judged | None:
    """Return the look's findings if it ended the campaign when it was taken, and still does with today's ratings."""
    if campaign.is_extended or not look_of(campaign).get("verdict", {}).get("is_final"):
        return None
    judged = _judge_look(campaign, ratings, policy=policy, flags=flags)
    return judged if judged.analysis.is_complete and judged.verdict.is_final else None


def _figures(
    campaign: Campaign, ratings: CampaignRatings, judged: _Judged, *, flags: Mapping[str, int], settled_by: str
) -> Figures:
    return Figures(
        campaign=str(campaign.uid),
        analysis=judged.analysis,
        agreement=judged.agreement,
        verdict=judged.verdict,
        settled_by=settled_by,
        rating_count=sum(len(item.ratings) for item in judged.analysis.items),
        rater_count=ratings.rater_count,
        harm_open=flags[HarmFlag.Status.OPEN],
        harm_confirmed=flags[HarmFlag.Status.CONFIRMED],
        harm_dismissed=flags[HarmFlag.Status.DISMISSED],
        is_extended=campaign.is_extended,
        has_generated_ratings=campaign.has_generated_ratings,
    )
