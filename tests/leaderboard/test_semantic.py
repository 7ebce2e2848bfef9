"""Semantic score. Source: SPEC M-1; 90-harness-facts 4.9, 13.4 (53)."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboard.metrics.base import MetricSettings, Pair
from leaderboard.metrics.semantic import VERDICT_WEIGHTS, SemanticMetric, cosine, semantic_score
from leaderboard.metrics.tools import FailureKind, ToolFailure, Tools

METRIC = SemanticMetric()
CASES = [
    ({"VALID": 2, "PARTIAL": 1, "WRONG": 1}, 0.6),
    ({"EXACT_MATCH": 1, "GRAMMAR_ISSUES": 1, "INCOMPLETE": 1, "ERROR": 1}, 0.5),
    ({"VALID": 1, "MISMATCH": 1, "UNKNOWN": 1, "ERROR": 1}, 0.25),
    ({"UNKNOWN": 3}, 0.0),
    ({"VALID": 0}, None),
    ({}, None),
]


def judged_by(verdicts):
    given_verdicts = iter(verdicts)
    return MetricSettings(tools=Tools(verdict=lambda source, output, references: next(given_verdicts)))


def summed(settings, outputs):
    return np.array([METRIC.statistics(Pair("1", "s", out, ("r",)), settings) for out in outputs]).sum(axis=0) * 1.0


@pytest.mark.parametrize(("counts", "score"), CASES)
def test_verdicts_are_weighed_as_the_harness_weighs_them(counts, score):
    assert semantic_score(counts) == score


@pytest.mark.parametrize(("counts", "score"), [case for case in CASES if case[1] is not None])
def test_the_metric_gives_the_same_from_summed_statistics(counts, score):
    verdicts = [label for label, count in counts.items() for _one in range(count)]
    sums = summed(judged_by(verdicts), ["x"] * len(verdicts))
    assert float(METRIC.aggregate(sums, np.array(1.0))) == pytest.approx(score)


def test_how_often_each_verdict_came_stands_beside():
    beside = METRIC.beside(summed(judged_by(["VALID", "MISMATCH"]), ["x", "y", ""]), np.array(3.0))
    found = {name: float(count) for name, count in beside.items() if count}
    assert found == {"verdict_valid": 1, "verdict_other": 1, "verdict_no_output": 1}


def test_an_empty_output_is_no_output_and_nobody_is_asked():
    assert float(METRIC.aggregate(summed(judged_by([]), [""]), np.array(1.0))) == 0.0


def test_without_plugin_and_model_there_is_no_value():
    assert np.isnan(METRIC.aggregate(summed(MetricSettings(), ["x"]), np.array(1.0)))


def test_similarities_of_a_model_count_where_there_is_no_plugin():
    tools = Tools(similarity=lambda output, references: 0.75)
    assert float(METRIC.aggregate(summed(MetricSettings(tools=tools), ["x", ""]), np.array(2.0))) == 0.375
    both = Tools(verdict=lambda *given: "VALID", similarity=tools.similarity)
    assert float(METRIC.aggregate(summed(MetricSettings(tools=both), ["x"]), np.array(1.0))) == 1.0


def test_a_failing_plugin_is_noted():
    def verdict(source, output, references):
        raise ToolFailure(FailureKind.RAISED, tool="unit")

    statistics = METRIC.statistics(Pair("1", "s", "x", ("r",)), MetricSettings(tools=Tools(verdict=verdict)))
    assert (statistics[:2], statistics[-1]) == ((0, 0), FailureKind.RAISED)


@pytest.mark.parametrize(
    ("first", "second", "value"),
    [([1, 0], [2, 0], 1.0), ([1, 0], [0, 1], 0.0), ([1, 1], [1, 0], math.sqrt(0.5)), ([1], [-1], 0.0), ([0], [1], 0.0)],
)
def test_cosine(first, second, value):
    assert cosine(first, second) == pytest.approx(value)


@pytest.mark.parametrize(("first", "second"), [([1], [1, 2]), ([math.nan], [1]), ([math.inf], [1])])
def test_what_is_no_vector_is_refused(first, second):
    with pytest.raises(ValueError):
        cosine(first, second)


@given(st.dictionaries(st.sampled_from([*VERDICT_WEIGHTS, "ELSE"]), st.integers(1, 50), min_size=1))
def test_the_score_is_a_share_and_a_better_verdict_never_lowers_it(counts):
    score = semantic_score(counts)
    assert 0 <= score <= 1
    assert semantic_score({**counts, "VALID": counts.get("VALID", 0) + 1}) >= score
