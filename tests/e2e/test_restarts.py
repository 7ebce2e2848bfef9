"""Power cuts: a worker killed in the middle, and a broker that is gone for a while (LAW-3, SPEC Q-2)."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import call_command
from django.utils import timezone
from playwright.sync_api import Page, expect

from champollion.audit.models import AuditEvent
from champollion.celery import app
from champollion.common.models import Job
from leaderboard.models import Run, Score, ScoreChunk, ScoreSet, Standing
from leaderboard.services import scoring
from tests.services import plugin

from .handing_in import expect_composite, run_upload
from .holding import cut_power, held, wait_for_the_worker
from .people import people_of
from .reports import WELSH, corpus_path, report_path
from .site import until

pytestmark = [
    pytest.mark.e2e, pytest.mark.browser, pytest.mark.worker, pytest.mark.django_db(transaction=True),
]  # fmt: skip
#: The largest real report: 200 outputs, English to Arabic.
ARABIC, ARABIC_COMPOSITE, ARABIC_COUNT = "2c295d", "0.5803", 200
CHUNK_SIZE = 20
METHOD = "Claude Haiku 4.5, naive"


@pytest.fixture
def small_chunks(monkeypatch) -> None:
    """Cut runs into slices of 20, here and in the workers that are started from here."""
    monkeypatch.setenv("CHAMPOLLION_TEST_CHUNK_SIZE", str(CHUNK_SIZE))
    monkeypatch.setattr(scoring, "CHUNK_SIZE", CHUNK_SIZE)


def corpus_import(name: str) -> None:
    call_command("import_corpus", str(corpus_path(name)), "--organisation", "council", "--attest-human-references",
                 stdout=io.StringIO(), stderr=io.StringIO())  # fmt: skip


def test_killed_worker(site, small_chunks, worker_process, tmp_path):
    """Killed four times, at a slice, idle, before the score set and before the job's end: scored as if undisturbed."""
    people = people_of("arb")
    corpus_import("eng-arb-dev-v1")
    developer = site.enter(people.developer)
    address = run_upload(developer, report_path(ARABIC), method=METHOD)
    run, job, worker = Run.objects.get(), Job.objects.get(), worker_process()

    killed_at_the_sixth_slice(worker, run)
    first = written_slices(run)
    assert list(first) == list(range(5))
    developer.goto(address)
    expect(developer.get_by_text(f"5 of {ARABIC_COUNT // CHUNK_SIZE} parts")).to_be_visible()

    killed_when_the_others_have_come(worker, run)
    killed_before_score_set_and_end(worker, job)
    assert list(written_slices(run)) == list(range(10))
    assert {index: written_slices(run)[index] for index in first} == first
    assert ScoreSet.objects.count() == 1

    lease_runs_out(job)
    worker.start()
    app.send_task("common.sweep_jobs")
    until(lambda: Job.objects.get(pk=job.pk).status == Job.Status.DONE, what="the end of the job")
    expect_composite(developer, address, ARABIC_COMPOSITE)
    scored_once(run)
    same = run_upload(developer, outputs_of_report(tmp_path), method=f"{METHOD}, undisturbed")
    expect_composite(developer, same, ARABIC_COMPOSITE)
    assert figures_of(Run.objects.exclude(pk=run.pk).get()) == figures_of(run)


def scored_once(run: Run) -> None:
    assert run.score_sets.count() == 1
    assert Standing.objects.filter(run=run).count() == 1
    assert AuditEvent.objects.filter(act="run.scored", object_id=str(run.uid)).count() == 1


def killed_at_the_sixth_slice(worker, run: Run) -> None:
    key = scoring.scoring_prepare(run).key
    row = (
        "INSERT INTO leaderboard_scorechunk (run_id, scoring_key, index, content, created_at)"
        " VALUES (%s, %s, 5, 'held', now())"
    )
    with held(row, [run.pk, key]):
        worker.start()
        wait_for_the_worker()
        cut_power(worker)


def killed_when_the_others_have_come(worker, run: Run) -> None:
    """Slices whose messages lie at the broker are made after a restart; the one whose message died is still missing."""
    worker.start()
    until(lambda: len(written_slices(run)) == 9, what="the slices that were not lost")
    assert 5 not in written_slices(run)
    worker.kill()


def killed_before_score_set_and_end(worker, job: Job) -> None:
    """Kill it before the score set is written; then again when that is written and the job not yet ended."""
    with until_the_score_set(worker, job):
        cut_power(worker)
    assert not ScoreSet.objects.exists()
    with ExitStack() as at_the_end:
        with until_the_score_set(worker, job):
            at_the_end.enter_context(held("SELECT 1 FROM common_job WHERE id = %s FOR UPDATE", [job.pk]))
        until(ScoreSet.objects.exists, what="the score set")
        wait_for_the_worker()
        cut_power(worker)
    assert Job.objects.get(pk=job.pk).status == Job.Status.RUNNING


@contextmanager
def until_the_score_set(worker, job: Job) -> Iterator[None]:
    """Start the worker anew and hold it where it is about to write the score set."""
    lease_runs_out(job)
    with held("LOCK TABLE leaderboard_scoreset IN SHARE MODE"):
        worker.start()
        app.send_task("common.sweep_jobs")
        wait_for_the_worker()
        yield


def lease_runs_out(job: Job) -> None:
    """Let the minute pass after which a dead worker's job is free."""
    Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))


def written_slices(run: Run) -> dict[int, int]:
    """Return the row of each slice by its index."""
    return dict(ScoreChunk.objects.filter(run=run).order_by("index").values_list("index", "pk"))


def outputs_of_report(folder: Path) -> Path:
    """Write the report's own outputs as a plain file: other bytes, the same outputs."""
    path = folder / "outputs.csv"
    entries = json.loads(report_path(ARABIC).read_text())["entries"]
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["entry_id", "predicted"])
        writer.writerows([entry["id"], entry["predicted"]] for entry in entries)
    return path


def figures_of(run: Run) -> dict[tuple[str, str, str], tuple[float | None, ...]]:
    rows = Score.objects.filter(score_set=run.score_sets.get())
    return {(row.cut, row.key, row.metric): (row.value, row.low, row.high, row.entry_count) for row in rows}


def test_broker_gone(site, worker_process):
    """Without Redis pages answer and an upload waits in the database; beat's sweep sends it when Redis is back."""
    people = people_of("cy")
    corpus_import("eng-cym-dev-v1")
    worker_process(beat=True).start()
    developer = site.enter(people.developer)
    plugin.services.redis.stop()
    try:
        pages_answer(developer)
        method, composite = WELSH["8f6428"]
        address = run_upload(developer, report_path("8f6428"), method=method)
        expect(developer.get_by_role("heading", name="Waiting for scoring")).to_be_visible()
        job = Job.objects.get()
        assert (job.status, job.sent_at) == (Job.Status.QUEUED, None)
    finally:
        plugin.services.redis.start()
    expect_composite(developer, address, composite)
    assert ScoreSet.objects.count() == 1


def pages_answer(page: Page) -> None:
    for address in ("/", "/leaderboard/", "/corpora/", "/submit/", "/submit/run/"):
        assert page.goto(address).status == 200
