"""What the style page shows of each token, sign, chart and script.

Figures are placeholders that show a form; no method or corpus has them. Letters stand for texts.
"""

from dataclasses import dataclass

from champollion.common.svg import glyphs, icons

_GROUNDS = "paper surface sunken ink muted control line brand brand-strong on-brand brand-tint"
_STATUS = "danger danger-tint warn warn-tint info info-tint halo"
COLOURS = {
    "ground": tuple(f"{_GROUNDS} {_STATUS}".split()),
    "grades": tuple(f"grade-{grade}{part}" for grade in (1, 2, 3, 4) for part in ("", "-line", "-tint")),
    "tiers": tuple(f"tier-{level}" for level in range(1, 6)),
    "checked": ("checked-self", "checked-gds", "checked-community"),
    "heat": tuple(f"heat-{step}" for step in range(1, 7)),
}
SPACES = ((1, 4), (2, 8), (3, 12), (4, 16), (5, 24), (6, 32), (7, 44), (8, 64))


@dataclass(frozen=True)
class Script:
    """Letters of a script as one of its languages writes them; not a text."""

    tag: str
    letters: str


def _letters(first: int, last: int, step: int = 1) -> str:
    return " ".join(chr(code) for code in range(first, last + 1, step))


SCRIPTS = (
    Script("cy", "a b c ch d dd e f ff g ng h i j l ll m n o p ph r rh s t th u w y â ê î ô û ŵ ŷ"),
    Script("yo", "a b d e ẹ f g gb h i j k l m n o ọ p r s ṣ t u w y á à ẹ́ ẹ̀ ọ́ ọ̀ ń ǹ"),
    Script("crk", _letters(0x1401, 0x141F, 2)),
    Script("iu", _letters(0x144E, 0x146B, 2)),
    Script("chr", _letters(0x13A0, 0x13BC)),
    Script("am", _letters(0x1200, 0x1260, 8) + " " + _letters(0x1270, 0x12F0, 16)),
    Script("ar", _letters(0x0627, 0x063A)),
    Script("ur", _letters(0x0627, 0x063A)),
    Script("hi", _letters(0x0905, 0x090C) + " " + _letters(0x0915, 0x0924)),
    Script("km", _letters(0x1780, 0x1796)),
    Script("zgh", _letters(0x2D30, 0x2D4D, 2)),
    Script("ff-Adlm", _letters(0x1E900, 0x1E91B, 2)),
    Script("ja", _letters(0x3042, 0x3062, 2)),
)
#: An override, a zero-width space and a pop: what a curator sees of a text that hides something.
HIDDEN = "abc \u202edef\u202c ghi\u200bjkl"

DOTS = {4: 46, 3: 38, 2: 11, 1: 5}


def everything() -> dict[str, object]:
    """Return all samples for the template."""
    return {
        "themes": ("light", "dark"),
        "colours": COLOURS,
        "spaces": SPACES,
        "scripts": SCRIPTS,
        "hidden": HIDDEN,
        "dots": DOTS,
        "strata": _strata(),
        "parts": _parts(),
        "composite": 0.6534,
        "icons": sorted(icons.PATHS),
        "classes": glyphs.CLASS_CODES,
        "verdicts": glyphs.VERDICT_CODES,
    }


def _strata() -> list[dict[str, object]]:
    rows = (
        ("1", 11, 5, 17, (0.73, 0.99), False, False),
        ("2", 15, 9, 26, (0.76, 0.98), False, False),
        ("3", 11, 10, 24, (0.69, 0.96), False, False),
        ("4", 3, 2, 7, None, False, True),
        ("5", 3, 5, 14, None, True, False),
    )
    keys = ("label", "excellent", "acceptable", "total", "interval", "census", "thin")
    return [{"name": "", **dict(zip(keys, row, strict=True))} for row in rows]


def _parts() -> list[dict[str, object]]:
    rows = (
        ("chrF++", 0.642, 0.417, 0.2677),
        ("Code-switching", 0.97, 0.25, 0.2425),
        ("Exact match", 0.21, 0.167, 0.0351),
        ("Hallucination", 0.65, 0.166, 0.1081),
    )
    return [dict(zip(("name", "value", "weight", "adds"), row, strict=True)) for row in rows]
