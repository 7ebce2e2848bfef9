"""chrF++, exact match and length ratio. Source: SPEC M-1; 90-harness-facts 4.1, 4.2, 13.3."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.chrf import CHRF as SacreCHRF

from leaderboard.metrics.base import MetricSettings, Pair
from leaderboard.metrics.chrf import chrf_from_statistics, chrf_signature, chrf_statistics
from leaderboard.metrics.exact import exact_match
from leaderboard.metrics.length import length_ratio
from leaderboard.metrics.registry import CHRF, METRICS, column_names, column_slices
from tests.shared import SHARED_DATA

REPORTS = sorted((SHARED_DATA / "reports").glob("*.json"))
needs_data = pytest.mark.skipif(not REPORTS, reason="../shared/data is not here")
texts = st.text(alphabet="abc Aé.,!?ሰላም'\"", max_size=24)


def chrf(output, *references):
    return float(chrf_from_statistics(np.array(chrf_statistics(output, references), dtype=np.float64)))


@pytest.mark.parametrize(
    ("output", "reference", "score"),
    [("Moitas grazas.", "Grazas.", 49.4031), ("kissa", "kissat", 62.8096), ("", "the cat", 0.0), ("Ola.", "", 0.0)],
)
def test_chrf_of_one_pair_is_the_published_value(output, reference, score):
    assert round(chrf(output, reference), 4) == score


def test_an_identical_short_sentence_scores_100():
    assert round(chrf("Ola.", "Ola."), 10) == 100.0


@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=6))
def test_summed_statistics_give_the_corpus_score_to_the_last_bit(pairs):
    outputs, references = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    sums = np.array([chrf_statistics(output, (ref,)) for output, ref in pairs], dtype=np.float64).sum(axis=0)
    assert float(chrf_from_statistics(sums)) == SacreCHRF(word_order=2).corpus_score(outputs, [references]).score


@given(texts, texts, texts)
def test_the_best_of_several_references_counts_as_in_sacrebleu(output, first, second):
    expected = SacreCHRF(word_order=2).corpus_score([output], [[first], [second]]).score
    assert chrf(output, first, second) == expected


@needs_data
@pytest.mark.parametrize("path", REPORTS, ids=lambda path: path.name[13:60])
def test_recomputed_chrf_equals_each_real_report(path):
    """All 18 agree to the two decimals that the reports give; none of them has an errored or empty entry."""
    report = json.loads(path.read_text(encoding="utf-8"))
    entries = report["entries"]
    statistics = np.array([chrf_statistics(e["predicted"], (e["expected"],)) for e in entries], dtype=np.float64)
    assert round(float(chrf_from_statistics(statistics.sum(axis=0))), 2) == report["overall"]["corpus_chrf"]
    assert not any(entry["error"] or not entry["predicted"].strip() for entry in entries)
    claimed = [entry["chrf_score"] for entry in entries]
    assert chrf_from_statistics(statistics) == pytest.approx(claimed, abs=1e-9)


def test_the_signature_names_what_is_computed():
    assert chrf_signature() == "nrefs:1|case:mixed|eff:yes|nc:6|nw:2|space:no|version:2.6.0"


@pytest.mark.parametrize(
    ("output", "reference", "matches"),
    [
        ("Café\u00a0 Olé", "cafe\u0301 olé", True),
        ("  CAFÉ ", "café", True),
        ("Straße", "STRASSE", False),
        ("x", "x.", False),
        ("a\u200bb", "ab", False),
        ("", "", False),
        (" ", " ", False),
    ],
)
def test_exact_match_follows_the_harness(output, reference, matches):
    assert exact_match(output, (reference,)) is matches


def test_any_reference_may_be_matched():
    assert exact_match("b", ("a", "B"))
    assert not exact_match("c", ("a", "B"))


def test_length_ratio_is_in_code_points_and_none_without_reference():
    assert length_ratio("Ndinokudza.", "Ndinokuda.") == 1.1
    assert length_ratio("e\u0301", "é") == 2.0
    assert length_ratio("x", "") is None


def test_statistics_are_whole_numbers_one_a_column():
    pair = Pair("1", "Hello", "Ola", ("Ola",))
    for metric in METRICS:
        statistics = metric.statistics(pair, MetricSettings())
        assert len(statistics) == len(metric.columns)
        assert all(type(number) is int for number in statistics)


def test_columns_of_the_matrix_are_named_and_do_not_overlap():
    slices = list(column_slices().values())
    assert [s.start for s in slices[1:]] == [s.stop for s in slices[:-1]]
    assert len(column_names()) == slices[-1].stop == len(set(column_names()))


def test_an_errored_entry_counts_as_an_output_without_n_grams():
    errored = CHRF.statistics(Pair("1", "Hello", "Ola", ("Ola",), errored=True), MetricSettings())
    assert errored == chrf_statistics("", ("Ola",))


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
def test_no_entries_give_nan_not_zero(metric):
    sums = np.zeros(len(metric.columns))
    assert np.isnan(metric.aggregate(sums, np.array(0)))
    assert np.isnan(metric.aggregate_as_harness(sums, np.array(0)))
