"""Where two texts differ, character by character, for underlining. Pure."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

#: Longer texts are compared word by word: the time grows with the square of the number of units.
LONGEST_BY_CHARACTER = 1_500
#: Beyond this nothing is compared and all of both counts as different.
MOST_UNITS = 6_000
#: So few equal characters between two differences would only break the underline up.
SHORTEST_EQUAL = 2
_JOINERS = ("\u200c", "\u200d")


@dataclass(frozen=True)
class Part:
    """A piece of a text, and whether the other text lacks it."""

    text: str
    differs: bool


def text_difference(first: str, second: str) -> tuple[list[Part], list[Part]]:
    """Return both texts in parts; the parts of each, joined, are the text.

    A letter stays whole with its combining marks.
    """
    if first == second:
        return _one(first, differs=False), _one(second, differs=False)
    by_character = max(len(first), len(second)) <= LONGEST_BY_CHARACTER
    units = [characters(text) if by_character else _words(text) for text in (first, second)]
    if max(map(len, units)) > MOST_UNITS:
        return _one(first, differs=True), _one(second, differs=True)
    one, other = _marked(units[0], units[1], shortest=SHORTEST_EQUAL if by_character else 1)
    return _parts(units[0], one), _parts(units[1], other)


def characters(text: str) -> list[str]:
    """Split a text into letters with their combining marks and joiners."""
    found: list[str] = []
    for char in text:
        joins = unicodedata.category(char).startswith("M") or char in _JOINERS
        if found and (joins or found[-1].endswith("\u200d")):
            found[-1] += char
        else:
            found.append(char)
    return found


def _words(text: str) -> list[str]:
    found: list[str] = []
    for char in text:
        if found and found[-1][-1].isspace() == char.isspace():
            found[-1] += char
        else:
            found.append(char)
    return found


def _marked(first: Sequence[str], second: Sequence[str], *, shortest: int) -> tuple[list[bool], list[bool]]:
    """Say of each unit whether it differs."""
    one, other = [True] * len(first), [True] * len(second)
    for start, other_start, size in SequenceMatcher(None, first, second, autojunk=False).get_matching_blocks():
        at_edge = start == other_start == 0 or (start + size, other_start + size) == (len(first), len(second))
        if size >= shortest or at_edge:
            one[start : start + size] = [False] * size
            other[other_start : other_start + size] = [False] * size
    return one, other


def _parts(units: Sequence[str], marks: Sequence[bool]) -> list[Part]:
    parts: list[Part] = []
    for unit, differs in zip(units, marks, strict=True):
        if parts and parts[-1].differs == differs:
            parts[-1] = Part(parts[-1].text + unit, differs)
        else:
            parts.append(Part(unit, differs))
    return parts


def _one(text: str, *, differs: bool) -> list[Part]:
    return [Part(text, differs)] if text else []
