"""A scoring split over workers: any order, twice, late or never, the score set is that of one process (SPEC M, Q-2)."""

from datetime import timedelta

import pytest
from django.utils import timezone

from champollion.common.jobs.services import (
    job_claim,
    job_finish,
    job_part_done,
    job_send,
    job_start,
    job_take_back,
    jobs_sweep,
)
from champollion.common.models import Job
from leaderboard.models import Run, ScoreChunk, ScoreSet
from leaderboard.selectors.runs import run_progress
from leaderboard.services import scoring
from leaderboard.services.scoring_parts import PARTS_AT_MOST, part_score, parts_of, run_for_scoring, run_score_step
from leaderboard.tasks import score_part, score_run

from .test_scoring import chunk_bytes, figures, received

COUNT = 14


@pytest.fixture
def seven_chunks(monkeypatch):
    monkeypatch.setattr(scoring, "CHUNK_SIZE", 2)


def begun(stage, **given) -> tuple[Run, Job, list[tuple[int, int]]]:
    """Hand in a run, claim its job and return the parts that would be sent."""
    run = received(stage, count=COUNT, **given)
    job = job_claim(Job.objects.get(subject=f"run:{run.uid}").pk)
    return run, job, run_score_step(run_for_scoring(run.uid), job=job)


def outcome(run: Run) -> tuple:
    score_set = Run.objects.get(pk=run.pk).score_set
    kept = ("settings", "tier", "composite", "contributions", "harness_values", "caveats", "entry_count")
    return figures(score_set), [getattr(score_set, name) for name in kept]


def again(run: Run) -> Run:
    """Take a run's scoring back, so that the same outputs are scored anew."""
    Run.objects.filter(pk=run.pk).update(status=Run.Status.RECEIVED, score_set=None)
    ScoreSet.objects.filter(run=run).delete()
    ScoreChunk.objects.filter(run=run).delete()
    return run_for_scoring(run.uid)


@pytest.mark.parametrize("order", [[0, 1, 2, 3, 4, 5, 6], [6, 5, 4, 3, 2, 1, 0], [3, 0, 3, 6, 1, 5, 5, 2, 4]])
def test_seven_parts_in_any_order_and_twice_give_what_one_process_gives(stage, seven_chunks, order):
    run, job, parts = begun(stage)
    assert parts == [(index, index + 1) for index in range(7)]
    for index in order:
        assert not ScoreSet.objects.exists()
        score_part(job.pk, *parts[index])
    job.refresh_from_db()
    assert (job.status, job.done_count, ScoreSet.objects.count()) == (Job.Status.DONE, 7, 1)
    split, chunks = outcome(run), chunk_bytes(run)
    scoring.run_score(again(run))
    assert outcome(run) == split
    assert chunk_bytes(run) == chunks


def test_one_two_and_seven_chunks_give_the_same_figures_bit_for_bit(stage, monkeypatch):
    run = received(stage, count=COUNT)
    found = []
    for size, chunk_count in ((14, 1), (7, 2), (2, 7)):
        monkeypatch.setattr(scoring, "CHUNK_SIZE", size)
        run = again(run)
        job = Job.objects.filter(subject=f"run:{run.uid}").exclude(status=Job.Status.DONE).first()
        job_send(job or scoring.run_score_start(run))
        assert ScoreChunk.objects.filter(run=run).count() == chunk_count
        found.append(outcome(run))
    assert found[0] == found[1] == found[2]


def test_one_or_two_chunks_stay_in_one_task(stage, monkeypatch):
    monkeypatch.setattr(scoring, "CHUNK_SIZE", COUNT // 2)
    run, job, parts = begun(stage)
    assert parts == []
    assert Run.objects.get(pk=run.pk).status == Run.Status.SCORED


def test_a_part_that_never_came_is_sent_again_alone_and_the_rest_is_kept(stage, seven_chunks):
    run, job, parts = begun(stage)
    for part in (*parts[:2], *parts[3:]):
        score_part(job.pk, *part)
    job.refresh_from_db()
    assert (job.status, job.done_count, job.total_count) == (Job.Status.RUNNING, 6, 7)
    assert jobs_sweep() == 0
    kept = dict(ScoreChunk.objects.values_list("index", "pk"))
    Job.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    assert jobs_sweep() == 1
    job.refresh_from_db()
    assert (job.status, ScoreSet.objects.count()) == (Job.Status.DONE, 1)
    assert {index: pk for index, pk in ScoreChunk.objects.values_list("index", "pk") if index != 2} == kept


def test_a_job_whose_parts_nobody_took_waits_ten_minutes_not_one(stage, seven_chunks):
    _run, job, _parts = begun(stage)
    job.refresh_from_db()
    assert timedelta(minutes=9) < job.lease_until - timezone.now() <= timedelta(minutes=10)


def test_a_worker_that_died_in_the_last_step_leaves_it_to_the_next(stage, seven_chunks):
    run, job, parts = begun(stage)
    finishing = [part_score(run_for_scoring(run.uid), job=job, part=part) for part in parts]
    assert finishing == [False] * 6 + [True]
    assert not ScoreSet.objects.exists()
    assert jobs_sweep() == 1
    assert ScoreSet.objects.count() == 1


def test_the_last_step_has_one_caller_and_a_late_part_does_nothing(stage, seven_chunks):
    run, job, parts = begun(stage)
    for part in parts:
        part_score(run_for_scoring(run.uid), job=job, part=part)
    assert part_score(run_for_scoring(run.uid), job=job, part=parts[0]) is False
    score_run(job.pk)
    score_part(job.pk, *parts[0])
    score_run(job.pk)
    assert (ScoreSet.objects.count(), ScoreChunk.objects.count()) == (1, 7)


def test_a_run_withdrawn_between_its_parts_stays_withdrawn_and_its_job_ends(stage, seven_chunks):
    run, job, parts = begun(stage)
    score_part(job.pk, *parts[0])
    Run.objects.filter(pk=run.pk).update(status=Run.Status.WITHDRAWN)
    score_part(job.pk, *parts[1])
    job.refresh_from_db()
    run.refresh_from_db()
    assert (job.status, run.status) == (Job.Status.FAILED, Run.Status.WITHDRAWN)
    assert ScoreChunk.objects.count() == 1


def test_a_part_that_fails_fails_the_run_once_and_stops_the_others(stage, seven_chunks, monkeypatch):
    run, job, parts = begun(stage)

    def broken(pairs, settings):
        raise ValueError(f"cannot score {next(iter(pairs)).source}")

    with monkeypatch.context() as patched:
        patched.setattr(scoring, "score_chunk", broken)
        score_part(job.pk, *parts[0])
    score_part(job.pk, *parts[1])
    job.refresh_from_db()
    run.refresh_from_db()
    assert (job.status, job.error) == (Job.Status.FAILED, "ValueError")
    assert (run.status, run.failure) == (Run.Status.FAILED, "ValueError")
    assert not ScoreChunk.objects.exists()


def test_a_million_entries_are_a_hundred_parts_and_only_parts_that_lack_something_are_sent():
    parts = parts_of(range(2000), chunk_count=2000)
    assert (len(parts), parts[0], parts[-1]) == (PARTS_AT_MOST, (0, 20), (1980, 2000))
    assert parts_of([5, 7, 1999], chunk_count=2000) == [(5, 8), (1999, 2000)]
    assert parts_of([], chunk_count=7) == []


@pytest.mark.django_db
def test_the_count_of_done_parts_only_rises_and_one_caller_takes_the_job_back():
    job = job_claim(job_start("unit.parts", subject="unit", total_count=3).pk)
    job_part_done(job, done_count=2)
    job_part_done(job, done_count=1)
    job.refresh_from_db()
    assert job.done_count == 2
    assert [job_take_back(job), job_take_back(job)] == [True, False]
    assert job_claim(job.pk) is not None
    assert job_claim(job.pk) is None
    job_finish(job)
    assert job_take_back(job) is False


@pytest.mark.parametrize(("done", "minutes"), [(0, None), (1, 6), (3, 1), (4, None)])
def test_the_time_left_is_the_time_so_far_by_part_times_the_parts_that_lack(stage, done, minutes):
    run, now = received(stage), timezone.now()
    Run.objects.update(status=Run.Status.SCORING)
    run.refresh_from_db()
    Job.objects.update(
        status=Job.Status.RUNNING, done_count=done, total_count=4, started_at=now - timedelta(seconds=119)
    )
    assert run_progress(run, now=now).minutes_left == minutes


def test_the_page_says_how_much_time_is_left(client, stage):
    run = received(stage)
    Run.objects.update(status=Run.Status.SCORING)
    started = timezone.now() - timedelta(seconds=105)
    Job.objects.update(status=Job.Status.RUNNING, done_count=1, total_count=4, started_at=started)
    assert "about 6 minutes are left" in client.get(f"/runs/{run.uid}/").content.decode()
    Job.objects.update(done_count=3)
    assert "less than a minute is left" in client.get(f"/runs/{run.uid}/").content.decode()
