"""Paired tests of two runs on their common entries, from the statistics of each: bootstrap and randomisation.

Both take the metrics and the composite from one draw. The entries of a bootstrap draw and the swaps of a randomisation
trial are those that sacreBLEU makes with the same seed. An effect as large as the measured one counts as extreme, so
that equal runs have p = 1 (sacreBLEU counts larger ones alone and gives equal runs its smallest p).
Source: SPEC M-6; 90-harness-facts 4.11, 13.7.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from leaderboard.metrics.base import BoolArray, FloatArray, IntArray
from leaderboard.metrics.registry import METRICS, column_slices
from leaderboard.scoring.bootstrap import DRAWS, SEED, drawn_sums, percentiles
from leaderboard.scoring.chunks import ChunkStats
from leaderboard.scoring.composite import Composite, composite_of_draws

SIGNIFICANT = 0.05
WARN_BELOW_HARNESS = 10
WARN_BELOW = 30
FEWEST_PAIRS = 2  # under two nothing can be resampled
COMPOSITE = "composite"
#: Neither more nor less of it is better.
UNDIRECTED = frozenset({"length_ratio"})
_LOWER_IS_BETTER = frozenset(metric.name for metric in METRICS if metric.lower_is_better)
_NOISE = 1e-9  # of sums in other orders; no metric differs by as little
_BLOCK_CELLS = 16_000_000  # entries × trials held at once


@dataclass(frozen=True)
class Difference:
    """One metric of two runs, on its own scale: `difference` is first − second, with its 95 % bootstrap interval.

    `p_bootstrap` and `p_randomisation` are two-sided, 1/(draws + 1) to 1. The interval is None under two entries.
    """

    metric: str
    first: float
    second: float
    difference: float
    lower: float | None
    upper: float | None
    p_bootstrap: float
    p_randomisation: float

    @property
    def is_significant(self) -> bool:
        """Whether the randomisation test, which is the harness's default, has p < 0.05."""
        return self.p_randomisation < SIGNIFICANT

    @property
    def better(self) -> str:
        """Return "first", "second", or "" where they are equal or the metric has no better end."""
        if self.metric in UNDIRECTED or abs(self.difference) <= _NOISE:
            return ""
        return "first" if (self.difference > 0) != (self.metric in _LOWER_IS_BETTER) else "second"

    @property
    def winner(self) -> str:
        """Return which run is better beyond chance, "" where it may be chance."""
        return self.better if self.is_significant else ""


@dataclass(frozen=True)
class PairedTests:
    """The differences of two runs by metric, the composite last, and what is needed to draw them again."""

    entries: int
    seed: int
    draws: int
    differences: tuple[Difference, ...]

    @property
    def warning(self) -> str:
        """Return "too_few" under 10 entries (the harness's warning), "few" under 30, else ""."""
        if self.entries < WARN_BELOW_HARNESS:
            return "too_few"
        return "few" if self.entries < WARN_BELOW else ""

    def of(self, metric: str) -> Difference | None:
        """Return the difference in a metric; None where a run lacks it."""
        return next((one for one in self.differences if one.metric == metric), None)

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-serialisable form."""
        return {
            "entries": self.entries,
            "seed": self.seed,
            "draws": self.draws,
            "warning": self.warning,
            "differences": [{**vars(one), "winner": one.winner} for one in self.differences],
        }


def common_entries(first: ChunkStats, second: ChunkStats) -> tuple[tuple[str, ...], IntArray, IntArray]:
    """Return the ids that both have, in the first one's order, with the (n, columns) statistics of each."""
    places = {entry_id: place for place, entry_id in enumerate(second.entry_ids)}
    ids = tuple(entry_id for entry_id in first.entry_ids if entry_id in places)
    own = {entry_id: place for place, entry_id in enumerate(first.entry_ids)}
    rows = np.array([own[entry_id] for entry_id in ids], dtype=np.intp)
    others = np.array([places[entry_id] for entry_id in ids], dtype=np.intp)
    return ids, first.statistics[rows], second.statistics[others]


def paired_tests(
    first: IntArray,
    second: IntArray,
    *,
    made_of: tuple[Composite, Composite],
    seed: int = SEED,
    draws: int = DRAWS,
) -> PairedTests:
    """Test two runs in every metric that both have, and in the composite.

    Args:
        first, second: (n, columns) statistics of the same entries in the same order.
        made_of: how the composite of each is made.

    Raises:
        ValueError: the matrices have not the same shape.
    """
    if first.shape != second.shape:
        raise ValueError("The two runs have not the same entries.")
    n = len(first)
    if not n:
        return PairedTests(0, seed, draws, ())
    metrics = slice(0, column_slices()[METRICS[-1].name].stop)
    first, second = first[:, metrics], second[:, metrics]
    measured = _values(first.sum(axis=0)[None], second.sum(axis=0)[None], n, made_of)
    tested = {}
    if n >= FEWEST_PAIRS:
        drawn = [drawn_sums(one, seed=seed, draws=draws) for one in (first, second)]
        tested = {
            "bootstrap": _values(drawn[0], drawn[1], n, made_of),
            "randomisation": _values(*_swapped_sums(first, second, seed=seed, trials=draws), n, made_of),
        }
    found = (_difference(name, pair, tested) for name, pair in measured.items() if not np.isnan(pair).any())
    return PairedTests(n, seed, draws, tuple(one for one in found if one is not None))


def p_of_bootstrap(drawn: FloatArray, difference: float) -> float:
    """Return the two-sided p of drawn differences, shape (draws,), shifted so that their mean is no difference."""
    return _p(np.abs(drawn - drawn.mean()), difference)


def _p(extremes: FloatArray, difference: float) -> float:
    count = int(np.count_nonzero(extremes >= abs(difference) - _NOISE))
    return (count + 1) / (len(extremes) + 1)


def _difference(
    name: str, measured: tuple[FloatArray, FloatArray], tested: dict[str, dict[str, tuple[FloatArray, FloatArray]]]
) -> Difference | None:
    first, second = float(measured[0][0]), float(measured[1][0])
    if not tested:
        return Difference(name, first, second, first - second, None, None, 1.0, 1.0)
    drawn = tested["bootstrap"][name][0] - tested["bootstrap"][name][1]
    swapped = tested["randomisation"][name][0] - tested["randomisation"][name][1]
    if np.isnan(drawn).any() or np.isnan(swapped).any():
        return None  # some draws hold no entry that the metric judges
    lower, upper = percentiles(drawn)
    difference = first - second
    return Difference(
        metric=name,
        first=first,
        second=second,
        difference=difference,
        lower=lower,
        upper=upper,
        p_bootstrap=p_of_bootstrap(drawn, difference),
        p_randomisation=_p(np.abs(swapped), difference),
    )


def _values(
    first: FloatArray, second: FloatArray, n: int, made_of: tuple[Composite, Composite]
) -> dict[str, tuple[FloatArray, FloatArray]]:
    """Return each metric's values of (draws, columns) sums of both runs, and their composites."""
    one, other = (values_of_sums(sums, n, how) for sums, how in zip((first, second), made_of, strict=True))
    return {name: (one[name], other[name]) for name in one if name in other}


def values_of_sums(sums: FloatArray, n: int, made_of: Composite) -> dict[str, FloatArray]:
    """Return the metrics and the composite of (draws, columns) sums over n entries, shape (draws,) each, unrounded."""
    slices = column_slices()
    counts = np.full(len(sums), float(n))
    exact = np.asarray(sums, dtype=np.float64)
    values = {metric.name: metric.aggregate(exact[:, slices[metric.name]], counts) for metric in METRICS}
    if made_of.contributions:
        values[COMPOSITE] = composite_of_draws(values, made_of)
    return values


def _swapped_sums(first: IntArray, second: IntArray, *, seed: int, trials: int) -> tuple[FloatArray, FloatArray]:
    """Return the sums of two pseudo-runs a trial, (trials, columns) each: every entry's pair swapped or not by a coin.

    Whole numbers throughout, so the sums are exact.
    """
    rng = np.random.default_rng(seed)
    n = len(first)
    apart = (first - second).astype(np.float64)
    used = np.flatnonzero(np.abs(apart).max(axis=0))
    moved = np.zeros((trials, apart.shape[1]))
    # Blocks of whole words of the generator: the coins are then those of one call for all.
    block = 32 * max(1, _BLOCK_CELLS // (32 * n))
    for start in range(0, trials, block):
        stop = min(start + block, trials)
        kept: BoolArray = rng.integers(2, size=(stop - start, n), dtype=np.bool_)
        moved[start:stop, used] = kept.astype(np.float64) @ apart[:, used]
    both = (first + second).sum(axis=0).astype(np.float64)
    one = moved + second.sum(axis=0)
    return one, both - one
