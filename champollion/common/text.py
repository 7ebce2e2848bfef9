"""Comparing texts, showing hidden characters, and finding characters that no corpus or output may hold.

Stored text is never changed by anything here: normal forms are for comparison alone, marks are for people's eyes alone.
"""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

_OVERRIDES = {"\u202d": "LRO", "\u202e": "RLO"}
_EMBEDDINGS = {"\u202a": "LRE", "\u202b": "RLE"}
_ISOLATES = {"\u2066": "LRI", "\u2067": "RLI", "\u2068": "FSI"}
_POP_EMBEDDING = "\u202c"
_POP_ISOLATE = "\u2069"
_PLAIN_CONTROLS = "\t\n\r"

_SHORT_NAMES: dict[str, str] = {
    **_OVERRIDES,
    **_EMBEDDINGS,
    **_ISOLATES,
    _POP_EMBEDDING: "PDF",
    _POP_ISOLATE: "PDI",
    "\u200b": "ZWSP",
    "\u200c": "ZWNJ",
    "\u200d": "ZWJ",
    "\u200e": "LRM",
    "\u200f": "RLM",
    "\u061c": "ALM",
    "\u2060": "WJ",
    "\ufeff": "BOM",
    "\u00ad": "SHY",
    "\u00a0": "NBSP",
    "\u202f": "NNBSP",
    "\u034f": "CGJ",
    "\u2028": "LS",
    "\u2029": "PS",
    "\x00": "NUL",
}


@dataclass(frozen=True)
class ForbiddenCharacter:
    """A character that may not stand in a text: its place (code points from 0), `U+….` and what it is.

    `kind` is `control`, `override`, `embedding` (opened and not closed, or closed and not opened) or `surrogate`.
    """

    position: int
    code_point: str
    kind: str


def collapse_space(text: str) -> str:
    """Trim, and turn each run of Unicode white space (NBSP too) into one space."""
    return " ".join(text.split())


def same_text(first: str, second: str) -> bool:
    """Say whether two texts are the same but for NFC and white space. Source: SPEC R-4."""
    return first == second or collapse_space(nfc(first)) == collapse_space(nfc(second))


def nfc(text: str) -> str:
    """Return `text` in normal form C, for comparison."""
    return unicodedata.normalize("NFC", text)


def normalise_exact(text: str) -> str:
    """Return the form in which exact match compares: NFC, trimmed, lower case, white space collapsed.

    Lower-casing is `str.lower`, not case folding, so “Straße” and “STRASSE” differ.
    Source: SPEC M-1; 90-harness-facts 4.1.
    """
    return collapse_space(nfc(text).strip().lower())


def is_blank(text: str) -> bool:
    """Say whether nothing but white space is left of a text."""
    return not text or text.isspace()


def show_hidden(text: str) -> str:
    """Return `text` with control, bidi, zero-width and other unseen characters as marks such as `⟨RLO⟩` or `⟨U+0007⟩`.

    Line feeds and plain spaces stay. The result holds no character that could change the direction of what follows it.
    """
    return "".join(f"⟨{_hidden_name(char)}⟩" if _is_hidden(char) else char for char in text)


def has_hidden(text: str) -> bool:
    """Say whether `show_hidden` would change the text."""
    return any(_is_hidden(char) for char in text)


def forbidden_characters(text: str) -> list[ForbiddenCharacter]:
    """List the characters of `text` that no corpus text or output may hold, in order of place.

    Control characters but tab, LF and CR; bidi overrides; embeddings without their pop, in one paragraph, and pops
    without their embedding; half surrogates. LRM, RLM, ALM, isolates and joiners are kept. Source: SPEC C-4.
    """
    if text.isprintable():  # no control, format or surrogate character: nearly every text
        return []
    found = [*_forbidden_controls(text), *_unpaired_embeddings(text)]
    return sorted(found, key=lambda one: one.position)


def _forbidden_controls(text: str) -> Iterator[ForbiddenCharacter]:
    for position, char in enumerate(text):
        category = unicodedata.category(char)
        if category == "Cc" and char not in _PLAIN_CONTROLS:
            yield _forbidden(position, char, "control")
        elif category == "Cs":
            yield _forbidden(position, char, "surrogate")
        elif char in _OVERRIDES:
            yield _forbidden(position, char, "override")


def _unpaired_embeddings(text: str) -> Iterator[ForbiddenCharacter]:
    opened: list[tuple[int, str]] = []
    for position, char in enumerate(text):
        if char in _EMBEDDINGS or char in _OVERRIDES or char in _ISOLATES:
            opened.append((position, char))
        elif char == _POP_EMBEDDING:
            if opened and opened[-1][1] not in _ISOLATES:
                opened.pop()
            else:
                yield _forbidden(position, char, "embedding")
        elif char == _POP_ISOLATE and any(one in _ISOLATES for _place, one in opened):
            # What was opened inside the isolate ends with it, so an embedding there has lost its pop.
            while opened[-1][1] not in _ISOLATES:
                yield from _left_open([opened.pop()])
            opened.pop()
        elif char in "\n\u2029":
            yield from _left_open(opened)
            opened.clear()
    yield from _left_open(opened)


def _left_open(opened: list[tuple[int, str]]) -> Iterator[ForbiddenCharacter]:
    for position, char in opened:
        if char in _EMBEDDINGS:  # an override is reported for itself, an open isolate is harmless
            yield _forbidden(position, char, "embedding")


def _forbidden(position: int, char: str, kind: str) -> ForbiddenCharacter:
    return ForbiddenCharacter(position=position, code_point=f"U+{ord(char):04X}", kind=kind)


def _is_hidden(char: str) -> bool:
    return char not in " \n" and (char in _SHORT_NAMES or not char.isprintable())


def _hidden_name(char: str) -> str:
    return _SHORT_NAMES.get(char) or f"U+{ord(char):04X}"
