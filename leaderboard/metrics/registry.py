"""The metrics that are computed for every run, in one order, with the columns that each has in the statistics matrix.

A further metric is a class with the shape of `base.Metric` and one line in `METRICS`; chunks, sums, breakdowns,
intervals and the composite take it from there. Append, and raise `scoring.version.SCORER_VERSION`: stored chunks name
their columns.
"""

from functools import cache

from leaderboard.metrics.base import Metric
from leaderboard.metrics.chrf import ChrfMetric
from leaderboard.metrics.code_switching import CodeSwitchingMetric
from leaderboard.metrics.exact import ExactMatchMetric
from leaderboard.metrics.hallucination import HallucinationMetric
from leaderboard.metrics.length import LengthRatioMetric

CHRF = ChrfMetric()
EXACT_MATCH = ExactMatchMetric()
CODE_SWITCHING = CodeSwitchingMetric()
HALLUCINATION = HallucinationMetric()
LENGTH_RATIO = LengthRatioMetric()

METRICS: tuple[Metric, ...] = (CHRF, EXACT_MATCH, CODE_SWITCHING, HALLUCINATION, LENGTH_RATIO)


@cache
def column_slices() -> dict[str, slice]:
    """Return the columns of each metric in the statistics matrix."""
    slices: dict[str, slice] = {}
    start = 0
    for metric in METRICS:
        slices[metric.name] = slice(start, start + len(metric.columns))
        start += len(metric.columns)
    return slices


@cache
def column_names() -> tuple[str, ...]:
    """Return all column names, `metric.column`, in matrix order."""
    return tuple(f"{metric.name}.{column}" for metric in METRICS for column in metric.columns)
