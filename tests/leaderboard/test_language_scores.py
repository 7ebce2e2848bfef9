"""The language-dependent metrics within a run: profile A, coverage, failing tools, what stands beside.

Source: SPEC M-1, M-3; 90-harness-facts 4.6, 4.7, 13.1 (18).
"""

from dataclasses import replace

import numpy as np
import pytest

from leaderboard.caveats.report import CaveatCode
from leaderboard.metrics.base import MetricSettings, Pair
from leaderboard.metrics.glossary import Glossary
from leaderboard.metrics.tools import FailureKind, LanguageFacts, ToolFailure, Tools
from leaderboard.scoring.chunks import score_chunk
from leaderboard.scoring.composite import Profile, composite, composite_of_draws
from leaderboard.scoring.harness import HarnessCounting
from leaderboard.scoring.run import ScoreOptions, reduce_chunks

from .tools import toy_analyse

PROFILE_A = ScoreOptions(profile=Profile.ANALYSER, draws=50)
ANALYSER = MetricSettings(target_scripts=frozenset({"Latin"}), tools=Tools(analyse=toy_analyse))


def scores(pairs, settings=ANALYSER, options=PROFILE_A, size=3, **given):
    chunks = [score_chunk(pairs[start : start + size], settings) for start in range(0, len(pairs), size)]
    return reduce_chunks(reversed(chunks), [pair.entry_id for pair in pairs], options=options, **given)


def some(count=8, **changes):
    outputs = ["atim nipaw", "atimwak nipaw", "acimosis zzz", ""]
    return [Pair(str(n), "the dog sleeps", outputs[n % 4], ("atim nipaw",), **changes) for n in range(count)]


def test_a_run_of_a_language_with_an_analyser_has_the_structural_metrics_in_its_composite():
    found = scores(some())
    assert found.metrics["fst_acceptance_rate"] == pytest.approx((1 + 1 + 0.5 + 0) / 4)
    assert found.metrics["morphological_accuracy"] == 0.75  # of atim, nipaw, atimwak, nipaw three are correct
    assert found.beside["fst_words_accepted_rate"] == pytest.approx(5 / 6, abs=1e-4)
    assert found.beside["morphology_coverage"] == 0.8
    assert {"fst_acceptance_rate", "morphological_accuracy"} <= set(found.composite.metrics)
    assert found.intervals["fst_acceptance_rate"].lower <= 0.625 <= found.intervals["fst_acceptance_rate"].upper


def test_without_analyser_variants_glossary_and_plugin_the_metrics_are_null_and_unavailable():
    found = scores(some(), MetricSettings(), ScoreOptions(draws=50))
    for name in ("fst_acceptance_rate", "morphological_accuracy", "equivalent_match_rate", "semantic_score"):
        assert found.metrics[name] is None
        assert name not in found.intervals
    assert found.composite.metrics == (
        "chrf_plus_plus", "code_switching_rate", "hallucination_rate", "exact_match_rate",
    )  # fmt: skip
    assert found.intervals["composite"].lower <= found.composite.value


@pytest.mark.parametrize(("with_gold", "enters"), [(2, True), (1, False)])
def test_morphological_accuracy_enters_from_a_coverage_of_a_quarter(with_gold, enters):
    gold = MetricSettings(language=LanguageFacts(has_gold_analyses=True), tools=ANALYSER.tools)
    pairs = some(8)
    pairs = [replace(one, gold_analysis="atim" * (n < with_gold)) for n, one in enumerate(pairs)]
    found = scores(pairs, gold, groups={"domain": ["ui"] * with_gold + [""] * (8 - with_gold)})
    assert found.metrics["morphological_accuracy"] == 1.0
    assert ("morphological_accuracy" in found.composite.metrics) is enters
    assert ("morphological_accuracy" in found.composite.left_out) is not enters
    # The group whose entries all have a gold analysis follows the run.
    without = composite(found.breakdowns["domain"]["ui"].metrics, Profile.ANALYSER, left_out={"morphological_accuracy"})
    assert (found.breakdowns["domain"]["ui"].composite == without.value) is not enters


@pytest.mark.parametrize(("coverage", "value"), [(0.25, 0.6792), (0.2499, 0.7389), (0.2, 0.7389), (None, 0.6792)])
def test_the_card_of_the_harness_with_low_coverage(coverage, value):
    metrics = {
        "fst_acceptance_rate": 0.9,
        "chrf_plus_plus": 55.0,
        "exact_match_rate": 0.5,
        "morphological_accuracy": 0.5,
    }
    assert composite(metrics, Profile.ANALYSER, morphology_coverage=coverage).value == value


def test_a_tool_that_fails_at_one_entry_makes_its_metric_null_everywhere_and_no_other():
    def failing(source, output, references):
        if output.startswith("acimosis"):
            raise ToolFailure(FailureKind.RAISED, tool="unit")
        return "VALID"

    tools = Tools(analyse=toy_analyse, verdict=failing)
    groups = {"domain": ["ui", "ui", "tech", ""] * 2}
    found = scores(some(), MetricSettings(tools=tools), groups=groups)
    assert found.metrics["semantic_score"] is None
    assert all(group.metrics["semantic_score"] is None for group in found.breakdowns["domain"].values())
    assert found.failures == {"semantic_score": FailureKind.RAISED}
    assert "semantic_score" in found.composite.unavailable
    assert np.isnan(found.per_entry["semantic_score"]).all()
    assert found.metrics["fst_acceptance_rate"] is not None
    same = scores(some(), ANALYSER, groups=groups)
    assert found.composite.value == same.composite.value
    assert found.to_dict()["failures"] == {"semantic_score": "raised"}


def test_a_methods_own_glossary_changes_no_composite():
    language = Glossary.parse({"dog": ["atim"]})
    own = Glossary.parse({"sleeps": ["kawisimow"]})
    with_own = scores(some(), MetricSettings(tools=Tools(glossary=language, own_glossary=own)))
    without = scores(some(), MetricSettings(tools=Tools(glossary=language)))
    assert with_own.composite == without.composite
    assert with_own.tier == without.tier
    assert with_own.beside["terminology_own_glossary"] == 0.0
    assert without.beside["terminology_own_glossary"] is None
    only_own = scores(some(), MetricSettings(tools=Tools(own_glossary=own)))
    assert only_own.metrics["terminology_adherence"] is None


def test_what_we_know_beyond_the_harness_does_not_enter_the_figures_that_claims_are_compared_with():
    pairs = some(variants=("acimosis zzz",))
    settings = MetricSettings(language=LanguageFacts(has_variants=True))
    found, plain = (scores(pairs, one, ScoreOptions(draws=20)) for one in (settings, MetricSettings()))
    assert found.metrics["equivalent_match_rate"] == 0.5
    assert found.composite.value != plain.composite.value
    for counting in HarnessCounting:
        assert found.harness[counting].composite == plain.harness[counting].composite


def test_strict_match_stands_beside():
    pairs = [Pair("1", "s", "Ola", ("ola",)), Pair("2", "s", "cafe\u0301", ("café",)), Pair("3", "s", "", ("",))]
    found = scores(pairs, MetricSettings(), ScoreOptions(draws=20))
    assert found.metrics["exact_match_rate"] == 0.6667
    assert found.beside["strict_match_rate"] == 0.3333


def test_caveats_change_no_number_and_survive_the_chunks():
    marked = [Pair(p.entry_id, p.source, p.output, p.references) for p in some()]
    found = scores(marked)
    assert [caveat.code for caveat in found.caveats] == [CaveatCode.EMPTY_OUTPUT]
    assert found.caveats[0].entry_ids == ("3", "7")
    assert found.to_dict()["caveats"] == [{"code": "empty_output", "entry_count": 2, "share": 0.25}]


def test_draws_that_lack_a_metric_share_its_weight_among_the_others():
    made_of = composite(
        {"chrf_plus_plus": 50.0, "exact_match_rate": 0.5, "terminology_adherence": 1.0}, Profile.SURFACE
    )
    nan = float("nan")
    values = {
        "chrf_plus_plus": np.array([50.0, 50.0, nan]),
        "exact_match_rate": np.array([0.5, 0.5, nan]),
        "terminology_adherence": np.array([1.0, nan, nan]),
    }
    drawn = composite_of_draws(values, made_of)
    assert drawn[:2] == pytest.approx([made_of.value, 0.5], abs=1e-4)
    assert np.isnan(drawn[2])


def test_rare_terms_take_no_interval_from_the_composite():
    pairs = [Pair("t", "the dog", "atim", ("atim",)), *(Pair(str(n), "x", "nipaw", ("nipaw",)) for n in range(11))]
    found = scores(pairs, MetricSettings(tools=Tools(glossary=Glossary.parse({"dog": ["atim"]}))), ScoreOptions())
    assert found.metrics["terminology_adherence"] == 1.0
    assert "terminology_adherence" not in found.intervals
    assert "composite" in found.intervals
