"""What a method's page shows: its rows on the boards, its runs over time, its versions."""

from dataclasses import dataclass
from typing import Any

from leaderboard.access import may_see_held, runs_visible
from leaderboard.models import Method, MethodVersion, Run, Standing
from leaderboard.selectors.pairs import standings_shown

RUNS_SHOWN = 100


@dataclass(frozen=True)
class ShownVersion:
    """A version of the method, and whether this person sees where the organisation holds it."""

    version: MethodVersion
    shows_held: bool


def standings_of(method: Method) -> list[Standing]:
    """Return the method's rows, those that people decided on first, then the newest corpus version; one query."""
    rows = (
        standings_shown()
        .filter(method_version__method=method)
        .select_related("method_version", "corpus_version__corpus", "run")
        .defer("run__configuration", "method_version__identity")
    )
    return sorted(rows, key=lambda row: (row.human_share is None, -row.corpus_version.pk, row.segment))


def runs_of(method: Method, user: Any) -> list[Run]:
    """Return the method's runs that a person may see, newest first, at most 100; one query."""
    runs = runs_visible(user).filter(method_version__method=method).exclude(status=Run.Status.WITHDRAWN)
    return list(
        runs.select_related("method_version", "corpus_version__corpus", "score_set")
        .defer("configuration", "method_version__identity")
        .order_by("-created_at", "-pk")[:RUNS_SHOWN]
    )


def versions_of(method: Method, user: Any) -> list[ShownVersion]:
    """Return the versions, newest first."""
    versions = method.versions.select_related("method", "held_by").order_by("-number")
    return [ShownVersion(version, may_see_held(user, version)) for version in versions]


def best_known(standings: list[Standing]) -> Standing | None:
    """Return the row that the page's head speaks of: one that people decided on, else the first."""
    return standings[0] if standings else None
