"""Geometry of the charts that the report, the run page and the board draw.

Bars have percentages across and pixels down, so that they stretch with their table cell while lines keep their
weight. Marks that lie on fills get a casing first: ink on the darkest fill has a contrast of 1.9 only.
Source: design 5.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from champollion.common.svg.element import Element, element, glyph, number, percent, picture
from champollion.common.svg.glyphs import grade_parts

DOT_COLUMNS, DOT_PITCH, DOT_RADIUS, DOT_BOX = 10, 31, 11.5, 312
MOST_DOTS = 150
GRADES_BEST_FIRST = (4, 3, 2, 1)
USABLE = (4, 3)

MINI_WIDTH, MINI_HEIGHT = 120, 14
#: The tier bounds of the composite. Source: SPEC M-4.
TIER_BOUNDS = (0.30, 0.50, 0.70, 0.85)


@dataclass(frozen=True)
class Part:
    """One metric's share of a composite: what it adds and what it could add, both on the composite's scale 0 to 1."""

    name: str
    adds: float
    possible: float


def dot_grades(counts: Mapping[int, int]) -> list[int]:
    """Return the grade of each dot, best first: a dot an output up to 150, above that 100 dots of 1 %.

    Rounding is by largest remainder (the better grade first on a tie), so that the dots always sum to 100.
    """
    total = sum(counts.get(grade, 0) for grade in GRADES_BEST_FIRST)
    if total <= MOST_DOTS:
        return [grade for grade in GRADES_BEST_FIRST for _ in range(counts.get(grade, 0))]
    exact = {grade: 100 * counts.get(grade, 0) / total for grade in GRADES_BEST_FIRST}
    dots = {grade: int(exact[grade]) for grade in GRADES_BEST_FIRST}
    missing = 100 - sum(dots.values())
    for grade in sorted(GRADES_BEST_FIRST, key=lambda one: (dots[one] - exact[one], -one))[:missing]:
        dots[grade] += 1
    return [grade for grade in GRADES_BEST_FIRST for _ in range(dots[grade])]


def dot_edge(usable: int, total: int) -> str:
    """Return the stepped path after the last usable dot; empty where all or none are usable."""
    if usable in (0, total):
        return ""
    row, rest = divmod(usable, DOT_COLUMNS)
    top, bottom = 1 + DOT_PITCH * row, 1 + DOT_PITCH * (row + 1)
    end = DOT_BOX - 1
    if rest == 0:
        return f"M1 {top}H{end}"
    if usable + (DOT_COLUMNS - rest) > total and row == (total - 1) // DOT_COLUMNS:
        end = 1 + DOT_PITCH * (total - DOT_COLUMNS * row)
    return f"M1 {bottom}H{1 + DOT_PITCH * rest}V{top}H{end}"


def dot_array(counts: Mapping[int, int], *, title: str, description: str) -> Element:
    """Draw the outputs as dots in reading order, best to worst, with an edge between usable and not usable yet.

    Args:
        counts: number of outputs by grade (1 to 4).
    """
    grades = dot_grades(counts)
    rows = max(1, -(-len(grades) // DOT_COLUMNS))
    height = DOT_PITCH * (rows - 1) + 33
    dots = [_dot(place, grade) for place, grade in enumerate(grades)]
    edge = dot_edge(sum(grade in USABLE for grade in grades), len(grades))
    if edge:
        dots += [element("path", class_="ch-dots-edge", d=edge)]
    return picture(
        *dots,
        title=title,
        description=description,
        class_="ch-dots",
        viewBox=f"0 0 {DOT_BOX} {height}",
        width=DOT_BOX,
        height=height,
    )


def stratum_bar(
    excellent: float,
    acceptable: float,
    *,
    interval: tuple[float, float] | None = None,
    floor: float | None = None,
    thin: bool = False,
) -> Element:
    """Draw one row of "usable by difficulty": 28 high, track 16, over 0 to 100 % of the cell's width.

    Args:
        excellent, acceptable: shares 0 to 1; their sum is the usable share.
        interval: the 95 % interval of the usable share; None where all were rated or too few to tell.
        floor: the share that the policy asks of each stratum, drawn dashed; None where it asks none.
        thin: whether the row is too small to tell (grey).
    """
    kind = "ch-bar ch-bar-stratum ch-bar-thin" if thin else "ch-bar ch-bar-stratum"
    parts = [
        element("rect", class_="ch-track", x=0, y=6, width="100%", height=16),
        element("rect", class_="ch-fill-acceptable", x=percent(excellent), y=6, width=percent(acceptable), height=16),
        element("rect", class_="ch-fill-excellent", x=0, y=6, width=percent(excellent), height=16),
    ]
    if floor is not None:
        parts += _cased(x1=percent(floor), x2=percent(floor), y1=2, y2=26, class_="ch-floor")
    if interval is not None:
        parts += _whisker(*interval, y=14, cap=5)
    return _bar(*parts, height=28, class_=kind)


def progress_bar(done: float, *, leased: float = 0.0, height: int = 12) -> Element:
    """Draw progress: done solid, being worked on hatched, the rest an empty outline. Shares 0 to 1."""
    middle = height / 2
    parts = [element("rect", class_="ch-open", x=0, y=0, width="100%", height=height)]
    if leased > 0:
        x1, x2 = percent(done), percent(done + leased)
        parts += [element("line", class_="ch-leased", stroke_width=height, x1=x1, x2=x2, y1=middle, y2=middle)]
    parts += [element("rect", class_="ch-done", x=0, y=0, width=percent(done), height=height)]
    return _bar(*parts, height=height, class_="ch-bar ch-bar-progress")


def mini_interval(
    value: float, *, low: float | None = None, high: float | None = None, notches: Sequence[float] = TIER_BOUNDS
) -> Element:
    """Draw a score and its interval on 0 to 1, 120 × 14, with notches at the tier bounds; figures stand beside it."""
    parts = [element("rect", class_="ch-track", x=0, y=4, width=MINI_WIDTH, height=6)]
    parts += [element("path", class_="ch-notch", d=f"M{number(_mini(notch))} 2V12") for notch in notches]
    if low is not None and high is not None:
        width = _mini(high) - _mini(low)
        parts += [element("rect", class_="ch-mini-interval", x=_mini(low), y=4, width=width, height=6)]
    at = number(_mini(value))
    parts += [element("path", class_="ch-casing", d=f"M{at} 1V13"), element("path", class_="ch-tick", d=f"M{at} 1V13")]
    return glyph(*parts, width=MINI_WIDTH, height=MINI_HEIGHT, class_="ch-mini ch-mini-score")


def mini_share(value: float, *, low: float | None = None, high: float | None = None) -> Element:
    """Draw a usable share with its interval, 120 × 14: bar, whisker with caps; figures stand beside it."""
    parts = [
        element("rect", class_="ch-track", x=0, y=4, width=MINI_WIDTH, height=6),
        element("rect", class_="ch-fill-acceptable", x=0, y=4, width=_mini(value), height=6),
    ]
    if low is not None and high is not None:
        start, end = number(_mini(low)), number(_mini(high))
        line = f"M{start} 7H{end}M{start} 3V11M{end} 3V11"
        parts += [element("path", class_="ch-casing", d=line), element("path", class_="ch-whisker", d=line)]
    return glyph(*parts, width=MINI_WIDTH, height=MINI_HEIGHT, class_="ch-mini ch-mini-share")


def composite_bar(
    parts: Sequence[Part], *, title: str, description: str, value: str, bounds: Sequence[float] = TIER_BOUNDS
) -> Element:
    """Draw what makes a composite: a segment a metric in order, grey to 1, the value above, the bounds below.

    Args:
        parts: in the order of the table beneath; their `adds` sum to the composite.
        value: the composite as it is to be read ("0.661").
    """
    drawn = [element("rect", class_="ch-track", x=0, y=22, width="100%", height=26)]
    start = 0.0
    for place, part in enumerate(parts):
        fill = f"ch-segment {segment_class(place)}"
        drawn += [element("rect", class_=fill, x=percent(start), y=22, width=percent(part.adds), height=26)]
        start += part.adds
    for bound in bounds:
        at = percent(bound)
        drawn += _cased(x1=at, x2=at, y1=24, y2=54, class_="ch-bound")
        drawn += [element("text", f"{bound:.2f}", class_="ch-chart-text", x=at, y=70, text_anchor="middle")]
    drawn += _cased(x1=percent(start), x2=percent(start), y1=18, y2=48, class_="ch-tick")
    anchor = "end" if start > 0.9 else "middle"
    drawn += [element("text", value, class_="ch-chart-text ch-strong", x=percent(start), y=13, text_anchor=anchor)]
    return picture(*drawn, title=title, description=description, class_="ch-composite", width="100%", height=76)


def contribution_bar(part: Part, *, place: int, scale: float) -> Element:
    """Draw what a metric adds of what it could add; `scale` is the largest `possible` of the table."""
    whole = part.possible / scale if scale else 0.0
    adds = part.adds / scale if scale else 0.0
    return _bar(
        element("rect", class_="ch-track", x=0, y=0, width=percent(whole), height=12),
        element("rect", class_=f"ch-segment {segment_class(place)}", x=0, y=0, width=percent(adds), height=12),
        height=12,
        class_="ch-bar",
    )


def segment_class(place: int) -> str:
    """Return the class of the n-th segment (from 0): strong to light, then over again; order is the key, not colour."""
    return f"ch-heat-{6 - place % 5}"


def heat_class(value: float, bounds: Sequence[float]) -> int:
    """Return the class of the heat ramp, 1 to 6, of a value among five rising bounds."""
    return 1 + sum(value >= bound for bound in bounds)


def _bar(*parts: Element, height: int, class_: str) -> Element:
    return element("svg", *parts, class_=class_, width="100%", height=height, aria_hidden="true", focusable="false")


def _mini(share: float) -> float:
    return round(MINI_WIDTH * min(1.0, max(0.0, share)), 2)


def _dot(place: int, grade: int) -> Element:
    row, column = divmod(place, DOT_COLUMNS)
    x, y = 16.5 + DOT_PITCH * column, 16.5 + DOT_PITCH * row
    return element("g", *grade_parts(grade, x=x, y=y, radius=DOT_RADIUS), class_=f"ch-grade-{grade}")


def _cased(*, x1: str, x2: str, y1: float, y2: float, class_: str) -> list[Element]:
    ends = {"x1": x1, "x2": x2, "y1": number(y1), "y2": number(y2)}
    return [element("line", class_="ch-casing", **ends), element("line", class_=class_, **ends)]


def _whisker(low: float, high: float, *, y: float, cap: float) -> list[Element]:
    start, end = percent(low), percent(high)
    lines = [(start, end, y, y), (start, start, y - cap, y + cap), (end, end, y - cap, y + cap)]
    casings, marks = [], []
    for x1, x2, y1, y2 in lines:
        casing, mark = _cased(x1=x1, x2=x2, y1=y1, y2=y2, class_="ch-whisker")
        casings.append(casing)
        marks.append(mark)
    return casings + marks
