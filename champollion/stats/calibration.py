"""How well a score predicts what people said of the same things: by band, by rank correlation, by ROC curve.

Pure. A thing has a score (0-1 for a composite), the grade that people gave it, and is usable or not. With few things
little is said: what cannot be told is None, never a number that looks as if it could. Source: SPEC M-7.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import rankdata

from champollion.stats.intervals import Counts, Values, bootstrap_quantiles, clopper_pearson_lower, wilson

FEWEST_FOR_CORRELATION = 30
"""Under so many things neither correlation nor curve is given."""
FEWEST_OF_EACH_KIND = 10
"""Usable and not usable things that a curve, and any proposal, needs."""
FEWEST_OVER_BOUND = 30
LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Band:
    """Things with a score from `low` to under `high` (the last band: to its end), and how many were usable.

    `interval` is the two-sided 95 % Wilson interval of the usable share, None without things.
    """

    low: float
    high: float
    count: int
    usable: int
    interval: tuple[float, float] | None

    @property
    def share(self) -> float | None:
        """Return the usable share, 0-1, None without things."""
        return self.usable / self.count if self.count else None


@dataclass(frozen=True, slots=True)
class Association:
    """Spearman's correlation of score and grade, -1 to 1, with its 95 % bootstrap interval, and the area under the ROC
    curve (0-1; a half is chance). None where there are too few things, or all are alike."""

    count: int
    correlation: float | None
    interval: tuple[float, float] | None
    area: float | None


@dataclass(frozen=True, slots=True)
class RocPoint:
    """Calling usable what scores at least `threshold`: the share of usable things found, and of the others taken."""

    threshold: float
    found: float
    taken: float


def bands(scores: ArrayLike, usable: ArrayLike, *, edges: Sequence[float]) -> tuple[Band, ...]:
    """Return the usable share by band of score, one band between each two edges.

    Raises:
        ValueError: not as many scores as judgements, or edges that do not rise.
    """
    x, good = _judged(scores, usable)
    if any(high <= low for low, high in pairwise(edges)):
        raise ValueError("the edges of bands must rise")
    found = []
    for place, (low, high) in enumerate(pairwise(edges)):
        is_last = place == len(edges) - 2
        inside = (x >= low) & ((x <= high) if is_last else (x < high))
        count, hits = int(inside.sum()), int(good[inside].sum())
        found.append(Band(low, high, count, hits, wilson(hits / count, count, level=LEVEL) if count else None))
    return tuple(found)


def association(scores: ArrayLike, grades: ArrayLike, *, line: int, seed: int) -> Association:
    """Say how score and grade go together.

    The bootstrap draws things with the ranks that they have among all of them.

    Args:
        line: the lowest usable grade.
        seed: of the bootstrap, so that the interval can be computed again.
    """
    x, y = _pairs(scores, grades)
    known = ~np.isnan(x)
    x, y = x[known], y[known]
    if len(x) < FEWEST_FOR_CORRELATION or np.ptp(x) == 0 or np.ptp(y) == 0:
        return Association(len(x), None, None, None)
    # Ranks around 0, so that the sums of the draws do not lose digits.
    first, second = (rankdata(values) - (len(values) + 1) / 2 for values in (x, y))

    def statistic(counts: Counts) -> Values:
        return _weighted_correlation(first, second, counts)

    everything = np.ones((1, len(x)), dtype=np.int64)
    ends = bootstrap_quantiles(statistic, item_count=len(x), seed=seed, quantiles=((1 - LEVEL) / 2, (1 + LEVEL) / 2))
    interval = (ends[0], ends[1]) if ends else None
    return Association(len(x), float(statistic(everything)[0]), interval, area_under(x, y >= line))


def area_under(scores: ArrayLike, usable: ArrayLike) -> float | None:
    """Return the chance that a usable thing scores over one that is not, ties half; None with too few of a kind."""
    x, good = _judged(scores, usable)
    hits, misses = int(good.sum()), int((~good).sum())
    if min(hits, misses) < FEWEST_OF_EACH_KIND:
        return None
    return float((rankdata(x)[good].sum() - hits * (hits + 1) / 2) / (hits * misses))


def roc(scores: ArrayLike, usable: ArrayLike, *, thresholds: Sequence[float]) -> tuple[RocPoint, ...]:
    """Return the points of the ROC curve at some thresholds; none with too few of a kind."""
    x, good = _judged(scores, usable)
    if min(int(good.sum()), int((~good).sum())) < FEWEST_OF_EACH_KIND:
        return ()
    return tuple(
        RocPoint(float(bound), float((x[good] >= bound).mean()), float((x[~good] >= bound).mean()))
        for bound in thresholds
    )


def bound_for(scores: ArrayLike, usable: ArrayLike, *, share: float, thresholds: Sequence[float]) -> float | None:
    """Return the lowest threshold over which surely at least `share` are usable; None where none is known to be.

    Surely: the one-sided 95 % Clopper-Pearson bound, of at least 30 things over the threshold, with ten of each kind
    among all of them.
    """
    x, good = _judged(scores, usable)
    if min(int(good.sum()), int((~good).sum())) < FEWEST_OF_EACH_KIND:
        return None
    for bound in sorted(thresholds):
        over = x >= bound
        count = int(over.sum())
        if count >= FEWEST_OVER_BOUND and clopper_pearson_lower(int(good[over].sum()), count, level=LEVEL) >= share:
            return bound
    return None


def _weighted_correlation(first: Values, second: Values, counts: Counts) -> Values:
    weights = np.asarray(counts, dtype=np.float64)
    total = weights.sum(axis=-1)
    mean_1, mean_2 = weights @ first / total, weights @ second / total
    across = weights @ (first * second) / total - mean_1 * mean_2
    spread = (weights @ first**2 / total - mean_1**2) * (weights @ second**2 / total - mean_2**2)
    # A draw whose things are all alike says nothing of how the two go together.
    return np.where(spread > 0, across / np.sqrt(np.where(spread > 0, spread, 1.0)), np.nan)


def _judged(scores: ArrayLike, usable: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    x, good = _pairs(scores, usable)
    return x, good.astype(np.bool_)


def _pairs(scores: ArrayLike, others: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    x, y = np.asarray(scores, dtype=np.float64), np.asarray(others, dtype=np.float64)
    if x.shape != y.shape or x.ndim != 1:
        raise ValueError("there must be as many judgements as scores")
    return x, y
