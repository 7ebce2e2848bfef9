"""The JSON shapes of C-3: `dataset` and `entries`, the flat envelope of real harness files, a bare array.

The file is read twice: once for the envelope, which real files write after the entries, and once for the entries.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, BinaryIO

from champollion.common.canonical import EncodingProblem
from corpora.formats.base import EntryDefaults, Envelope, Item, Problem, ReadOptions, shown
from corpora.formats.json_stream import VALUE_LIMIT, JsonProblem, JsonStream
from corpora.formats.language_pair import read_pair
from corpora.formats.messages import gettext_noop
from corpora.formats.records import record_from_mapping
from corpora.vocabulary import DEFAULT_SEGMENT

_OVERRIDABLE = ("id", "version", "source_language", "target_language", "license", "created", "provenance")
_AN_OBJECT = gettext_noop("an object")


class JsonFormat:
    """Reader of the three JSON shapes."""

    name = "json"

    def recognises(self, head: bytes) -> bool:
        """Say whether the first bytes open an object or array, in any encoding that is read."""
        text = head.replace(b"\x00", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n")
        return text[:1] in (b"{", b"[")

    def read(self, stream: BinaryIO, options: ReadOptions) -> tuple[Envelope, Iterator[Item]]:
        """Read the envelope, with the options laid over it, and give the entries as they are read.

        A place where the file cannot be read on is a Problem at the end of the items; what was read before it still
        comes.
        """
        envelope = _apply_options(_read_envelope(stream), options)
        # A segment that is no text is reported with the envelope; the entries then fall back as if it were absent.
        given = envelope.segment if isinstance(envelope.segment, str) else ""
        defaults = EntryDefaults(segment=given or DEFAULT_SEGMENT, domain=options.domain or None)
        return envelope, _items(stream, defaults)


def _items(stream: BinaryIO, defaults: EntryDefaults) -> Iterator[Item]:
    number = 0
    try:
        for value in _entry_values(JsonStream(stream)):
            number += 1
            if not isinstance(value, dict):
                yield Problem("error", "not_an_object", f"entry {number}", "", shown(value))
                continue
            record, problems = record_from_mapping(value, number=number, defaults=defaults)
            yield from problems
            yield record
    except JsonProblem as problem:
        yield _json_problem(problem)
    except EncodingProblem as problem:
        yield _encoding_problem(problem)


def _entry_values(stream: JsonStream) -> Iterator[Any]:
    if stream.peek() == "[":
        yield from stream.array()
    else:
        for key in stream.members():
            if key == "entries" and stream.peek() == "[":
                yield from stream.array()
            else:
                stream.value()
    stream.end()


def _read_envelope(stream: BinaryIO) -> Envelope:
    fields: dict[str, Any] = {}
    is_complete = True
    try:
        source = JsonStream(stream)
        if source.peek() == "[":
            return Envelope()
        for key in source.members():
            if key == "entries" and source.peek() == "[":
                for _value in source.array():
                    pass
            else:
                fields[key] = source.value()
    except (JsonProblem, EncodingProblem):
        is_complete = False  # said once, when the entries are read
    dataset = fields.get("dataset")
    envelope = _nested_envelope(dataset) if isinstance(dataset, dict) else _flat_envelope(fields)
    return replace(envelope, is_complete=is_complete)


def _nested_envelope(dataset: dict[str, Any]) -> Envelope:
    given = dict(dataset)
    pair = given.pop("language_pair", None)
    label, source, target = read_pair(pair)
    provenance = given.pop("provenance", ())
    return Envelope(
        id=given.pop("id", ""),
        version=given.pop("version", ""),
        source_language=_first(given, "source_language", "source_lang") or source,
        target_language=_first(given, "target_language", "target_lang") or target,
        created=given.pop("created", ""),
        license=given.pop("license", ""),
        provenance=tuple(provenance) if isinstance(provenance, list) else provenance,
        segment=given.pop("segment", ""),
        pair_label=label,
        raw_pair=pair,
        entry_count=given.pop("entry_count", None),
        rest=given,
    )


def _flat_envelope(fields: dict[str, Any]) -> Envelope:
    given = {name: value for name, value in fields.items() if name != "entries"}
    pair = given.pop("language_pair", None)
    label, source, target = read_pair(pair)
    provenance = given.get("provenance")
    about = provenance if isinstance(provenance, dict) else {}
    tags = tuple(given.pop("provenance")) if isinstance(provenance, list) else ()
    if about:  # what made the file, not the tags of its entries: given back under a name of its own
        given["provenance_details"] = given.pop("provenance")
    return Envelope(
        id=_first(given, "corpus_id", "id"),
        version=given.pop("version", ""),
        source_language=_first(given, "source_language", "source_lang") or source,
        target_language=_first(given, "target_language", "target_lang") or target,
        created=given.pop("created", ""),
        license=given.pop("license", "") or about.get("license", ""),
        provenance=tags,
        segment=given.pop("segment", ""),
        pair_label=label,
        raw_pair=pair,
        provenance_from_entries=not tags,
        provenance_notes=tuple(str(about[name]) for name in ("source_adapter", "builder") if about.get(name)),
        entry_count=given.pop("entry_count", None),
        rest=given,
    )


def _apply_options(envelope: Envelope, options: ReadOptions) -> Envelope:
    changed = {
        name: getattr(options, name)
        for name in _OVERRIDABLE
        if getattr(options, name) and getattr(options, name) != getattr(envelope, name)
    }
    if options.segment and options.segment != (envelope.segment or DEFAULT_SEGMENT):
        changed["segment"] = options.segment
    overridden = (*changed, *(("domain",) if options.domain else ()))
    is_bare = not (envelope.id or envelope.provenance or envelope.provenance_from_entries)
    from_entries = (envelope.provenance_from_entries or is_bare) and not options.provenance
    return replace(envelope, **changed, overridden=overridden, provenance_from_entries=from_entries)


def _first(given: dict[str, Any], *names: str) -> Any:
    for name in names:
        value = given.pop(name, "")
        if value not in ("", None):
            return value
    return ""


def _json_problem(problem: JsonProblem) -> Problem:
    place = f"line {problem.line}, column {problem.column}"
    params = {"reason": problem.reason, "limit": VALUE_LIMIT}
    return Problem("error", problem.code, place, "", shown(problem.value), "", params)


def _encoding_problem(problem: EncodingProblem) -> Problem:
    params = {"offset": problem.offset, "line": problem.line, "encoding": problem.encoding.upper()}
    return Problem("error", "bad_encoding", f"line {problem.line}", "", "", "", params)
