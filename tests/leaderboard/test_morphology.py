"""Morphological accuracy. Source: SPEC M-1; 90-harness-facts 4.7, 13.4 (51)."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboard.metrics.base import MetricSettings, Pair
from leaderboard.metrics.morphology import MorphologyMetric, compare_readings, gold_morphemes, morphemes_produced
from leaderboard.metrics.tools import FailureKind, LanguageFacts, ToolFailure, Tools

from .tools import toy_analyse

METRIC = MorphologyMetric()
GOLD = MetricSettings(language=LanguageFacts(has_gold_analyses=True))
READINGS = MetricSettings(tools=Tools(analyse=toy_analyse))


def gold_pair(output, gold_analysis="ni-wâpam-âw atim | 1sg-see.TA-3sg.DIR dog.AN", **changes):
    return Pair("1", "I see the dog", output, ("niwâpamâw atim",), gold_analysis=gold_analysis, **changes)


def summed(settings, *pairs):
    return np.array([METRIC.statistics(one, settings) for one in pairs]).sum(axis=0).astype(float)


@pytest.mark.parametrize(
    ("analysis", "morphemes"),
    [
        ("ni-wâpam-âw atim | 1sg-see.TA-3sg.DIR dog.AN", ["ni", "wâpam", "âw", "atim"]),
        ("Tá\u0301 -  mé", ["tá\u0301", "mé"]),
        ("a\u0302tim", ["âtim"]),
        ("no bar", ["no", "bar"]),
        ("|only glosses", []),
        ("", []),
        (" - ", []),
    ],
)
def test_gold_morphemes_are_the_segments_left_of_the_bar(analysis, morphemes):
    assert gold_morphemes(analysis) == morphemes


@pytest.mark.parametrize(
    ("output", "produced"),
    [
        ("niwâpamâw atim", 4),
        ("NIWÂPAMÂW ATIM", 4),
        ("niwa\u0302pama\u0302w atim", 4),  # another normal form is the same text
        ("atim niwâpamâw", 3),  # “atim” stands before the others: out of order
        ("niwâpam atim", 3),
        ("atim", 1),
        ("", 0),
    ],
)
def test_morphemes_count_in_order_and_without_overlap(output, produced):
    assert morphemes_produced(["ni", "wâpam", "âw", "atim"], output) == produced


def test_one_place_counts_for_one_morpheme_only():
    assert morphemes_produced(["na", "na"], "na") == 1
    assert morphemes_produced(["na", "na"], "nana") == 2
    assert morphemes_produced(["ana", "ana"], "anana") == 1


def test_the_value_is_the_mean_rate_of_entries_with_gold_and_coverage_their_share():
    pairs = [
        gold_pair("niwâpamâw atim"),
        gold_pair("atim", "atim nipaw | x"),
        gold_pair("zzz", ""),
        gold_pair("x", "|"),
    ]
    sums, count = summed(GOLD, *pairs), np.array(4.0)
    assert float(METRIC.aggregate(sums, count)) == pytest.approx((1 + 0.5) / 2)
    assert float(METRIC.coverage(sums, count)) == 0.5
    assert float(METRIC.beside(sums, count)["morphemes_produced_rate"]) == pytest.approx(5 / 6)


def test_gold_goes_before_the_analyser():
    both = MetricSettings(language=GOLD.language, tools=READINGS.tools)
    assert summed(both, gold_pair("niwâpamâw atim")).tolist() == summed(GOLD, gold_pair("niwâpamâw atim")).tolist()


def test_errored_output_produces_no_morpheme():
    assert float(METRIC.aggregate(summed(GOLD, gold_pair("niwâpamâw atim", errored=True)), np.array(1.0))) == 0.0


def test_readings_are_compared_by_lemma_and_tags():
    found = compare_readings("atimwak nipaw", ["atim nipaw"], toy_analyse)
    assert (found.analysable, found.covered, found.correct) == (2, 2, 1)


@pytest.mark.parametrize(
    ("output", "counts"),
    [
        ("atim nipaw", (2, 2, 2)),
        ("Atim nipaw", (1, 1, 1)),
        ("atim zzz — !", (1, 1, 1)),
        ("acimosis atim", (2, 1, 1)),
        ("", (0, 0, 0)),
    ],
)
def test_only_analysable_words_with_a_lemma_of_the_reference_are_covered(output, counts):
    found = compare_readings(output, ["atim nipaw"], toy_analyse)
    assert (found.analysable, found.covered, found.correct) == counts


def test_one_agreeing_reading_of_several_is_enough_and_the_order_of_tags_says_nothing():
    readings = {"a": ("x+N+Sg", "y+V"), "b": ("y+V", "z+N"), "c": ("x+Sg+N",)}

    def analyse(words):
        return [readings.get(word, ()) for word in words]

    assert compare_readings("a", ["b"], analyse).correct == 1
    assert compare_readings("a", ["c"], analyse).correct == 1


def test_readings_are_pooled_over_the_run():
    pairs = [
        Pair("1", "", "atimwak nipaw", ("atim nipaw",)),
        Pair("2", "", "nipaw", ("nipaw",)),
        Pair("3", "", "zzz", ("atim",)),
    ]
    sums, count = summed(READINGS, *pairs), np.array(3.0)
    assert float(METRIC.aggregate(sums, count)) == pytest.approx(2 / 3)
    assert float(METRIC.aggregate_as_harness(sums, count)) == pytest.approx(2 / 3)
    assert float(METRIC.coverage(sums, count)) == 1.0


def test_without_gold_and_analyser_there_is_no_value():
    sums = summed(MetricSettings(), gold_pair("niwâpamâw atim"))
    assert np.isnan(METRIC.aggregate(sums, np.array(1.0)))
    assert np.isnan(METRIC.coverage(sums, np.array(1.0)))


def test_a_failing_analyser_is_noted():
    def broken(_words):
        raise ToolFailure(FailureKind.DIED, tool="unit")

    settings = MetricSettings(tools=Tools(analyse=broken))
    assert METRIC.statistics(gold_pair("atim"), settings)[-1] == FailureKind.DIED


@given(st.lists(st.sampled_from(["ni", "a", "aw", "tim"]), max_size=5), st.text(alphabet="niawtm ", max_size=16))
def test_never_more_is_produced_than_there_is_gold_or_text(gold, output):
    produced = morphemes_produced(gold, output)
    assert 0 <= produced <= len(gold)
    assert produced <= len(output)
    assert morphemes_produced(gold, "".join(gold)) == len(gold)
