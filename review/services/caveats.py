"""A caveat acknowledged, and the nomination that may follow from it (SPEC M-2, V-1)."""

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from champollion.common.errors import AccessDenied
from leaderboard.models import Run
from leaderboard.services.caveats import caveat_acknowledge
from review.services.decision_people import is_own_method
from review.services.nominations import run_consider


@transaction.atomic
def run_caveat_acknowledge(*, actor: Any, run: Run, code: str, reason: str) -> None:
    """Acknowledge a caveat of a run, and put the run forward if nothing else keeps it.

    Raises:
        AccessDenied: also for whoever made or submitted the method (LAW-10).

    And what ``caveat_acknowledge`` raises.
    """
    if is_own_method(actor, run.method_version.method):
        raise AccessDenied(
            "caveat.own_method",
            _("You made or submitted this method, or belong to its team, so another steward acknowledges its caveats."),
        )
    caveat_acknowledge(actor=actor, run=run, code=code, reason=reason)
    run.refresh_from_db()
    run_consider(run)
