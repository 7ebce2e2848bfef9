"""Tasks of this app: fetch by id, call a service, say how it went."""

import logging

from celery import shared_task

from champollion.common.errors import DomainError
from champollion.common.jobs.services import job_claim, job_fail, job_finish
from review.models import Nomination
from review.services.campaigns import campaign_draft, looks_take
from review.services.nominations import DRAFT_TASK, runs_consider

logger = logging.getLogger(__name__)


@shared_task(name=DRAFT_TASK)
def draft_campaign(job_id: int) -> None:
    """Draft the campaign of the nomination that a job names; a second run finds the draft that is there."""
    job = job_claim(job_id)
    if job is None:
        return
    try:
        campaign_draft(nomination=Nomination.objects.get(uid=job.arguments["nomination"]))
    except DomainError as error:
        logger.warning("Draft for nomination %s failed: %s", job.arguments["nomination"], error.code)
        job_fail(job, error=str(error))
        return
    job_finish(job)


@shared_task(name="review.consider_scored_runs")
def consider_scored_runs() -> None:
    """Find the scored runs that a lost signal left without a nomination."""
    runs_consider()


@shared_task(name="review.take_looks")
def take_looks() -> None:
    """Take every look whose items are finished."""
    looks_take()
