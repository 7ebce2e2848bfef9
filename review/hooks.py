"""What this app does when something happens below it; connected in ``ReviewConfig.ready``.

A lost signal costs nothing: the sweep ``review.consider_scored_runs`` finds the run again.
"""

import logging
from typing import Any

from django.dispatch import receiver

from champollion.common.errors import DomainError
from leaderboard.models import Run, Standing
from leaderboard.people import register_counter
from leaderboard.signals import run_scored
from review.models import Campaign
from review.services.nominations import run_consider

logger = logging.getLogger(__name__)


@receiver(run_scored, dispatch_uid="review.consider_scored_run")
def consider_scored_run(sender: Any, run: Run, **_more: Any) -> None:
    """See what a run that was just scored leads to (SPEC V-1)."""
    try:
        run_consider(run)
    except DomainError as error:
        logger.warning("Run %s could not be considered: %s", run.uid, error.code)


def people_counted(standing: Standing) -> dict[str, int] | None:
    """Return how many items have a verdict and how many speakers counted, as the decision's evidence holds them."""
    decided = Campaign.objects.filter(run=standing.run, status=Campaign.Status.DECIDED).order_by("-pk").first()
    analysis = decided.evidence.get("analysis") if decided is not None else None
    if decided is None or not analysis:
        return None
    return {
        "n": len(analysis["verdicts"]) - analysis["missing_count"],
        "reviewers": decided.evidence["rater_count"],
    }


register_counter(people_counted)
