"""Problems of a run's document: collected, and raised together."""

import dataclasses
from collections.abc import Iterator
from typing import Any

from champollion.common.errors import ProblemList
from leaderboard.cards.messages import REMEDIES, SUMMARY

_VALUE_SHOWN = 120


@dataclasses.dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong: its stable `code`, where (`card`, `result 3`, `line 5`), field, value and remedy.

    `params` fill the text of the remedy, so that it can be shown in another language: `REMEDIES[code] % params`.
    The value may be secret text: show it to the uploader alone and log the code only (LAW-2).
    """

    code: str
    place: str
    field: str = ""
    value: str = ""
    params: dict[str, Any] = dataclasses.field(default_factory=dict)

    @property
    def remedy(self) -> str:
        """What would be right, in English."""
        return REMEDIES[self.code] % self.params

    def to_dict(self) -> dict[str, str]:
        """Return the problem as plain texts, for machines."""
        return {
            "code": self.code,
            "place": self.place,
            "field": self.field,
            "value": self.value,
            "remedy": self.remedy,
        }


class CardProblems(ProblemList):
    """All problems of a document. `problems` is a non-empty list of `Problem`; the message holds no value of it."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__("card.problems", SUMMARY, problems)

    @property
    def codes(self) -> list[str]:
        """The stable codes, in order."""
        return [problem.code for problem in self.problems]


class Problems:
    """A collector: add what is wrong, go on reading, raise everything at the end."""

    def __init__(self) -> None:
        self._found: list[Problem] = []

    def __iter__(self) -> Iterator[Problem]:
        return iter(self._found)

    def add(self, code: str, place: str, field: str = "", value: Any = "", **params: Any) -> None:
        """Note one problem; the value is shortened for show."""
        self._found.append(Problem(code=code, place=place, field=field, value=shown(value), params=params))

    def __len__(self) -> int:
        return len(self._found)

    def raise_any(self) -> None:
        """Raise CardProblems if anything was noted."""
        if self._found:
            raise CardProblems(list(self._found))

    def stop(self, code: str, place: str, field: str = "", value: Any = "", **params: Any) -> CardProblems:
        """Note a problem after which nothing can be read, and return the error to raise."""
        self.add(code, place, field, value, **params)
        return CardProblems(list(self._found))


def shown(value: Any) -> str:
    """Return a value as a short text: texts as they are, other things as Python shows them."""
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= _VALUE_SHOWN else text[:_VALUE_SHOWN] + "…"
