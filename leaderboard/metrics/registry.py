"""The metrics that are computed for every run, in one order, with the columns that each has in the statistics matrix.

A further metric is a class with the shape of `base.Metric` and one line in `METRICS`; chunks, sums, breakdowns,
intervals and the composite take it from there. Append, and raise `scoring.version.SCORER_VERSION`: stored chunks name
their columns.
"""

from functools import cache

from leaderboard.caveats.marks import CaveatMarks
from leaderboard.metrics.base import Counted, Metric
from leaderboard.metrics.bleu import BleuMetric
from leaderboard.metrics.chrf import ChrfMetric
from leaderboard.metrics.chrf_plain import PlainChrfMetric
from leaderboard.metrics.code_switching import CodeSwitchingMetric
from leaderboard.metrics.equivalent import EquivalentMatchMetric
from leaderboard.metrics.exact import ExactMatchMetric
from leaderboard.metrics.fst_acceptance import FstAcceptanceMetric
from leaderboard.metrics.hallucination import HallucinationMetric
from leaderboard.metrics.length import LengthRatioMetric
from leaderboard.metrics.morphology import MorphologyMetric
from leaderboard.metrics.semantic import SemanticMetric
from leaderboard.metrics.spbleu import SpBleuMetric
from leaderboard.metrics.ter import TerMetric
from leaderboard.metrics.terminology import TerminologyMetric

CHRF = ChrfMetric()
EXACT_MATCH = ExactMatchMetric()
CODE_SWITCHING = CodeSwitchingMetric()
HALLUCINATION = HallucinationMetric()
LENGTH_RATIO = LengthRatioMetric()
BLEU = BleuMetric()
CHRF_PLAIN = PlainChrfMetric()
SPBLEU = SpBleuMetric()
TER = TerMetric()
FST_ACCEPTANCE = FstAcceptanceMetric()
MORPHOLOGY = MorphologyMetric()
EQUIVALENT_MATCH = EquivalentMatchMetric()
TERMINOLOGY = TerminologyMetric()
SEMANTIC = SemanticMetric()
MARKS = CaveatMarks()

METRICS: tuple[Metric, ...] = (
    CHRF,
    EXACT_MATCH,
    CODE_SWITCHING,
    HALLUCINATION,
    LENGTH_RATIO,
    BLEU,
    CHRF_PLAIN,
    SPBLEU,
    TER,
    FST_ACCEPTANCE,
    MORPHOLOGY,
    EQUIVALENT_MATCH,
    TERMINOLOGY,
    SEMANTIC,
)

COUNTED: tuple[Counted, ...] = (*METRICS, MARKS)
"""All that has columns in the matrix: the metrics, and behind them what the caveats are made of."""

CORPUS_LEVEL = frozenset({metric.name for metric in (CHRF, BLEU, CHRF_PLAIN, SPBLEU, TER)})
"""Scores of summed counts, not means of entry rates; an errored entry enters them as an empty output."""


@cache
def column_slices() -> dict[str, slice]:
    """Return the columns of each metric, and of the caveats' marks, in the statistics matrix."""
    slices: dict[str, slice] = {}
    start = 0
    for metric in COUNTED:
        slices[metric.name] = slice(start, start + len(metric.columns))
        start += len(metric.columns)
    return slices


@cache
def column_names() -> tuple[str, ...]:
    """Return all column names, `metric.column`, in matrix order."""
    return tuple(f"{metric.name}.{column}" for metric in COUNTED for column in metric.columns)
