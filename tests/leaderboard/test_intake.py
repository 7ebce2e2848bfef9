"""Taking in runs: what is refused stores nothing, what is taken is stored once (R-1 to R-5, L-3, LAW-10)."""

import json

import pytest

from champollion.audit.models import AuditEvent
from champollion.common.errors import AccessDenied, DomainError, NotVisible, ProblemList
from corpora.access import read_entries
from leaderboard.models import Document, Method, MethodVersion, Run, RunOutput
from leaderboard.services.intake import MethodChoice, run_receive, run_score_again

from .stage import (
    corpus_document,
    good_outputs,
    held,
    member,
    person_developer,
    reference_of,
    report_document,
    source_of,
    table,
)

SAME_TEXTS = {"corpus_id": "unit-other"}


def as_json(value) -> str:
    return json.dumps(value, ensure_ascii=False)


def nothing_stored() -> bool:
    return not (
        Document.objects.exists() or Run.objects.exists() or Method.objects.exists() or RunOutput.objects.exists()
    )


# What is taken


def test_a_report_is_tied_to_the_corpus_whose_ids_and_texts_it_carries(stage):
    version = stage.corpus()
    run = stage.receive(as_json(report_document())).runs[0]
    run.refresh_from_db()
    assert (run.corpus_version, run.segment, run.status) == (version, "development", "scored")
    assert run.submitted_by == stage.developer
    assert not run.is_organisation_run
    assert run.outputs.count() == 12


def test_missing_entries_count_as_errors_of_the_run(stage):
    version = stage.corpus()
    outputs = good_outputs()
    del outputs["unit_3"]
    run = stage.receive(table(outputs), version=version, segment="development").runs[0]
    run.refresh_from_db()
    assert run.outputs.filter(is_missing=True).values_list("entry_key", flat=True).get() == "unit_3"
    assert (run.score_set.entry_count, run.score_set.missing_count) == (12, 1)
    # Eleven of twelve entries are right to the letter; the missing one counts as wrong.
    assert run.score_set.scores.get(cut="all", metric="exact_match_rate").value == pytest.approx(11 / 12, abs=1e-4)


def test_the_form_s_configuration_identifies_the_version_of_plain_outputs_and_is_kept(stage):
    version = stage.corpus()
    first = stage.receive(
        table(good_outputs()), version=version, configuration={"model": "unit/a", "temperature": "0.0"}
    )
    other = stage.receive(
        table(good_outputs(wrong=1)), version=version, configuration={"model": "unit/a", "temperature": "0.7"}
    )
    assert first.runs[0].method_version != other.runs[0].method_version
    assert first.runs[0].method_version.method == other.runs[0].method_version.method
    assert (other.runs[0].model_name, other.runs[0].temperature) == ("unit/a", "0.7")


def test_one_document_on_two_public_segments_makes_a_run_for_each(stage):
    value = corpus_document()
    for entry in value["entries"][:4]:
        entry["segment"] = "diagnostic"
    stage.store(value)
    receipt = stage.receive(as_json(report_document()))
    assert [(run.segment, run.output_count) for run in receipt.runs] == [("development", 8), ("diagnostic", 4)]
    assert {run.document_id for run in receipt.runs} == {receipt.document.pk}


def test_a_receipt_is_in_the_audit_log(stage):
    stage.corpus()
    run = stage.receive(as_json(report_document())).runs[0]
    event = AuditEvent.objects.get(act="run.received")
    assert event.object_id == str(run.uid)
    assert event.details["sealed_hash"] == run.sealed_hash


# Which corpus


def test_a_report_that_matches_no_corpus_is_kept_unanchored(stage):
    run = stage.receive(as_json(report_document())).runs[0]
    assert (run.status, run.corpus_version) == (Run.Status.UNANCHORED, None)
    assert run.outputs.get(entry_key="unit_1").source == source_of(1)


def test_a_report_that_matches_two_corpora_is_asked_about(stage):
    stage.corpus()
    other = stage.corpus(**SAME_TEXTS)
    with pytest.raises(DomainError) as refused:
        stage.receive(as_json(report_document()))
    assert refused.value.code == "run.several_corpora"
    assert "unit-en-cy 1.0" in str(refused.value)
    assert "unit-other 1.0" in str(refused.value)
    assert nothing_stored()
    assert stage.receive(as_json(report_document()), version=other).runs[0].corpus_version == other


def test_a_report_that_matches_all_but_one_entry_names_the_one(stage):
    stage.corpus()
    with pytest.raises(ProblemList) as refused:
        stage.receive(as_json(report_document(count=13)))
    assert [(p.code, p.entry_id) for p in refused.value.problems] == [("run.unknown_entry", "unit_13")]
    assert nothing_stored()


def test_a_report_whose_expected_differs_says_what_the_corpus_has(stage):
    stage.corpus()
    with pytest.raises(ProblemList) as refused:
        stage.receive(as_json(report_document(entries={4: {"expected": "Rhywbeth arall"}})))
    (problem,) = refused.value.problems
    assert (problem.code, problem.entry_id, problem.field) == ("run.text_differs", "unit_4", "expected")
    assert problem.value == "Rhywbeth arall"
    assert reference_of(4) in problem.remedy
    assert nothing_stored()


def test_white_space_and_normal_form_make_no_difference(stage):
    stage.corpus()
    run = stage.receive(as_json(report_document(entries={4: {"expected": f"  {reference_of(4)} "}}))).runs[0]
    assert run.corpus_version is not None


# Plain outputs


def test_outputs_one_a_line_follow_the_corpus_s_order(stage):
    version = stage.corpus()
    lines = "\n".join(reference_of(n) for n in range(1, 13)) + "\n"
    run = stage.receive(lines, version=version, segment="development").runs[0]
    run.refresh_from_db()
    assert run.score_set.scores.get(cut="all", metric="exact_match_rate").value == 1.0


def test_outputs_with_a_line_too_many_are_refused(stage):
    version = stage.corpus()
    lines = "\n".join(reference_of(n) for n in range(1, 14)) + "\n"
    with pytest.raises(ProblemList) as refused:
        stage.receive(lines, version=version, segment="development")
    (problem,) = refused.value.problems
    assert (problem.code, problem.place) == ("line_count", "line 13")
    assert "13 lines" in problem.remedy
    assert "12 entries" in problem.remedy
    assert nothing_stored()


def test_outputs_one_a_line_need_corpus_and_segment(stage):
    stage.corpus()
    with pytest.raises(DomainError) as refused:
        stage.receive("Dyma\nfrawddeg\n")
    assert refused.value.code == "run.corpus_needed"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"overall": {"corpus_chrf": float("nan")}}, "not_finite"),
        ({"overall": {"exact_match_rate": 87.5}}, "rate_over_one"),
        ({"entries": {2: {"predicted": "a" * 200_000}}}, "output_too_long"),
        ({"entries": {2: {"id": "unit_1"}}}, "duplicate_id"),
    ],
)
def test_bad_documents_are_refused_with_what_would_be_right(stage, change, code):
    stage.corpus()
    with pytest.raises(ProblemList) as refused:
        stage.receive(as_json(report_document(**change)))
    assert code in [problem.code for problem in refused.value.problems]
    assert all(problem.remedy for problem in refused.value.problems)
    assert nothing_stored()


def test_a_document_over_the_limit_is_refused(stage, settings):
    stage.corpus()
    settings.MAX_DOCUMENT_BYTES = 100
    with pytest.raises(ProblemList) as refused:
        stage.receive(as_json(report_document()))
    assert [problem.code for problem in refused.value.problems] == ["too_large"]
    assert nothing_stored()


# Secret segments


def test_a_developer_s_report_on_a_secret_segment_is_refused_and_stores_nothing(stage):
    stage.corpus(segment="gold_standard")
    with pytest.raises(AccessDenied) as refused:
        stage.receive(as_json(report_document()))
    assert refused.value.code == "run.secret_segment"
    assert nothing_stored()


@pytest.mark.parametrize("lines", ["one\ntwo\n", table(good_outputs())])
def test_a_developer_s_outputs_for_a_secret_segment_are_refused_before_they_are_read(stage, lines):
    version = stage.corpus(segment="gold_standard")
    with pytest.raises(AccessDenied) as refused:
        stage.receive(lines, version=version, segment="gold_standard")
    assert refused.value.code == "run.secret_segment"
    assert "12" not in str(refused.value)
    assert nothing_stored()


def test_ids_of_a_secret_segment_are_unknown_to_a_developer(stage):
    version = stage.corpus(segment="gold_standard")
    with pytest.raises(ProblemList) as refused:
        stage.receive(table(good_outputs(2)), version=version)
    assert {problem.code for problem in refused.value.problems} == {"run.unknown_entry"}


def test_a_steward_s_upload_with_the_held_method_is_the_organisation_s_own_run(stage):
    version = stage.corpus(segment="gold_standard")
    run = stage.receive(as_json(report_document()), actor=stage.steward, held=held()).runs[0]
    run.refresh_from_db()
    assert (run.corpus_version, run.segment, run.status) == (version, "gold_standard", "scored")
    assert run.is_organisation_run
    assert run.method_version.submitted_by is None
    assert (run.method_version.held_by, run.method_version.held_sha256) == (stage.organisation, "a" * 64)
    assert run.method_version.identity_sha256 == "a" * 64


def test_outputs_of_a_secret_segment_lie_sealed_and_nowhere_else(stage):
    stage.corpus(segment="gold_standard")
    receipt = stage.receive(as_json(report_document()), actor=stage.steward, held=held())
    assert not receipt.runs[0].outputs.exclude(text="").exists()
    assert receipt.document.is_sealed
    assert reference_of(1).encode() not in bytes(receipt.document.content)


def test_a_steward_of_another_organisation_is_a_stranger(stage, db):
    from .stage import stage_make

    stage.corpus(segment="gold_standard")
    other = stage_make(languages=("sn",), slug="unit-shona")
    with pytest.raises(AccessDenied):
        stage.receive(as_json(report_document()), actor=other.steward, held=held())
    assert nothing_stored()


def test_a_held_method_needs_a_sha256(stage):
    from leaderboard.services.methods import HeldMethod

    stage.corpus(segment="gold_standard")
    bad = HeldMethod(file_name="m.tar", sha256="short", place="safe")
    with pytest.raises(DomainError) as refused:
        stage.receive(as_json(report_document()), actor=stage.steward, held=bad)
    assert refused.value.code == "method.held_digest"
    assert nothing_stored()


def test_the_held_out_segment_is_never_run(stage):
    version = stage.corpus(segment="held_out")
    with pytest.raises(DomainError) as refused:
        stage.receive(table(good_outputs()), actor=stage.steward, version=version, segment="held_out")
    assert refused.value.code == "run.held_out"
    with pytest.raises(DomainError):
        stage.receive(table(good_outputs()), actor=stage.steward, version=version)
    assert nothing_stored()


# LAW-10


def mixed_version(stage):
    value = corpus_document(count=12)
    secret = corpus_document(count=3, segment="gold_standard")["entries"]
    for place, entry in enumerate(secret, start=1):
        entry |= {"id": f"secret_{place}", "source": f"Hidden words {place}", "reference": f"Geiriau cudd {place}"}
    value["entries"] += secret
    return stage.store(value)


def test_whoever_may_read_secret_text_cannot_hand_in_a_run_and_hears_why(stage):
    mixed_version(stage)
    from champollion.accounts.services.organisations import installation_role_give, role_give

    role_give(actor=None, organisation=stage.organisation, user=stage.developer, role="curator")
    installation_role_give(actor=None, user=stage.developer, kind="developer")
    with pytest.raises(AccessDenied) as refused:
        stage.receive(table(good_outputs()))
    assert refused.value.code == "run.uploader_read_secret"
    assert "right to read the secret text of unit-en-cy" in str(refused.value)
    assert nothing_stored()


def test_whoever_read_secret_text_once_cannot_hand_in_a_run_and_the_record_is_named(stage):
    version = mixed_version(stage)
    reader = member(stage, "reader@unit.example", "steward")
    read_entries(version.entries.filter(segment="gold_standard"), version=version, reader=reader, purpose="look")
    from champollion.accounts.services.organisations import installation_role_give, role_take, team_create

    role_take(actor=None, organisation=stage.organisation, user=reader, role="steward")
    installation_role_give(actor=None, user=reader, kind="developer")
    team = team_create(name="Readers", slug="readers", members=[reader])
    with pytest.raises(AccessDenied) as refused:
        stage.receive(table(good_outputs()), actor=reader, team=team)
    number = AuditEvent.objects.get(act="secret.read").sequence
    assert f"record {number}" in str(refused.value)


def test_a_developer_who_read_nothing_hands_in_a_run_on_the_public_part(stage):
    mixed_version(stage)
    assert stage.receive(table(good_outputs())).runs[0].segment == "development"


def test_a_steward_who_uploads_the_method_of_their_own_team_hands_it_in_themselves(stage):
    mixed_version(stage)
    from champollion.accounts.services.organisations import team_create

    own_team = team_create(name="Own", slug="own", members=[stage.steward])
    with pytest.raises(AccessDenied) as refused:
        stage.receive(table(good_outputs()), actor=stage.steward, team=own_team)
    assert refused.value.code == "run.uploader_read_secret"


# Who


@pytest.mark.parametrize("who", ["speaker", "curator"])
def test_people_without_the_right_hand_in_nothing(stage, who):
    stage.corpus()
    with pytest.raises(AccessDenied):
        stage.receive(table(good_outputs()), actor=getattr(stage, who))
    assert nothing_stored()


def test_nobody_hands_in_runs_of_another_team_s_method(stage):
    stage.corpus()
    method = stage.receive(table(good_outputs())).runs[0].method_version.method
    stranger = person_developer("stranger@unit.example")
    with pytest.raises(NotVisible):
        stage.receive(table(good_outputs(wrong=1)), actor=stranger, method=method)
    assert Run.objects.count() == 1


def test_nobody_makes_a_method_for_a_team_they_are_not_in(stage):
    stage.corpus()
    with pytest.raises(NotVisible):
        stage.receive(table(good_outputs()), actor=person_developer("stranger@unit.example"))
    assert nothing_stored()


def test_a_name_that_another_team_has_is_refused(stage):
    from champollion.accounts.services.organisations import team_create

    stage.corpus()
    stage.receive(table(good_outputs()))
    stranger = person_developer("stranger@unit.example")
    team = team_create(name="Strangers", slug="strangers", members=[stranger])
    with pytest.raises(DomainError) as refused:
        stage.receive(table(good_outputs(wrong=1)), actor=stranger, team=team)
    assert refused.value.code == "method.name_taken"


# Once


def test_the_same_bytes_again_are_a_no_op_that_points_to_the_first(stage):
    stage.corpus()
    first = stage.receive(table(good_outputs()))
    again = stage.receive(table(good_outputs()))
    assert not first.was_known
    assert again.was_known
    assert [run.pk for run in again.runs] == [run.pk for run in first.runs]
    assert (Document.objects.count(), Run.objects.count(), MethodVersion.objects.count()) == (1, 1, 1)


def test_the_same_set_up_with_other_results_is_a_second_run_of_the_same_version(stage):
    stage.corpus()
    first = stage.receive(as_json(report_document())).runs[0]
    second = stage.receive(as_json(report_document(entries={1: {"predicted": "Arall"}}))).runs[0]
    assert first.method_version == second.method_version
    assert first.pk != second.pk


def test_bytes_that_somebody_else_handed_in_unanchored_are_not_shown(stage):
    stage.receive(as_json(report_document()))
    stranger = person_developer("stranger@unit.example")
    with pytest.raises(DomainError) as refused:
        run_receive(actor=stranger, data=as_json(report_document()).encode(), choice=MethodChoice())
    assert refused.value.code == "run.known"


# Again after a failure


def test_only_the_uploader_or_a_steward_asks_for_another_scoring(stage):
    stage.corpus()
    run = stage.receive(table(good_outputs())).runs[0]
    Run.objects.filter(pk=run.pk).update(status=Run.Status.FAILED)
    run.refresh_from_db()
    with pytest.raises((AccessDenied, NotVisible)):
        run_score_again(actor=person_developer("stranger@unit.example"), run=run)
    with pytest.raises((AccessDenied, NotVisible)):
        run_score_again(actor=stage.speaker, run=run)
    run_score_again(actor=stage.developer, run=run)
    assert Run.objects.get(pk=run.pk).status in (Run.Status.RECEIVED, Run.Status.SCORED)


# A sealed card of the real harness


def _sealed_card(shared_data) -> tuple[bytes, bytes]:
    folder = shared_data / "harness" / "0.1.1" / "corpus_strid"
    return (folder / "run_card.json").read_bytes(), (folder / "run_card_entries_rows.json").read_bytes()


@pytest.fixture
def galician(db, shared_data):
    """The corpus that the captured cards ran on, stored from the very file, so that its digest is known."""
    from corpora.formats import ReadOptions
    from corpora.services.imports import Attestation, corpus_import

    from .stage import stage_make

    made = stage_make(languages=("gl",))
    path = shared_data / "harness" / "inputs" / "corpus_strid.json"
    with path.open("rb") as stream:
        made.version = corpus_import(
            actor=made.curator,
            organisation=made.organisation,
            stream=stream,
            filename=path.name,
            options=ReadOptions(license="BSD-3-Clause", provenance=("corpus",)),
            attestation=Attestation("Unit test"),
        )
    return made


def test_a_sealed_card_with_its_rows_is_tied_by_its_digest_and_its_claims_confirmed(galician, shared_data):
    card, rows = _sealed_card(shared_data)
    run = galician.receive(card, rows=rows).runs[0]
    run.refresh_from_db()
    assert (run.corpus_version, run.status) == (galician.version, Run.Status.SCORED)
    assert run.fingerprint
    assert run.run_card_hash
    verdicts = {metric: row["verdict"] for metric, row in run.claim_verdicts.items()}
    assert verdicts["chrf_plus_plus"] == "confirmed"
    assert verdicts["composite"] == "confirmed"


def test_a_card_without_rows_is_claimed_and_scored_when_its_rows_come(galician, shared_data):
    card, rows = _sealed_card(shared_data)
    claimed = galician.receive(card).runs[0]
    assert (claimed.status, claimed.outputs.count()) == (Run.Status.CLAIMED, 0)
    row = claimed.standings.get()
    assert (row.is_ranked, row.unranked_reason, row.composite) == (False, "claimed", None)
    assert galician.receive(card).was_known
    completed = galician.receive(card, rows=rows).runs[0]
    completed.refresh_from_db()
    assert (completed.pk, completed.status, completed.outputs.count()) == (claimed.pk, Run.Status.SCORED, 14)
    row.refresh_from_db()
    assert (row.is_ranked, row.rank_low) == (True, 1)
    assert galician.receive(card, rows=rows).was_known
    assert (Run.objects.count(), Document.objects.count()) == (1, 1)


def test_a_claimed_card_whose_rows_came_in_parallel_is_known(galician, shared_data, monkeypatch):
    """Whoever was told "claimed" before the first had ended finds the run completed once it holds the lock."""
    card, rows = _sealed_card(shared_data)
    galician.receive(card)
    galician.receive(card, rows=rows)
    monkeypatch.setattr("leaderboard.services.intake._is_only_claimed", lambda known: True)
    again = galician.receive(card, rows=rows)
    assert (again.was_known, [run.status for run in again.runs]) == (True, [Run.Status.SCORED])
    assert RunOutput.objects.count() == 14


def test_somebody_else_s_card_is_not_completed(galician, shared_data):
    from champollion.accounts.services.organisations import team_create

    card, rows = _sealed_card(shared_data)
    galician.receive(card)
    stranger = person_developer("stranger@unit.example")
    team = team_create(name="Strangers", slug="strangers", members=[stranger])
    with pytest.raises(DomainError) as refused:
        galician.receive(card, rows=rows, actor=stranger, team=team)
    assert refused.value.code == "run.known"
    assert Run.objects.get().status == Run.Status.CLAIMED
