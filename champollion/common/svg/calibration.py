"""Calibration: how often people found usable what a score says, by band, and the ROC curve beside it.

Source: design 5, chart 9.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from champollion.common.svg.element import Element, element, number, picture

WIDTH, HEIGHT = 560, 376
LEFT, RIGHT, TOP, BOTTOM = 52, 544, 16, 304
POINT = 4.5
ROC_SIZE, ROC_LOW, ROC_HIGH = 340, 48, 324
_TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True)
class CalibrationBand:
    """A band of the score with the share found usable and its interval, both None without anything in it."""

    low: float
    high: float
    count: int
    share: float | None
    interval: tuple[float, float] | None


def calibration(
    bands: Sequence[CalibrationBand], *, bound: float, bar: float, title: str, description: str, counted: str
) -> Element:
    """Draw share usable over band; dashed where the bound stands and where the bar of the policy lies.

    Args:
        bound: of the score, 0-1.
        bar: the usable share that is asked for, 0-1.
        counted: what the numbers under the axis count, such as "outputs".
    """
    parts = [*_axes(), _dashed(f"M{number(_x(bound))} {TOP}V{BOTTOM}"), _dashed(f"M{LEFT} {number(_y(bar))}H{RIGHT}")]
    known = [(_x((band.low + band.high) / 2), band) for band in bands]
    line = [f"{number(x)} {number(_y(band.share))}" for x, band in known if band.share is not None]
    if len(line) > 1:
        parts.append(element("path", class_="ch-cal-line", d="M" + "L".join(line)))
    for x, band in known:
        parts += _band(x, band)
    for edge in (*(band.low for band in bands), bands[-1].high if bands else 1.0):
        parts.append(_text(number(edge), x=_x(edge), y=BOTTOM + 20, anchor="middle"))
    parts.append(_text(counted, x=(LEFT + RIGHT) / 2, y=BOTTOM + 66, anchor="middle"))
    return picture(
        *parts,
        title=title,
        description=description,
        class_="ch-calibration",
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        width=WIDTH,
        height=HEIGHT,
    )


def roc_curve(points: Sequence[tuple[float, float]], *, title: str, description: str, axes: tuple[str, str]) -> Element:
    """Draw the share of usable outputs found over the share of others taken; the diagonal is chance.

    Args:
        points: (taken, found), 0-1, in any order.
        axes: words for the two axes, across and up.
    """
    span = ROC_HIGH - ROC_LOW

    def place(taken: float, found: float) -> str:
        return f"{number(ROC_LOW + span * taken)} {number(ROC_SIZE - ROC_LOW - span * found + 16)}"

    corners = sorted({(0.0, 0.0), *points, (1.0, 1.0)})
    parts = [
        _dashed(f"M{place(0, 0)}L{place(1, 1)}"),
        element("path", class_="ch-cal-axis", d=f"M{place(0, 1)}L{place(0, 0)}L{place(1, 0)}"),
        element("path", class_="ch-cal-line", d="M" + "L".join(place(*corner) for corner in corners)),
        _text(axes[0], x=ROC_SIZE / 2, y=ROC_SIZE - 8, anchor="middle"),
        _text(axes[1], x=4, y=12, anchor="start"),
    ]
    return picture(
        *parts,
        title=title,
        description=description,
        class_="ch-calibration",
        viewBox=f"0 0 {ROC_SIZE} {ROC_SIZE}",
        width=ROC_SIZE,
        height=ROC_SIZE,
    )


def _axes() -> list[Element]:
    parts = [element("path", class_="ch-cal-axis", d=f"M{LEFT} {TOP}V{BOTTOM}H{RIGHT}")]
    for tick in _TICKS:
        parts.append(_text(f"{100 * tick:.0f} %", x=LEFT - 8, y=_y(tick) + 5, anchor="end"))
    return parts


def _band(x: float, band: CalibrationBand) -> list[Element]:
    parts = [_text(str(band.count), x=x, y=BOTTOM + 44, anchor="middle")]
    if band.share is None or band.interval is None:
        return parts
    low, high = number(_y(band.interval[0])), number(_y(band.interval[1]))
    caps = f"M{number(x - 5)} {low}H{number(x + 5)}M{number(x - 5)} {high}H{number(x + 5)}"
    parts.append(element("path", class_="ch-whisker", d=f"M{number(x)} {low}V{high}{caps}"))
    parts.append(element("circle", class_="ch-cal-point", cx=x, cy=_y(band.share), r=POINT))
    return parts


def _x(score: float) -> float:
    return LEFT + (RIGHT - LEFT) * score


def _y(share: float) -> float:
    return BOTTOM - (BOTTOM - TOP) * share


def _dashed(d: str) -> Element:
    return element("path", class_="ch-cal-bound", d=d)


def _text(words: str, *, x: float, y: float, anchor: str) -> Element:
    return element("text", words, class_="ch-chart-text", x=x, y=y, text_anchor=anchor)
