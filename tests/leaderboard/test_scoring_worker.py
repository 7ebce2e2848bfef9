"""A real worker on Redis: killed in the middle of scoring, and a broker that was down (SPEC Q-2)."""

import time
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone
from kombu import pools

from champollion.celery import app
from champollion.common.jobs.services import jobs_sweep
from champollion.common.models import Job
from leaderboard.models import Run, ScoreChunk, ScoreSet
from leaderboard.services import scoring
from leaderboard.services.intake import MethodChoice, run_receive
from leaderboard.services.scoring_parts import run_for_scoring

from .stage import good_outputs, stage_make, table

pytestmark = [pytest.mark.worker, pytest.mark.django_db(transaction=True)]
ENTRIES = 6_000
CHUNKS = ENTRIES // scoring.CHUNK_SIZE


def until(is_true: Callable[[], bool], *, seconds: float = 60) -> bool:
    end = time.monotonic() + seconds
    while not is_true() and time.monotonic() < end:
        time.sleep(0.02)
    return is_true()


def hand_in(stage, version, *, count: int, model: str, wrong: int = 100) -> Run:
    choice = MethodChoice(name="Unit method", team=stage.team, configuration={"model": model})
    # The first line's model is told apart by a last output of its own, or the bytes would be the same.
    outputs = {**good_outputs(count, wrong=wrong), f"unit_{count}": model}
    return run_receive(actor=stage.developer, data=table(outputs).encode(), choice=choice, version=version).runs[0]


def figures(run: Run) -> list[tuple]:
    rows = run.score_set.scores.order_by("cut", "key", "metric")
    return list(rows.values_list("cut", "key", "metric", "value", "low", "high", "entry_count"))


def chunk_bytes(run: Run) -> list[bytes]:
    return [bytes(chunk.content) for chunk in ScoreChunk.objects.filter(run=run).order_by("index")]


def is_scored(run: Run) -> bool:
    return Run.objects.filter(pk=run.pk, status=Run.Status.SCORED).exists()


def lease_runs_out(run: Run) -> None:
    """Do what the clock does in a minute: the dead worker's part is missed, and the job is free to be sent again."""
    Job.objects.filter(subject=f"run:{run.uid}").update(lease_until=timezone.now() - timedelta(seconds=1))


def undisturbed(run: Run) -> tuple[list[tuple], list[bytes]]:
    """Score the same outputs again in this one process."""
    Run.objects.filter(pk=run.pk).update(status=Run.Status.RECEIVED, score_set=None)
    ScoreSet.objects.filter(run=run).delete()
    ScoreChunk.objects.filter(run=run).delete()
    scoring.run_score(run_for_scoring(run.uid))
    run.refresh_from_db()
    return figures(run), chunk_bytes(run)


def test_a_worker_killed_in_the_middle_loses_nothing_and_doubles_nothing(worker_process):
    stage = stage_make()
    version = stage.corpus(count=ENTRIES)
    worker = worker_process().start()
    run = hand_in(stage, version, count=ENTRIES, model="unit/killed")
    assert until(lambda: ScoreChunk.objects.filter(run=run).count() >= 2)
    worker.kill()
    kept = dict(ScoreChunk.objects.filter(run=run).values_list("index", "pk"))
    assert 2 <= len(kept) < CHUNKS, "the worker was too fast to be killed in the middle"
    assert not is_scored(run)
    # The parts that still wait in the broker go on; the one that died with its worker does not come by itself.
    worker.start()
    assert until(lambda: ScoreChunk.objects.filter(run=run).count() >= CHUNKS - 1)
    if not is_scored(run):
        lease_runs_out(run)
        jobs_sweep()
    assert until(lambda: is_scored(run), seconds=120)
    run.refresh_from_db()
    now_there = dict(ScoreChunk.objects.filter(run=run).values_list("index", "pk"))
    assert {index: now_there[index] for index in kept} == kept
    assert (sorted(now_there), ScoreSet.objects.filter(run=run).count()) == (list(range(CHUNKS)), 1)
    # An undisturbed scoring of the same outputs, in this process, gives the same to the last bit.
    split = figures(run), chunk_bytes(run)
    assert undisturbed(run) == split


def test_two_workers_share_a_run_and_one_that_is_killed_is_made_up_for_by_the_other(worker_process):
    stage = stage_make()
    version = stage.corpus(count=ENTRIES)
    first, second = worker_process().start(), worker_process().start()
    run = hand_in(stage, version, count=ENTRIES, model="unit/shared")
    assert until(lambda: "leaderboard.score_part" in first.log and "leaderboard.score_part" in second.log)
    assert until(lambda: ScoreChunk.objects.filter(run=run).exists())
    first.kill()
    until(lambda: is_scored(run) or ScoreChunk.objects.filter(run=run).count() >= CHUNKS - 1)
    if not is_scored(run):
        lease_runs_out(run)
        jobs_sweep()
    assert until(lambda: is_scored(run), seconds=120)
    run.refresh_from_db()
    assert ScoreSet.objects.filter(run=run).count() == 1
    split = figures(run), chunk_bytes(run)
    assert len(split[1]) == CHUNKS
    assert undisturbed(run) == split


def test_while_the_broker_is_down_pages_work_and_scoring_starts_when_it_is_back(client, worker_process, broker_url):
    stage = stage_make()
    version = stage.corpus()
    reachable = app.conf.broker_url
    _use_broker("redis://127.0.0.1:1/0")
    try:
        run = hand_in(stage, version, count=12, model="unit/waits", wrong=2)
        job = Job.objects.get(subject=f"run:{run.uid}")
        assert (job.status, job.sent_at) == (Job.Status.QUEUED, None)
        assert jobs_sweep() == 0
        assert "Waiting for scoring" in client.get(f"/runs/{run.uid}/").content.decode()
        assert client.get("/leaderboard/en--cy/").status_code == 200
    finally:
        _use_broker(reachable)
    worker_process().start()
    assert jobs_sweep() == 1
    assert until(lambda: is_scored(run))


def _use_broker(url: str) -> None:
    app.conf.update(broker_url=url)
    pools.reset()
    app._pool = None
    app.amqp._producer_pool = None
