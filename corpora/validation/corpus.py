"""Checks over all entries of a file together, fed one entry at a time. Source: SPEC C-4.

Texts are remembered by a 64-bit hash of their comparison form, so that memory grows by a few machine words an entry,
not by its text.
"""

import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from champollion.common.text import collapse_space, nfc
from corpora.formats.base import EntryRecord, Problem
from corpora.validation.entries import printable, problem_of, warning_of
from corpora.validation.languages import scripts_of
from corpora.validation.scripts import foreign_letters
from corpora.vocabulary import (
    CONTEXTS,
    DIFFICULTIES,
    MIDDLE_DIFFICULTIES,
    MINIMUM_SIZES,
    REGISTERS,
    SEGMENTS,
    is_secret,
)

# More distinct unknown codes than this are counted, not named.
_NAMED_CODES = 500
_LETTERS_SHOWN = 12


@dataclass
class Counts:
    """How many entries there are, by what; `cells` by segment, difficulty, domain and register (None or "" where not
    given).
    """

    total: int = 0
    cells: Counter[tuple[str, int | None, str, str]] = field(default_factory=Counter)
    tags: Counter[str] = field(default_factory=Counter)
    without_provenance: int = 0

    def by(self, place: int) -> Counter[object]:
        """Count by one part of the cells: 0 segment, 1 difficulty, 2 domain, 3 register."""
        counted: Counter[object] = Counter()
        for cell, number in self.cells.items():
            counted[cell[place]] += number
        return counted

    @property
    def has_secret(self) -> bool:
        return any(is_secret(cell[0]) for cell in self.cells)


@dataclass
class _First:
    """The first entry of a kind, and how many there are."""

    record: EntryRecord
    count: int = 0
    letters: str = ""


class CorpusChecks:
    """Feed every record to `entry`, then ask `summary` once."""

    def __init__(self, source_language: str, target_language: str) -> None:
        self.counts = Counts()
        self._scripts = {
            "source": scripts_of(source_language) if source_language else frozenset[str](),
            "reference": scripts_of(target_language) if target_language else frozenset[str](),
        }
        self._ids: dict[int, int] = {}
        self._pairs: dict[bool, dict[int, tuple[int, str]]] = {False: {}, True: {}}
        self._sources: dict[int, tuple[int, int, str | None]] = {}
        self._composed: dict[str, bool] = {"source": False, "reference": False}
        self._decomposed: dict[str, _First] = {}
        self._foreign: dict[tuple[str, str], _First] = {}
        self._codes: dict[tuple[str, str], _First] = {}

    def entry(self, record: EntryRecord) -> Iterator[Problem]:
        """Take in one entry and give the problems that it has with earlier ones."""
        self._count(record)
        self._note_texts(record)
        self._note_code(record, "register", record.register, REGISTERS)
        self._note_code(record, "context", record.context, CONTEXTS)
        yield from self._id_problems(record)
        if record.source and record.reference:
            yield from self._pair_problems(record)

    def summary(self) -> Iterator[Problem]:
        """Give the warnings about the corpus as a whole."""
        yield from self._code_warnings()
        yield from self._text_warnings()
        if self.counts.total:
            yield from _provenance_and_domain(self.counts)
            yield from _sizes(self.counts)
            yield from _levels(self.counts)
            yield from _registers(self.counts)

    def _count(self, record: EntryRecord) -> None:
        counts = self.counts
        counts.total += 1
        cell = (record.segment, record.difficulty, record.domain or "", record.register or "")
        counts.cells[cell] += 1
        tag = provenance_tag(record)
        if tag:
            counts.tags[tag] += 1
        if record.provenance is None:
            counts.without_provenance += 1

    def _id_problems(self, record: EntryRecord) -> Iterator[Problem]:
        if "id" in record.faulty:
            return
        first = self._ids.setdefault(hash(record.key), record.number)
        if first != record.number:
            yield problem_of(record, "duplicate_id", "id", record.key, first=first)

    def _pair_problems(self, record: EntryRecord) -> Iterator[Problem]:
        source, reference = _hash(record.source), _hash(record.reference)
        pair = hash((source, reference))
        secret = is_secret(record.segment)
        other = self._pairs[not secret].get(pair)
        if other:
            yield problem_of(record, "public_and_secret", "segment", record.segment, first=other[0], segment=other[1])
        first = self._pairs[secret].setdefault(pair, (record.number, record.segment))
        if first[0] != record.number:
            yield warning_of(record, "duplicate_pair", "source", record.source, first=first[0])
        yield from self._variant_problems(record, source, reference)

    def _variant_problems(self, record: EntryRecord, source: int, reference: int) -> Iterator[Problem]:
        seen = self._sources.setdefault(source, (record.number, reference, record.variant_class))
        number, first_reference, variant_class = seen
        if reference != first_reference and (variant_class is None or variant_class != record.variant_class):
            yield warning_of(record, "source_without_variant_class", "variant_class", record.source, first=number)

    def _note_texts(self, record: EntryRecord) -> None:
        for name, text in (("source", record.source), ("reference", record.reference)):
            if text.isascii():
                if self._scripts[name] and "Latn" not in self._scripts[name]:
                    self._note_scripts(record, name, text)
                continue
            if not unicodedata.is_normalized("NFC", text):
                self._decomposed.setdefault(name, _First(record)).count += 1
            if not self._composed[name]:
                self._composed[name] = not unicodedata.is_normalized("NFD", text)
            self._note_scripts(record, name, text)

    def _note_scripts(self, record: EntryRecord, name: str, text: str) -> None:
        for script, letters in foreign_letters(text, self._scripts[name]).items():
            first = self._foreign.setdefault((name, script), _First(record, letters=letters[:_LETTERS_SHOWN]))
            first.count += 1

    def _note_code(self, record: EntryRecord, name: str, value: str | None, known: tuple[str, ...]) -> None:
        if value is None or value in known:
            return
        if (name, value) in self._codes or len(self._codes) < _NAMED_CODES:
            self._codes.setdefault((name, value), _First(record)).count += 1

    def _code_warnings(self) -> Iterator[Problem]:
        known = {"register": REGISTERS, "context": CONTEXTS}
        for (name, value), first in self._codes.items():
            params = {"count": first.count, "known": ", ".join(known[name])}
            yield warning_of(first.record, f"unknown_{name}", name, value, **params)

    def _text_warnings(self) -> Iterator[Problem]:
        for name, first in self._decomposed.items():
            if self._composed[name]:
                yield warning_of(
                    first.record, "mixed_normalisation", name, getattr(first.record, name), count=first.count
                )
        for (name, script), first in self._foreign.items():
            yield warning_of(first.record, "foreign_script", name, first.letters, count=first.count, script=script)


def provenance_tag(record: EntryRecord) -> str:
    """Return the tag of an entry: its provenance where that is a text, else the object's source name.

    Source: SPEC C-1, C-2.
    """
    provenance = record.provenance
    if isinstance(provenance, dict):
        provenance = provenance.get("source_name") or provenance.get("name")
    return provenance.strip() if isinstance(provenance, str) else ""


def _provenance_and_domain(counts: Counts) -> Iterator[Problem]:
    if counts.without_provenance:
        yield _corpus_warning("without_provenance", "provenance", "", count=counts.without_provenance)
    religious = counts.by(2)["religious"]
    if 2 * religious > counts.total:
        yield _corpus_warning("mostly_religious", "domain", "religious", count=religious, total=counts.total)


def _sizes(counts: Counts) -> Iterator[Problem]:
    by_segment = counts.by(0)
    for segment in SEGMENTS:
        count, minimum = by_segment[segment], MINIMUM_SIZES[segment]
        if 0 < count < minimum:
            yield _corpus_warning("segment_small", "segment", segment, count=count, minimum=minimum)


def _levels(counts: Counts) -> Iterator[Problem]:
    by_level = counts.by(1)
    present = [level for level in DIFFICULTIES if by_level[level]]
    if len(present) < 3:
        yield _corpus_warning("few_levels", "difficulty", "", count=len(present))
    if not present:
        return
    empty = [str(level) for level in DIFFICULTIES if level not in present]
    if empty:
        yield _corpus_warning("empty_levels", "difficulty", ", ".join(empty))
    total = sum(by_level[level] for level in DIFFICULTIES)
    middle = sum(by_level[level] for level in MIDDLE_DIFFICULTIES)
    if 2 * middle < total:
        yield _corpus_warning("few_middle_levels", "difficulty", "", count=middle, total=total)


def _registers(counts: Counts) -> Iterator[Problem]:
    registers = [register for register in counts.by(3) if register]
    if len(registers) < 2:
        yield _corpus_warning("few_registers", "register", "", count=len(registers))


def _corpus_warning(code: str, name: str, value: str, **params: int) -> Problem:
    return Problem("warning", code, "corpus", name, printable(value), "", dict(params))


def _hash(text: str) -> int:
    """The text's hash as texts are compared: NFC, white space collapsed."""
    return hash(collapse_space(text if text.isascii() else nfc(text)))
