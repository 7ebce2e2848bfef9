"""Percentile bootstrap over entries from one matrix of statistics, all metrics resampled together.

Source: SPEC M-6; 90-harness-facts 4.11.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from leaderboard.metrics.base import BoolArray, FloatArray, IntArray
from leaderboard.metrics.registry import METRICS, column_slices
from leaderboard.scoring.composite import Composite, composite_of_draws

DRAWS = 1000
SEED = 12345
LEVEL = 0.95
FEWEST_ENTRIES = 2  # under two there is no interval
WARN_BELOW = 30
_BLOCK_CELLS = 4_000_000  # entries × draws held at once: 32 MB


@dataclass(frozen=True)
class Interval:
    """A percentile interval: bounds on the metric's own scale, and what is needed to draw it again.

    `few_entries` warns that fewer than 30 entries stand behind it.
    """

    lower: float
    upper: float
    level: float
    draws: int
    seed: int
    entries: int
    few_entries: bool

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-serialisable form."""
        return vars(self).copy()


def bootstrap_intervals(
    statistics: IntArray, made_of: Composite, *, seed: int = SEED, draws: int = DRAWS
) -> dict[str, Interval]:
    """Return an interval for each metric and for `composite`, over resampled entries.

    Each draw takes n of the n entries with replacement and computes every metric and the composite from that one draw.
    Sums of whole numbers in float64 are exact, so the result depends on entries, their order and the seed alone.

    Args:
        statistics: (n, columns), in the corpus version's order.
        made_of: the run's composite, whose metrics and shares each draw uses.
    """
    n = len(statistics)
    if n < FEWEST_ENTRIES:
        return {}
    slices = column_slices()
    of_metrics = statistics[:, : slices[METRICS[-1].name].stop]
    sums = np.concatenate(list(_drawn_sums(of_metrics, seed=seed, draws=draws)))
    counts = np.full(draws, float(n))
    values = {metric.name: metric.aggregate(sums[:, slices[metric.name]], counts) for metric in METRICS}
    if made_of.contributions:
        values["composite"] = composite_of_draws(values, made_of)
    return {
        name: Interval(*_percentiles(drawn), LEVEL, draws, seed, n, n < WARN_BELOW)
        for name, drawn in values.items()
        if not np.isnan(drawn).any()
    }


def _drawn_sums(statistics: IntArray, *, seed: int, draws: int) -> Iterator[FloatArray]:
    rng = np.random.default_rng(seed)
    n = len(statistics)
    # What a language lacks is zero throughout: nothing to add up.
    used: BoolArray = (statistics != 0).any(axis=0)
    matrix = statistics[:, used].astype(np.float64)
    block = max(1, _BLOCK_CELLS // n)
    for start in range(0, draws, block):
        size = min(block, draws - start)
        times = np.empty((size, n))
        for row in range(size):
            times[row] = np.bincount(rng.integers(0, n, n), minlength=n)
        sums = np.zeros((size, statistics.shape[1]))
        sums[:, used] = times @ matrix
        yield sums


def _percentiles(drawn: FloatArray) -> tuple[float, float]:
    ordered = np.sort(drawn)
    outside = (1 - LEVEL) / 2
    low = int(len(ordered) * outside + 1e-9)
    high = max(low, int(len(ordered) * (1 - outside) + 1e-9) - 1)
    return float(ordered[low]), float(ordered[high])
