"""A stored version as records and as files: the way back out of the database.

What is read here is read for work, not for a person; who may get the outcome is the caller's question.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from corpora import access
from corpora.access import EntryText
from corpora.constants import PUBLIC_SEGMENTS
from corpora.formats.base import EntryDefaults, EntryRecord, Envelope
from corpora.formats.canonical import canonical_lines, public_lines
from corpora.formats.language_pair import pair_label
from corpora.formats.records import record_from_mapping
from corpora.models import CorpusVersion, Entry
from corpora.vocabulary import is_secret

_CHUNK = 2_000
#: The parts of an entry that are columns of their own; the others lie in `fields`.
COLUMNS = ("id", "source", "reference", "segment", "difficulty", "domain", "register", "context")


def record_of(text: EntryText) -> EntryRecord:
    """Return an opened entry as the record that was imported."""
    entry = text.entry
    mapping: dict[str, Any] = {
        **text.fields,
        "id": int(entry.entry_id) if entry.id_is_integer else entry.entry_id,
        "source": text.source,
        "reference": text.reference,
        "segment": entry.segment,
        "difficulty": entry.difficulty,
        "domain": entry.domain,
        "register": entry.register,
        "context": entry.context,
    }
    record, _problems = record_from_mapping(mapping, number=entry.position, defaults=EntryDefaults())
    return record


def version_records(version: CorpusVersion, *, segments: Iterable[str] = ()) -> Iterator[EntryRecord]:
    """Give a version's entries as records, in the order of the file; of some segments only, if named."""
    entries = Entry.objects.filter(version=version).order_by("position")
    wanted = [str(segment) for segment in segments]
    if wanted:
        entries = entries.filter(segment__in=wanted)
    texts = access.open_entries(entries.iterator(chunk_size=_CHUNK), version.corpus)
    return map(record_of, texts)


def version_envelope(version: CorpusVersion) -> Envelope:
    """Return the envelope of a stored version."""
    corpus = version.corpus
    return Envelope(
        id=corpus.corpus_id,
        version=version.version,
        source_language=corpus.source_language,
        target_language=corpus.target_language,
        created=version.created_as_given,
        license=version.license,
        provenance=tuple(version.provenance_tags),
        pair_label=pair_label(corpus.source_language, corpus.target_language),
        rest=dict(version.envelope),
    )


def has_secret_entries(version: CorpusVersion) -> bool:
    """Say whether a version holds secret segments."""
    segments = Entry.objects.filter(version=version).order_by().values_list("segment", flat=True).distinct()
    return any(is_secret(segment) for segment in segments)


def public_edition(version: CorpusVersion) -> Iterator[bytes]:
    """Give the public edition of a version in pieces; its digest is `public_sha256`. Source: SPEC C-6."""
    records = version_records(version, segments=PUBLIC_SEGMENTS)
    return public_lines(version_envelope(version), records, has_secret=has_secret_entries(version))


def full_edition(version: CorpusVersion) -> Iterator[bytes]:
    """Give the whole version as canonical JSON, secret text included; its digest is `canonical_sha256`."""
    return canonical_lines(version_envelope(version), version_records(version))
