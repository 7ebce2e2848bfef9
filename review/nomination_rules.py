"""What keeps a run from being nominated: open caveats and a team's cool-down. No database here.

Source: SPEC V-1, M-2.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

CAVEAT_SHARE = 0.05
"""A caveat on this share of entries or more waits for a steward. Source: SPEC M-2."""
REFUSALS_AT_MOST = 3
REFUSAL_WINDOW = timedelta(days=365)
"""Three refusals in twelve months begin a cool-down. Source: SPEC V-1."""

# A share is a quotient of two counts; one this near to the bound has reached it.
_TINY = 1e-12


def open_caveats(caveats: Iterable[Mapping[str, Any]], *, entry_count: int) -> list[str]:
    """Return the codes of the caveats that keep a run from being nominated.

    Args:
        caveats: {"code", "share" (0-1) or "entry_count", "acknowledged_by"} each; a share that is not given is
            entry_count of `entry_count`.
        entry_count: entries of the score set.

    Source: SPEC M-2, V-1.
    """
    return [
        str(caveat.get("code", ""))
        for caveat in caveats
        if not caveat.get("acknowledged_by") and _share(caveat, entry_count) >= CAVEAT_SHARE - _TINY
    ]


def cool_down_until(refusals: Sequence[datetime], *, days: int) -> datetime | None:
    """Return when the last cool-down ends that a team's refusals began, or None if none ever began.

    Args:
        refusals: when each of the team's attempts on the language pair was refused, in any order.
        days: the organisation's cool-down, counted from the third refusal.

    Source: SPEC V-1.
    """
    ordered = sorted(refusals)
    thirds = [
        third
        for first, third in zip(ordered, ordered[REFUSALS_AT_MOST - 1 :], strict=False)
        if third - first <= REFUSAL_WINDOW
    ]
    return thirds[-1] + timedelta(days=days) if thirds else None


def _share(caveat: Mapping[str, Any], entry_count: int) -> float:
    if caveat.get("share") is not None:
        return float(caveat["share"])
    return int(caveat.get("entry_count", 0)) / entry_count if entry_count else 0.0
