"""The words of an output, with their places, so that a rater can mark those at fault. Pure. Source: SPEC V-5."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_RUN = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Word:
    """A word between white space: its place [start, end) in code points, and whether a mark touches it."""

    start: int
    end: int
    text: str
    is_marked: bool

    @property
    def value(self) -> str:
        """Return the place as a form sends it, such as "12-17"."""
        return f"{self.start}-{self.end}"


def words_of(text: str, *, marks: Iterable[Sequence[int]]) -> tuple[Word, ...]:
    """Return the words of a text in order; a script without spaces gives one word a run.

    Args:
        marks: [start, end) places in code points.
    """
    places = [(start, end) for start, end in marks]
    return tuple(
        Word(
            found.start(),
            found.end(),
            found.group(),
            any(start < found.end() and end > found.start() for start, end in places),
        )
        for found in _RUN.finditer(text)
    )


def mark_read(value: str) -> list[int] | None:
    """Return the place that a form sent as "12-17", or None if it is none."""
    start, _dash, end = value.partition("-")
    return [int(start), int(end)] if start.isascii() and start.isdigit() and end.isascii() and end.isdigit() else None
