"""The composite: one number from the metrics that there are, with weights by profile.

Weights live in `WEIGHTS` and nowhere else; a test holds them against the specification's page. Source: SPEC M-3;
90-harness-facts 3.
"""

import math
from collections.abc import Mapping, Set
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Any

import numpy as np

from leaderboard.metrics.base import FloatArray


class Profile(StrEnum):
    """Which weights hold. It belongs to language and corpus version, never to the run."""

    ANALYSER = "fst-coverage"  # profile A: the language has an analyser
    SURFACE = "surface-only"  # profile B: it has none
    NO_REFERENCE = "no-reference"  # of harness 0.1.x only, to recompute its cards


WEIGHTS: Mapping[Profile, Mapping[str, float]] = MappingProxyType(
    {
        Profile.ANALYSER: MappingProxyType(
            {
                "fst_acceptance_rate": 0.25,
                "morphological_accuracy": 0.15,
                "chrf_plus_plus": 0.15,
                "semantic_score": 0.15,
                "equivalent_match_rate": 0.10,
                "code_switching_rate": 0.05,
                "terminology_adherence": 0.05,
                "hallucination_rate": 0.05,
                "exact_match_rate": 0.05,
            }
        ),
        Profile.SURFACE: MappingProxyType(
            {
                "chrf_plus_plus": 0.25,
                "semantic_score": 0.25,
                "equivalent_match_rate": 0.15,
                "code_switching_rate": 0.10,
                "terminology_adherence": 0.05,
                "hallucination_rate": 0.05,
                "exact_match_rate": 0.10,
                "orthographic_accuracy": 0.05,
            }
        ),
        Profile.NO_REFERENCE: MappingProxyType(
            {
                "fst_acceptance_rate": 0.40,
                "code_switching_rate": 0.25,
                "hallucination_rate": 0.20,
                "terminology_adherence": 0.15,
            }
        ),
    }
)

RESERVED = frozenset({"orthographic_accuracy"})  # has a weight, is not computed, and is left out even if supplied
SHOWN_ONLY = frozenset({"corpus_bleu", "chrf_plain", "spbleu", "ter", "length_ratio"})
"""Shown beside, never in a composite: changed weights that name one are refused (SPEC M-1; 90-harness-facts 3.1)."""

OUT_OF_100 = frozenset({"chrf_plus_plus"})
LOWER_IS_BETTER = frozenset({"code_switching_rate", "hallucination_rate"})
MORPHOLOGY_COVERAGE_FLOOR = 0.25
DECIMALS = 4


class CompositeError(ValueError):
    """A value that no composite can be made of: NaN, infinity, or an unknown profile."""


@dataclass(frozen=True)
class Contribution:
    """One metric's part of a composite.

    `value` as measured, `normalised` 0-1 with higher better, `weight` as in the table, `share` the weight among the
    metrics that are there (shares sum to 1), `points` what it adds to the composite (points sum to it).
    """

    metric: str
    value: float
    normalised: float
    weight: float
    share: float
    points: float


@dataclass(frozen=True)
class Composite:
    """A composite with what made it: `value` 0-1 to 4 decimals, or None where nothing was there (“unscored”).

    `left_out` names metrics that have a value and a weight but were taken out for the language, `unavailable` those
    with a weight and no value.
    """

    value: float | None
    profile: Profile
    contributions: tuple[Contribution, ...]
    left_out: tuple[str, ...]
    unavailable: tuple[str, ...]

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics that made it; two composites of different sets are not comparable without a warning."""
        return tuple(one.metric for one in self.contributions)

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-serialisable form."""
        return {
            "value": self.value,
            "profile": self.profile.value,
            "contributions": [vars(one).copy() for one in self.contributions],
            "left_out": list(self.left_out),
            "unavailable": list(self.unavailable),
        }


def profile_for(*, analyser_exists: bool) -> Profile:
    """Return profile A where the language has an analyser, else B. Source: SPEC M-3."""
    return Profile.ANALYSER if analyser_exists else Profile.SURFACE


def normalise(metric: str, value: float) -> float:
    """Return a metric's value as 0-1 with higher better: chrF++ ÷ 100, the two detectors inverted, clamped.

    Raises CompositeError for NaN and infinity.
    """
    if not math.isfinite(value):
        raise CompositeError(f"{metric} is {value}, which is no score.")
    if metric in OUT_OF_100:
        value = value / 100
    elif metric in LOWER_IS_BETTER:
        value = 1 - value
    return min(1.0, max(0.0, value))


def composite(
    values: Mapping[str, Any],
    profile: Profile | str,
    *,
    left_out: Set[str] = frozenset(),
    weights: Mapping[str, float] | None = None,
    morphology_coverage: float | None = None,
) -> Composite:
    """Return the weighted mean of the metrics that there are, rounded to 4 decimals at the end.

    Args:
        values: metric name to value (chrF++ 0-100, others 0-1) or None; metrics without a weight change nothing, texts
            count as absent, True and False as 1 and 0.
        profile: whose weights hold.
        left_out: metrics that the language's stewards took out (M-3, M-2).
        weights: other weights, where the stewards changed them; need not sum to 1.
        morphology_coverage: 0-1; under 0.25 the morphological accuracy does not enter. None: take it as covered.

    Raises:
        CompositeError: NaN, infinity, an unknown profile, or a weight for a metric of `SHOWN_ONLY`.
    Source: SPEC M-3; 90-harness-facts 3.3.
    """
    known = _profile(profile)
    table = dict(WEIGHTS[known] if weights is None else weights)
    if not SHOWN_ONLY.isdisjoint(table):
        raise CompositeError(f"{min(SHOWN_ONLY & table.keys())} is shown beside a composite and never enters one.")
    excluded = set(left_out) | _under_coverage(morphology_coverage)
    present = [metric for metric in table if metric not in RESERVED and _is_number(values.get(metric))]
    entering = [metric for metric in present if metric not in excluded]
    contributions = _contributions({metric: float(values[metric]) for metric in entering}, table)
    return Composite(
        value=_rounded_total(contributions),
        profile=known,
        contributions=contributions,
        left_out=tuple(metric for metric in present if metric in excluded),
        unavailable=tuple(metric for metric in table if metric not in present),
    )


def composite_of_draws(values: Mapping[str, FloatArray], made_of: Composite) -> FloatArray:
    """Return unrounded composites for arrays of metric values, with the same metrics and shares as `made_of`.

    Where a draw lacks a metric (NaN), because it holds no entry to judge, the others share its weight.
    """
    total: FloatArray = np.zeros(())
    lacking: FloatArray = np.zeros(())
    for part in made_of.contributions:
        drawn = values[part.metric]
        lacking = lacking + np.where(np.isnan(drawn), part.share, 0.0)
        if part.metric in OUT_OF_100:
            drawn = drawn / 100
        elif part.metric in LOWER_IS_BETTER:
            drawn = 1 - drawn
        total = total + part.share * np.clip(np.nan_to_num(drawn), 0.0, 1.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(lacking > 0, total / (1 - lacking), total)


def _profile(profile: Profile | str) -> Profile:
    try:
        return Profile(profile)
    except ValueError as error:
        raise CompositeError(f"There is no scoring profile called {profile}.") from error


def _under_coverage(coverage: float | None) -> set[str]:
    return {"morphological_accuracy"} if coverage is not None and coverage < MORPHOLOGY_COVERAGE_FLOOR else set()


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float)


def _contributions(values: Mapping[str, float], weights: Mapping[str, float]) -> tuple[Contribution, ...]:
    total = sum(weights[metric] for metric in values)
    if not total:
        return ()
    parts = []
    for metric, value in values.items():
        normalised = normalise(metric, value)
        share = weights[metric] / total
        parts.append(
            Contribution(
                metric=metric,
                value=value,
                normalised=normalised,
                weight=weights[metric],
                share=share,
                points=share * normalised,
            )
        )
    return tuple(parts)


def _rounded_total(contributions: tuple[Contribution, ...]) -> float | None:
    if not contributions:
        return None
    weighted = sum(part.weight * part.normalised for part in contributions)
    return round(weighted / sum(part.weight for part in contributions), DECIMALS)
