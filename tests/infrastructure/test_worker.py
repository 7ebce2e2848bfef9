"""The tests' own worker is a real one: it takes tasks from Redis and writes to the test database."""

import time
from collections.abc import Callable

import pytest

from champollion.celery import app
from champollion.common import health
from champollion.common.health import Level
from champollion.common.models import Heartbeat

pytestmark = [pytest.mark.worker, pytest.mark.django_db(transaction=True)]


def _until(is_true: Callable[[], bool], *, seconds: float = 20) -> bool:
    end = time.monotonic() + seconds
    while not is_true() and time.monotonic() < end:
        time.sleep(0.05)
    return is_true()


def test_a_task_sent_to_redis_is_done_by_another_process(worker):
    app.send_task("common.worker_heartbeat")
    assert _until(Heartbeat.objects.filter(name="worker").exists)


def test_doctor_names_a_worker_that_was_killed_and_sees_it_again(worker_process):
    worker = worker_process().start()
    assert health.broker().level == Level.OK
    assert health.worker().level == Level.OK
    worker.kill()
    assert health.worker().level == Level.PROBLEM
    worker.start()
    assert health.worker().level == Level.OK
    # No beat runs here: with a worker that answers and no heartbeat, it is beat that stands still.
    assert health.beat().level == Level.PROBLEM


def test_doctor_sees_beat_by_the_task_that_it_sends(worker_process):
    worker_process(beat=True).start()
    app.send_task("common.worker_heartbeat")
    assert _until(Heartbeat.objects.filter(name="worker").exists)
    assert health.beat().level == Level.OK


def test_doctor_names_a_broker_that_does_not_answer(broker_url):
    with_a_closed_port = "redis://127.0.0.1:1/0"
    before = app.conf.broker_url
    app.conf.broker_url = with_a_closed_port
    try:
        assert health.broker().level == Level.PROBLEM
    finally:
        app.conf.broker_url = before
