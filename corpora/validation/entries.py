"""Checks of one entry by itself: codes, ranges, characters, lengths, machine words. Source: SPEC C-2, C-4, C-5."""

from collections.abc import Iterator
from typing import Any

from champollion.common.text import is_blank, same_text
from corpora.formats.base import EntryRecord, Problem
from corpora.validation.characters import character_problems, length_problem, printable
from corpora.validation.machine_words import machine_word_in
from corpora.vocabulary import CODE_LIMIT, DIFFICULTIES, DOMAINS, SEGMENTS, TEXT_LIMIT

_LONG_TEXTS = ("source", "reference", "phenomenon", "morphological_analysis", "notes")
_SHORT_TEXTS = ("register", "context", "variant_class")


def entry_problems(record: EntryRecord, *, machine_word_statement: str = "") -> Iterator[Problem]:
    """Give what is wrong with one entry. Fields whose type was wrong already are passed over."""
    yield from _texts(record)
    yield from _codes(record)
    yield from _characters(record)
    yield from _machine_words(record, machine_word_statement)


def problem_of(record: EntryRecord, code: str, name: str, value: Any = "", **params: Any) -> Problem:
    """Return an error at an entry."""
    return Problem("error", code, record.place, name, printable(str(value)), printable(record.key), params)


def warning_of(record: EntryRecord, code: str, name: str, value: Any = "", **params: Any) -> Problem:
    """Return a warning at an entry."""
    return Problem("warning", code, record.place, name, printable(str(value)), printable(record.key), params)


def _texts(record: EntryRecord) -> Iterator[Problem]:
    for name in ("source", "reference"):
        text = getattr(record, name)
        if name not in record.faulty and is_blank(text):
            yield problem_of(record, "empty_text", name, text)
    if any(is_blank(variant) for variant in record.variants):
        yield problem_of(record, "empty_text", "variants")
    if record.reference and not record.faulty and same_text(record.source, record.reference):
        yield warning_of(record, "reference_is_source", "reference", record.reference)


def _codes(record: EntryRecord) -> Iterator[Problem]:
    if record.segment not in SEGMENTS:
        yield problem_of(record, "unknown_segment", "segment", record.segment)
    if record.domain is not None and record.domain not in DOMAINS:
        yield problem_of(record, "unknown_domain", "domain", record.domain, domains=", ".join(DOMAINS))
    if record.difficulty is not None and record.difficulty not in DIFFICULTIES:
        yield problem_of(record, "bad_difficulty", "difficulty", record.difficulty)


def _characters(record: EntryRecord) -> Iterator[Problem]:
    place, key = record.place, record.key
    yield from character_problems(place, key, "id", record.key)
    for name in (*_LONG_TEXTS, *_SHORT_TEXTS):
        text = getattr(record, name)
        if text is None:
            continue
        too_long = length_problem(place, key, name, text, TEXT_LIMIT if name in _LONG_TEXTS else CODE_LIMIT)
        if too_long:
            yield too_long
        yield from character_problems(place, key, name, text)
    for variant in record.variants:
        too_long = length_problem(place, key, "variants", variant, TEXT_LIMIT)
        if too_long:
            yield too_long
    if record.variants:
        yield from character_problems(place, key, "variants", record.variants)
    yield from character_problems(place, key, "provenance", record.provenance)
    for name, value in record.rest.items():
        yield from character_problems(place, key, "fields", name)
        yield from character_problems(place, key, name, value)


def _machine_words(record: EntryRecord, statement: str) -> Iterator[Problem]:
    word = machine_word_in(record.provenance) if record.provenance else ""
    if word and not statement.strip():
        yield problem_of(record, "machine_reference", "provenance", word, word=word)
    elif word:
        yield warning_of(record, "machine_word_stated", "provenance", word, word=word)
