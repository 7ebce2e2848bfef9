"""Tools that failed somewhere in a run: their metric is null for all of it, whatever other entries gave.

Source: SPEC M-1.
"""

from dataclasses import replace

import numpy as np

from leaderboard.metrics.registry import METRICS, column_slices
from leaderboard.metrics.tools import FailureKind
from leaderboard.scoring.chunks import ChunkStats

FAILURE_COLUMN = "failure"


def failures_of(chunk: ChunkStats) -> dict[str, FailureKind]:
    """Return how a metric's tool failed, by metric; the gravest kind where there are several."""
    found: dict[str, FailureKind] = {}
    for metric in METRICS:
        if FAILURE_COLUMN in metric.columns and len(chunk.statistics):
            column = column_slices()[metric.name].start + metric.columns.index(FAILURE_COLUMN)
            kind = FailureKind(int(chunk.statistics[:, column].max()))
            if kind is not FailureKind.NONE:
                found[metric.name] = kind
    return found


def without_failed(chunk: ChunkStats, failures: dict[str, FailureKind]) -> ChunkStats:
    """Return the statistics with nothing counted for the metrics that failed, so that each is null everywhere."""
    if not failures:
        return chunk
    statistics = np.array(chunk.statistics)
    for name in failures:
        statistics[:, column_slices()[name]] = 0
    return replace(chunk, statistics=statistics)
