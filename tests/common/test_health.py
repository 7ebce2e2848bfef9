"""`doctor` names what is missing or stopped."""

import io
import json
from datetime import timedelta

import pytest
import time_machine
from django.core.management import call_command
from django.utils import timezone

from champollion.celery import app
from champollion.common import health
from champollion.common.health import Finding, Level
from champollion.common.jobs.services import heartbeat_record, job_start
from champollion.common.models import Heartbeat, Job

pytestmark = pytest.mark.django_db


@pytest.fixture
def with_a_silent_broker(settings):
    """Tasks go to a broker, and no worker listens."""
    before = app.conf.task_always_eager
    app.conf.task_always_eager = False
    yield
    app.conf.task_always_eager = before


def test_an_installation_without_a_worker_is_told_so(with_a_silent_broker):
    finding = health.worker()
    assert finding.level == Level.PROBLEM
    assert "Never seen" in finding.message
    assert finding.remedy.startswith("celery")


def test_a_worker_that_reported_lately_is_well(with_a_silent_broker):
    heartbeat_record("worker")
    assert health.worker().level == Level.OK
    assert health.beat().level == Level.OK


def test_a_worker_that_fell_silent_is_stopped(with_a_silent_broker):
    Heartbeat.objects.create(name="worker", seen_at=timezone.now() - timedelta(minutes=12))
    finding = health.worker()
    assert finding.level == Level.PROBLEM
    assert "12 minutes ago" in finding.message


def test_a_database_with_every_migration_is_well():
    assert health.database().level == Level.OK
    assert health.migrations().level == Level.OK


def test_work_that_nobody_takes_is_named(with_a_silent_broker):
    job = job_start("common.worker_heartbeat", subject="installation")
    assert health.jobs().level == Level.OK
    Job.objects.filter(pk=job.pk).update(created_at=timezone.now() - timedelta(minutes=6))
    finding = health.jobs()
    assert finding.level == Level.PROBLEM
    assert finding.message == "1 job has waited for more than 5 minutes."


def test_a_publicly_known_key_is_a_problem_only_in_a_real_installation(settings):
    settings.SECRET_KEY = "tests-only-not-secret"
    assert health.secret_key().level == Level.PROBLEM
    settings.DEMO = True
    assert health.secret_key().level == Level.WARNING
    settings.SECRET_KEY = "k" * 50
    assert health.secret_key().level == Level.OK


def test_a_cache_of_each_process_alone_is_a_problem(settings):
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    assert health.shared_cache().level == Level.PROBLEM


def test_uncollected_static_files_are_a_problem(settings, tmp_path):
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
    }
    settings.STATIC_ROOT = tmp_path
    assert health.static_files().level == Level.PROBLEM
    (tmp_path / "staticfiles.json").write_text("{}")
    assert health.static_files().level == Level.OK


def test_a_mail_server_that_does_not_answer_is_named(settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    finding = health.send_mail()
    assert finding.level == Level.PROBLEM
    assert "127.0.0.1:1" in finding.message


def test_a_clock_that_ran_backwards_is_named(with_a_silent_broker):
    assert health.clock().level == Level.OK
    job = job_start("common.worker_heartbeat", subject="installation")
    with time_machine.travel(job.created_at - timedelta(hours=2), tick=False):
        assert health.clock().level == Level.PROBLEM


def test_a_check_that_cannot_run_is_a_finding_and_no_crash():
    def broken() -> Finding:
        raise OSError("no such device\nsecond line")

    finding = health._run("disk", broken)
    assert finding == Finding("disk", Level.PROBLEM, "OSError: no such device")


def test_the_command_speaks_to_machines_and_exits_with_what_it_found(with_a_silent_broker):
    out = io.StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("doctor", "--json", stdout=out)
    answer = json.loads(out.getvalue())
    assert ended.value.code == 1
    assert answer["ok"] is False
    levels = {finding["name"]: finding["level"] for finding in answer["findings"]}
    assert levels["worker"] == "problem"
    assert levels["database"] == "ok"


def test_the_command_names_a_stopped_worker_to_people(with_a_silent_broker):
    out = io.StringIO()
    with pytest.raises(SystemExit):
        call_command("doctor", stdout=out)
    assert any(line.startswith("PROBLEM  worker") for line in out.getvalue().splitlines())


def test_a_stranger_learns_whether_the_installation_is_ready_and_no_more(client, with_a_silent_broker):
    assert client.get("/healthz").content == b"ok\n"
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json() == {
        "ready": False,
        "parts": {"database": "ok", "migrations": "ok", "broker": "ok", "worker": "problem"},
    }
    heartbeat_record("worker")
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert answer.json()["ready"] is True
