"""What people said of a run, for its card: the app above says how many they were (the flow points down).

`review` registers a function from a board's row to `{"n", "reviewers"}`: items with a verdict, and distinct speakers
whose ratings count.
"""

from collections.abc import Callable
from typing import Any

from leaderboard.models import Standing

SPEAKER, GENERATED = "speaker", "generated"
_counters: list[Callable[[Standing], dict[str, int] | None]] = []


def register_counter(counter: Callable[[Standing], dict[str, int] | None]) -> None:
    """Let an app above say on how many items and people a row's human figures rest."""
    if counter not in _counters:
        _counters.append(counter)


def human_evidence(standing: Standing | None) -> dict[str, Any] | None:
    """Return `{class, share, n, reviewers}` of an approved row, else None.

    The share is the weighted one that the decision rested on, 0-1. Ratings that a program made up are of the class
    `generated`, which no harness counts as people. Source: SPEC R-8, V-7.
    """
    if standing is None or not standing.approved_tier or standing.human_share is None:
        return None
    counted = next((found for counter in _counters if (found := counter(standing)) is not None), {})
    return {
        "class": GENERATED if standing.has_generated_ratings else SPEAKER,
        "share": standing.human_share,
        "n": counted.get("n"),
        "reviewers": counted.get("reviewers"),
    }
