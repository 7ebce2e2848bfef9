"""Tasks of this app: fetch by id, call a service, say how it went."""

import logging

from celery import shared_task

from champollion.common.errors import DomainError, StateError
from champollion.common.jobs.services import job_claim, job_fail, job_finish
from leaderboard.models import Run
from leaderboard.services import scoring
from leaderboard.services.intake import run_fail
from leaderboard.services.reanchoring import runs_anchor_waiting

logger = logging.getLogger(__name__)


@shared_task(name=scoring.TASK)
def score_run(job_id: int) -> None:
    """Score the run that a job names; a job that somebody else holds or finished is left alone."""
    job = job_claim(job_id)
    if job is None:
        return
    run = Run.objects.select_related("corpus_version__corpus__organisation", "method_version").get(
        uid=job.arguments["run"]
    )
    try:
        scoring.run_score(run, job=job)
    except StateError as error:
        # Withdrawn, or otherwise moved on meanwhile: the run keeps its state, there is nothing left to do.
        job_fail(job, error=str(error))
        return
    except (DomainError, ValueError) as error:
        # A message of ours holds no text of an entry; that of a foreign ValueError might, so only its kind is kept.
        reason = str(error) if isinstance(error, DomainError) else type(error).__name__
        logger.exception("Scoring of run %s failed", run.uid) if not run.is_secret else logger.error(
            "Scoring of run %s failed: %s", run.uid, type(error).__name__
        )
        run_fail(run, reason=reason)
        job_fail(job, error=reason)
        return
    job_finish(job)


@shared_task(name="leaderboard.anchor_runs")
def anchor_runs() -> None:
    """Tie runs whose corpus was unknown to corpus versions that came since (SPEC R-4)."""
    runs_anchor_waiting()
