"""Semantic score: verdicts of the language's plug-in, weighed; or the cosine of embeddings of a local model.

Source: SPEC M-1; 90-harness-facts 4.9.
"""

import math
from collections.abc import Mapping, Sequence
from operator import mul
from types import MappingProxyType

import numpy as np

from leaderboard.metrics.base import RATE_UNITS, FloatArray, IntArray, MetricSettings, Pair, mean_rate, to_units
from leaderboard.metrics.tools import ToolFailure, Tools

VERDICT_WEIGHTS: Mapping[str, float] = MappingProxyType(
    {
        "EXACT_MATCH": 1.0,
        "VALID": 1.0,
        "GRAMMAR_ISSUES": 0.7,
        "PARTIAL": 0.4,
        "INCOMPLETE": 0.3,
        "WRONG": 0.0,
        "NO_OUTPUT": 0.0,
        "ERROR": 0.0,
    }
)
NO_OUTPUT = "NO_OUTPUT"
_OTHER = "OTHER"  # any other label: weighs 0 and stays in the denominator
_LABELS = (*VERDICT_WEIGHTS, _OTHER)
_DECIMALS = 4


def verdict_weight(verdict: str) -> float:
    """Return the weight of a verdict, 0-1; a label that is not known weighs 0."""
    return VERDICT_WEIGHTS.get(verdict, 0.0)


def semantic_score(counts: Mapping[str, int]) -> float | None:
    """Return the weighed mean of verdict counts, to 4 decimals; None where nothing was judged."""
    judged = sum(counts.values())
    if not judged:
        return None
    return round(sum(verdict_weight(label) * count for label, count in counts.items()) / judged, _DECIMALS)


def cosine(first: Sequence[float], second: Sequence[float]) -> float:
    """Return the cosine of two vectors, 0-1: a negative one counts 0, as does a vector of zeros.

    Raises ValueError for vectors of two lengths and for figures that are none.
    """
    if len(first) != len(second):
        raise ValueError("The vectors are of different lengths.")
    norms = math.hypot(*first) * math.hypot(*second)
    if not math.isfinite(norms):
        raise ValueError("A vector holds a figure that is none.")
    return min(1.0, max(0.0, sum(map(mul, first, second)) / norms)) if norms else 0.0


class SemanticMetric:
    """Mean weight of verdicts, or of similarities where there is no plug-in but a model; null where there is neither.

    An empty, errored or missing output is judged without asking: NO_OUTPUT, similarity 0.
    """

    name = "semantic_score"
    scale = 1.0
    lower_is_better = False
    decimals = _DECIMALS
    columns = ("weight", "judged", *(f"verdict_{label.lower()}" for label in _LABELS), "failure")

    def statistics(self, pair: Pair, settings: MetricSettings) -> tuple[int, ...]:
        """Return the weight in ten-thousandths, that it was judged, and which verdict it got."""
        try:
            found = _judge(pair, settings.tools)
        except ToolFailure as failure:
            return (*(0 for _column in self.columns[:-1]), int(failure.kind))
        if found is None:
            return (0,) * len(self.columns)
        weight, verdict = found
        label = verdict if verdict is None or verdict in VERDICT_WEIGHTS else _OTHER
        return (to_units(weight), 1, *(int(label == one) for one in _LABELS), 0)

    def per_entry(self, statistics: IntArray) -> FloatArray:
        """Return weights; NaN where nothing was judged."""
        return np.where(statistics[:, 1] > 0, statistics[:, 0] / RATE_UNITS, np.nan)

    def aggregate(self, sums: FloatArray, counts: FloatArray) -> FloatArray:
        """Return the mean weight over judged entries."""
        return mean_rate(sums[..., 0], sums[..., 1])

    def aggregate_as_harness(self, sums: FloatArray, counts: FloatArray) -> FloatArray:
        """Return the mean weight: the harness counts the same, over its own choice of entries."""
        return self.aggregate(sums, counts)

    def beside(self, sums: FloatArray, counts: FloatArray) -> dict[str, FloatArray]:
        """Return how many entries got each verdict."""
        return {f"verdict_{label.lower()}": sums[..., 2 + place] for place, label in enumerate(_LABELS)}


def _judge(pair: Pair, tools: Tools) -> tuple[float, str | None] | None:
    if tools.verdict is not None:
        verdict = NO_OUTPUT if pair.is_empty else tools.verdict(pair.source, pair.counted_output, pair.references)
        return verdict_weight(verdict), verdict
    if tools.similarity is not None:
        return 0.0 if pair.is_empty else tools.similarity(pair.counted_output, pair.references), None
    return None
