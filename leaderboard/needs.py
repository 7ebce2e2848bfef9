"""Where this app needs a person: runs without a corpus, and runs whose scoring failed (design 3, 4.2)."""

from typing import Any

from django.utils.translation import gettext as _

from champollion.accounts.roles import is_developer
from champollion.common.needs import Need, register, register_count
from leaderboard.models import Run
from leaderboard.selectors.desk import NEEDING, next_step, runs_mine

ROWS_AT_MOST = 5


@register
def runs_to_mend(user: Any) -> list[Need]:
    """Return a row for each run of mine that waits for an act."""
    if not is_developer(user):
        return []
    waiting = runs_mine(user).filter(status__in=NEEDING).select_related("method_version__method__team")
    return [
        Need(
            what=_("Look at a run of %(method)s") % {"method": run.method_version.method.name},
            for_whom=run.method_version.method.team.name,
            how_long=next_step(run),
            url=f"/runs/{run.uid}/",
            button=_("Look"),
        )
        for run in waiting.order_by("-created_at")[:ROWS_AT_MOST]
    ]


def runs_waiting_count(user: Any) -> int:
    """Return how many of my runs failed or wait for their corpus: the number beside Submit in the top bar."""
    return runs_mine(user).filter(status__in=[*NEEDING, Run.Status.RECEIVED]).count()


register_count("submit", runs_waiting_count)
