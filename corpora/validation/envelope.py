"""Checks of the envelope (C-1) and its normal form."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from typing import Any

from corpora.formats.base import Envelope, Problem, shown
from corpora.formats.language_pair import pair_label, read_pair
from corpora.formats.messages import gettext_noop
from corpora.validation.characters import character_problems
from corpora.validation.languages import is_registered, normal_tag
from corpora.validation.licences import normal_licence
from corpora.validation.machine_words import machine_word_in
from corpora.validation.versions import version_key
from corpora.vocabulary import ID_LIMIT, SEGMENTS, TAG_LIMIT

#: The option of `import_corpus`, and so the field of the form, that gives what the file does not say.
OPTION_OF = {
    "id": "--id",
    "version": "--version",
    "source_language": "--source-language",
    "target_language": "--target-language",
    "created": "--created",
    "license": "--license",
    "provenance": "--provenance",
}
_CORPUS_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}", re.ASCII)
_A_TEXT = gettext_noop("a text")
_LIST_OF_TEXTS = gettext_noop("a list of texts")


def check_envelope(envelope: Envelope, *, machine_word_statement: str = "") -> tuple[Envelope, list[Problem]]:
    """Return the envelope in normal form and what is wrong with it.

    Tags that come from the entries are filled in later (`provenance_from_entries`). Where the file broke off
    (`is_complete` false) nothing is called missing. Source: SPEC C-1, C-3, C-5.
    """
    problems: list[Problem] = []
    normal = replace(envelope)
    for name, check in _CHECKS.items():
        value = getattr(envelope, name)
        if value is None or value == "" or (isinstance(value, str) and not value.strip()):
            if envelope.is_complete:
                problems.append(_problem("envelope_missing", name, "", option=OPTION_OF[name]))
        elif not isinstance(value, str):
            problems.append(_problem("envelope_type", name, value, expected=_A_TEXT))
        else:
            setattr(normal, name, check(value, problems))
    _check_segment(normal, problems)
    _check_provenance(normal, problems, machine_word_statement)
    _check_pair(normal, problems)
    problems.extend(character_problems("envelope", "", "dataset", normal.rest))
    return normal, problems


def _id(value: str, problems: list[Problem]) -> str:
    if not _CORPUS_ID.fullmatch(value):
        problems.append(_problem("bad_corpus_id", "id", value))
    return value


def _version(value: str, problems: list[Problem]) -> str:
    if version_key(value) is None:
        problems.append(_problem("bad_version", "version", value))
    return value


def _source_language(value: str, problems: list[Problem]) -> str:
    return _language("source_language", value, problems)


def _target_language(value: str, problems: list[Problem]) -> str:
    return _language("target_language", value, problems)


def _language(name: str, value: str, problems: list[Problem]) -> str:
    tag = normal_tag(value)
    if tag is None or len(tag) > TAG_LIMIT:
        problems.append(_problem("bad_language", name, value))
        return value
    if not is_registered(tag):
        problems.append(_problem("unregistered_language", name, value, severity="warning"))
    return tag


def _created(value: str, problems: list[Problem]) -> str:
    try:
        datetime.fromisoformat(value)
    except ValueError:
        problems.append(_problem("bad_created", "created", value))
    return value


def _license(value: str, problems: list[Problem]) -> str:
    licence = normal_licence(value) if len(value) <= ID_LIMIT else None
    if licence is None or len(licence) > ID_LIMIT:
        problems.append(_problem("bad_licence", "license", value))
        return value
    return licence


_CHECKS = {
    "id": _id,
    "version": _version,
    "source_language": _source_language,
    "target_language": _target_language,
    "created": _created,
    "license": _license,
}


def _check_segment(envelope: Envelope, problems: list[Problem]) -> None:
    segment = envelope.segment
    if segment is None:
        envelope.segment = ""
    elif not isinstance(segment, str):
        problems.append(_problem("envelope_type", "segment", segment, expected=_A_TEXT))
    elif segment and segment not in SEGMENTS:
        problems.append(_problem("unknown_segment", "segment", segment))


def _check_provenance(envelope: Envelope, problems: list[Problem], statement: str) -> None:
    tags = envelope.provenance or ()
    if not isinstance(tags, tuple) or not all(isinstance(tag, str) and tag.strip() for tag in tags):
        problems.append(_problem("envelope_type", "provenance", tags, expected=_LIST_OF_TEXTS))
        envelope.provenance = ()
        return
    if not tags and not envelope.provenance_from_entries and envelope.is_complete:
        problems.append(_problem("envelope_missing", "provenance", "", option=OPTION_OF["provenance"]))
    for text in (*tags, *envelope.provenance_notes):
        problems.extend(character_problems("envelope", "", "provenance", text))
        word = machine_word_in(text)
        if word:
            problems.append(_machine_problem(word, text, statement))


def _machine_problem(word: str, text: str, statement: str) -> Problem:
    if statement.strip():
        return _problem("machine_word_stated", "provenance", text, severity="warning", word=word)
    return _problem("machine_reference", "provenance", text, word=word)


def _check_pair(envelope: Envelope, problems: list[Problem]) -> None:
    source, target = envelope.source_language, envelope.target_language
    pair = envelope.raw_pair
    if pair is not None and not isinstance(pair, (str, dict)):
        problems.append(_problem("bad_language_pair", "language_pair", pair))
    if not (isinstance(source, str) and isinstance(target, str) and source and target):
        return
    if source == target:
        problems.append(_problem("same_languages", "target_language", target))
    problems.extend(_label_problems(envelope, pair))
    envelope.pair_label = envelope.pair_label or pair_label(source, target)


def _label_problems(envelope: Envelope, pair: Any) -> Iterator[Problem]:
    label, source, target = read_pair(pair)
    yield from character_problems("envelope", "", "language_pair", label)
    if len(label) > ID_LIMIT:
        yield _problem("text_too_long", "language_pair", label, length=len(label), limit=ID_LIMIT)
    named = (normal_tag(source) if source else None, normal_tag(target) if target else None)
    fields = (envelope.source_language, envelope.target_language)
    if all(named) and all(map(normal_tag, fields)) and named != fields:
        languages = pair_label(*fields)
        yield _problem("pair_differs", "language_pair", label, severity="warning", languages=languages)


def _problem(code: str, name: str, value: Any, *, severity: str = "error", **params: Any) -> Problem:
    return Problem("warning" if severity == "warning" else "error", code, "envelope", name, shown(value), "", params)
