"""The scores of a run from its chunks: headline, composite, tier, breakdowns, intervals and per-entry values."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from leaderboard.caveats.report import Caveat, caveats_of
from leaderboard.metrics.base import BoolArray, FloatArray, IntArray
from leaderboard.metrics.registry import (
    CHRF,
    CODE_SWITCHING,
    HALLUCINATION,
    MARKS,
    METRICS,
    MORPHOLOGY,
    column_slices,
)
from leaderboard.metrics.tools import FailureKind
from leaderboard.scoring.bootstrap import DRAWS, SEED, Interval, bootstrap_intervals
from leaderboard.scoring.chunks import ChunkError, ChunkStats, Flag, merge_chunks
from leaderboard.scoring.composite import Composite, Profile, composite
from leaderboard.scoring.failures import failures_of, without_failed
from leaderboard.scoring.harness import HarnessCounting, HarnessView, harness_view
from leaderboard.scoring.tiers import DEFAULT_BOUNDS, Tier, TierBounds, tier_for
from leaderboard.scoring.version import scorer_info

CELL_DIMENSIONS = ("difficulty", "domain")
GRADED = "difficulty"
MOST_GROUPS = 200  # of a dimension: of a corpus with thousands of variant classes the largest have figures of their own


@dataclass(frozen=True)
class ScoreOptions:
    """What the language and corpus version decide: profile, metrics left out, changed weights and tier bounds.

    `morphology_coverage` is settled by `reduce_chunks` from the run itself.
    """

    profile: Profile = Profile.SURFACE
    left_out: frozenset[str] = frozenset()
    weights: Mapping[str, float] | None = None
    bounds: TierBounds = DEFAULT_BOUNDS
    seed: int = SEED
    draws: int = DRAWS
    morphology_coverage: float | None = None


@dataclass(frozen=True)
class GroupScores:
    """Scores of some entries: `count` of them, how many errored, missing or empty, every metric (corpus level), the
    composite, and `avg_chrf`, the mean of entry scores over entries without error, which the harness gives.
    `intervals` has none for the rows of `cells`."""

    count: int
    errored: int
    missing: int
    empty: int
    metrics: dict[str, float | None]
    composite: float | None
    avg_chrf: float | None
    intervals: dict[str, Interval] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-serialisable form."""
        return {**vars(self), "intervals": {name: interval.to_dict() for name, interval in self.intervals.items()}}


@dataclass(frozen=True, eq=False)
class RunScores:
    """Everything that scoring says of a run. Metrics are published values: rounded, None where there is nothing.

    `share_affected` is the share of entries over 0 by detector; `per_entry` has one value per entry and metric, in the
    order of `entry_ids`; `breakdowns` is dimension to key (“” for not given) to scores, and `cells` has one row per
    difficulty and domain; `harness` is counted as harness 0.1.x and as 0.2.0 and later do, beside the headline.
    `beside` has the figures that metrics give beside their value, `failures` how tools failed, by the metric that is
    null for it, `caveats` what is odd about the outputs; none of these changes a number.
    """

    entry_ids: tuple[str, ...]
    total: GroupScores
    composite: Composite
    tier: Tier
    intervals: dict[str, Interval]
    share_affected: dict[str, float | None]
    breakdowns: dict[str, dict[str, GroupScores]]
    cells: dict[tuple[str, str], GroupScores]
    per_entry: dict[str, FloatArray]
    harness: dict[HarnessCounting, HarnessView]
    beside: dict[str, float | None]
    failures: dict[str, FailureKind]
    caveats: tuple[Caveat, ...]
    scorer: dict[str, Any] = field(default_factory=scorer_info)

    @property
    def metrics(self) -> dict[str, float | None]:
        """The headline metrics by name."""
        return self.total.metrics

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-serialisable form of all but the per-entry values."""
        return {
            "total": self.total.to_dict(),
            "composite": self.composite.to_dict(),
            "tier": self.tier.value,
            "intervals": {name: interval.to_dict() for name, interval in self.intervals.items()},
            "share_affected": self.share_affected,
            "breakdowns": {
                dimension: {key: group.to_dict() for key, group in rows.items()}
                for dimension, rows in self.breakdowns.items()
            },
            "cells": [
                {**dict(zip(CELL_DIMENSIONS, key, strict=True)), **group.to_dict()} for key, group in self.cells.items()
            ],
            "harness": {counting.value: view.to_dict() for counting, view in self.harness.items()},
            "beside": self.beside,
            "failures": {name: kind.name.lower() for name, kind in self.failures.items()},
            "caveats": [caveat.to_dict() for caveat in self.caveats],
            "scorer": self.scorer,
        }


def reduce_chunks(
    chunks: Iterable[ChunkStats],
    entry_ids: Sequence[str],
    *,
    groups: Mapping[str, Sequence[str | int | None]] | None = None,
    options: ScoreOptions | None = None,
) -> RunScores:
    """Return the scores of a run, the same to the last bit for chunks in any order.

    Args:
        chunks: parts that together hold every entry.
        entry_ids: all entries of the corpus version's segment in its order; the interval's draws depend on it.
        groups: dimension (`difficulty`, `domain`, …) to one key per entry; None, "" and 0 mean not given.
        options: profile, left-out metrics, weights, bounds, seed.

    Raises:
        ChunkError: an entry is lacking or unknown, a dimension has not one key per entry.
        CompositeError: a metric is NaN or infinite.
    Source: SPEC M-1 to M-4, M-6.
    """
    settled = options or ScoreOptions()
    whole = merge_chunks(chunks, tuple(entry_ids))
    failures = failures_of(whole)
    merged = without_failed(whole, failures)
    settled = replace(settled, morphology_coverage=morphology_coverage(merged))
    keys = {name: _group_keys(name, given, len(merged.entry_ids)) for name, given in (groups or {}).items()}
    everything = np.ones(len(merged.entry_ids), dtype=bool)
    total, made_of = _scores_of(merged, everything, settled)
    intervals = bootstrap_intervals(merged.statistics, made_of, seed=settled.seed, draws=settled.draws)
    return RunScores(
        entry_ids=merged.entry_ids,
        total=replace(total, intervals=intervals),
        composite=made_of,
        tier=tier_for(made_of.value, settled.bounds),
        intervals=intervals,
        share_affected=_shares_affected(merged.statistics),
        breakdowns={name: _breakdown(merged, given, settled, dimension=name) for name, given in keys.items()},
        cells=_cells(merged, keys, settled),
        per_entry=per_entry_values(merged.statistics),
        harness={counting: harness_view(merged, counting) for counting in HarnessCounting},
        beside=figures_beside(merged.statistics),
        failures=failures,
        caveats=caveats_of(merged.statistics[:, column_slices()[MARKS.name]], merged.entry_ids),
    )


def group_scores(chunk: ChunkStats, mask: BoolArray, options: ScoreOptions) -> tuple[GroupScores, Composite]:
    """Return the scores of the entries that `mask` (n booleans) picks, and how their composite is made."""
    return _scores_of(chunk, mask, options)


def per_entry_values(statistics: IntArray) -> dict[str, FloatArray]:
    """Return each metric's value per entry, shape (n,), unrounded."""
    slices = column_slices()
    return {metric.name: metric.per_entry(statistics[:, slices[metric.name]]) for metric in METRICS}


def morphology_coverage(chunk: ChunkStats) -> float | None:
    """Return the coverage that decides whether morphological accuracy enters the composite; None without any.

    It is the whole run's, for its groups too: their composites are then made of the same metrics.
    """
    sums = chunk.statistics[:, column_slices()[MORPHOLOGY.name]].sum(axis=0).astype(np.float64)
    return published(MORPHOLOGY.coverage(sums, np.array(float(len(chunk.statistics)))), 4)


def figures_beside(statistics: IntArray) -> dict[str, float | None]:
    """Return what metrics give beside their value: counts, and rates to 4 decimals."""
    count = np.array(float(len(statistics)))
    found: dict[str, float | None] = {}
    for metric in METRICS:
        beside = getattr(metric, "beside", None)
        if beside is not None:
            sums = statistics[:, column_slices()[metric.name]].sum(axis=0).astype(np.float64)
            found |= {name: published(value, 4) for name, value in beside(sums, count).items()}
    return found


def _scores_of(chunk: ChunkStats, mask: BoolArray, options: ScoreOptions) -> tuple[GroupScores, Composite]:
    statistics, flags = _picked(chunk, mask), chunk.flags[mask]
    sums, count = statistics.sum(axis=0).astype(np.float64), np.array(float(len(statistics)))
    slices = column_slices()
    metrics = {
        metric.name: published(metric.aggregate(sums[slices[metric.name]], count), metric.decimals)
        for metric in METRICS
    }
    # The composite is made of the published figures, as the harness makes it: who adds up what the page shows gets it.
    made_of = composite(
        metrics,
        options.profile,
        left_out=options.left_out,
        weights=options.weights,
        morphology_coverage=options.morphology_coverage,
    )
    scores = GroupScores(
        count=len(statistics),
        errored=int(np.count_nonzero(flags & Flag.ERRORED)),
        missing=int(np.count_nonzero(flags & Flag.MISSING)),
        empty=int(np.count_nonzero(flags & Flag.EMPTY)),
        metrics=metrics,
        composite=made_of.value,
        avg_chrf=_mean_entry_chrf(statistics, flags),
    )
    return scores, made_of


def _picked(chunk: ChunkStats, mask: BoolArray) -> IntArray:
    # All of a million entries are a gigabyte, of which one is enough.
    return chunk.statistics if mask.all() else chunk.statistics[mask]


def published(value: FloatArray, decimals: int) -> float | None:
    """Return a metric's value rounded for show, None for NaN."""
    number = float(value)
    return None if np.isnan(number) else round(number, decimals)


def _mean_entry_chrf(statistics: IntArray, flags: npt.NDArray[np.uint8]) -> float | None:
    counted = statistics[:, column_slices()[CHRF.name]][(flags & (Flag.ERRORED | Flag.MISSING)) == 0]
    if not len(counted):
        return None
    return round(float(CHRF.per_entry(counted).mean()), 2)


def _shares_affected(statistics: IntArray) -> dict[str, float | None]:
    sums, count = statistics.sum(axis=0).astype(np.float64), np.array(float(len(statistics)))
    return {
        metric.name: published(metric.share_affected(sums[column_slices()[metric.name]], count), 4)
        for metric in (CODE_SWITCHING, HALLUCINATION)
    }


def _group_keys(name: str, given: Sequence[str | int | None], expected: int) -> npt.NDArray[np.str_]:
    if len(given) != expected:
        raise ChunkError(f"The dimension {name} has {len(given)} keys for {expected} entries.")
    return np.array([str(key) if key else "" for key in given], dtype=np.str_)


def group_seed(dimension: str, key: str, *, seed: int = SEED) -> int:
    """Return the seed of a group's interval: the run's, and for a difficulty as many more as its level.

    Source: 90-harness-facts 4.11, 13.7.
    """
    return seed + int(key) if dimension == GRADED and key.isdecimal() else seed


def _breakdown(
    chunk: ChunkStats, keys: npt.NDArray[np.str_], options: ScoreOptions, *, dimension: str
) -> dict[str, GroupScores]:
    counts = Counter(keys.tolist())
    largest = {key for key, _count in counts.most_common(MOST_GROUPS)}
    return {key: _group(chunk, keys == key, options, dimension=dimension, key=key) for key in _in_order(largest)}


def _group(chunk: ChunkStats, mask: BoolArray, options: ScoreOptions, *, dimension: str, key: str) -> GroupScores:
    scores, made_of = _scores_of(chunk, mask, options)
    seed = group_seed(dimension, key, seed=options.seed)
    return replace(scores, intervals=bootstrap_intervals(_picked(chunk, mask), made_of, seed=seed, draws=options.draws))


def _cells(
    chunk: ChunkStats, keys: Mapping[str, npt.NDArray[np.str_]], options: ScoreOptions
) -> dict[tuple[str, str], GroupScores]:
    if not all(dimension in keys for dimension in CELL_DIMENSIONS):
        return {}
    difficulty, domain = (keys[dimension] for dimension in CELL_DIMENSIONS)
    present = sorted(set(zip(difficulty.tolist(), domain.tolist(), strict=True)))
    return {cell: _scores_of(chunk, (difficulty == cell[0]) & (domain == cell[1]), options)[0] for cell in present}


def _in_order(keys: set[str]) -> list[str]:
    return sorted(keys, key=lambda key: (key == "", key))  # “not given” stands last
