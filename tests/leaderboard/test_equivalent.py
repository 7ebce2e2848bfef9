"""Equivalent match. Source: SPEC M-1, C-2; 90-harness-facts 4.8."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboard.metrics.base import MetricSettings, Pair
from leaderboard.metrics.equivalent import EquivalentMatchMetric, equivalent_match
from leaderboard.metrics.registry import EXACT_MATCH
from leaderboard.metrics.tools import FailureKind, LanguageFacts, ToolFailure, Tools
from leaderboard.metrics.variants import VariantClasses, has_variants

METRIC = EquivalentMatchMetric()
VARIANTS = MetricSettings(language=LanguageFacts(has_variants=True))


def pair(output, **changes):
    return Pair("1", "dog", output, ("ci",), **{"variants": ("gast", "Cŵn"), **changes})


def plugin(answer):
    return MetricSettings(tools=Tools(is_equivalent=lambda source, output, references: answer(source, output)))


@pytest.mark.parametrize(
    ("output", "matches"),
    [("ci", True), ("GAST", True), (" cw\u0302n ", True), ("cath", False), ("gast.", False), ("", False)],
)
def test_a_variant_is_as_good_as_the_reference_compared_as_exact_match_compares(output, matches):
    assert equivalent_match(output, ("ci",), ("gast", "Cŵn")) is matches
    assert METRIC.statistics(pair(output), VARIANTS)[0] == int(matches)


def test_an_empty_output_never_matches_not_even_an_empty_variant():
    assert not equivalent_match("", ("",), ("", " "))


@pytest.mark.parametrize("changes", [{"errored": True}, {"missing": True}])
def test_an_errored_or_missing_output_does_not_match(changes):
    assert METRIC.statistics(pair("ci", **changes), VARIANTS)[:2] == (0, 1)


def test_without_variants_and_plugin_there_is_no_value():
    statistics = np.array([METRIC.statistics(pair("ci"), MetricSettings())])
    assert np.isnan(METRIC.aggregate(statistics.sum(axis=0).astype(float), np.array(1.0)))


def test_entries_of_one_class_and_source_are_each_others_variants():
    classes = VariantClasses()
    classes.add(variant_class="greeting", source="Hello", translations=["Helo", "Shwmae"])
    classes.add(variant_class="greeting", source=" Hello ", translations=["S'mae"])
    classes.add(variant_class="other", source="Hello", translations=["Henffych"])
    classes.add(variant_class="greeting", source="Goodbye", translations=["Hwyl"])
    classes.add(variant_class="", source="Hello", translations=["Haia"])
    assert classes.variants_of(variant_class="greeting", source="Hello") == ("Helo", "Shwmae", "S'mae")
    assert classes.variants_of(variant_class="other", source="Hello") == ("Henffych",)
    assert classes.variants_of(variant_class="", source="Hello") == ()
    assert classes.variants_of(variant_class="greeting", source="Nothing") == ()


@pytest.mark.parametrize(
    ("variants", "variant_class", "found"), [(["x"], "", True), ([], "c", True), ([" "], " ", False), ([], "", False)]
)
def test_what_an_entry_brings_for_equivalent_match(variants, variant_class, found):
    assert has_variants(variants, variant_class) is found


def test_the_plugin_is_asked_only_where_text_does_not_decide():
    asked = []

    def answer(source, output):
        asked.append((source, output))
        return output == "mwngrel"

    settings = MetricSettings(language=VARIANTS.language, tools=plugin(answer).tools)
    outputs = ["ci", "gast", "", "mwngrel", "cath"]
    statistics = np.array([METRIC.statistics(pair(output), settings) for output in outputs])
    assert asked == [("dog", "mwngrel"), ("dog", "cath")]
    assert statistics[:, 0].tolist() == [1, 1, 0, 1, 0]
    sums = statistics.sum(axis=0).astype(float)
    assert float(METRIC.aggregate(sums, np.array(5.0))) == 0.6
    beside = METRIC.beside(sums, np.array(5.0))
    assert (float(beside["matched_by_variant_rate"]), float(beside["matched_by_plugin_rate"])) == (0.2, 0.2)


def test_a_failing_plugin_is_noted_and_nothing_is_counted():
    def answer(source, output):
        raise ToolFailure(FailureKind.RAISED, tool="unit")

    assert METRIC.statistics(pair("cath"), plugin(answer)) == (0, 0, 0, 0, FailureKind.RAISED)


texts = st.text(alphabet="ab ", max_size=3)


@given(st.lists(st.tuples(texts, texts, texts), min_size=1, max_size=8))
def test_equivalent_match_is_never_under_exact_match(rows):
    pairs = [Pair(str(n), "s", output, (ref,), variants=(variant,)) for n, (output, ref, variant) in enumerate(rows)]
    matches = sum(METRIC.statistics(one, VARIANTS)[0] for one in pairs)
    assert matches >= sum(EXACT_MATCH.statistics(one, VARIANTS)[0] for one in pairs)
