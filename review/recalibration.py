"""How well a language's metrics predicted its speakers, from campaigns that were decided (SPEC M-7).

Approvals and refusals count alike: of approvals alone every score would look right. What follows is proposed to the
stewards and never applied. The arithmetic stands in `champollion.stats.calibration`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from django.db.models import Q
from django.utils.translation import gettext as _

from champollion.accounts.models import GovernedLanguage
from champollion.accounts.permissions import organisations_with, require
from champollion.common.errors import NotVisible
from champollion.stats.calibration import Association, Band, RocPoint, association, bands, bound_for, roc
from leaderboard.metrics.base import FloatArray
from leaderboard.models import Run
from leaderboard.scoring.chunks import ChunkError
from leaderboard.scoring.composite import Composite, Contribution, Profile, composite_of_draws, normalise
from leaderboard.scoring.run import per_entry_values
from leaderboard.scoring.tiers import DEFAULT_BOUNDS
from leaderboard.services.scoring import run_chunks
from review.analysis import ratings_read
from review.grades import Grade
from review.models import Campaign, SampleItem
from review.policy import COMMUNITY_1
from review.verdicts import item_verdict

#: Tier bounds with halves between them, so that each band is narrow where a decision hangs on it.
EDGES = (0.0, 0.3, 0.4, 0.5, 0.6, 0.7, 0.775, 0.85, 1.0)
THRESHOLDS = tuple(round(step / 20, 2) for step in range(21))
SEED = 12345
COMPOSITE = "composite"
#: With fewer methods the figures say more about these methods than about the metrics (design 5, chart 6).
FEWEST_METHODS = 8


@dataclass
class Judged:
    """The outputs that people judged, one row each: grade, composite of the output alone, and each metric.

    Scores are 0-1, more is better, NaN where a metric says nothing.
    """

    grades: list[int] = field(default_factory=list)
    scores: dict[str, list[float]] = field(default_factory=dict)
    rating_count: int = 0
    campaign_count: int = 0
    methods: set[int] = field(default_factory=set)
    #: Campaigns whose run was scored by another version, so that its outputs' scores are not there.
    unread_count: int = 0
    has_generated_ratings: bool = False

    @property
    def usable(self) -> list[bool]:
        """Say of each output whether people found it usable."""
        return [grade >= Grade.ACCEPTABLE for grade in self.grades]


@dataclass(frozen=True)
class MetricRow:
    """How a metric went together with what people said, its share in the composites, and the share proposed."""

    metric: str
    found: Association
    share: float | None
    proposed: float | None


@dataclass(frozen=True)
class Recalibration:
    """Everything the page shows. `bound` is today's Deployable bound, `bar` the usable share that is asked for."""

    judged: Judged
    bands: tuple[Band, ...]
    rows: tuple[MetricRow, ...]
    curve: tuple[RocPoint, ...]
    bound: float
    bar: float
    at_bound: RocPoint | None
    proposed_bound: float | None

    @property
    def composite(self) -> Association:
        """How the composite itself goes together with people."""
        return self.rows[0].found

    @property
    def has_few_methods(self) -> bool:
        """Say whether too few methods stand behind it to rely on."""
        return len(self.judged.methods) < FEWEST_METHODS

    @property
    def has_proposal(self) -> bool:
        """Say whether there is anything to propose."""
        return self.proposed_bound is not None or any(row.proposed is not None for row in self.rows)


def language_for(user: Any, tag: str) -> GovernedLanguage:
    """Return a language for a steward of the organisation that governs it.

    Raises:
        NotVisible: nobody governs it, or an organisation that the person does not belong to.
        AccessDenied: a member without the right.
    """
    language = GovernedLanguage.objects.select_related("organisation").filter(tag=tag).first()
    if language is None:
        raise NotVisible("language.not_visible", _("There is no such thing, or it is not yours to see."))
    require(user, "policy.change", language.organisation)
    return language


def languages_recalibrated_by(user: Any) -> list[GovernedLanguage]:
    """Return the languages whose recalibration a person may read."""
    organisations = organisations_with(user, "policy.change")
    return list(GovernedLanguage.objects.filter(organisation__in=organisations).order_by("tag"))


def recalibrate(judged: Judged, *, shares: Mapping[str, float] | None = None) -> Recalibration:
    """Return what the judged outputs say; of few outputs only how many there are.

    Args:
        shares: each metric's part in the composites, 0-1.

    Source: SPEC M-7.
    """
    composites, usable = judged.scores.get(COMPOSITE, []), judged.usable
    bound, bar = DEFAULT_BOUNDS.deployable, COMMUNITY_1.usable_share
    found = {
        name: association(values, judged.grades, line=int(Grade.ACCEPTABLE), seed=SEED)
        for name, values in {COMPOSITE: composites, **judged.scores}.items()
    }
    may_propose = not judged.has_generated_ratings
    proposed = _shares_proposed(found, shares or {}) if may_propose else {}
    curve = roc(composites, usable, thresholds=THRESHOLDS)
    return Recalibration(
        judged=judged,
        bands=bands(composites, usable, edges=EDGES),
        rows=tuple(MetricRow(name, one, (shares or {}).get(name), proposed.get(name)) for name, one in found.items()),
        curve=curve,
        bound=bound,
        bar=bar,
        at_bound=next(iter(roc(composites, usable, thresholds=[bound])), None),
        proposed_bound=bound_for(composites, usable, share=bar, thresholds=THRESHOLDS) if may_propose else None,
    )


def judged_read(language: GovernedLanguage) -> tuple[Judged, dict[str, float]]:
    """Read what people judged in the language's decided campaigns, and each metric's mean share of a composite."""
    judged, shares = Judged(), []
    target = "run__corpus_version__corpus__target_language"
    campaigns = Campaign.objects.filter(
        Q(**{target: language.tag}) | Q(**{f"{target}__startswith": f"{language.tag}-"}),
        organisation=language.organisation,
        status=Campaign.Status.DECIDED,
    ).select_related("run__corpus_version__corpus", "run__score_set", "run__method_version")
    for campaign in campaigns.order_by("pk"):
        made_of = _made_of(campaign.run)
        scores = _entry_scores(campaign.run, made_of) if made_of else None
        if made_of is None or scores is None:
            judged.unread_count += 1
            continue
        _campaign_add(judged, campaign, scores)
        shares.append({part.metric: part.share for part in made_of.contributions})
    names = dict.fromkeys(name for one in shares for name in one)
    return judged, {name: sum(one.get(name, 0.0) for one in shares) / len(shares) for name in names}


def _campaign_add(judged: Judged, campaign: Campaign, scores: dict[str, dict[str, float]]) -> None:
    ratings = ratings_read(campaign)
    keys = dict(SampleItem.objects.filter(campaign=campaign).values_list("uid", "output__entry_key"))
    entries = {str(uid): key for uid, key in keys.items()}
    for item in ratings.items:
        grade = item_verdict(item.ratings, overlap=campaign.overlap, talk=item.talk).grade
        row = scores.get(entries[item.item_id])
        if grade is None or row is None:
            continue
        for name in row.keys() - judged.scores.keys():
            judged.scores[name] = [float("nan")] * len(judged.grades)
        judged.grades.append(int(grade))
        judged.rating_count += len(item.ratings)
        for name, values in judged.scores.items():
            values.append(row.get(name, float("nan")))
    judged.campaign_count += 1
    judged.methods.add(campaign.run.method_version.method_id)
    judged.has_generated_ratings |= campaign.has_generated_ratings


def _made_of(run: Run) -> Composite | None:
    score_set = run.score_set
    if score_set is None or not score_set.contributions:
        return None
    parts = tuple(Contribution(**part) for part in score_set.contributions)
    return Composite(score_set.composite, Profile(score_set.profile), parts, (), ())


def _entry_scores(run: Run, made_of: Composite) -> dict[str, dict[str, float]] | None:
    """Return each entry's composite and metrics, by its id; None where the statistics are of another version."""
    if run.score_set is None:
        return None
    found: dict[str, dict[str, float]] = {}
    try:
        for chunk in run_chunks(run, run.score_set.scoring_key):
            values = per_entry_values(chunk.statistics)
            rows = {COMPOSITE: composite_of_draws(values, made_of)}
            rows |= {part.metric: _normalised(part.metric, values[part.metric]) for part in made_of.contributions}
            for place, entry_id in enumerate(chunk.entry_ids):
                found[entry_id] = {name: float(column[place]) for name, column in rows.items()}
    except ChunkError:
        return None
    return found or None


def _normalised(metric: str, values: FloatArray) -> FloatArray:
    return np.array([np.nan if np.isnan(value) else normalise(metric, float(value)) for value in values])


def _shares_proposed(found: Mapping[str, Association], shares: Mapping[str, float]) -> dict[str, float]:
    """Return shares in proportion to the correlations that are surely over 0; none unless two metrics have one."""
    sure = {name: one.correlation for name, one in found.items() if name in shares and _is_sure(one)}
    total = sum(value for value in sure.values() if value is not None)
    if len(sure) <= 1:  # one metric has no weight against another
        return {}
    return {name: round((sure.get(name) or 0.0) / total, 3) for name in shares}


def _is_sure(found: Association) -> bool:
    return found.area is not None and found.interval is not None and found.interval[0] > 0
