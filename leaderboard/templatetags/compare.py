"""Small parts of the comparison: signed differences, p-values, texts with their differences underlined."""

from collections.abc import Sequence
from typing import Any

from django import template

from champollion.common import figures, writing
from champollion.common.text_difference import Part
from leaderboard.selectors.runs import OUT_OF_100

register = template.Library()
_SMALLEST_P = 0.001


@register.filter
def on_scale(value: float | None, metric: str) -> str:
    """Write a metric's value with its own number of places."""
    return "–" if value is None else figures.fixed(value, 2 if metric in OUT_OF_100 else 4)


@register.filter
def signed(value: float | None, metric: str) -> str:
    """Write a difference with its sign: "+0.0312", "−4.10"."""
    if value is None:
        return "–"
    return signed_text(value, 2 if metric in OUT_OF_100 else 4)


def signed_text(value: float, places: int) -> str:
    """Write a number with its sign and the true minus; what rounds to 0 has none."""
    written = figures.fixed(abs(value), places)
    if round(value, places) == 0:
        return written
    return f"+{written}" if value > 0 else f"−{written}"


@register.filter
def p_value(value: float) -> str:
    """Write a p with three places; the smallest that 1,000 draws can give is 0.001."""
    return figures.fixed(max(value, _SMALLEST_P), 3)


@register.inclusion_tag("leaderboard/_compared_text.html")
def compared_text(parts: Sequence[Part], lang: str, label: Any) -> dict[str, Any]:
    """Show an output as a block with what the other lacks underlined."""
    how = writing.writing_of(lang)
    text = "".join(part.text for part in parts)
    return {
        "parts": parts,
        "lang": how.tag,
        "dir": how.direction,
        "script": writing.script_of_text(text, how),
        "label": label,
    }
