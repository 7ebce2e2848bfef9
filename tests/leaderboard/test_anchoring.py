"""Tying runs to corpus versions: by digest, by content, later (SPEC R-4)."""

import json

import pytest

from champollion.common.errors import DomainError, ProblemList
from leaderboard.cards.reading import read_document
from leaderboard.models import Run
from leaderboard.services.anchoring import anchor_find
from leaderboard.services.reanchoring import run_anchor, runs_anchor_waiting

from .stage import corpus_document, good_outputs, reference_of, report_document, source_of, table


def parsed(document):
    return read_document(json.dumps(document, ensure_ascii=False).encode())


def report_of(shared_data, key):
    (path,) = [path for path in (shared_data / "reports").glob("*.json") if key in path.name]
    return path.read_bytes()


# By digest


def card_of(shared_data, name="0.1.1"):
    return next((shared_data / "harness" / name).rglob("run_card.json"))


def test_an_unknown_digest_of_a_known_corpus_names_the_versions_that_are_here(stage, shared_data):
    card = read_document(card_of(shared_data).read_bytes())
    assert card.corpus.sha256
    stage.corpus(corpus_id=card.corpus.id)
    with pytest.raises(DomainError) as refused:
        anchor_find(card, actor=stage.developer)
    assert refused.value.code == "run.unknown_digest"
    assert "Known versions: 1.0" in str(refused.value)


def test_an_unknown_digest_of_an_unknown_corpus_is_no_error(stage, shared_data):
    assert anchor_find(read_document(card_of(shared_data).read_bytes()), actor=stage.developer) is None


# By content


def test_ids_are_compared_as_text(stage):
    value = corpus_document()
    for number, entry in enumerate(value["entries"], start=1):
        entry["id"] = number
    version = stage.store(value)
    document = report_document()
    for number, row in enumerate(document["entries"], start=1):
        row["id"] = str(number)
    assert anchor_find(parsed(document), actor=stage.developer).version == version


def test_of_two_versions_that_both_hold_every_text_the_uploader_is_asked(stage):
    stage.corpus()
    grown = corpus_document(count=13, version="1.1")
    stage.store(grown)
    with pytest.raises(DomainError) as refused:
        anchor_find(parsed(report_document()), actor=stage.developer)
    assert refused.value.context["versions"] == "unit-en-cy 1.0, unit-en-cy 1.1"


def test_of_two_versions_the_one_whose_texts_match_is_taken(stage):
    first = stage.corpus()
    changed = corpus_document(version="1.1")
    changed["entries"][0]["reference"] = "Brawddeg newydd"
    second = stage.store(changed)
    assert anchor_find(parsed(report_document()), actor=stage.developer).version == first
    newer = report_document(entries={1: {"expected": "Brawddeg newydd"}})
    assert anchor_find(parsed(newer), actor=stage.developer).version == second


def test_less_than_half_of_the_ids_is_another_corpus(stage):
    stage.corpus(count=5)
    assert anchor_find(parsed(report_document(count=12)), actor=stage.developer) is None


def test_secret_entries_are_unknown_in_every_message(stage):
    value = corpus_document()
    value["entries"][11] |= {"segment": "gold_standard"}
    stage.store(value)
    with pytest.raises(ProblemList) as refused:
        anchor_find(parsed(report_document(entries={12: {"expected": "Dyfaliad"}})), actor=stage.developer)
    (problem,) = refused.value.problems
    assert problem.code == "run.unknown_entry"
    assert reference_of(12) not in problem.remedy


def test_a_withdrawn_version_is_not_there(stage):
    version = stage.corpus()
    type(version).objects.filter(pk=version.pk).update(status="withdrawn")
    assert anchor_find(parsed(report_document()), actor=stage.developer) is None


# Real reports


@pytest.mark.parametrize(
    ("key", "composite"),
    [
        ("125113_google_gemini35flash", 0.7964),
        ("131120_google_gemini31propreview", 0.7768),
        ("131304_mistralai_mistrallarge", 0.6990),
    ],
)
def test_a_real_report_finds_its_corpus_and_scores_as_known(stage, shared_data, key, composite):
    version = stage.store_file(shared_data / "corpora" / "eng-cym-dev-v1.json")
    run = stage.receive(report_of(shared_data, key)).runs[0]
    run.refresh_from_db()
    assert run.corpus_version == version
    assert run.score_set.composite == pytest.approx(composite, abs=5e-5)
    assert run.claim_verdicts["chrf_plus_plus"]["verdict"] == "confirmed"


# Later


def test_a_waiting_run_is_tied_by_the_sweep_when_its_corpus_comes(stage, django_capture_on_commit_callbacks):
    run = stage.receive(json.dumps(report_document())).runs[0]
    assert runs_anchor_waiting() == 0
    version = stage.corpus()
    with django_capture_on_commit_callbacks(execute=True):
        assert runs_anchor_waiting() == 1
    run.refresh_from_db()
    assert (run.corpus_version, run.status) == (version, Run.Status.SCORED)
    assert run.score_set.scores.get(cut="all", metric="exact_match_rate").value == 1.0
    assert runs_anchor_waiting() == 0


def test_a_waiting_run_that_covers_two_segments_becomes_two(stage, django_capture_on_commit_callbacks):
    run = stage.receive(json.dumps(report_document())).runs[0]
    value = corpus_document()
    for entry in value["entries"][:4]:
        entry["segment"] = "diagnostic"
    stage.store(value)
    with django_capture_on_commit_callbacks(execute=True):
        runs = run_anchor(run)
    assert [(one.segment, one.output_count) for one in runs] == [("development", 8), ("diagnostic", 4)]
    assert runs[0].pk == run.pk


def test_a_waiting_run_that_does_not_fit_stays_and_says_why(stage):
    run = stage.receive(json.dumps(report_document())).runs[0]
    changed = corpus_document()
    changed["entries"][2]["reference"] = "Arall"
    stage.store(changed)
    assert runs_anchor_waiting() == 0
    with pytest.raises(ProblemList) as refused:
        run_anchor(run)
    assert [problem.entry_id for problem in refused.value.problems] == ["unit_3"]
    run.refresh_from_db()
    assert run.status == Run.Status.UNANCHORED
    assert run.outputs.get(entry_key="unit_3").source == source_of(3)


def test_whoever_became_a_reader_of_secret_text_meanwhile_is_refused(stage):
    from champollion.common.errors import AccessDenied

    value = corpus_document()
    secret = corpus_document(count=1, segment="gold_standard")["entries"][0]
    value["entries"].append({**secret, "id": "secret_1", "source": "Hidden words", "reference": "Geiriau cudd"})
    run = stage.receive(json.dumps(report_document())).runs[0]
    stage.store(value)
    from champollion.accounts.services.organisations import role_give

    role_give(actor=None, organisation=stage.organisation, user=stage.developer, role="curator")
    with pytest.raises(AccessDenied):
        run_anchor(Run.objects.get(pk=run.pk))
    assert Run.objects.get(pk=run.pk).status == Run.Status.UNANCHORED


def test_a_run_that_is_tied_already_is_left_alone(stage):
    stage.corpus()
    run = stage.receive(table(good_outputs())).runs[0]
    assert run_anchor(run) == []
