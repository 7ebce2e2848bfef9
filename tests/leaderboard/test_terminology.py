"""Terminology adherence and glossaries. Source: SPEC M-1; 90-harness-facts 4.5, 13.4 (47-49)."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboard.metrics.base import MetricSettings, Pair
from leaderboard.metrics.glossary import TERMS_AT_MOST, Glossary, GlossaryError
from leaderboard.metrics.terminology import TermCounting, TerminologyMetric, terminology_adherence
from leaderboard.metrics.tools import FailureKind, ToolFailure, Tools

METRIC = TerminologyMetric()
GLOSSARY = Glossary.parse({"hello": ["hola"], "settings": ["configuración", "ajustes"], "user": ["usuario"]})
EARLY, LATE = TermCounting.HARNESS_0_1, TermCounting.HARNESS_0_4


def settings(glossary=GLOSSARY, own=None, count_terms=None):
    return MetricSettings(tools=Tools(glossary=glossary, own_glossary=own, count_terms=count_terms))


def summed(given_settings, *rows):
    statistics = [METRIC.statistics(Pair(str(n), *row), given_settings) for n, row in enumerate(rows)]
    return np.array(statistics).sum(axis=0).astype(float)


def row(source, output, reference="x"):
    return (source, output, (reference,))


@pytest.mark.parametrize(
    ("source", "output", "early", "late", "present", "missed"),
    [
        ("Hello, settings!", "¡Hola, ajustes!", 1.0, 1.0, 2, ()),
        ("nothing of it", "nada", 1.0, None, 0, ()),
        ("hello settings", "hola preferencias", 0.5, 0.5, 2, ("settings",)),
        ("HELLO", "HOLA", 1.0, 1.0, 1, ()),
        ("", "hola", 1.0, None, 0, ()),
        ("All users", "todos", 1.0, None, 0, ()),  # another word than “user”
        ("The user", "los usuarios", 1.0, 1.0, 1, ()),  # a translation may stand within a word
        ("(settings)", "configuracio\u0301n", 1.0, 1.0, 1, ()),
        ("user_settings", "x", 1.0, None, 0, ()),
    ],
)
def test_an_entry_is_counted_as_both_harnesses_count_it(source, output, early, late, present, missed):
    first, second = (terminology_adherence(source, output, GLOSSARY, counting) for counting in (EARLY, LATE))
    assert (first.rate, second.rate) == (early, late)
    assert (first.present, first.missed, second.present, second.missed) == (present, missed, present, missed)


def test_an_empty_output_with_a_term_keeps_all_in_0_1_and_none_in_0_4():
    assert terminology_adherence("hello", "", GLOSSARY, EARLY).rate == 1.0
    late = terminology_adherence("hello", "", GLOSSARY, LATE)
    assert (late.rate, late.present, late.missed) == (0.0, 1, ("hello",))


def test_without_a_glossary_there_is_no_rate():
    assert terminology_adherence("hello", "hola", None).rate is None
    assert np.isnan(METRIC.aggregate(summed(settings(None), row("hello", "hola")), np.array(1.0)))


def test_case_counts_where_the_glossary_says_so():
    strict = Glossary.parse({"Hello": ["Hola"]}, is_case_sensitive=True)
    assert terminology_adherence("hello", "hola", strict).present == 0
    assert terminology_adherence("Hello", "hola", strict).rate == 0.0
    assert terminology_adherence("Hello", "Hola", strict).rate == 1.0


def test_the_run_value_is_the_mean_of_entries_and_the_pooled_one_stands_beside():
    glossary = Glossary.parse({"a": ["1"], "b": ["2"], "c": ["3"], "d": ["4"]})
    sums = summed(settings(glossary), row("a", "1"), row("b c d", "none"))
    assert float(METRIC.aggregate(sums, np.array(2.0))) == 0.5
    assert float(METRIC.beside(sums, np.array(2.0))["terminology_pooled"]) == 0.25
    assert float(METRIC.beside(sums, np.array(2.0))["terms_found"]) == 4


def test_our_headline_gives_nothing_for_an_empty_output_and_the_harness_value_is_kept():
    sums = summed(settings(), row("hello", ""), row("hello", "hola"))
    assert float(METRIC.aggregate(sums, np.array(2.0))) == 0.5
    assert float(METRIC.aggregate_as_harness(sums, np.array(2.0))) == 1.0


def test_sources_without_a_term_count_as_in_the_harness_unless_none_has_one():
    sums = summed(settings(), row("hello", "x"), row("no term", "x"))
    assert float(METRIC.aggregate(sums, np.array(2.0))) == 0.5
    none = summed(settings(), row("no term", "x"), row("none", "x"))
    assert np.isnan(METRIC.aggregate(none, np.array(2.0)))
    assert float(METRIC.aggregate_as_harness(none, np.array(2.0))) == 1.0


def test_a_methods_own_glossary_stands_beside_and_changes_no_value():
    own = Glossary.parse({"hello": ["saludos"]})
    plain, with_own = summed(settings(), row("hello", "hola")), summed(settings(own=own), row("hello", "hola"))
    assert float(METRIC.aggregate(with_own, np.array(1.0))) == float(METRIC.aggregate(plain, np.array(1.0))) == 1.0
    assert float(METRIC.beside(with_own, np.array(1.0))["terminology_own_glossary"]) == 0.0
    alone = summed(settings(None, own=own), row("hello", "hola"))
    assert np.isnan(METRIC.aggregate(alone, np.array(1.0)))


def test_a_plugin_counts_where_there_is_no_glossary():
    def count_terms(source, output):
        return 1, 4

    assert float(METRIC.aggregate(summed(settings(None, None, count_terms), row("a", "b")), np.array(1.0))) == 0.25
    assert float(METRIC.aggregate(summed(settings(count_terms=count_terms), row("hello", "hola")), np.array(1.0))) == 1


def test_a_failing_plugin_is_noted():
    def count_terms(source, output):
        raise ToolFailure(FailureKind.NONSENSE, tool="unit")

    statistics = METRIC.statistics(Pair("1", "a", "b", ("c",)), settings(None, None, count_terms))
    assert statistics[-1] == FailureKind.NONSENSE


@pytest.mark.parametrize(
    ("data", "codes"),
    [
        ([], ["not_an_object"]),
        ({"": ["x"]}, ["empty_term"]),
        ({" ": ["x"], "a": []}, ["empty_term", "no_translation"]),
        ({"a": ["x", " "]}, ["empty_translation"]),
        ({"a": ""}, ["empty_translation"]),
        ({"a": 3, "b": [4]}, ["not_text", "not_text"]),
        ({"a" * 501: ["x"]}, ["long_term"]),
        ({f"t{n}": ["x"] for n in range(TERMS_AT_MOST + 1)}, ["too_many_terms"]),
    ],
)
def test_a_glossary_with_faults_is_refused_and_each_is_named(data, codes):
    with pytest.raises(GlossaryError) as refused:
        Glossary.parse(data)
    assert [code for code, _term in refused.value.problems] == codes


def test_one_translation_may_stand_without_a_list_and_the_digest_does_not_mind_the_order():
    one, other = Glossary.parse({"a": "1", "b": ["2"]}), Glossary.parse({"b": ["2"], "a": ["1"]})
    assert one.sha256 == other.sha256
    assert one.sha256 != Glossary.parse({"a": "1", "b": ["2"]}, is_case_sensitive=True).sha256


words = st.lists(st.sampled_from(["hello", "settings", "user", "x", "hola", "ajustes", ""]), max_size=6).map(" ".join)


@given(words, words)
def test_rates_are_shares_and_only_the_terms_of_the_source_count(source, output):
    for counting in TermCounting:
        found = terminology_adherence(source, output, GLOSSARY, counting)
        assert found.rate is None or 0 <= found.rate <= 1
        assert 0 <= found.kept <= found.present <= 3
        assert set(found.missed) <= set(source.split())
