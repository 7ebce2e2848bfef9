"""Tasks of this app: fetch by id, call a service, say how it went."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from celery import group, shared_task
from kombu.exceptions import OperationalError

from champollion.common.errors import DomainError, StateError
from champollion.common.jobs.services import job_claim, job_fail, job_finish, job_progress, job_send
from champollion.common.models import Job
from corpora.models import CorpusVersion
from leaderboard.models import Run
from leaderboard.scoring.chunks import ChunkError
from leaderboard.services import rank_ranges, scoring, standings
from leaderboard.services.intake import run_fail
from leaderboard.services.reanchoring import runs_anchor_waiting
from leaderboard.services.scoring_parts import Part, part_score, run_for_scoring, run_score_step

logger = logging.getLogger(__name__)


@shared_task(name=scoring.TASK)
def score_run(job_id: int) -> None:
    """Take the next step of scoring the run that a job names; a job that somebody else holds or finished is left.

    A small run is scored here and now. Of a larger one the parts are sent; the last of them sends this task again,
    which then finds every chunk there and makes the score set.
    """
    job = job_claim(job_id)
    if job is None:
        return
    run = run_for_scoring(job.arguments["run"])
    with _failures_told(run, job):
        parts = run_score_step(run, job=job)
        if parts:
            _parts_send(job, parts)
        else:
            job_finish(job)


@shared_task(name="leaderboard.score_part")
def score_part(job_id: int, first: int, stop: int) -> None:
    """Write the chunks from `first` to before `stop` of the run that a job names; a job that ended wants none."""
    job = Job.objects.filter(pk=job_id, status=Job.Status.RUNNING).first()
    if job is None:
        return
    run = run_for_scoring(job.arguments["run"])
    with _failures_told(run, job):
        if part_score(run, job=job, part=(first, stop)):
            job_send(job)


def _parts_send(job: Job, parts: list[Part]) -> None:
    try:
        group(score_part.si(job.pk, first, stop) for first, stop in parts).apply_async()
    except (OperationalError, OSError) as error:
        logger.warning("Broker unreachable, parts of job %s wait: %s", job.pk, type(error).__name__)
        job.refresh_from_db(fields=["done_count"])
        job_progress(job, done_count=job.done_count)  # a shorter lease: the sweeper sends the job again in a minute


@contextmanager
def _failures_told(run: Run, job: Job) -> Iterator[None]:
    """End the job with a reason where the scoring cannot go on; the reason holds no text of an entry."""
    try:
        yield
    except StateError as error:
        # Withdrawn, or otherwise moved on meanwhile: the run keeps its state, there is nothing left to do.
        job_fail(job, error=str(error))
    except (DomainError, ValueError) as error:
        # A message of ours holds no text of an entry; that of a foreign ValueError might, so only its kind is kept.
        reason = str(error) if isinstance(error, DomainError) else type(error).__name__
        logger.exception("Scoring of run %s failed", run.uid) if not run.is_secret else logger.error(
            "Scoring of run %s failed: %s", run.uid, type(error).__name__
        )
        with suppress(StateError):  # another part told it first
            run_fail(run, reason=reason)
        job_fail(job, error=reason)


@shared_task(name=standings.RANK_TASK)
def rank_board(job_id: int) -> None:
    """Test the rank ranges of the board that a job names; until then its rows have ranks by composite."""
    job = job_claim(job_id)
    if job is None:
        return
    version = CorpusVersion.objects.select_related("corpus__organisation").get(uid=job.arguments["corpus_version"])
    try:
        rank_ranges.board_rank(corpus_version=version, segment=job.arguments["segment"], job=job)
    except (DomainError, ValueError) as error:
        # What stands in a foreign error might be secret; its kind is enough.
        reason = str(error) if isinstance(error, DomainError | ChunkError) else type(error).__name__
        logger.error("Ranks of the board of job %s could not be tested: %s", job.pk, type(error).__name__)
        job_fail(job, error=reason)


@shared_task(name="leaderboard.anchor_runs")
def anchor_runs() -> None:
    """Tie runs whose corpus was unknown to corpus versions that came since (SPEC R-4)."""
    runs_anchor_waiting()
