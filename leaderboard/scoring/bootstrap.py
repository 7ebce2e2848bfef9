"""Percentile bootstrap over entries from one matrix of statistics, all metrics resampled together.

Source: SPEC M-6; 90-harness-facts 4.11.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from leaderboard.metrics.base import FloatArray, IntArray
from leaderboard.metrics.registry import METRICS, column_slices
from leaderboard.scoring.composite import Composite, composite_of_draws

DRAWS = 1000
SEED = 12345
LEVEL = 0.95
FEWEST_ENTRIES = 2  # under two there is no interval
WARN_BELOW = 30
_BLOCK_CELLS = 16_000_000  # entries × draws held at once: 64 MB
_BLOCK_ENTRIES = 16_384  # entries summed at once


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
    sums = drawn_sums(of_metrics, seed=seed, draws=draws)
    counts = np.full(draws, float(n))
    values = {metric.name: metric.aggregate(sums[:, slices[metric.name]], counts) for metric in METRICS}
    if made_of.contributions:
        values["composite"] = composite_of_draws(values, made_of)
    return {
        name: Interval(*percentiles(drawn), LEVEL, draws, seed, n, n < WARN_BELOW)
        for name, drawn in values.items()
        if not np.isnan(drawn).any()
    }


def drawn_sums(statistics: IntArray, *, seed: int = SEED, draws: int = DRAWS) -> FloatArray:
    """Return the sums of each draw, shape (draws, columns), of an (n, columns) matrix of whole numbers from 0.

    The entries drawn are those that sacreBLEU's bootstrap takes with the same seed, draw by draw; its default seed is
    ours. Of the same entries the scores are the same: sacreBLEU's own differ in the seventh digit, because it sums and
    divides in single precision. Beside the matrix some 70 MB are needed, however many entries there are.
    """
    rng = np.random.default_rng(seed)
    n = len(statistics)
    # What a language lacks is zero throughout: nothing to add up.
    used = np.flatnonzero(statistics.max(axis=0, initial=0))
    sums = np.zeros((draws, statistics.shape[1]))
    block = max(1, _BLOCK_CELLS // n)
    for start in range(0, draws, block):
        stop = min(start + block, draws)
        times = np.empty((stop - start, n), dtype=np.float32)
        for row in times:
            row[:] = np.bincount(rng.integers(0, n, n), minlength=n)
        sums[start:stop, used] = _weighted_sums(times, statistics, used)
    return sums


def _weighted_sums(times: npt.NDArray[np.float32], statistics: IntArray, used: npt.NDArray[np.intp]) -> FloatArray:
    sums = np.zeros((len(times), len(used)))
    for start in range(0, len(statistics), _BLOCK_ENTRIES):
        part = slice(start, start + _BLOCK_ENTRIES)
        sums += times[:, part].astype(np.float64) @ statistics[part, used].astype(np.float64)
    return sums


def percentiles(drawn: FloatArray) -> tuple[float, float]:
    """Return the bounds of the 95 % interval of drawn values, taken where sacreBLEU takes them."""
    ordered = np.sort(drawn)
    outside = (1 - LEVEL) / 2
    low = int(len(ordered) * outside + 1e-9)
    high = max(low, int(len(ordered) * (1 - outside) + 1e-9) - 1)
    return float(ordered[low]), float(ordered[high])
