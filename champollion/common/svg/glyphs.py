"""The signs: one family of shapes per idea, each drawn so that it is told apart without colour.

Circle: what people said of an output. Steps: what a score means. Diamond: who checked. Square: where a process
stands. Octagon: harm. Disc and line: the bar of the acceptance policy. Source: design 1.5, 2.2, 2.3.
"""

from math import sqrt

from champollion.common.svg.element import Element, element, glyph, number

GRADE_SIZE = 24
GRADE_RADIUS = 9.5
#: Where the filling of the glass ends, as a share of the radius below the centre (SVG's y grows downwards).
_FILL_BELOW_CENTRE = {2: 0.3, 3: -0.3}

TIER_WIDTH, TIER_HEIGHT = 34, 20
TIER_CODES = ("baseline", "emerging", "functional", "deployable", "fluent")
STANDINGS = ("", "nominated", "candidate", "in_review")

VERIFICATION_CODES = ("self_benchmarked", "gds_verified", "community_validated")
VERDICT_CODES = ("meets", "not_clear_yet", "does_not_meet", "held")
PROCESS_CODES = ("draft", "open", "closed", "decided", "suspended", "withdrawn")
CLASS_CODES = ("S", "O", "A1", "A2", "X")


def grade_parts(grade: int, *, x: float, y: float, radius: float) -> list[Element]:
    """Draw one grade as a glass filled to its level: the parts of the glyph, and a dot of the array.

    Args:
        grade: 1 reject, 2 gist, 3 acceptable, 4 excellent.
        x, y, radius: centre and radius in user units.

    Raises:
        ValueError: for any other grade.
    """
    if grade not in (1, 2, 3, 4):
        raise ValueError(f"no such grade: {grade}")
    disc = {"cx": number(x), "cy": number(y), "r": number(radius)}
    if grade == 4:
        return [element("circle", class_="ch-g-disc", **disc)]
    if grade == 1:
        return [element("circle", class_="ch-g-disc", **disc), _cross(x, y, 0.38 * radius)]
    return [
        element("circle", class_="ch-g-back", **disc),
        element("path", class_="ch-g-fill", d=_filling(grade, x, y, radius)),
        element("circle", class_="ch-g-ring", **disc),
    ]


def grade(value: int, *, size: float = GRADE_SIZE) -> Element:
    """Draw the glyph of a grade (1 to 4) on the 24 grid, `size` pixels wide."""
    parts = grade_parts(value, x=12, y=12, radius=GRADE_RADIUS)
    drawn = glyph(*parts, width=24, height=24, class_=f"ch-glyph ch-grade-{value}")
    return drawn.with_attributes(width=size, height=size)


def tier(level: int, *, standing: str = "") -> Element:
    """Draw a tier as five rising bars.

    Args:
        level: 0 (none) to 5 (fluent): the public tier, already capped by LAW-1.
        standing: empty, `nominated`, `candidate` or `in_review`: what the next bar says.

    Raises:
        ValueError: for a level or standing outside these.
    """
    if not 0 <= level <= 5 or standing not in STANDINGS:
        raise ValueError(f"no such tier: {level} {standing}")
    bars: list[Element] = []
    for step in range(1, 6):
        bars.extend(_tier_bar(step, level=level, standing=standing))
    return glyph(*bars, width=TIER_WIDTH, height=TIER_HEIGHT, class_=f"ch-steps ch-tier-{level}")


def verification(code: str) -> Element:
    """Draw who checked: a hollow diamond, one with a solid core, or a solid one with a tick."""
    outline = element("path", class_="ch-d-line", d="M10 1.6 18.4 10 10 18.4 1.6 10z")
    parts = {
        "self_benchmarked": [outline],
        "gds_verified": [outline, element("path", class_="ch-d-solid", d="M10 5.6 14.4 10 10 14.4 5.6 10z")],
        "community_validated": [
            element("path", class_="ch-d-solid", d="M10 .8 19.2 10 10 19.2 .8 10z"),
            element("path", class_="ch-cut", d="M6.4 10.2 9 12.8 13.8 7.6"),
        ],
    }
    return glyph(*_known(parts, code), width=20, height=20, class_=f"ch-diamond ch-checked-{code}")


def verdict(code: str, *, size: float = 56) -> Element:
    """Draw what the policy says: a disc above, across or below the line of the bar, or held above it."""
    parts = {
        "meets": [
            element("circle", class_="ch-v-disc", cx=28, cy=19, r=15),
            element("path", class_="ch-cut", d="M21 19.5 26.2 24.7 35.5 14.5"),
            _bar_line(40),
        ],
        "not_clear_yet": [
            element("circle", class_="ch-v-disc", cx=28, cy=24, r=15),
            element("path", class_="ch-v-casing", d="M6 24H50"),
            _bar_line(24),
        ],
        "does_not_meet": [_bar_line(8), element("circle", class_="ch-v-ring", cx=28, cy=29, r=13.5)],
        "held": [
            element("path", class_="ch-v-disc", d="M10 36A18 18 0 0 1 46 36z"),
            element("path", class_="ch-cut", d="M24 25V32M32 25V32"),
            _bar_line(40),
        ],
    }
    drawn = glyph(*_known(parts, code), width=56, height=48, class_=f"ch-verdict-sign ch-verdict-{code}")
    return drawn.with_attributes(width=size, height=size * 48 / 56)


def process(code: str) -> Element:
    """Draw where a process stands: a square, dashed, half filled, barred, ticked, with two bars or struck."""
    square = element("rect", class_="ch-p-line", x=2, y=2, width=16, height=16, rx=2.5)
    parts = {
        "draft": [square.with_attributes(class_="ch-p-line ch-p-dashed")],
        "open": [
            element("path", class_="ch-p-solid", d="M2.5 10H17.5V16A1.5 1.5 0 0 1 16 17.5H4A1.5 1.5 0 0 1 2.5 16z"),
            square,
        ],
        "closed": [square, element("path", class_="ch-p-mark", d="M6 10H14")],
        "decided": [square, element("path", class_="ch-p-mark", d="M6 10.3 8.9 13.2 14.2 7.2")],
        "suspended": [square, element("path", class_="ch-p-mark", d="M8 6.5V13.5M12 6.5V13.5")],
        "withdrawn": [square, element("path", class_="ch-p-mark", d="M3 17 17 3")],
    }
    return glyph(*_known(parts, code), width=20, height=20, class_=f"ch-square ch-process-{code}")


def harm(*, size: float = 20) -> Element:
    """Draw the octagon that marks harm, and nothing else."""
    octagon = element("path", class_="ch-h-line", d="M6.7 1.9H13.3L18.1 6.7V13.3L13.3 18.1H6.7L1.9 13.3V6.7z")
    mark = element("path", class_="ch-h-mark", d="M10 5.6V10.8M10 14V14.1")
    return glyph(octagon, mark, width=20, height=20, class_="ch-octagon").with_attributes(width=size, height=size)


def access(*, secret: bool) -> Element:
    """Draw a closed lock for a secret segment, an open book for a public one."""
    if secret:
        body = element("rect", class_="ch-i-solid", x=4, y=9, width=12, height=9, rx=1.8)
        bow = element("path", class_="ch-i-line", d="M6.5 9V6.5A3.5 3.5 0 0 1 13.5 6.5V9")
        return glyph(body, bow, width=20, height=20, class_="ch-icon ch-access-secret")
    book = element(
        "path",
        class_="ch-i-line",
        d="M10 5.5C8 4 5.3 3.5 2.5 3.8V15.5C5.3 15.2 8 15.7 10 17.2"
        "C12 15.7 14.7 15.2 17.5 15.5V3.8C14.7 3.5 12 4 10 5.5zM10 5.5V17.2",
    )
    return glyph(book, width=20, height=20, class_="ch-icon ch-access-public")


def dependency_class(code: str) -> Element:
    """Draw the letter tile of a method class: S and O solid, A1 a double line, A2 dashed, X filled dark."""
    if code not in CLASS_CODES:
        raise ValueError(f"no such sign: {code}")
    tile = element("rect", class_="ch-c-tile", x=1.5, y=1.5, width=25, height=25, rx=4)
    inner = [element("rect", class_="ch-c-inner", x=4.5, y=4.5, width=19, height=19, rx=2)] if code == "A1" else []
    letter = element("text", code, class_="ch-c-letter", x=14, y=18.6, text_anchor="middle")
    return glyph(tile, *inner, letter, width=28, height=28, class_=f"ch-class ch-class-{code.lower()}")


def logo() -> Element:
    """Draw the cartouche: an oval with two lines of text in it, and the line at its end."""
    return glyph(
        element("rect", class_="ch-i-line", x=1.2, y=2, width=26, height=16, rx=8),
        element("path", class_="ch-i-line", d="M32 1.5V18.5M8.5 7.5H16.5M8.5 12.5H20.5"),
        width=34,
        height=20,
        class_="ch-cartouche",
    )


def _known(parts: dict[str, list[Element]], code: str) -> list[Element]:
    if code not in parts:
        raise ValueError(f"no such sign: {code}")
    return parts[code]


def _bar_line(y: float) -> Element:
    return element("path", class_="ch-v-line", d=f"M6 {number(y)}H50")


def _cross(x: float, y: float, reach: float) -> Element:
    left, right, top, bottom = (number(v) for v in (x - reach, x + reach, y - reach, y + reach))
    return element("path", class_="ch-g-cross", d=f"M{left} {top}L{right} {bottom}M{right} {top}L{left} {bottom}")


def _filling(value: int, x: float, y: float, radius: float) -> str:
    """Return the path of the circle's part below the level of the filling."""
    drop = _FILL_BELOW_CENTRE[value] * radius
    half = sqrt(radius**2 - drop**2)
    large = 1 if drop < 0 else 0
    level, around = number(y + drop), number(radius)
    return f"M{number(x - half)} {level}A{around} {around} 0 {large} 0 {number(x + half)} {level}z"


def _tier_bar(step: int, *, level: int, standing: str) -> list[Element]:
    left, height = 0.7 + 7 * (step - 1), 4.0 * step
    box = {"x": left, "width": 4.6, "rx": 1}
    whole = {**box, "y": TIER_HEIGHT - height + 0.7, "height": height - 1.4}
    if step <= level:
        return [
            element("rect", class_="ch-t-full", x=left - 0.7, y=TIER_HEIGHT - height, width=6, height=height, rx=1.4)
        ]
    if step > level + 1 or not standing:
        return [element("rect", class_="ch-t-empty", **whole)]
    drawn = [element("rect", class_=f"ch-t-next ch-t-{standing.replace('_', '-')}", **whole)]
    if standing == "in_review":
        half = height / 2
        drawn.insert(0, element("rect", class_="ch-t-half", **box, y=TIER_HEIGHT - half, height=half))
    return drawn
