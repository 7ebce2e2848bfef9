"""What the resources say, to whom (SPEC I-4; the matrix of roles is in ``tests/security``)."""

from __future__ import annotations

import json

import pytest
from django.db import connection
from django.test import TestCase
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from champollion.api.views.root import LISTS
from champollion.audit.models import AuditEvent
from champollion.common.canonical import sha256_hex
from champollion.common.models import Job
from leaderboard.models import Run
from tests.security.world import GOLD_COUNT, outputs_table

pytestmark = pytest.mark.django_db
TSV = "text/tab-separated-values"


def test_the_entrance_names_every_list(world, caller):
    body = caller().get("/api/v1/").json()
    assert set(body["resources"].values()) == {reverse(f"api:{name}") for name in LISTS}
    assert (body["schema"], body["documentation"]) == ("/api/schema/", "/api/docs/")


def test_organisations_and_corpora(world, caller):
    own = caller().get("/api/v1/organisations/own/").json()
    assert (own["languages"], own["is_key_custodian"]) == (["cy"], True)
    corpora = caller().get("/api/v1/corpora/").json()["results"]
    assert {corpus["corpus_id"]: corpus["organisation"] for corpus in corpora} == {
        "own-en-cy": "own", "other-en-ga": "other",
    }  # fmt: skip


def test_a_version_hides_small_numbers_of_secret_segments_from_strangers(world, caller):
    address = f"/api/v1/corpus-versions/{world.version.uid}/"
    public = {row["segment"]: row for row in caller().get(address).json()["segments"]}
    own = {row["segment"]: row for row in caller(world.person("curator")).get(address).json()["segments"]}
    assert public["gold_standard"]["total"] == own["gold_standard"]["total"] == GOLD_COUNT
    assert public["held_out"]["total"] is None and own["held_out"]["total"] == 1
    counts = [caller(who).get(address).json()["entry_count"] for who in (None, world.person("curator"))]
    assert counts == [None, world.version.entry_count]  # held_out would follow by subtraction
    listed = caller().get("/api/v1/corpus-versions/").json()["results"]
    assert {one["uid"]: one["entry_count"] for one in listed}[str(world.version.uid)] is None
    shown = [cell["count"] for cell in own["gold_standard"]["by_difficulty"]]
    assert shown == [4, 4, 4, 0, 0]
    hidden = [cell["count"] for cell in public["gold_standard"]["by_difficulty"]]
    assert hidden == [None] * 5
    assert [cell["count"] for cell in public["development"]["by_difficulty"]] == [4, 4, 4, 0, 0]


def test_scores_of_small_secret_cells_are_not_shown_to_strangers(world, caller):
    address = f"/api/v1/score-sets/{world.decided_run.score_sets.get().uid}/"
    public = caller().get(address).json()["scores"]
    own = caller(world.person("steward")).get(address).json()["scores"]
    assert {score["cut"] for score in public if score["metric"] == "composite"} == {"all", "domain", "register"}
    assert {score["key"] for score in public if score["cut"] == "domain"} == {"ui", "tech"}
    assert {"difficulty", "domain"} <= {score["cut"] for score in own}
    assert not any(score["cut"] == "difficulty" for score in public)


def test_our_number_and_no_outputs_are_in_a_run(world, caller):
    run = caller().get(f"/api/v1/runs/{world.public_run.uid}/").json()
    score_set = world.public_run.score_sets.get()
    assert run["composite"] == score_set.composite and run["status"] == "scored"
    assert not {"outputs", "results", "document"} & set(run)


def test_a_campaign_shows_no_estimate_before_its_close(world, caller):
    open_one = caller(world.person("steward")).get(f"/api/v1/campaigns/{world.open.uid}/").json()
    assert open_one["figures"] is None and open_one["progress"]["total"]["items"] > 0
    decided = caller(world.person("steward")).get(f"/api/v1/campaigns/{world.decided.uid}/").json()
    assert decided["figures"]["share"] == 1.0 and decided["figures"]["rating_count"] == 3 * GOLD_COUNT


def test_a_coordinator_never_sees_an_estimate(world, caller):
    answer = caller(world.person("coordinator")).get(f"/api/v1/campaigns/{world.decided.uid}/")
    assert answer.status_code == 200 and answer.json()["figures"] is None


def test_no_one_elses_governance_is_listed(world, caller):
    own, other = caller(world.person("steward")), caller(world.person("steward", "other"))
    for name in ("nominations", "campaigns", "decisions", "transfers"):
        assert own.get(f"/api/v1/{name}/").json()["results"]
        assert other.get(f"/api/v1/{name}/").json()["results"] == []


def test_a_rater_gets_leased_items_without_the_method(world, caller):
    rater = world.person("speaker")
    client = caller(rater)
    assert caller(world.person("speaker", "other")).get("/api/v1/items/").json()["results"] == []
    sent = json.dumps({"campaign": str(world.open.uid)})
    leased = client.post("/api/v1/items/", sent, content_type="application/json")
    again = client.post("/api/v1/items/", sent, content_type="application/json")
    items = leased.json()
    assert leased.status_code == 200 and items and again.json() == items
    assert [item["uid"] for item in client.get("/api/v1/items/").json()["results"]] == [item["uid"] for item in items]
    assert {"source", "output", "source_language", "target_language"} <= set(items[0])
    text = leased.content.decode()
    method = world.open_run.method_version
    names = (method.method.name, method.method.slug, method.model_name, world.team.name)
    assert [hidden for hidden in (*names, "reference", "composite") if hidden in text] == []
    assert AuditEvent.objects.filter(act="secret.read", actor=str(rater.uid)).exists()


def test_nobody_rates_what_was_not_leased_to_them(world, caller):
    body = json.dumps({"item": str(world.marked_item.uid), "grade": 4, "key": "5d9a1f60-5a3c-4a70-9b05-b0c0d63e2c11"})
    for person in (world.person("helper"), world.person("developer"), world.person("speaker", "other")):
        answer = caller(person).post("/api/v1/ratings/", body, content_type="application/json")
        assert answer.status_code in (403, 404)


def test_ones_own_ratings_are_listed_and_no_one_elses(world, caller):
    mine = caller(world.raters[0]).get("/api/v1/ratings/", {"page_size": 200}).json()["results"]
    assert len(mine) == world.raters[0].ratings.count() > 0
    assert caller(world.person("speaker")).get("/api/v1/ratings/").json()["results"] == []


def test_the_board_shows_the_best_first_and_nothing_above_functional_without_people(world, caller):
    rows = caller().get("/api/v1/leaderboard/", {"pair": "en--cy"}).json()["results"]
    composites = [row["composite"] for row in rows]
    assert composites == sorted(composites, reverse=True) and len(rows) == 2
    by_run = {row["run"]: row for row in rows}
    decided, open_one = by_run[str(world.decided_run.uid)], by_run[str(world.open_run.uid)]
    assert decided["public_tier"] in ("deployable", "fluent") and decided["verification_level"] == "community_validated"
    assert (open_one["public_tier"], open_one["claim"]) == ("functional", "in_review")
    assert decided["human_share"] == 1.0 and open_one["human_share"] is None


def test_the_board_of_a_domain_has_that_domains_figures(world, caller):
    asked = {"version": str(world.version.uid), "segment": "development", "domain": "ui"}
    [row] = caller().get("/api/v1/leaderboard/", asked).json()["results"]
    [cut] = world.public_run.standings.get().cuts.filter(cut="domain", key="ui")
    assert (row["composite"], row["is_ranked"]) == (cut.composite, False)
    assert caller().get("/api/v1/leaderboard/", {"domain": "ui"}).status_code == 422


def test_a_run_is_taken_in_with_an_address_for_its_state(world, caller):
    client = caller(world.person("developer"))
    address = "/api/v1/runs/?method_name=Taken+in&team=team-builders&corpus=own-en-cy&version=1.0"
    data = outputs_table("dev", "cy", mark="fresh")
    with TestCase.captureOnCommitCallbacks(execute=False):
        answer = client.post(address, data, content_type=TSV)
    [taken] = answer.json()["runs"]
    assert answer.status_code == 202 and answer.headers["Location"] == taken["status_url"]
    assert (taken["segment"], taken["status"]) == ("development", "received")
    assert answer.json()["sha256"] == sha256_hex(data)
    run = client.get(taken["status_url"]).json()
    job = client.get(f"/api/v1/jobs/{run['job']}/").json()
    assert (run["status"], job["status"], job["share_done"]) == ("received", "queued", 0.0)
    again = client.post(address, data, content_type=TSV)
    assert again.json()["was_known"] and again.json()["runs"][0]["uid"] == taken["uid"]


def test_a_form_takes_a_file(world, caller, tmp_path):
    path = tmp_path / "outputs.tsv"
    path.write_bytes(outputs_table("dev", "cy", mark="form"))
    named = {"method_name": "By form", "team": "team-builders", "corpus": "own-en-cy", "version": "1.0"}
    with path.open("rb") as file:
        answer = caller(world.person("developer")).post("/api/v1/runs/", {"document": file, **named})
    assert answer.status_code == 202
    assert Run.objects.get(uid=answer.json()["runs"][0]["uid"]).document.file_name == "outputs.tsv"


def test_a_real_report_is_taken_in_and_told_by_its_content(world, caller, shared_data):
    report = next(iter(sorted((shared_data / "reports").glob("*.json"))))
    address = "/api/v1/runs/?method_name=Harness&team=team-builders"
    answer = caller(world.person("developer")).post(address, report.read_bytes(), content_type="application/json")
    assert answer.status_code == 202
    assert [run["status"] for run in answer.json()["runs"]] == ["unanchored"]


def test_a_refused_document_lists_every_problem(world, caller):
    rows = [f"dev_{n}\tok" for n in range(1, GOLD_COUNT + 1)] + ["nothing_1\tx", "nothing_2\ty"]
    table = "entry_id\tpredicted\n" + "\n".join(rows) + "\n"
    address = "/api/v1/runs/?method_name=Wrong&team=team-builders&corpus=own-en-cy&version=1.0"
    before = Run.objects.count()
    answer = caller(world.person("developer")).post(address, table, content_type=TSV)
    problems = answer.json()["problems"]
    assert answer.status_code == 422 and Run.objects.count() == before
    assert [(p["code"], p["entry_id"], p["field"]) for p in problems] == [
        ("run.unknown_entry", "nothing_1", "entry_id"), ("run.unknown_entry", "nothing_2", "entry_id"),
    ]  # fmt: skip
    assert all(problem["remedy"] and problem["place"] for problem in problems)


@pytest.mark.parametrize(
    ("query", "body", "field"),
    [
        ("team=nobody", b"x", "team"),
        ("method=nothing", b"x", "method"),
        ("corpus=own-en-cy", b"x", "version"),
        ("configuration=[]", b"x", "configuration"),
        ("configuration={", b"x", "configuration"),
        ("held_sha256=abc", b"x", "held_sha256"),
        ("segment=nowhere", b"x", "segment"),
        ("", b"", "document"),
    ],
)
def test_a_wrong_wish_names_its_field(query, body, field, world, caller):
    answer = caller(world.person("developer")).post(f"/api/v1/runs/?{query}", body, content_type="text/plain")
    assert answer.status_code == 422
    assert field in {problem["field"] for problem in answer.json()["problems"]}


def test_a_document_over_the_limit_is_refused_unread(world, caller, settings):
    settings.MAX_DOCUMENT_BYTES = 1_000
    client = caller(world.person("developer"))
    long = client.post("/api/v1/runs/?method_name=Long&team=team-builders", b"x" * 1_001, content_type="text/plain")
    assert long.status_code == 422 and long.json()["problems"][0]["code"] == "too_large"
    longer = client.post("/api/v1/runs/", b"x" * 1_100_000, content_type="text/plain")
    assert (longer.status_code, longer.json()["code"]) == (413, "too_large")


def test_nobody_hands_in_for_another_team(world, caller):
    client = caller(world.person("developer", "other"))
    data = outputs_table("dev", "cy", mark="another")
    address = "/api/v1/runs/?team=team-builders&method_name=Mine&corpus=own-en-cy&version=1.0"
    assert client.post(address, data, content_type=TSV).status_code == 404
    slug = world.public_run.method_version.method.slug
    theirs = client.post(f"/api/v1/runs/?method={slug}&corpus=own-en-cy&version=1.0", data, content_type=TSV)
    assert theirs.status_code in (403, 404)


def test_a_developer_cannot_hand_in_on_a_secret_segment(world, caller):
    address = "/api/v1/runs/?method_name=Secret&team=team-builders&corpus=own-en-cy&version=1.0&segment=gold_standard"
    answer = caller(world.person("developer")).post(address, outputs_table("gold", "cy"), content_type=TSV)
    assert (answer.status_code, answer.json()["code"]) == (403, "run.secret_segment")


def test_the_audit_log_can_be_verified_from_the_answer(world, caller):
    """Each record carries what its hash is over: a reader needs nothing else of ours."""
    client = caller(world.person("steward"))
    records, address = [], "/api/v1/audit-log/?page_size=200"
    while address:
        page = client.get(address).json()
        records += page["results"]
        address = page["next"]
    assert len(records) == AuditEvent.objects.filter(chain="organisation:own").count()
    previous = "0" * 64
    for record in reversed(records):
        assert record["previous_hash"] == previous
        body = {name: value for name, value in record.items() if name != "record_hash"}
        body["recorded_at"] = body["recorded_at"].replace("Z", "+00:00")
        found = sha256_hex(json.dumps(body, sort_keys=True, ensure_ascii=False).encode())
        assert found == record["record_hash"]
        previous = record["record_hash"]


def test_the_audit_log_is_filtered(world, caller):
    client = caller(world.person("steward"))
    found = client.get("/api/v1/audit-log/", {"act": "campaign.opened"}).json()["results"]
    assert len(found) == 2 and {record["act"] for record in found} == {"campaign.opened"}
    assert client.get("/api/v1/audit-log/", {"since": "not a day"}).status_code == 422
    assert client.get("/api/v1/audit-log/", {"until": "9999-12-31"}).status_code == 200


def test_a_failed_jobs_reason_is_for_those_who_may_know(world, caller):
    job = Job.objects.get(subject=f"run:{world.decided_run.uid}")
    Job.objects.filter(pk=job.pk).update(status="failed", error="a reason")
    address = f"/api/v1/jobs/{job.uid}/"
    told = [caller(world.person(role)).get(address).json()["error"] for role in ("speaker", "steward", "maintainer")]
    assert told == ["", "a reason", "a reason"]


@pytest.mark.parametrize(
    "address", ["runs/", "score-sets/", "methods/", "corpus-versions/", "corpora/", "leaderboard/", "organisations/"]
)
def test_a_list_takes_as_many_queries_for_one_row_as_for_all(address, world, caller):
    client = caller()
    counts = []
    for size in (1, 200):
        with CaptureQueriesContext(connection) as captured:
            assert client.get(f"/api/v1/{address}", {"page_size": size}).status_code == 200
        counts.append(len(captured))
    assert counts[0] == counts[1] <= 6


def test_a_claim_stands_beside_our_figure(world, caller):
    """LAW-5: what was submitted is shown as claimed, with what we found."""
    Run.objects.filter(pk=world.public_run.pk).update(
        claimed={"exact_match_rate": 0.5},
        claim_verdicts={"exact_match_rate": {"ours": 0.9167, "claimed": 0.5, "verdict": "differs"}},
    )
    [claim] = caller().get(f"/api/v1/runs/{world.public_run.uid}/").json()["claims"]
    assert claim == {"metric": "exact_match_rate", "claimed": 0.5, "ours": 0.9167, "verdict": "differs"}
