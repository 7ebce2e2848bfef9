"""LAW-2: marked words stand in everything secret; nothing that reaches anybody else holds one of them.

Searched are every page and API call of every role, error pages, log records down to DEBUG, e-mails, jobs and what the
broker gets of them, the cache, sessions, the audit log, and every column of the database but those that are sealed.
"""

from __future__ import annotations

import base64
import json
import pickle
import re
import zlib
from collections.abc import Iterator
from io import BytesIO, StringIO
from uuid import uuid4

import pytest
from django.apps import apps
from django.core.cache import cache
from django.core.management import call_command
from django.db import connection
from django.db.models import BinaryField
from django.test import Client
from kombu import Connection

from champollion.audit.models import AuditEvent
from champollion.celery import app
from champollion.common.jobs.services import job_send
from champollion.common.models import IdempotencyKey, Job
from corpora.constants import Segment
from corpora.formats import ReadOptions
from corpora.services.imports import corpus_check

from . import matrix
from .addresses import COLUMNS, address_of, values_of
from .test_access_matrix import call
from .world import COMMENT, HARM, MARK, OPEN_OUTPUT, OUTPUT, REFERENCE, SOURCE, LogKeeper, marks_in, rate

pytestmark = pytest.mark.django_db

#: (role, place) -> why its pages may hold secret text of the own organisation.
MAY_READ = {("steward", "own"): "OCAP access (C-7)", ("curator", "own"): "OCAP access (C-7)"}
#: Pages on which a person without the right to read sees the items of a campaign that they run or rate.
LEASED_TO = {
    ("speaker", "own"): {"review/<uuid:uid>/rate/", "api/v1/items/"},
    # A talk is about one item, which the coordinator records between two speakers (V-7).
    ("coordinator", "own"): {"governance/campaigns/<uuid:uid>/talks/<uuid:item>/"},
}
#: Everybody who may not read, but for roles of the other organisation that the matrix shows to get no more than these.
SEARCHED = [
    column
    for column in COLUMNS
    if column not in MAY_READ and (column[1] != "other" or column[0] in ("speaker", "steward"))
]
#: Columns whose bytes are the sealed form itself.
SEALED_COLUMNS = {
    ("corpora_entry", "sealed"),
    ("leaderboard_runoutput", "sealed"),
    ("leaderboard_document", "content"),
    ("leaderboard_documentpart", "content"),
    ("leaderboard_scorechunk", "content"),
    ("review_lease", "sealed_note"),
    ("review_rating", "sealed_words"),
    ("review_ratingversion", "sealed_words"),
    ("review_talk", "sealed_reason"),
    ("review_harmflag", "sealed_note"),
}


@pytest.fixture
def log() -> Iterator[LogKeeper]:
    with LogKeeper() as keeper:
        yield keeper


def body_of(response) -> str:
    content = b"".join(response.streaming_content) if response.streaming else response.content
    return content.decode("utf-8", "replace") + repr(response.headers)


def test_no_answer_holds_a_mark_but_for_those_who_may_read(world, client_of, log):
    values, found = values_of(world), []
    for column in SEARCHED:
        client = client_of(None if column == "anonymous" else world.person(*column))
        for row in matrix.ROWS:
            if row.pattern in LEASED_TO.get(column, ()) or row.pattern.startswith("admin/"):
                continue
            address = address_of(row.pattern, row.values, values)
            response = call(client, "get", address, row, values)
            found += [(column, address, mark) for mark in marks_in(body_of(response))]
    assert found == []
    assert marks_in("\n".join(log.texts)) == []


def test_those_who_may_read_do_and_it_is_recorded(world, client_of):
    """The control: were the marks not there to be found, the searches here would prove nothing."""
    values, client = values_of(world), client_of(world.person("steward"))
    before = AuditEvent.objects.filter(act="secret.read", actor=str(world.person("steward").uid)).count()

    answer = client.get(f"/api/v1/entries/{values['secret_entry']}/")
    listed = client.get("/api/v1/entries/", {"version": values["version"], "segment": "gold_standard"})
    outputs = client.get(f"/runs/{values['secret_run']}/entries/")

    assert {SOURCE, REFERENCE} <= set(marks_in(body_of(answer))) and SOURCE in body_of(listed)
    assert OUTPUT in body_of(outputs)
    assert [r.headers["Cache-Control"] for r in (answer, listed, outputs)] == ["no-store, private"] * 3
    after = AuditEvent.objects.filter(act="secret.read", actor=str(world.person("steward").uid)).count()
    assert after >= before + 3


def test_a_rater_sees_the_leased_item_and_nobody_elses_words(world, client_of):
    rater = world.raters[0]
    client = client_of(rater)
    page = client.get(f"/review/{world.open.uid}/rate/", {"item": str(world.marked_item.uid)})
    text = body_of(page)
    assert page.status_code == 200 and SOURCE in text and OPEN_OUTPUT in text
    assert HARM not in text
    assert world.open_run.method_version.method.name not in text
    other = body_of(client_of(world.person("helper")).get(f"/review/{world.open.uid}/rate/"))
    assert marks_in(other) == []


def test_public_lists_do_not_hold_secret_entries(world, client_of):
    for person in (None, world.person("steward"), world.person("speaker")):
        answer = client_of(person).get("/api/v1/entries/", {"version": str(world.version.uid), "page_size": 200})
        segments = {entry["segment"] for entry in answer.json()["results"]}
        assert segments == {"development"}
        assert marks_in(body_of(answer)) == []
        page = client_of(person).get("/corpora/own-en-cy/1.0/entries/", {"q": SOURCE})
        assert "gold_1" not in body_of(page)


@pytest.mark.parametrize("method", ["get", "post", "put", "patch", "delete"])
def test_error_answers_hold_no_mark(method, world, client_of):
    values = values_of(world)
    addresses = [
        "/nowhere/",
        f"/api/v1/entries/{values['secret_entry']}/",
        f"/runs/{values['secret_run']}/document/",
        f"/review/{values['open']}/ratings/",
        "/api/v1/ratings/",
        "/api/v1/runs/",
    ]
    for person in (None, world.person("speaker"), world.person("developer"), world.person("steward", "other")):
        client = client_of(person)
        for address in addresses:
            response = getattr(client, method)(address)
            assert response.status_code < 500
            assert marks_in(body_of(response)) == []


def test_a_developer_who_hands_in_secret_entries_learns_nothing_of_them(world, client_of):
    """Ids and texts of secret entries do not exist for whoever may not read them, in every message (R-4)."""
    client = client_of(world.person("developer"))
    known_id = "entry_id\tpredicted\n" + "".join(f"gold_{n}\tguess {n}\n" for n in range(1, 13))
    made_up = known_id.replace("gold_", "nothing_")
    answers = []
    for table in (known_id, made_up):
        address = "/api/v1/runs/?method_name=Probe&team=team-builders&corpus=own-en-cy&version=1.0"
        answers.append(client.post(address, table, content_type="text/tab-separated-values"))
    assert {answer.status_code for answer in answers} == {422}
    assert all(marks_in(body_of(answer)) == [] for answer in answers)
    told = [answer.json()["problems"] for answer in answers]
    assert [p["code"] for p in told[0]] == [p["code"] for p in told[1]] == ["run.unknown_entry"] * 12
    assert [p["remedy"] for p in told[0]] == [p["remedy"] for p in told[1]]


def test_nothing_that_was_mailed_or_logged_on_the_way_holds_a_mark(world):
    """From the import to the decision: what went out while the flow was walked."""
    assert {message.subject for message in world.mails}, "the flow sends mail"
    assert marks_in("\n".join(f"{m.subject} {m.body} {m.message()}" for m in world.mails)) == []
    assert any("leaderboard.score_run" in text for text in world.log), "the log was listened to"
    assert marks_in("\n".join(world.log)) == []


def test_the_broker_gets_a_number_alone(world):
    """What is sent to a worker is the number of a job."""
    job = Job.objects.latest("pk")
    before = {name: app.conf[name] for name in ("broker_url", "task_always_eager")}
    app.conf.update(broker_url="memory://canary", task_always_eager=False)
    try:
        assert job_send(job)
        with Connection("memory://canary") as broker:
            queue = app.amqp.router.route({}, job.task)["queue"].name
            message = broker.SimpleQueue(queue).get(timeout=5)
    finally:
        app.conf.update(before)
    assert message.payload[0] == [job.pk] and message.payload[1] == {}
    assert marks_in(repr(message.headers) + repr(message.payload)) == []


def test_no_job_holds_a_mark(world):
    jobs = [json.dumps([j.task, j.subject, j.arguments, j.message, j.error]) for j in Job.objects.all()]
    assert jobs and marks_in("\n".join(jobs)) == []
    arguments = [str(value) for job in Job.objects.all() for value in job.arguments.values()]
    plain = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9]+|[0-9a-f]{64}")
    assert [value for value in arguments if not plain.fullmatch(value) and value not in Segment.values] == []


def test_no_audit_record_holds_a_mark(world):
    rows = [json.dumps([e.act, e.actor_name, e.object_id, e.reason, e.details]) for e in AuditEvent.objects.all()]
    assert len(rows) > 20 and marks_in("\n".join(rows)) == []


def test_the_command_that_verifies_the_log_prints_no_mark(world):
    out = StringIO()
    call_command("verify_audit_log", stdout=out)
    assert marks_in(out.getvalue()) == []


def test_cache_and_sessions_hold_no_mark(world, client_of):
    values, steward = values_of(world), client_of(world.person("steward"))
    for address in (
        f"/api/v1/entries/{values['secret_entry']}/",
        f"/runs/{values['secret_run']}/",
        "/corpora/own-en-cy/1.0/",
        f"/governance/campaigns/{values['decided']}/report/sentences/",
    ):
        assert steward.get(address).status_code == 200
    kept = cache._cache  # the tests' own cache is a mapping in memory
    assert marks_in("\n".join(repr(pickle.loads(value)) + key for key, value in kept.items())) == []
    assert marks_in(json.dumps(dict(steward.session.items()))) == []


def test_a_signed_out_raters_words_wait_sealed(world):
    """The rating that is kept for after the sign-in lies in the session, its words sealed."""
    client = Client()
    form = {"act": "rate", "item": str(world.marked_item.uid), "key": str(uuid4()), "grade": "3", "comment": COMMENT}
    response = client.post(f"/review/{world.open.uid}/ratings/", form)
    assert response.status_code == 302
    assert marks_in(json.dumps(dict(client.session.items()))) == []


def test_an_api_rating_leaves_no_plain_words(world, client_of):
    """The idempotency record keeps neither the body nor an answer that may hold secret text."""
    client = client_of(world.raters[0])
    body = {"item": str(world.marked_item.uid), "grade": 2, "comment": COMMENT, "wants_reference": True}
    key, sent = str(uuid4()), json.dumps(body)
    headers = {"Idempotency-Key": key}
    first = client.post("/api/v1/ratings/", sent, content_type="application/json", headers=headers)
    assert first.status_code == 201
    record = IdempotencyKey.objects.get(key=key)
    assert record.answer is None and len(record.body_sha256) == 64
    assert plain_columns_with_marks() == []


def test_no_plain_column_of_the_database_holds_a_mark(world):
    rate(world.raters[0], world.marked_item, grade=3, comment=COMMENT)
    assert plain_columns_with_marks() == []


def plain_columns_with_marks() -> list[tuple[str, str, str]]:
    """Search every column of every table, but for the sealed ones."""
    found = []
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            columns = [column.name for column in connection.introspection.get_table_description(cursor, table)]
            wanted = [column for column in columns if (table, column) not in SEALED_COLUMNS]
            names = ", ".join(connection.ops.quote_name(column) for column in wanted)
            cursor.execute(f"SELECT {names} FROM {connection.ops.quote_name(table)}")
            for row in cursor.fetchall():
                for column, value in zip(wanted, row, strict=True):
                    found += [(table, column, mark) for mark in marks_in(_text(value))]
    return found


def _text(value: object) -> str:
    if isinstance(value, memoryview | bytes):
        return bytes(value).decode("latin-1")
    return value if isinstance(value, str) else repr(value)


def test_the_sealed_columns_are_those_of_the_models_and_hold_no_plain_mark(world):
    """A new binary column is either sealed, and listed, or searched; and sealed is not merely moved aside."""
    binary = {
        (model._meta.db_table, field.column)
        for model in apps.get_models()
        for field in model._meta.local_fields
        if isinstance(field, BinaryField)
    }
    assert binary == SEALED_COLUMNS
    with connection.cursor() as cursor:
        cursor.execute("SELECT sealed FROM corpora_entry WHERE sealed IS NOT NULL")
        blobs = [bytes(row[0]) for row in cursor.fetchall()]
    assert blobs and all(MARK.encode() not in blob for blob in blobs)
    assert any(MARK.encode() in zlib.decompress(blob[1:]) for blob in blobs if blob[:1] == b"\x01") or blobs


def test_a_refused_upload_is_told_to_its_uploader_alone(world, log):
    """Problems of a file may quote it: to the uploader, not to the log."""
    entry = {"id": 1, "source": f"a {SOURCE}", "reference": "", "segment": "gold_standard"}
    found = corpus_check(stream=BytesIO(json.dumps({"entries": [entry]}).encode()), options=ReadOptions())
    assert found.log.has_errors
    assert marks_in("\n".join(log.texts)) == []


def test_marks_are_found_in_encoded_forms():
    """The control of the search itself."""
    assert marks_in(base64.b64decode(base64.b64encode(SOURCE.encode())).decode()) == [SOURCE]
    assert marks_in(f"x{MARK}y") == [MARK]
    assert marks_in("nothing") == []
