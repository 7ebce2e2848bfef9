"""What every call has in common: errors, limits, cursors, entity tags, idempotency (SPEC I-4)."""

from __future__ import annotations

import json
from datetime import timedelta
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from champollion.api.idempotency import KEPT_FOR, answer_once, body_digest
from champollion.api.throttles import PersonThrottle, VisitorThrottle
from champollion.common.errors import ConflictError
from champollion.common.models import IdempotencyKey
from leaderboard.models import Run
from review.models import Rating, RatingVersion
from tests.security.world import GOLD_COUNT, outputs_table

pytestmark = pytest.mark.django_db
RUNS = "/api/v1/runs/?method_name=Api+method&team=team-builders&corpus=own-en-cy&version=1.0"
TSV = "text/tab-separated-values"


def test_errors_are_problem_details(world, caller):
    for address, status, code in (
        (f"/api/v1/runs/{uuid4()}/", 404, "run.not_visible"),
        ("/api/v1/nowhere/", 404, "not_visible"),
        ("/api/v1/campaigns/", 401, "not_authenticated"),
        ("/api/v1/entries/", 422, "invalid"),
        ("/api/v1/leaderboard/?segment=held_out", 422, "invalid"),
        ("/api/v1/corpora/?cursor=nonsense", 404, "not_found"),
    ):
        answer = caller().get(address)
        body = answer.json()
        assert (answer.status_code, body["status"], body["code"]) == (status, status, code), address
        assert answer.headers["Content-Type"] == "application/problem+json"
        assert set(body) == {"type", "title", "status", "code", "detail", "problems"} and body["detail"]


def test_each_problem_has_an_entry_of_its_own(world, caller):
    answer = caller().get("/api/v1/entries/", {"segment": "nowhere", "difficulty": "9"})
    assert {(p["field"], p["code"]) for p in answer.json()["problems"]} == {
        ("version", "required"), ("segment", "invalid_choice"), ("difficulty", "invalid_choice"),
    }  # fmt: skip


@pytest.mark.parametrize("body", ["{", "[]", '"text"', "3", '{"item": 1}', "null", '{"item": NaN}', "\x00"])
def test_a_body_that_is_no_act_is_refused_kindly(body, world, caller):
    answer = caller(world.person("speaker")).post("/api/v1/ratings/", body, content_type="application/json")
    assert answer.status_code in (400, 422)
    assert answer.headers["Content-Type"] == "application/problem+json"


def test_nul_in_an_address_is_refused(world, caller):
    for address in ("/api/v1/corpora/a%00b/", "/api/v1/runs/?method=a%00b", "/api/v1/audit-log/?who=%00"):
        assert caller(world.person("steward")).get(address).status_code in (400, 404, 422)


def test_limits_are_in_the_headers_and_hold(world, caller, monkeypatch):
    monkeypatch.setattr(VisitorThrottle, "THROTTLE_RATES", {"anon": "3/min"})
    client = caller()
    left = [client.get("/api/v1/corpora/") for _ in range(3)]
    assert [answer.headers["RateLimit-Remaining"] for answer in left] == ["2", "1", "0"]
    assert {answer.headers["RateLimit-Limit"] for answer in left} == {"3"}
    refused = client.get("/api/v1/corpora/")
    assert refused.status_code == 429 and refused.json()["code"] == "throttled"
    assert 1 <= int(refused.headers["Retry-After"]) <= 61
    assert refused.headers["RateLimit-Remaining"] == "0"


def test_a_visitor_cannot_change_address_by_a_header(world, caller, monkeypatch):
    monkeypatch.setattr(VisitorThrottle, "THROTTLE_RATES", {"anon": "2/min"})
    answers = [Client().get("/api/v1/corpora/", headers={"X-Forwarded-For": f"10.0.0.{n}"}) for n in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]


def test_a_persons_limit_holds_over_all_tokens(world, caller, monkeypatch):
    monkeypatch.setattr(PersonThrottle, "THROTTLE_RATES", {"user": "2/min"})
    person = world.person("developer")
    statuses = [caller(person).get("/api/v1/corpora/").status_code for _ in range(3)]
    assert statuses == [200, 200, 429]
    assert caller(world.person("speaker")).get("/api/v1/corpora/").status_code == 200


def test_lists_come_in_pages_that_hold_everything_once(world, caller):
    seen, address = [], f"/api/v1/entries/?version={world.version.uid}&page_size=5"
    while address:
        page = caller().get(address).json()
        assert len(page["results"]) <= 5
        seen += [entry["id"] for entry in page["results"]]
        address = page["next"]
    assert seen == [f"dev_{n}" for n in range(1, GOLD_COUNT + 1)]


def test_what_does_not_change_carries_an_entity_tag(world, caller):
    score_set = world.public_run.score_sets.get().uid
    for address in (
        f"/api/v1/corpus-versions/{world.version.uid}/", f"/api/v1/entries/{world.public_entry.uid}/",
        f"/api/v1/score-sets/{score_set}/",
    ):  # fmt: skip
        first = caller().get(address)
        etag = first.headers["ETag"]
        again = caller().get(address, headers={"If-None-Match": etag})
        assert (again.status_code, again.content, again.headers["ETag"]) == (304, b"", etag)
        assert caller().get(address, headers={"If-None-Match": '"other"'}).status_code == 200


def test_secret_text_has_no_entity_tag_and_is_kept_nowhere(world, caller):
    answer = caller(world.person("steward")).get(f"/api/v1/entries/{world.marked_entry.uid}/")
    assert answer.status_code == 200 and "ETag" not in answer.headers
    assert answer.headers["Cache-Control"] == "no-store, private"


def test_answers_differ_by_who_asks(world, caller):
    assert {"Authorization", "Cookie"} <= {v.strip() for v in caller().get("/api/v1/runs/").headers["Vary"].split(",")}


def post_run(client, key: str, mark: str = "one"):
    headers = {"Idempotency-Key": key} if key else {}
    table = outputs_table("dev", "cy", mark=mark)
    return client.post(RUNS, table, content_type=TSV, headers=headers)


def test_the_same_key_and_body_is_one_act_with_one_answer(world, caller):
    client = caller(world.person("developer"))
    first = post_run(client, "a-key")
    count = Run.objects.count()
    again = post_run(client, "a-key")
    assert first.status_code == again.status_code == 202
    assert first.json() == again.json() and again.json()["was_known"] is False
    assert again.headers["Idempotency-Replayed"] == "true" and "Idempotency-Replayed" not in first.headers
    assert Run.objects.count() == count


def test_the_same_key_with_another_body_or_address_is_refused(world, caller):
    client = caller(world.person("developer"))
    assert post_run(client, "b-key", mark="one").status_code == 202
    other = post_run(client, "b-key", mark="two")
    assert (other.status_code, other.json()["code"]) == (422, "idempotency.key_reused")
    elsewhere = client.post(
        "/api/v1/items/", "{}", content_type="application/json", headers={"Idempotency-Key": "b-key"}
    )
    assert elsewhere.json()["code"] == "idempotency.key_reused"


def test_a_key_is_its_persons_own(world, caller):
    assert post_run(caller(world.person("developer")), "shared").status_code == 202
    steward = caller(world.second_steward)
    answer = post_run(steward, "shared", mark="three")
    assert answer.status_code in (202, 403, 422) and answer.json().get("code") != "idempotency.key_reused"


def test_a_refused_call_may_be_tried_again_with_its_key(world, caller):
    client = caller(world.person("developer"))
    address = RUNS.replace("own-en-cy", "unknown-corpus")
    table = outputs_table("dev", "cy", mark="four")
    refused = client.post(address, table, content_type=TSV, headers={"Idempotency-Key": "c-key"})
    assert refused.status_code == 404
    assert not IdempotencyKey.objects.filter(key="c-key").exists()
    assert post_run(client, "c-key", mark="four").status_code == 202


def test_a_call_that_still_runs_is_not_run_twice(world, caller):
    person = world.person("developer")
    owner = f"user:{person.uid}"

    class Call:
        headers, path, user = {"Idempotency-Key": "d-key"}, "/api/v1/runs/", person

    IdempotencyKey.objects.create(owner=owner, key="d-key", path=Call.path, body_sha256=body_digest(b"body"))
    with pytest.raises(ConflictError) as refusal:
        answer_once(Call, lambda: pytest.fail("ran twice"), body=b"body", keeps_answer=True)
    assert refusal.value.code == "idempotency.in_progress"


@pytest.mark.parametrize("key", ["x" * 121, "ä", "a\tb"])
def test_a_key_is_short_and_plain(key, world, caller):
    answer = caller(world.person("developer")).post(
        RUNS, b"x", content_type="text/plain", headers={"Idempotency-Key": key.encode().decode("latin-1")}
    )
    assert (answer.status_code, answer.json()["code"]) == (422, "idempotency.key")


def test_a_rating_sent_twice_is_one_rating(world, caller):
    """LAW-3, by way of the API: the key of the call is the key of the act."""
    client, key = caller(world.raters[0]), str(uuid4())
    body = {"item": str(world.marked_item.uid), "grade": 3, "tags": ["grammar"], "comment": "short"}
    before = RatingVersion.objects.count()
    answers = [
        client.post(
            "/api/v1/ratings/", json.dumps(body), content_type="application/json", headers={"Idempotency-Key": key}
        )
        for _ in range(2)
    ]
    assert [answer.status_code for answer in answers] == [201, 200]
    assert [answer.json()["is_repeat"] for answer in answers] == [False, True]
    assert RatingVersion.objects.count() == before + 1
    rating = Rating.objects.get(item=world.marked_item, rater=world.raters[0])
    assert (rating.grade, rating.tags) == (3, ["grammar"])
    assert "no-store" in answers[0].headers["Cache-Control"]


def test_a_key_is_forgotten_after_a_week(world, caller):
    person = world.person("developer")
    old = IdempotencyKey.objects.create(
        owner=f"user:{person.uid}", key="old", path="/x/", body_sha256="0" * 64, status=202,
        created_at=timezone.now() - KEPT_FOR - timedelta(minutes=1),
    )  # fmt: skip
    assert post_run(caller(person), "old", mark="five").status_code == 202
    assert not IdempotencyKey.objects.filter(pk=old.pk).exists()
    assert IdempotencyKey.objects.filter(owner=old.owner, key="old").count() == 1
