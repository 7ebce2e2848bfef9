"""Analysers, glossaries, variants and caveats of a run that is handed in and scored. Source: SPEC M-1, M-2, M-3."""

import json
import shutil

import pytest
from django.urls import reverse

from champollion.common.health import Level, findings
from leaderboard.models import Run, Score, ScoreChunk
from leaderboard.scoring.composite import Profile
from leaderboard.services import scoring
from leaderboard.services.caveats import caveat_acknowledge

from .stage import corpus_document, entry_value, held, report_document, table
from .tools import TOY

SOURCES = ["the dog sleeps here", "the dogs sleep there", "a puppy and a dog", "a rabbit sleeps now"]
GOOD = ["atim nipaw", "atimwak nipawak", "acimosis atim", "wâpos nipaw"]


@pytest.fixture(autouse=True)
def languages(settings, tmp_path):
    """The folder of languages' files; empty at first."""
    settings.LANGUAGES_DIR = tmp_path / "languages"
    return settings.LANGUAGES_DIR


def put(folder, tag, **files):
    place = folder / tag
    place.mkdir(parents=True, exist_ok=True)
    if files.pop("analyser", False):
        shutil.copy(TOY, place / "analyser.hfstol")
    for name, value in files.items():
        (place / f"{name}.json").write_text(json.dumps(value), encoding="utf-8")


def document(corpus_id="unit-en-cy", dataset=None, **entry):
    """A corpus of four entries whose references our lexicon knows."""
    made = corpus_document(count=0, corpus_id=corpus_id)
    made["dataset"] |= dataset or {}
    for n, (source, good) in enumerate(zip(SOURCES, GOOD, strict=True)):
        changes = {key: value(n) for key, value in entry.items()}
        made["entries"].append(entry_value(n + 1, **{"source": source, "reference": good, **changes}))
    return made


def scored(stage, outputs, *, version=None, **given):
    version = version or stage.store(document())
    rows = {f"unit_{n + 1}": text for n, text in enumerate(outputs)}
    run = stage.receive(table(rows), version=version, segment="development", **given).runs[0]
    return Run.objects.get(pk=run.pk)


def value(run, metric):
    return Score.objects.get(score_set=run.score_set, cut="all", metric=metric).value


def test_an_analyser_makes_profile_a_and_its_version_and_digest_are_kept(stage, languages):
    put(languages, "cy", analyser=True)
    (languages / "cy" / "analyser.json").write_text('{"version": "2026-05"}')
    run = scored(stage, ["atim nipaw", "atimwak zzz", "acimosis", ""])
    assert run.score_set.profile == Profile.ANALYSER
    assert value(run, "fst_acceptance_rate") == pytest.approx((1 + 0.5 + 1 + 0) / 4)
    assert value(run, "morphological_accuracy") == 1.0
    tool = run.score_set.settings["language"]["tools"]["analyser"]
    assert (tool["name"], tool["version"], len(tool["sha256"])) == ("cy/analyser.hfstol", "2026-05", 64)
    assert "fst_acceptance_rate" in {part["metric"] for part in run.score_set.contributions}


def test_without_an_analyser_profile_b_holds_and_each_null_has_its_reason(stage):
    run = scored(stage, GOOD)
    assert run.score_set.profile == Profile.SURFACE
    codes = {metric: reason["code"] for metric, reason in run.score_set.settings["reasons"].items()}
    assert codes == {
        "fst_acceptance_rate": "no_analyser",
        "morphological_accuracy": "no_gold_no_analyser",
        "equivalent_match_rate": "no_variants",
        "terminology_adherence": "no_glossary",
        "semantic_score": "no_semantic",
        "spbleu": "no_spbleu_model",
    }
    assert value(run, "fst_acceptance_rate") is None


def test_a_file_that_is_no_transducer_leaves_profile_b_and_says_why(stage, languages, client):
    put(languages, "cy")
    (languages / "cy" / "analyser.hfstol").write_bytes(b"no transducer")
    run = scored(stage, GOOD)
    assert run.score_set.profile == Profile.SURFACE
    assert run.score_set.settings["reasons"]["fst_acceptance_rate"]["code"] == "analyser_not_hfst"
    page = client.get(reverse("leaderboard:run", args=[run.uid])).content.decode()
    assert "the analyser&#x27;s file is no transducer" in page


def test_an_analyser_that_comes_later_makes_a_new_score_set_and_keeps_the_old_one(stage, languages):
    run = scored(stage, GOOD)
    first = run.score_set
    put(languages, "cy", analyser=True)
    second = scoring.run_score(run)
    assert (second.number, second.profile) == (2, Profile.ANALYSER)
    assert run.score_sets.filter(pk=first.pk, composite=first.composite).exists()


def test_the_file_of_the_language_subtag_serves_a_regional_tag(stage, languages):
    put(languages, "cy", analyser=True)
    made = document()
    made["dataset"]["target_language"] = "cy-GB"
    run = scored(stage, GOOD, version=stage.store(made))
    assert run.score_set.profile == Profile.ANALYSER


def test_variants_of_an_entry_and_of_its_class_make_equivalent_matches(stage):
    classes = document(
        variants=lambda n: ["ci"] if n == 0 else [], variant_class=lambda n: "both" if n in (2, 3) else ""
    )
    classes["entries"][3]["source"] = classes["entries"][2]["source"]
    run = scored(stage, ["CI", "ci", "wâpos nipaw", "nothing"], version=stage.store(classes))
    assert value(run, "exact_match_rate") == 0.0
    assert value(run, "equivalent_match_rate") == 0.5
    assert run.score_set.settings["beside"]["matched_by_variant_rate"] == 0.5


def test_gold_analyses_of_the_corpus_make_morphological_accuracy_without_an_analyser(stage):
    gold = document(morphological_analysis=lambda n: "ati-m nipaw | x" if n < 2 else "")
    run = scored(stage, ["atim nipaw", "atim", "x", "y"], version=stage.store(gold))
    assert value(run, "morphological_accuracy") == pytest.approx((1 + 2 / 3) / 2, abs=1e-4)
    assert run.score_set.settings["beside"]["morphology_coverage"] == 0.5
    assert run.score_set.settings["language"]["has_gold_analyses"] is True


def test_the_glossary_of_the_corpus_goes_before_that_of_the_language(stage, languages):
    put(languages, "cy", glossary={"dog": ["hund"]})
    of_language = scored(stage, GOOD)
    # Of four sources two hold “dog”, which no output translates so; the other two count as in the harness.
    assert value(of_language, "terminology_adherence") == 0.5
    own = document(corpus_id="unit-gloss", dataset={"glossary": {"dog": "atim", "rabbit": ["wâpos"]}})
    of_corpus = scored(stage, [*GOOD[:3], "wâpos"], version=stage.store(own), name="Another")
    assert value(of_corpus, "terminology_adherence") == 1.0
    assert of_corpus.score_set.settings["language"]["tools"]["glossary"]["name"] == "unit-gloss 1.0"


def test_a_glossary_with_empty_terms_is_not_used_and_the_page_says_so(stage, languages, client):
    put(languages, "cy", glossary={"": ["ci"], "dog": []})
    run = scored(stage, GOOD)
    assert value(run, "terminology_adherence") is None
    assert run.score_set.settings["reasons"]["terminology_adherence"]["code"] == "glossary_refused"
    page = client.get(reverse("leaderboard:run", args=[run.uid])).content.decode()
    assert "the glossary has faults, such as empty terms" in page


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("raise ValueError(source)", "tool_raised"),
        ("import os; os._exit(1)", "tool_died"),
        ("return 7", "tool_nonsense"),
    ],
)
def test_a_plugin_that_fails_is_named_on_the_page_and_its_metric_is_null(stage, plugin_packages, client, body, code):
    package = plugin_packages()
    package.write(
        f"class Judge:\n    def verdict(self, *, source, output, references):\n        {body}\n",
        semantic={"cy": "Judge"},
    )
    run = scored(stage, GOOD)
    assert value(run, "semantic_score") is None
    assert run.score_set.settings["reasons"]["semantic_score"] == {"code": code, "tool": "unit-plugins:cy"}
    assert value(run, "chrf_plus_plus") == 100.0
    assert "unit-plugins:cy" in client.get(reverse("leaderboard:run", args=[run.uid])).content.decode()


def test_plugins_of_the_language_take_part(stage, plugin_packages):
    plugin_packages().write(
        """
        class Semantic:
            def verdict(self, *, source, output, references):
                return "VALID" if output in references else "PARTIAL"

        class Equivalence:
            def is_equivalent(self, *, source, output, references):
                return output == "ci"
        """,
        semantic={"cy": "Semantic"},
        equivalence={"cy": "Equivalence"},
    )
    run = scored(stage, ["atim nipaw", "ci", "zzz", ""])
    assert value(run, "semantic_score") == pytest.approx((1 + 0.4 + 0.4 + 0) / 4)
    assert value(run, "equivalent_match_rate") == 0.5
    assert set(run.score_set.settings["language"]["tools"]) == {"semantic", "equivalence"}


def test_an_embedding_model_is_used_only_where_it_is_configured_and_there(stage, plugin_packages, settings, tmp_path):
    plugin_packages().write(
        """
        class Model:
            def __init__(self, folder):
                self.folder = folder

            def embed(self, texts):
                return [[1.0, 0.0] for text in texts]
        """,
        embedding={"unit-model": "Model"},
    )
    version = stage.store(document())
    assert value(scored(stage, GOOD, version=version), "semantic_score") is None
    settings.EMBEDDING_MODEL, settings.EMBEDDING_FOLDER = "unit-model", str(tmp_path / "absent")
    lacking = scored(stage, GOOD[::-1], version=version, name="Second")
    assert lacking.score_set.settings["reasons"]["semantic_score"]["code"] == "model_not_found"
    settings.EMBEDDING_FOLDER = str(tmp_path)
    assert value(scored(stage, ["x"] * 4, version=version, name="Third"), "semantic_score") == 1.0


def test_chunks_do_not_depend_on_how_many_there_are(stage, languages, monkeypatch):
    put(languages, "cy", analyser=True)
    monkeypatch.setattr(scoring, "CHUNK_SIZE", 1)
    outputs = ["atim nipaw", "atimwak zzz", "", "*wâpos"]
    many = scored(stage, outputs)
    assert ScoreChunk.objects.filter(run=many).count() == 4
    monkeypatch.setattr(scoring, "CHUNK_SIZE", 500)
    first = many.score_set
    second = scoring.run_score(many)
    assert (second.number, ScoreChunk.objects.filter(run=many).count()) == (2, 5)
    rows = [
        list(one.scores.order_by("cut", "key", "metric").values_list("cut", "key", "metric", "value", "low", "high"))
        for one in (first, second)
    ]
    assert rows[0] == rows[1]
    assert first.caveats == second.caveats
    assert len(first.caveats) == 2


def test_caveats_are_stored_without_entries_and_the_page_names_entries_to_who_may_see_them(stage, client):
    run = scored(stage, ["*atim nipaw", "the dogs sleep there", "", "wâpos nipaw"])
    assert {one["code"]: one["share"] for one in run.score_set.caveats} == {
        "empty_output": 0.25, "source_copied": 0.25, "engine_marks": 0.25,
    }  # fmt: skip
    assert "unit_1" not in json.dumps(run.score_set.caveats)
    page = client.get(reverse("leaderboard:run", args=[run.uid])).content.decode()
    for text in ("Engine marks left in", "Source copied", "Empty outputs", "<bdi>unit_2</bdi>", "1 entry, 25"):
        assert text in page


def test_on_a_secret_segment_outsiders_see_neither_entries_nor_small_numbers(stage, client):
    stage.corpus(segment="gold_standard")
    report = report_document(entries={1: {"predicted": "*marked"}})
    run = stage.receive(json.dumps(report), actor=stage.steward, held=held()).runs[0]
    run = Run.objects.get(pk=run.pk)
    address = reverse("leaderboard:run", args=[run.uid])
    page = client.get(address).content.decode()
    assert "Engine marks left in" in page
    assert "fewer than 5 entries" in page
    assert "<bdi>unit_1</bdi>" not in page
    client.force_login(stage.steward)
    assert "<bdi>unit_1</bdi>" in client.get(address).content.decode()


def test_an_acknowledgement_holds_on_when_the_run_is_scored_again_and_the_caveat_did_not_grow(stage, languages):
    run = scored(stage, ["*atim nipaw", "atimwak nipawak", "acimosis atim", "wâpos nipaw"])
    caveat_acknowledge(actor=stage.steward, run=run, code="engine_marks", reason="Names.")
    put(languages, "cy", analyser=True)
    again = scoring.run_score(Run.objects.get(pk=run.pk))
    assert again.number == 2
    assert again.caveats[0]["acknowledged_by"] == str(stage.steward.uid)
    assert again.caveats[0]["reason"] == "Names."


def test_floors_of_the_references_are_stored_and_shown_over_two_hundredths_only(stage, client):
    copied = document(reference=lambda n: SOURCES[n] if n < 2 else GOOD[n])
    run = scored(stage, GOOD, version=stage.store(copied))
    floors = run.score_set.settings["reference_floors"]
    assert floors["code_switching_rate"] == 0.5
    page = client.get(reverse("leaderboard:run", args=[run.uid])).content.decode()
    assert "people's own translations score" in page or "people&#x27;s own translations score" in page
    clean = scored(stage, GOOD[::-1], version=stage.store(document(corpus_id="unit-clean")), name="Second")
    assert clean.score_set.settings["reference_floors"]["code_switching_rate"] == 0.0
    page = client.get(reverse("leaderboard:run", args=[clean.uid])).content.decode()
    assert "own translations score" not in page


def test_doctor_names_files_that_cannot_be_used(languages):
    assert findings(["languages"])[0].level == Level.OK
    put(languages, "cy", analyser=True, glossary={"dog": ["ci"]})
    assert "2 files" in findings(["languages"])[0].message
    put(languages, "gl", glossary={"": []})
    (languages / "gl" / "analyser.hfstol").write_bytes(TOY.read_bytes()[:-1])
    found = findings(["languages"])[0]
    assert found.level == Level.PROBLEM
    assert "gl/analyser.hfstol: the analyser's file is damaged" in found.message
    assert "gl/glossary.json" in found.message
    assert "cy/" not in found.message
