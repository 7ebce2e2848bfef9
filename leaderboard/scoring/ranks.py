"""Rank ranges: methods whose difference may be chance share ranks. Pure. Source: SPEC L-4."""

from collections.abc import Sequence

import numpy as np

from leaderboard.metrics.base import FloatArray, IntArray
from leaderboard.metrics.registry import METRICS, column_slices
from leaderboard.scoring.bootstrap import DRAWS, SEED, drawn_sums
from leaderboard.scoring.composite import Composite
from leaderboard.scoring.paired import COMPOSITE, FEWEST_PAIRS, SIGNIFICANT, values_of_sums

_NOISE = 1e-9


def composite_draws(
    statistics: IntArray, made_of: Composite, *, seed: int = SEED, draws: int = DRAWS
) -> tuple[float, FloatArray]:
    """Return a run's unrounded composite and those of its draws, shape (draws,).

    Runs on the same entries in the same order have the same entries in each draw, so that their draws are paired.
    NaN where nothing can be said: no composite, or under two entries.
    """
    n = len(statistics)
    if n < FEWEST_PAIRS or not made_of.contributions:
        return float("nan"), np.full(draws, np.nan)
    of_metrics = statistics[:, : column_slices()[METRICS[-1].name].stop]
    value = values_of_sums(of_metrics.sum(axis=0)[None], n, made_of)[COMPOSITE][0]
    drawn = values_of_sums(drawn_sums(of_metrics, seed=seed, draws=draws), n, made_of)[COMPOSITE]
    return float(value), drawn


def rank_ranges(values: Sequence[float], drawn: Sequence[FloatArray]) -> list[tuple[int, int]]:
    """Return each method's range: 1 + the significantly better ones to N − the significantly worse ones.

    Significant is p < 0.05 of the paired bootstrap, two-sided. What has no value differs from nothing.

    Args:
        values: N composites.
        drawn: N arrays of their composites in the same draws, shape (draws,).
    """
    if not len(values):
        return []
    measured, draws = np.array(values, dtype=np.float64), np.stack(list(drawn))
    return [_range(place, measured, draws) for place in range(len(measured))]


def _range(place: int, measured: FloatArray, draws: FloatArray) -> tuple[int, int]:
    apart = measured - measured[place]
    drawn = draws - draws[place]
    extremes = np.abs(drawn - drawn.mean(axis=1, keepdims=True))
    with np.errstate(invalid="ignore"):
        counts = np.count_nonzero(extremes >= np.abs(apart)[:, None] - _NOISE, axis=1)
        known = ~np.isnan(drawn).any(axis=1)
        differs = known & ((counts + 1) / (draws.shape[1] + 1) < SIGNIFICANT) & (np.abs(apart) > _NOISE)
        better, worse = int((differs & (apart > 0)).sum()), int((differs & (apart < 0)).sum())
    return 1 + better, len(measured) - worse
