"""From one object of a file to an EntryRecord: presence and types of the fields.

Values are checked in `corpora.validation`.
"""

from collections.abc import Mapping
from typing import Any

from corpora.formats.base import EntryDefaults, EntryRecord, Problem, shown
from corpora.formats.messages import gettext_noop
from corpora.vocabulary import ID_LIMIT

_TEXT_FIELDS = (
    "register",
    "context",
    "domain",
    "phenomenon",
    "morphological_analysis",
    "notes",
    "variant_class",
)
_KNOWN_FIELDS = frozenset(
    {"id", "source", "reference", "segment", "difficulty", "provenance", "variants", *_TEXT_FIELDS}
)
#: Other names of the two texts that real files use, read where the field itself is absent. Source: 90-harness-facts
#: 9.3.
_ALIASES = {
    "source": ("src", "original", "source_text"),
    "reference": ("target", "translation", "ref", "tgt", "target_text"),
}

A_TEXT = gettext_noop("a text")
AN_ID = gettext_noop("a whole number or a text")
A_LEVEL = gettext_noop("a whole number from 1 to 5")
TEXT_OR_OBJECT = gettext_noop("a text or an object")
LIST_OF_TEXTS = gettext_noop("a list of texts")


def record_from_mapping(
    mapping: Mapping[str, Any], *, number: int, defaults: EntryDefaults
) -> tuple[EntryRecord, list[Problem]]:
    """Make the record of one entry, and list what is missing or of a wrong type.

    The record is made all the same, with stand-ins for faulty fields, so that its other fields can still be checked.
    Null and "" count as absent, except for the two texts, where they are missing or empty. Source: SPEC C-2.
    """
    return _Builder(mapping, number, defaults).build()


class _Builder:
    def __init__(self, mapping: Mapping[str, Any], number: int, defaults: EntryDefaults) -> None:
        self._given = dict(mapping)
        self._number = number
        self._defaults = defaults
        self._problems: list[Problem] = []
        self._faulty: set[str] = set()
        self._id: Any = ""

    def build(self) -> tuple[EntryRecord, list[Problem]]:
        self._id = self._entry_id()
        texts: dict[str, Any] = {name: self._text(name) for name in _TEXT_FIELDS}
        record = EntryRecord(
            number=self._number,
            entry_id=self._id,
            source=self._required_text("source"),
            reference=self._required_text("reference"),
            segment=self._text("segment") or self._defaults.segment,
            difficulty=self._difficulty(),
            provenance=self._provenance(),
            variants=self._variants(),
            **texts,
        )
        record.domain = record.domain or self._defaults.domain
        record.rest = {name: value for name, value in self._given.items() if name not in _KNOWN_FIELDS}
        record.faulty = frozenset(self._faulty)
        return record, self._problems

    def _entry_id(self) -> int | str:
        value = self._given.get("id")
        if value is None or value == "":
            self._fault("missing_field", "id", "")
        elif isinstance(value, bool) or not isinstance(value, (int, str)):
            self._fault("wrong_type", "id", value, expected=AN_ID)
        elif not str(value).strip() or len(str(value)) > ID_LIMIT:
            self._fault("bad_id", "id", value, limit=ID_LIMIT)
        else:
            return value
        return ""

    def _required_text(self, name: str) -> str:
        value = self._with_alias(name)
        if value is None:
            self._fault("missing_field", name, "")
        elif not isinstance(value, str):
            self._fault("wrong_type", name, value, expected=A_TEXT)
        else:
            return value
        return ""

    def _with_alias(self, name: str) -> Any:
        if name not in self._given:
            for alias in _ALIASES[name]:
                if alias in self._given:
                    return self._given.pop(alias)
        return self._given.get(name)

    def _text(self, name: str) -> str | None:
        value = self._given.get(name)
        if value is None or value == "":
            return None
        if not isinstance(value, str):
            self._fault("wrong_type", name, value, expected=A_TEXT)
            return None
        return value

    def _difficulty(self) -> int | None:
        value = self._given.get("difficulty")
        if value is None or value == "":
            return None
        if isinstance(value, bool) or not isinstance(value, int):
            self._fault("bad_difficulty", "difficulty", value)
            return None
        return value

    def _provenance(self) -> str | dict[str, Any] | None:
        value = self._given.get("provenance")
        if value is None or value in ("", {}):
            return None
        if not isinstance(value, (str, dict)):
            self._fault("wrong_type", "provenance", value, expected=TEXT_OR_OBJECT)
            return None
        return value

    def _variants(self) -> tuple[str, ...]:
        value = self._given.get("variants")
        if value is None or value == "":
            return ()
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            self._fault("wrong_type", "variants", value, expected=LIST_OF_TEXTS)
            return ()
        return tuple(value)

    def _fault(self, code: str, name: str, value: Any, **params: Any) -> None:
        self._faulty.add(name)
        self._problems.append(
            Problem("error", code, f"entry {self._number}", name, shown(value), str(self._id)[:ID_LIMIT], params)
        )
