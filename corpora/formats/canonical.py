"""The canonical JSON of a corpus version: the export that reads back the same, and the text under its digest.

One line for the envelope, one for each entry, keys sorted, UTF-8, LF. The full edition holds everything; the public
edition holds the public segments, and of a corpus with secret ones only the known fields of the envelope. The harness
reads both.
Source: SPEC C-3, C-6; 90-harness-facts 9.2.
"""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from champollion.common.canonical import canonical_json
from corpora.formats.base import EntryRecord, Envelope
from corpora.vocabulary import is_secret

_OPTIONAL_FIELDS = (
    "difficulty",
    "provenance",
    "register",
    "context",
    "domain",
    "phenomenon",
    "morphological_analysis",
    "notes",
    "variant_class",
)
#: Fields of real envelopes that say something about the whole file, which is no longer true of an edition of it.
_NOT_GIVEN_BACK = frozenset({"dataset", "entries", "entry_count"})


def entry_to_dict(record: EntryRecord) -> dict[str, Any]:
    """Return the entry as the specification's JSON object, unknown fields included, absent ones left out."""
    made = dict(record.rest)
    made.update(id=record.entry_id, source=record.source, reference=record.reference, segment=record.segment)
    for name in _OPTIONAL_FIELDS:
        value = getattr(record, name)
        if value is not None:
            made[name] = value
    if record.variants:
        made["variants"] = list(record.variants)
    return made


def envelope_to_dict(envelope: Envelope) -> dict[str, Any]:
    """Return the `dataset` object.

    The language pair is written as an object, which the harness reads and an arrow is not.
    """
    made = {name: value for name, value in envelope.rest.items() if name not in _NOT_GIVEN_BACK}
    made.update(
        id=envelope.id,
        version=envelope.version,
        language_pair={"source": envelope.source_language, "target": envelope.target_language},
        source_language=envelope.source_language,
        target_language=envelope.target_language,
        created=envelope.created,
        license=envelope.license,
        provenance=list(envelope.provenance),
    )
    return made


def canonical_lines(envelope: Envelope, entries: Iterable[EntryRecord]) -> Iterator[bytes]:
    """Give the full edition in pieces; joined they are the file."""
    yield b'{"dataset": ' + canonical_json(envelope_to_dict(envelope)) + b', "entries": ['
    separator = b"\n"
    for record in entries:
        yield separator + canonical_json(entry_to_dict(record))
        separator = b",\n"
    yield b"\n]}\n"


def public_lines(envelope: Envelope, entries: Iterable[EntryRecord], *, has_secret: bool) -> Iterator[bytes]:
    """Give the public edition in pieces.

    `has_secret` says whether the version holds secret segments: then unknown fields of the envelope stay out, since
    nobody has said that they are public. Without secret segments the public edition is the full one. Source: SPEC C-6,
    LAW-2.
    """
    public = (record for record in entries if not is_secret(record.segment))
    return canonical_lines(replace(envelope, rest={}) if has_secret else envelope, public)


def digest_of(pieces: Iterable[bytes]) -> str:
    """Return the SHA-256 of the joined pieces as 64 hex digits."""
    digest = hashlib.sha256()
    for piece in pieces:
        digest.update(piece)
    return digest.hexdigest()
