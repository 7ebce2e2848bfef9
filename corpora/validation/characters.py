"""Characters and lengths of texts, also inside lists and objects. Source: SPEC C-4."""

from collections.abc import Iterator
from typing import Any

from champollion.common.text import ForbiddenCharacter, forbidden_characters, show_hidden
from corpora.formats.base import Problem, shown

_CODE_OF = {
    "control": "control_character",
    "surrogate": "surrogate",
    "override": "bidi_override",
    "embedding": "bidi_unpaired",
}


def character_problems(place: str, entry_id: str, name: str, value: Any) -> Iterator[Problem]:
    """Give one error for each forbidden character that a text, or a text inside a list or object, holds; repeats are
    left out.
    """
    if isinstance(value, str):
        if not value.isprintable():
            yield from _text_problems(place, entry_id, name, value)
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from character_problems(place, entry_id, name, key)
            yield from character_problems(place, entry_id, f"{name}.{show_hidden(key)}", inner)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from character_problems(place, entry_id, name, inner)


def length_problem(place: str, entry_id: str, name: str, text: str, limit: int) -> Problem | None:
    """Return the error of a text with more than `limit` characters."""
    if len(text) <= limit:
        return None
    params = {"length": len(text), "limit": limit}
    return Problem("error", "text_too_long", place, name, printable(text), printable(entry_id), params)


def printable(text: str) -> str:
    """Return a text for a problem's value: shortened, with hidden characters as marks, so that it can be shown and
    stored.
    """
    return show_hidden(shown(text))


def _text_problems(place: str, entry_id: str, name: str, text: str) -> Iterator[Problem]:
    told: set[str] = set()
    for char in forbidden_characters(text):
        if char.code_point not in told:
            told.add(char.code_point)
            yield _character_problem(place, entry_id, name, text, char)


def _character_problem(place: str, entry_id: str, name: str, text: str, char: ForbiddenCharacter) -> Problem:
    # The part around the character, since it may stand far into a long text.
    around = text[max(0, char.position - 20) : char.position + 20]
    params = {"code_point": char.code_point, "position": char.position + 1}
    return Problem("error", _CODE_OF[char.kind], place, name, printable(around), printable(entry_id), params)
