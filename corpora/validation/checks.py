"""Validating a file from its first byte to its last, and reading one that was found right."""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import BinaryIO

from corpora.formats import UnknownFormat, read
from corpora.formats.base import EntryRecord, Envelope, Problem, ReadOptions, shown
from corpora.validation.corpus import CorpusChecks, Counts
from corpora.validation.entries import entry_problems
from corpora.validation.envelope import OPTION_OF, check_envelope
from corpora.validation.languages import normal_tag
from corpora.validation.log import ProblemLog
from corpora.vocabulary import FILE_LIMIT

_BLOCK = 1 << 20
_PROGRESS_EVERY = 5_000


@dataclass(frozen=True, slots=True)
class ValidationOptions:
    """How to read and how strict to be.

    `machine_word_statement` is the curator's written statement that a word of C-5's list means something else.
    `progress` is told the number of entries read so far, now and then.
    """

    read: ReadOptions = field(default_factory=ReadOptions)
    file_limit: int = FILE_LIMIT
    machine_word_statement: str = ""
    progress: Callable[[int], None] | None = None


@dataclass(frozen=True, slots=True)
class Validation:
    """What was found: the envelope in normal form, problems, counts, and the SHA-256 of the bytes as uploaded (64 hex
    digits).
    """

    envelope: Envelope
    log: ProblemLog
    counts: Counts
    raw_sha256: str
    size: int

    @property
    def is_raw_identity(self) -> bool:
        """Whether the raw file alone says everything: then its digest is the identity. Source: SPEC C-6."""
        return not self.envelope.overridden


def validate(stream: BinaryIO, options: ValidationOptions) -> Validation:
    """Read a seekable binary stream to its end and report all its problems; never raises for what is in the file.

    Source: SPEC C-4, C-5.
    """
    log = ProblemLog()
    size, raw_sha256 = _measure(stream)
    if size > options.file_limit:
        problem = Problem("error", "file_too_large", "file", "", str(size), "", {"limit": options.file_limit})
        return _refused(problem, raw_sha256, size)
    try:
        envelope, items = read(stream, options.read)
    except UnknownFormat as unknown:
        return _refused(unknown.problem, raw_sha256, size)
    envelope, problems = check_envelope(envelope, machine_word_statement=options.machine_word_statement)
    log.extend(problems)
    checks = CorpusChecks(*(_usable(tag) for tag in (envelope.source_language, envelope.target_language)))
    is_broken = _check_items(items, checks, log, options)
    log.extend(_closing_problems(envelope, checks.counts, is_broken=is_broken))
    if not is_broken:
        log.extend(checks.summary())
    return Validation(_with_tags(envelope, checks.counts), log, checks.counts, raw_sha256, size)


def checked(stream: BinaryIO, options: ReadOptions) -> Iterator[EntryRecord]:
    """Give the entries of a file in which `validate` found no error. Raises ValueError if one is found after all."""
    _envelope, items = read(stream, options)
    for item in items:
        if isinstance(item, Problem):
            raise ValueError(f"The file changed while it was read: {item.code}.")
        yield item


def _check_items(
    items: Iterator[EntryRecord | Problem], checks: CorpusChecks, log: ProblemLog, options: ValidationOptions
) -> bool:
    """Feed all items to the checks; returns whether the file broke off, which only a problem outside an entry does."""
    is_broken = False
    for item in items:
        if isinstance(item, Problem):
            log.add(item)
            is_broken = is_broken or not item.place.startswith("entry ")
            continue
        log.extend(entry_problems(item, machine_word_statement=options.machine_word_statement))
        log.extend(checks.entry(item))
        if options.progress and checks.counts.total % _PROGRESS_EVERY == 0:
            options.progress(checks.counts.total)
    return is_broken


def _closing_problems(envelope: Envelope, counts: Counts, *, is_broken: bool) -> Iterator[Problem]:
    if is_broken:
        return
    if not counts.total:
        yield Problem("error", "no_entries", "file", "entries")
    elif envelope.provenance_from_entries and not counts.tags and not envelope.provenance:
        option = {"option": OPTION_OF["provenance"]}
        yield Problem("error", "envelope_missing", "envelope", "provenance", "", "", option)
    declared = envelope.entry_count
    if declared is not None and declared != counts.total:
        params = {"count": counts.total}
        yield Problem("warning", "entry_count_differs", "envelope", "entry_count", shown(declared), "", params)


def _with_tags(envelope: Envelope, counts: Counts) -> Envelope:
    if envelope.provenance or not envelope.provenance_from_entries:
        return envelope
    return replace(envelope, provenance=tuple(sorted(counts.tags)))


def _usable(tag: object) -> str:
    return tag if isinstance(tag, str) and normal_tag(tag) else ""


def _measure(stream: BinaryIO) -> tuple[int, str]:
    stream.seek(0)
    digest = hashlib.sha256()
    size = 0
    while block := stream.read(_BLOCK):
        digest.update(block)
        size += len(block)
    return size, digest.hexdigest()


def _refused(problem: Problem, raw_sha256: str, size: int) -> Validation:
    log = ProblemLog()
    log.add(problem)
    return Validation(Envelope(is_complete=False), log, Counts(), raw_sha256, size)
