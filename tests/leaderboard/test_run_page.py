"""A run's page: progress, figures beside claims, what outsiders may not see (R-4, R-5, C-7, LAW-9)."""

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from champollion.audit.models import AuditEvent
from champollion.common.models import Job
from leaderboard.access import outputs_withheld
from leaderboard.models import Run, Standing
from leaderboard.models.standing import Claim
from leaderboard.services.intake import MethodChoice, run_receive
from leaderboard.services.scoring import TASK
from leaderboard.services.standings import standing_set_claim

from .stage import (
    corpus_document,
    good_outputs,
    held,
    person_developer,
    reference_of,
    report_document,
    source_of,
    table,
)


def text_of(response) -> str:
    return response.content.decode()


def page_of(run) -> str:
    return f"/runs/{run.uid}/"


def scored(stage, **given) -> Run:
    version = given.pop("version", None) or stage.corpus()
    run = stage.receive(table(good_outputs(wrong=4)), version=version, **given).runs[0]
    run.refresh_from_db()
    return run


def waiting(stage) -> Run:
    """Hand in a run without letting its scoring start: the transaction of the test never commits."""
    stage.corpus()
    choice = MethodChoice(name="Unit method", team=stage.team)
    return run_receive(actor=stage.developer, data=table(good_outputs()).encode(), choice=choice).runs[0]


# Progress


def test_a_waiting_run_is_asked_for_again_by_htmx_and_by_a_link(client, stage):
    run = waiting(stage)
    page = text_of(client.get(page_of(run)))
    assert 'hx-trigger="every 2s"' in page
    assert f'href="{page_of(run)}">Look again' in page
    assert "Waiting for a free worker" not in page


def test_after_thirty_seconds_without_a_worker_the_page_says_so(client, stage):
    run = waiting(stage)
    Job.objects.filter(task=TASK).update(created_at=timezone.now() - timedelta(seconds=31))
    assert "Waiting for a free worker; nothing is lost." in text_of(client.get(page_of(run)))


def test_progress_shows_parts_and_announces_a_new_quarter_once(client, stage):
    run = waiting(stage)
    Run.objects.filter(pk=run.pk).update(status=Run.Status.SCORING)
    Job.objects.filter(task=TASK).update(status=Job.Status.RUNNING, done_count=2, total_count=4)
    response = client.get(page_of(run) + "?quarter=1", headers={"HX-Request": "true"})
    assert response.status_code == 200
    assert "2 of 4 parts" in text_of(response)
    assert "data-says" in text_of(response)
    assert "<html" not in text_of(response)
    assert "HX-Request" in response["Vary"]
    again = client.get(page_of(run) + "?quarter=2", headers={"HX-Request": "true"})
    assert "data-says" not in text_of(again)


def test_286_ends_the_asking_when_the_run_is_scored(client, stage):
    response = client.get(page_of(scored(stage)), headers={"HX-Request": "true"})
    assert response.status_code == 286
    assert "data-takes-focus" in text_of(response)
    assert "hx-trigger" not in text_of(response)


def test_a_scoring_that_stopped_is_named_and_no_longer_asked_for(client, stage):
    run = waiting(stage)
    Job.objects.filter(task=TASK).update(status=Job.Status.FAILED)
    page = text_of(client.get(page_of(run)))
    assert "The scoring stopped" in page
    assert "hx-trigger" not in page


# Figures


def test_our_figures_stand_with_interval_signature_and_the_claim_beside(client, stage):
    stage.corpus()
    overall = {"corpus_chrf": 100.0, "exact_match_rate": 0.5}
    run = stage.receive(json.dumps(report_document(overall=overall))).runs[0]
    run.refresh_from_db()
    rows = {row.code: row for row in client.get(page_of(run)).context["metrics"]}
    assert (rows["chrf_plus_plus"].value, rows["chrf_plus_plus"].claimed) == (100.0, 100.0)
    assert rows["chrf_plus_plus"].verdict == "confirmed"
    assert rows["exact_match_rate"].verdict == "differs"
    assert rows["chrf_plus_plus"].signature.startswith("nrefs:1")
    assert rows["composite"].low is not None
    page = text_of(client.get(page_of(run)))
    assert "confirmed" in page
    assert '<span class="ch-tag">differs</span>' in page


def test_breakdowns_show_every_cell_of_a_public_segment(client, stage):
    run = scored(stage)
    rows = client.get(page_of(run)).context["by_difficulty"]
    assert [row.cell.count for row in rows] == [3, 3, 2, 2, 2]
    assert all(row.values["chrf_plus_plus"] is not None for row in rows)


def test_a_run_of_the_same_set_up_is_named_and_a_spread_over_the_tolerance_said(client, stage):
    version = stage.corpus()
    first = scored(stage, version=version, configuration={"model": "unit/a"})
    stage.receive(table(good_outputs(wrong=12)), version=version, configuration={"model": "unit/a"})
    page = text_of(client.get(page_of(first)))
    assert "Other runs of the same set-up" in page
    assert "differ by more than the tolerance" in page


def test_a_claimed_run_says_that_nothing_was_recomputed(client, stage, shared_data):
    stage.corpus()
    run = scored(stage)
    Run.objects.filter(pk=run.pk).update(status=Run.Status.CLAIMED, score_set=None, claimed={"composite": 0.91})
    page = text_of(client.get(page_of(run)))
    assert "Claimed, not recomputed." in page
    assert "not recomputed" in page
    assert "0.91" in page


# Entries


def test_entries_of_a_public_run_are_for_all_with_language_and_own_score(client, stage):
    run = scored(stage)
    page = text_of(client.get(page_of(run) + "entries/"))
    assert source_of(1) in page
    assert 'lang="cy"' in page
    assert "chrF++ 100.0" in page
    assert "exact match" in page


def test_entries_are_filtered_and_ordered_by_their_own_score(client, stage):
    run = scored(stage)
    lowest = client.get(page_of(run) + "entries/?order=lowest").context["rows"]
    assert {row["output"].entry_key for row in lowest[:4]} == {"unit_1", "unit_2", "unit_3", "unit_4"}
    tech = client.get(page_of(run) + "entries/?domain=tech").context["rows"]
    assert [row["output"].entry_key for row in tech] == [f"unit_{n}" for n in range(2, 13, 2)]


def test_entries_are_paged_with_a_constant_number_of_queries(client, stage, django_assert_max_num_queries):
    version = stage.corpus(count=120)
    run = stage.receive(table(good_outputs(120)), version=version).runs[0]
    with django_assert_max_num_queries(12):
        response = client.get(page_of(run) + "entries/?page=2")
    assert len(response.context["rows"]) == 50


def test_hostile_outputs_are_harmless(client, stage):
    version = stage.corpus()
    outputs = {**good_outputs(), "unit_1": "<script>alert(1)</script>", "unit_2": "a\u202eb"}
    run = stage.receive(table(outputs), version=version).runs[0]
    client.force_login(stage.curator)
    page = text_of(client.get(page_of(run) + "entries/"))
    assert "<script>alert(1)" not in page
    assert "&lt;script&gt;alert(1)" in page
    assert "RLO" in page


# In review


def test_outputs_of_a_run_in_review_are_withheld_from_page_and_file(client, stage):
    run = scored(stage)
    assert client.get(page_of(run) + "document/").status_code == 200
    standing_set_claim(run=run, claim=Claim.IN_REVIEW)
    assert outputs_withheld(run)
    refused = client.get(page_of(run) + "entries/")
    assert refused.status_code == 403
    assert "Withheld while speakers rate" in text_of(refused)
    assert reference_of(9) not in text_of(refused)
    assert client.get(page_of(run) + "document/").status_code == 403
    for person in (stage.speaker, stage.developer):
        client.force_login(person)
        assert client.get(page_of(run) + "entries/").status_code == 403
    client.force_login(stage.steward)
    assert client.get(page_of(run) + "entries/").status_code == 200


def test_a_steward_who_speaks_for_the_organisation_stays_blind(client, stage):
    from champollion.accounts.services.organisations import role_give

    run = scored(stage)
    standing_set_claim(run=run, claim=Claim.IN_REVIEW)
    role_give(actor=None, organisation=stage.organisation, user=stage.steward, role="speaker")
    client.force_login(stage.steward)
    assert client.get(page_of(run) + "entries/").status_code == 403


def test_outputs_are_public_again_when_the_review_is_over(client, stage):
    run = scored(stage)
    standing_set_claim(run=run, claim=Claim.IN_REVIEW)
    standing_set_claim(run=run, claim=Claim.NONE)
    assert not outputs_withheld(run)
    assert client.get(page_of(run) + "entries/").status_code == 200


# Documents


def test_the_document_comes_back_byte_for_byte(client, stage):
    stage.corpus()
    data = table(good_outputs()).encode()
    run = stage.receive(data, file_name="my run.tsv").runs[0]
    response = client.get(page_of(run) + "document/")
    assert response.content == data
    assert 'filename="my run.tsv"' in response["Content-Disposition"]


# Secret segments


@pytest.fixture
def secret_run(stage) -> Run:
    value = corpus_document(count=40, segment="gold_standard")
    for entry in value["entries"][:3]:
        entry["domain"] = "legal"
    for entry in value["entries"][3:20]:
        entry["domain"] = "medical"
    stage.store(value)
    run = stage.receive(json.dumps(report_document(count=40)), actor=stage.steward, held=held()).runs[0]
    run.refresh_from_db()
    return run


def test_outsiders_see_aggregates_of_a_secret_run_and_no_small_cell(client, stage, secret_run):
    response = client.get(page_of(secret_run))
    page = text_of(response)
    assert response.status_code == 200
    assert "Composite 1.0000" in page
    rows = {row.label: row for row in response.context["by_domain"]}
    assert rows["law"].cell.count is None
    assert rows["law"].values == {}
    assert "&lt;5" in page
    # One more is hidden, or three would follow from the total.
    assert sum(row.cell.count is None for row in rows.values()) >= 2
    assert reference_of(1) not in page
    assert source_of(1) not in page


@pytest.mark.parametrize("who", [None, "developer", "speaker"])
def test_entries_and_document_of_a_secret_run_do_not_exist_for_outsiders(client, stage, secret_run, who):
    if who:
        client.force_login(getattr(stage, who))
    assert client.get(page_of(secret_run) + "entries/").status_code == 404
    assert client.get(page_of(secret_run) + "document/").status_code == 404


def test_whoever_may_read_sees_entries_and_each_reading_is_recorded(client, stage, secret_run):
    client.force_login(stage.curator)
    response = client.get(page_of(secret_run) + "entries/")
    assert source_of(1) in text_of(response)
    assert "no-store" in response["Cache-Control"]
    event = AuditEvent.objects.get(act="secret.read")
    assert event.details == {"purpose": "run", "entries": 40}


def test_a_sealed_document_is_opened_for_members_and_recorded(client, stage, secret_run):
    client.force_login(stage.steward)
    response = client.get(page_of(secret_run) + "document/")
    assert json.loads(response.content)["entries"][0]["source"] == source_of(1)
    assert AuditEvent.objects.get(act="secret.read").details["purpose"] == "document"


# Unanchored, failed, withdrawn


def test_an_unanchored_run_is_for_its_uploader_alone_and_says_what_comes_next(client, stage):
    run = stage.receive(json.dumps(report_document())).runs[0]
    assert client.get(page_of(run)).status_code == 404
    client.force_login(stage.steward)
    assert client.get(page_of(run)).status_code == 404
    client.force_login(stage.developer)
    page = text_of(client.get(page_of(run)))
    assert "No corpus here holds these entries" in page
    assert "ask a curator" in page
    assert not Standing.objects.exists()


def test_an_unanchored_run_is_tied_when_its_corpus_came(client, stage, django_capture_on_commit_callbacks):
    run = stage.receive(json.dumps(report_document())).runs[0]
    client.force_login(stage.developer)
    assert "still not here" in text_of(client.post(page_of(run) + "anchor/", follow=True))
    stage.corpus()
    with django_capture_on_commit_callbacks(execute=True):
        client.post(page_of(run) + "anchor/")
    run.refresh_from_db()
    assert (run.status, run.segment) == ("scored", "development")
    assert run.outputs.exclude(source="").count() == 0


def test_why_a_scoring_failed_is_told_to_the_uploader_and_not_to_strangers(client, stage):
    run = scored(stage)
    Run.objects.filter(pk=run.pk).update(status=Run.Status.FAILED, failure="Unit reason")
    page = text_of(client.get(page_of(run)))
    assert "The scoring did not succeed" in page
    assert "Unit reason" not in page
    client.force_login(person_developer("stranger@unit.example"))
    assert client.post(page_of(run) + "score/").status_code in (403, 404)
    client.force_login(stage.developer)
    assert "Unit reason" in text_of(client.get(page_of(run)))
    client.post(page_of(run) + "score/")
    run.refresh_from_db()
    assert run.status == Run.Status.RECEIVED


def test_a_withdrawn_run_shows_no_figure_and_no_output(client, stage):
    run = scored(stage)
    Run.objects.filter(pk=run.pk).update(status=Run.Status.WITHDRAWN)
    page = text_of(client.get(page_of(run)))
    assert "Withdrawn by the organisation." in page
    assert "Composite" not in page
    assert client.get(page_of(run) + "entries/").status_code == 404
    assert client.get(page_of(run) + "document/").status_code == 404


def test_acts_are_posts_of_people_who_are_signed_in(client, stage):
    run = scored(stage)
    for act in ("score", "anchor"):
        assert client.get(page_of(run) + f"{act}/").status_code in (302, 405)
        assert client.post(page_of(run) + f"{act}/").status_code == 302
