"""How far raters agree: pairwise agreement, Gwet's AC1 and Krippendorff's alpha, with bootstrap intervals over items.

An item is given as the list of its ratings, whole numbers in the order of the scale. Items may have different numbers
of ratings; those with fewer than two say nothing about agreement. Own code.

Source: SPEC V-7; Gwet 2008, Br J Math Stat Psychol 61:29-48; Krippendorff 2011, Computing Krippendorff's
Alpha-Reliability.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from champollion.stats.intervals import BOOTSTRAP_DRAWS, Counts, Values, bootstrap_quantiles

Ratings = Sequence[Sequence[int]]
Statistic = Callable[[Counts], Values]


class Metric(StrEnum):
    """How far apart two values of a scale are for Krippendorff's alpha."""

    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    INTERVAL = "interval"


@dataclass(frozen=True, slots=True)
class Coefficient:
    """One measure of agreement.

    Args:
        value: None where it is not defined: no pair of ratings, or for alpha no variation at all.
        interval: two-sided 95 %, by bootstrap over items; None without a value.
        upper: one-sided upper bound at the level asked for; None without a value.
    """

    value: float | None
    interval: tuple[float, float] | None
    upper: float | None


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement of a campaign's first ratings; `item_count` items have two or more of them."""

    item_count: int
    pairwise: Coefficient
    ac1: Coefficient
    alpha: Coefficient

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as JSON values."""
        return asdict(self)


def agreement(
    ratings: Ratings, *, line: int, seed: int, level: float = 0.95, draws: int = BOOTSTRAP_DRAWS
) -> Agreement:
    """Measure agreement with intervals.

    Args:
        ratings: for each item its ratings.
        line: ratings of `line` and over are on one side (usable), the others on the other. Pairwise agreement and AC1
            look at the sides, alpha at the whole scale.
        seed: of the bootstrap, 0 or more.
        level: one-sided, of the upper bounds.
        draws: of the bootstrap.

    Source: SPEC V-7.
    """
    paired = [item for item in ratings if len(item) >= 2]
    sides = [[int(value >= line) for value in item] for item in paired]

    def coefficient(statistic: Statistic) -> Coefficient:
        return _with_interval(statistic, item_count=len(paired), seed=seed, level=level, draws=draws)

    return Agreement(
        item_count=len(paired),
        pairwise=coefficient(_pairwise_statistic(_table(sides, (0, 1)))),
        ac1=coefficient(_ac1_statistic(_table(sides, (0, 1)))),
        alpha=coefficient(_alpha_statistic(_table(paired, _values_of(paired)), _values_of(paired), Metric.ORDINAL)),
    )


def pairwise_agreement(ratings: Ratings) -> float | None:
    """Return the share of all pairs of ratings of one item that are equal, 0-1; None without a pair."""
    return _value(_pairwise_statistic(_table(ratings, _values_of(ratings))), len(ratings))


def gwet_ac1(ratings: Ratings, *, categories: Sequence[int] | None = None) -> float | None:
    """Return Gwet's AC1 for any number of raters; None without a pair.

    Args:
        ratings: for each item its ratings.
        categories: of the scale, used or not; if left out, those that occur.
    """
    return _value(_ac1_statistic(_table(ratings, categories or _values_of(ratings))), len(ratings))


def krippendorff_alpha(ratings: Ratings, *, metric: Metric) -> float | None:
    """Return Krippendorff's alpha for any number of raters and missing ratings; None if nothing varies."""
    values = _values_of(ratings)
    return _value(_alpha_statistic(_table(ratings, values), values, metric), len(ratings))


def _values_of(ratings: Ratings) -> tuple[int, ...]:
    return tuple(sorted({value for item in ratings for value in item}))


def _table(ratings: Ratings, categories: Sequence[int]) -> Values:
    """Return how many ratings each item has in each category, shape (items, categories)."""
    place = {category: k for k, category in enumerate(categories)}
    table = np.zeros((len(ratings), len(categories)))
    for i, item in enumerate(ratings):
        for value in item:
            table[i, place[value]] += 1
    return table


def _value(statistic: Statistic, item_count: int) -> float | None:
    """Evaluate a statistic with every item taken once."""
    if item_count == 0:
        return None
    value = float(statistic(np.ones((1, item_count), dtype=np.int64))[0])
    return None if np.isnan(value) else value


def _with_interval(statistic: Statistic, *, item_count: int, seed: int, level: float, draws: int) -> Coefficient:
    value = _value(statistic, item_count)
    if value is None:
        return Coefficient(None, None, None)
    quantiles = bootstrap_quantiles(
        statistic, item_count=item_count, seed=seed, quantiles=(0.025, 0.975, level), draws=draws
    )
    if quantiles is None:
        return Coefficient(value, None, None)
    low, high, upper = quantiles
    return Coefficient(value, (low, high), upper)


def _divide(numerator: Values, denominator: Values) -> Values:
    """Divide, with NaN where there is nothing to divide by."""
    return np.divide(numerator, denominator, out=np.full(numerator.shape, np.nan), where=denominator > 0)


def _pairwise_statistic(table: Values) -> Statistic:
    totals = table.sum(axis=1)
    pairs = totals * (totals - 1)
    equal = (table * (table - 1)).sum(axis=1)
    return lambda counts: _divide(counts @ equal, counts @ pairs)


def _ac1_statistic(table: Values) -> Statistic:
    """AC1 = (p_a − p_e)/(1 − p_e); p_a over items with a pair, category shares over all rated items."""
    totals = table.sum(axis=1)
    is_rated, is_paired = (totals >= 1).astype(float), (totals >= 2).astype(float)
    equal = _divide((table * (table - 1)).sum(axis=1), totals * (totals - 1))
    equal = np.nan_to_num(equal)
    shares = np.nan_to_num(_divide(table, np.repeat(totals[:, None], table.shape[1], axis=1)))

    def statistic(counts: Counts) -> Values:
        observed = _divide(counts @ equal, counts @ is_paired)
        used = counts @ is_rated
        prevalence = _divide(counts @ shares, np.repeat(used[:, None], table.shape[1], axis=1))
        # With a single category chance has no part.
        chance = (prevalence * (1 - prevalence)).sum(axis=1) / max(table.shape[1] - 1, 1)
        return _divide(observed - chance, 1 - chance)

    return statistic


def _alpha_statistic(table: Values, values: Sequence[int], metric: Metric) -> Statistic:
    """alpha = 1 − (n − 1) Σ o_ck δ²_ck / Σ n_c n_k δ²_ck, over the coincidences of pairable values."""
    totals = table.sum(axis=1)
    is_paired = totals >= 2
    products = table[:, :, None] * table[:, None, :] - table[:, :, None] * np.eye(table.shape[1])
    coincidences = products / np.where(is_paired, totals - 1, 1)[:, None, None] * is_paired[:, None, None]

    def statistic(counts: Counts) -> Values:
        observed = np.einsum("bi,ick->bck", counts, coincidences)
        marginals = observed.sum(axis=2)
        distance = _distance(marginals, values, metric)
        pairs = marginals.sum(axis=1)
        disagreement = (pairs - 1) * (observed * distance).sum(axis=(1, 2))
        expected = (marginals[:, :, None] * marginals[:, None, :] * distance).sum(axis=(1, 2))
        return 1 - _divide(disagreement, expected)

    return statistic


def _distance(marginals: Values, values: Sequence[int], metric: Metric) -> NDArray[np.float64]:
    """Return δ² between categories, shape (draws, categories, categories)."""
    size = len(values)
    if metric is Metric.NOMINAL:
        return np.broadcast_to(1 - np.eye(size), (len(marginals), size, size))
    if metric is Metric.INTERVAL:
        scale = np.array(values, dtype=float)
        return np.broadcast_to((scale[:, None] - scale[None, :]) ** 2, (len(marginals), size, size))
    # Ordinal: the values that lie between, each end counted half. That is the distance of mid-ranks.
    mid_ranks = np.cumsum(marginals, axis=1) - marginals / 2
    return (mid_ranks[:, :, None] - mid_ranks[:, None, :]) ** 2
