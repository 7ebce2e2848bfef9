"""FST acceptance. Source: SPEC M-1; 90-harness-facts 4.6, 13.4 (50)."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboard.metrics.base import MetricSettings, Pair
from leaderboard.metrics.fst_acceptance import FstAcceptanceMetric, analyser_words, fst_acceptance
from leaderboard.metrics.tools import FailureKind, ToolFailure, Tools

from .tools import FORMS, toy_analyse

METRIC = FstAcceptanceMetric()
SETTINGS = MetricSettings(tools=Tools(analyse=toy_analyse))
words = st.sampled_from([*FORMS, "zzz", "Atim", "7", "—", "“atim”", "atim."])
outputs = st.lists(words, max_size=8).map(" ".join)


def pair(output, **changes):
    return Pair("1", "dog sleeps", output, ("atim nipaw",), **changes)


def matrix(*outputs_given):
    return np.array([METRIC.statistics(pair(output), SETTINGS) for output in outputs_given])


@pytest.mark.parametrize(
    ("output", "accepted", "total", "with_fallback"),
    [
        ("atim nipaw.", 2, 2, 2),
        ("Atim nipaw", 1, 2, 2),  # harness 0.4.0 accepts “Atim” in lower case
        ("atim zzz — !", 1, 2, 1),
        ("", 0, 0, 0),
        ("—", 0, 0, 0),
        ("atim-nipaw", 0, 1, 0),
        ("“atim”", 0, 1, 0),
        ("7 atim", 1, 2, 1),
    ],
)
def test_words_are_counted_as_the_harness_counts_them(output, accepted, total, with_fallback):
    found = fst_acceptance(output, toy_analyse)
    assert (found.accepted, found.words, found.accepted + found.folded) == (accepted, total, with_fallback)


def test_the_run_value_is_the_mean_of_entry_rates_and_words_over_words_has_a_name_of_its_own():
    statistics = matrix("atim nipaw", "atim zzz zzz zzz", "")
    sums, count = statistics.sum(axis=0).astype(float), np.array(3.0)
    assert round(float(METRIC.aggregate(sums, count)), 4) == 0.4167
    beside = METRIC.beside(sums, count)
    assert (float(beside["fst_words"]), float(beside["fst_accepted"])) == (6, 3)
    assert float(beside["fst_words_accepted_rate"]) == 0.5


def test_the_lower_case_fallback_is_beside_and_changes_no_headline():
    sums = matrix("Atim nipaw").sum(axis=0).astype(float)
    assert float(METRIC.aggregate(sums, np.array(1.0))) == 0.5
    assert float(METRIC.beside(sums, np.array(1.0))["fst_acceptance_case_fallback"]) == 1.0


def test_without_an_analyser_there_is_no_value():
    statistics = np.array([METRIC.statistics(pair("atim"), MetricSettings())])
    assert np.isnan(METRIC.aggregate(statistics.sum(axis=0).astype(float), np.array(1.0)))
    assert np.isnan(METRIC.per_entry(statistics)).all()


@pytest.mark.parametrize("changes", [{"errored": True}, {"missing": True}])
def test_an_errored_or_missing_output_counts_as_an_empty_one(changes):
    assert METRIC.statistics(pair("atim", **changes), SETTINGS) == METRIC.statistics(pair(""), SETTINGS)


def test_a_failing_analyser_is_noted_and_nothing_is_counted():
    def broken(_words):
        raise ToolFailure(FailureKind.HUNG, tool="unit")

    statistics = METRIC.statistics(pair("atim"), MetricSettings(tools=Tools(analyse=broken)))
    assert statistics == (0, 0, 0, 0, 0, 0, FailureKind.HUNG)


@given(outputs)
def test_rates_are_shares_and_the_fallback_never_takes_a_word_away(output):
    found = fst_acceptance(output, toy_analyse)
    assert 0 <= found.rate <= found.rate_with_fallback <= 1


@given(outputs, st.sampled_from(sorted(FORMS)))
def test_a_further_accepted_word_never_lowers_the_rate(output, word):
    assert fst_acceptance(f"{output} {word}", toy_analyse).rate >= fst_acceptance(output, toy_analyse).rate


def test_punctuation_comes_off_both_ends_but_not_out_of_the_middle():
    assert analyser_words("“(a-b),” – !?") == ["“(a-b),”"]
    assert analyser_words("(a-b). [c]") == ["a-b", "c"]
