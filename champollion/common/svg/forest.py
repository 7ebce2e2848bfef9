"""The forest: differences of two things with their intervals around a zero line. Source: design 5, chart 3.

Two drawings: 560 wide with names, 328 wide with numbers that a table beside explains.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from champollion.common.svg.element import Element, element, number, picture

ROW, HEAD, SQUARE = 34, 66, 10
TICKS = 5
_STEPS = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)


@dataclass(frozen=True)
class ForestRow:
    """A difference on one scale where more is better for the first; `ends` is what stands at the end edge."""

    name: str
    value: float
    low: float | None
    high: float | None
    is_certain: bool
    ends: str


@dataclass(frozen=True)
class _Frame:
    width: float
    start: float
    stop: float
    bound: float

    def x(self, value: float) -> float:
        share = (max(-self.bound, min(self.bound, value)) + self.bound) / (2 * self.bound)
        return round(self.start + share * (self.stop - self.start), 2)


def forest_bound(rows: Sequence[ForestRow]) -> float:
    """Return the end of the symmetric axis: the smallest round step that holds every interval."""
    reach = max((abs(x) for row in rows for x in (row.value, row.low, row.high) if x is not None), default=0.0)
    return next((step for step in _STEPS if step >= reach), _STEPS[-1])


def forest(
    rows: Sequence[ForestRow], *, title: str, description: str, sides: tuple[str, str], narrow: bool = False
) -> Element:
    """Draw the rows; a filled square is hardly chance, a hollow one may be.

    Args:
        sides: what the left and the right side mean, such as "Naive prompt better" and "Pipeline better".
    """
    bound = forest_bound(rows)
    frame = _Frame(328, 28, 316, bound) if narrow else _Frame(560, 150, 432, bound)
    height = HEAD + ROW * len(rows)
    drawn = _head(frame, sides, height)
    for place, row in enumerate(rows):
        drawn += _row(frame, place, row, narrow=narrow)
    return picture(
        *drawn,
        title=title,
        description=description,
        class_="ch-forest ch-forest-narrow" if narrow else "ch-forest ch-forest-wide",
        viewBox=f"0 0 {number(frame.width)} {height}",
        width=frame.width,
        height=height,
    )


def _head(frame: _Frame, sides: tuple[str, str], height: float) -> list[Element]:
    zero = frame.x(0)
    parts = [
        _text(sides[0], x=zero - 8, y=14, anchor="end"),
        _text(sides[1], x=zero + 8, y=14, anchor="start"),
    ]
    for place in range(TICKS):
        value = frame.bound * (place - TICKS // 2) / (TICKS // 2)
        x = number(frame.x(value))
        parts.append(_text(_signed(value), x=frame.x(value), y=36, anchor="middle"))
        parts.append(element("path", class_="ch-forest-tick", d=f"M{x} 42V{number(height - 12)}"))
    parts.append(element("path", class_="ch-forest-zero", d=f"M{number(zero)} 42V{number(height - 12)}"))
    return parts


def _row(frame: _Frame, place: int, row: ForestRow, *, narrow: bool) -> list[Element]:
    middle = HEAD - 6 + ROW * place
    parts = [_text(str(place + 1) if narrow else row.name, x=0, y=middle + 5, anchor="start")]
    if row.low is not None and row.high is not None:
        low, high = number(frame.x(row.low)), number(frame.x(row.high))
        line = f"M{low} {middle}H{high}M{low} {middle - 5}V{middle + 5}M{high} {middle - 5}V{middle + 5}"
        parts.append(element("path", class_="ch-whisker", d=line))
    half = SQUARE / 2
    kind = "ch-forest-square" if row.is_certain else "ch-forest-square ch-forest-open"
    x = frame.x(row.value)
    parts.append(element("rect", class_=kind, x=x - half, y=middle - half, width=SQUARE, height=SQUARE))
    if not narrow:
        parts.append(_text(row.ends, x=frame.width, y=middle + 5, anchor="end"))
    return parts


def _signed(value: float) -> str:
    return f"{value:+.2g}".replace("-", "−") if value else "0"


def _text(words: str, *, x: float, y: float, anchor: str) -> Element:
    return element("text", words, class_="ch-chart-text", x=x, y=y, text_anchor=anchor)
