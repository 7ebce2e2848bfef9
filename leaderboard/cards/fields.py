"""Taking values out of parsed JSON with their types checked, noting what is wrong."""

import re
from collections.abc import Mapping
from typing import Any

from leaderboard.cards.problems import Problems

_DIGEST = re.compile(r"[0-9a-f]{64}")
_MISSING = object()


class Fields:
    """A JSON object being read: `place` names it in problems, `prefix` its fields."""

    def __init__(self, data: Any, place: str, problems: Problems, *, prefix: str = "") -> None:
        self.place = place
        self.prefix = prefix
        self._problems = problems
        self._data: Mapping[str, Any] = data if isinstance(data, Mapping) else {}
        if not isinstance(data, Mapping) and data is not None:
            self.note("not_object", "", data)

    def text(self, name: str) -> str | None:
        """Return a text, None where absent, null or empty."""
        value = self._data.get(name)
        if value is None or value == "":
            return None
        if not isinstance(value, str):
            self.note("not_text", name, value)
            return None
        return value

    def any_text(self, name: str) -> str | None:
        """Return a text or a number's text, None where absent, null or empty: versions, dates, ids."""
        value = self._data.get(name)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return repr(value)
        return self.text(name)

    def number(self, name: str) -> float | None:
        """Return a number, None where absent or null."""
        value = self._data.get(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float):
            self.note("not_number", name, value)
            return None
        return value

    def whole(self, name: str) -> int | None:
        """Return a whole number, None where absent or null."""
        value = self.number(name)
        if value is None:
            return None
        if value != int(value):
            self.note("not_whole", name, value)
            return None
        return int(value)

    def within(self, name: str, low: float, high: float) -> float | None:
        """Return a number of a range; one over a range 0-1 is told to be a percentage."""
        value = self.number(name)
        if value is None or low <= value <= high:
            return value
        if high == 1 and value > 1:
            self.note("rate_over_one", name, value)
        else:
            self.note("out_of_range", name, value, low=low, high=high)
        return None

    def digest(self, name: str) -> str | None:
        """Return a SHA-256 in lower case, None where absent, null or empty."""
        value = self.text(name)
        if value is None:
            return None
        if not _DIGEST.fullmatch(value):
            self.note("bad_digest", name, value)
            return None
        return value

    def require(self, name: str, *, empty_is_given: bool = False, null_is_given: bool = False) -> None:
        """Note a field that is not given."""
        value = self._data.get(name, _MISSING)
        given = value is not _MISSING and (value is not None or null_is_given) and (value != "" or empty_is_given)
        if not given:
            self.note("missing_field", name)

    def inner(self, name: str) -> "Fields":
        """Return the object under a name, an empty one where absent or null."""
        return Fields(self._data.get(name), self.place, self._problems, prefix=f"{self.prefix}{name}.")

    def raw(self, name: str) -> Any:
        """Return the value as parsed."""
        return self._data.get(name)

    def note(self, code: str, name: str, value: Any = "", **params: Any) -> None:
        """Note a problem with the field `name`."""
        self._problems.add(code, self.place, f"{self.prefix}{name}".rstrip("."), value, **params)
