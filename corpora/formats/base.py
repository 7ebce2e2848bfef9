"""What every corpus format gives: an envelope, entries and problems. Pure: no Django, no storage."""

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO, Literal, Protocol

from corpora.formats.messages import REMEDIES
from corpora.vocabulary import DEFAULT_SEGMENT

Severity = Literal["error", "warning"]
EntryId = int | str

_VALUE_SHOWN = 120


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong (error) or doubtful (warning) in a file.

    `place` is where (`entry 12`, `line 3`, `envelope`, `corpus`), `value` what stands there, shortened, `code` the
    stable name of the kind. `params` fill the text of `remedy`. The value may be secret text: show it to the uploader
    alone and log the code only.
    """

    severity: Severity
    code: str
    place: str
    field: str = ""
    value: str = ""
    entry_id: str = ""
    params: dict[str, Any] = dataclasses.field(default_factory=dict)

    @property
    def remedy(self) -> str:
        """What would be right, in English; `corpora.labels.problem_text` gives it in the reader's language."""
        return REMEDIES[self.code] % self.params

    def to_dict(self) -> dict[str, str]:
        """Return the problem as plain texts, for machines."""
        return {
            "severity": self.severity,
            "code": self.code,
            "place": self.place,
            "entry_id": self.entry_id,
            "field": self.field,
            "value": self.value,
            "remedy": self.remedy,
        }


def shown(value: Any) -> str:
    """Return a value as a short text for a problem: texts as they are, other things as Python shows them."""
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= _VALUE_SHOWN else text[:_VALUE_SHOWN] + "…"


@dataclass(slots=True)
class Envelope:
    """What a file says about the corpus as a whole; "" where it says nothing.

    `provenance` holds the tags used; `rest` the unknown fields, given back on export. `pair_label` is the label as
    given, or made of the two languages. `is_complete` is false where the file broke off before all of it was read: then
    nothing may be called missing. `overridden` names what the options changed or added, so that the raw file alone no
    longer says it (C-6).
    Source: SPEC C-1, C-3.
    """

    id: Any = ""
    version: Any = ""
    source_language: Any = ""
    target_language: Any = ""
    created: Any = ""
    license: Any = ""
    provenance: Any = ()
    segment: Any = ""
    pair_label: str = ""
    raw_pair: Any = None
    provenance_from_entries: bool = False
    provenance_notes: tuple[str, ...] = ()
    entry_count: Any = None
    rest: dict[str, Any] = dataclasses.field(default_factory=dict)
    overridden: tuple[str, ...] = ()
    is_complete: bool = True


@dataclass(slots=True)
class EntryRecord:
    """One entry as the file gives it; fields that are absent, null or an empty text are None. Source: SPEC C-2.

    `number` counts entries from 1. `entry_id` keeps its JSON type. `segment` is the entry's own, else the envelope's,
    else `development`. `faulty` names the fields that had a problem of type or presence, whose value here is only a
    stand-in.
    """

    number: int
    entry_id: EntryId
    source: str
    reference: str
    segment: str
    difficulty: int | None = None
    provenance: str | dict[str, Any] | None = None
    register: str | None = None
    context: str | None = None
    domain: str | None = None
    phenomenon: str | None = None
    morphological_analysis: str | None = None
    notes: str | None = None
    variant_class: str | None = None
    variants: tuple[str, ...] = ()
    rest: dict[str, Any] = dataclasses.field(default_factory=dict)
    faulty: frozenset[str] = frozenset()

    @property
    def key(self) -> str:
        """The id as text: how ids are compared, so that 1 and "1" are the same. Source: SPEC C-4."""
        return str(self.entry_id)

    @property
    def place(self) -> str:
        return f"entry {self.number}"


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """What the uploader says beside the file; "" where nothing. Options override the envelope. Source: SPEC I-5.

    `segment` and `domain` stand in for entries that name none of their own.
    """

    format: str = ""
    segment: str = ""
    id: str = ""
    version: str = ""
    source_language: str = ""
    target_language: str = ""
    license: str = ""
    domain: str = ""
    created: str = ""
    provenance: tuple[str, ...] = ()


Item = EntryRecord | Problem


class Format(Protocol):
    """A reader of one file format, found by content.

    `recognises` gets the first bytes of the file. `read` takes a seekable binary stream at its start and gives the
    envelope and the entries as they are read, with problems of form in between; memory does not grow with the file.
    """

    name: str

    def recognises(self, head: bytes) -> bool: ...

    def read(self, stream: BinaryIO, options: ReadOptions) -> tuple[Envelope, Iterator[Item]]: ...


@dataclass(frozen=True, slots=True)
class EntryDefaults:
    """What an entry takes over where it says nothing itself."""

    segment: str = DEFAULT_SEGMENT
    domain: str | None = None
