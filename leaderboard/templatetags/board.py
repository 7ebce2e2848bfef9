"""Small parts of a board's row that are words or figures of the row alone."""

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.translation import gettext as _

from champollion.common import figures
from leaderboard.cards.claims import differs
from leaderboard.labels import CLAIM_VERDICTS, UNRANKED
from leaderboard.scoring.cost import latency_shown

register = template.Library()


@register.simple_tag
def rank_range(row: Any, cut: Any = None) -> str:
    """Write a row's rank, "1" or "2–3" with an en dash; a dash where it has none."""
    if row.shown_rank_low is None or (cut is not None and not cut.is_ranked):
        return "–"
    if row.shown_rank_low == row.shown_rank_high:
        return str(row.shown_rank_low)
    return f"{row.shown_rank_low}–{row.shown_rank_high}"


@register.simple_tag
def latency(value: float | None, rounds: bool = False) -> str:
    """Write a mean latency; of secret runs outsiders see one figure (SPEC S-6)."""
    return figures.duration(latency_shown(value, rounds=bool(rounds)))


@register.filter
def has_differing_claims(verdicts: Mapping[str, Any]) -> bool:
    """Say whether a claimed figure differs from ours, which the board flags (SPEC R-5)."""
    return bool(differs(verdicts or {}))


@register.filter
def unranked_words(row: Any) -> str:
    """Say why a row has no composite."""
    return str(UNRANKED.get(row.unranked_reason) or _("no score for these entries"))


@register.filter
def at(values: Mapping[Any, Any], key: Any) -> Any:
    """Look a value up; None where there is none."""
    return values.get(key)


@register.simple_tag
def number_range(low: float, high: float) -> str:
    """Write an interval of composites with two decimals: "0.73–0.79"."""
    return f"{figures.fixed(low, 2)}–{figures.fixed(high, 2)}"


@register.simple_tag
def half_width(low: float | None, high: float | None) -> float | None:
    """Return half the width of an interval, to stand after ±."""
    return None if low is None or high is None else (high - low) / 2


@register.filter
def claim_word(verdict: str) -> str:
    """Say how a claim stands beside ours: confirmed, close, differs, not recomputable."""
    return str(CLAIM_VERDICTS.get(verdict, verdict))
