"""The developer's desk: my runs by state, and what comes next for each (design 3, top bar: Submit)."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from champollion.accounts import roles
from leaderboard.models import Method, Run

RUNS_SHOWN = 50


@dataclass(frozen=True)
class Tile:
    """A number of the desk."""

    label: Any
    count: int


@dataclass(frozen=True)
class DeskRun:
    """A run with what comes next for it."""

    run: Run
    next_step: str


_GROUPS = (
    (gettext_lazy("waiting or being scored"), (Run.Status.RECEIVED, Run.Status.SCORING)),
    (gettext_lazy("scored"), (Run.Status.SCORED,)),
    (gettext_lazy("claimed, not recomputed"), (Run.Status.CLAIMED,)),
    (gettext_lazy("without a corpus"), (Run.Status.UNANCHORED,)),
    (gettext_lazy("failed"), (Run.Status.FAILED,)),
)
#: States in which a run waits for an act of its developer.
NEEDING = (Run.Status.UNANCHORED, Run.Status.FAILED)


def runs_mine(user: Any) -> QuerySet[Run]:
    """Return the runs that a person handed in, and those of their teams' methods; unanchored ones only their own."""
    of_team = Q(method_version__method__team__in=roles.team_ids(user)) & ~Q(status=Run.Status.UNANCHORED)
    return Run.objects.filter(Q(submitted_by=user) | of_team)


def tiles(user: Any) -> list[Tile]:
    """Count my runs by state; one query."""
    counts = dict(runs_mine(user).order_by().values_list("status").annotate(count=Count("pk", distinct=True)))
    return [Tile(label, sum(counts.get(status, 0) for status in statuses)) for label, statuses in _GROUPS]


def runs_by_state(user: Any) -> list[DeskRun]:
    """Return my newest runs, those that need me first."""
    runs = (
        runs_mine(user)
        .select_related("method_version__method", "corpus_version__corpus", "score_set")
        .defer("configuration", "method_version__identity")
        .order_by("-created_at", "-pk")
    )
    found = [DeskRun(run, next_step(run)) for run in runs[:RUNS_SHOWN]]
    return sorted(found, key=lambda one: one.run.status not in NEEDING)


def next_step(run: Run) -> str:
    """Say what comes next for a run."""
    return {
        Run.Status.UNANCHORED: _("No corpus here holds these entries. Open the run to see what you can do."),
        Run.Status.RECEIVED: _("It waits for a worker; nothing is to be done."),
        Run.Status.SCORING: _("It is being scored; nothing is to be done."),
        Run.Status.SCORED: _("Its figures are on the board."),
        Run.Status.CLAIMED: _("Hand in the report, or the card with its rows, to have it scored."),
        Run.Status.FAILED: _("The scoring did not succeed. Open the run to ask for it again."),
        Run.Status.WITHDRAWN: _("The organisation withdrew it."),
    }[Run.Status(run.status)]


def methods_mine(user: Any) -> list[Method]:
    """Return the methods of my teams, by name."""
    mine = Method.objects.filter(team__in=roles.team_ids(user)).select_related("team")
    return list(mine.annotate(version_count=Count("versions")).order_by("name"))
