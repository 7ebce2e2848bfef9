"""Corpora made at set-up from the interface catalogues of the installed Django, which people translated (SPEC I-2).

The selection is deterministic: the same release of Django gives the same corpora, entry ids included. Nothing here
writes; ``corpus_document`` returns the specification's JSON, which goes through the importer like any other file.
"""

from __future__ import annotations

import functools
import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import django
import polib

from . import texts

#: Entries of each segment; at or over the sizes that SPEC C-4 asks for, and so many that a sample of `gold_standard` is
#: a part of it. The order is the order of filling.
SEGMENT_SIZES = {"diagnostic": 15, "held_out": 15, "gold_standard": 200, "development": 60}
#: One word in so many strings; the catalogues hold far more, names of languages and months above all.
ONE_WORD_IN = 4
#: Strings of these parts of Django speak to the people who build a site; the others to those who use it.
TECHNICAL_PARTS = {"gis", "postgres", "admindocs", "contenttypes", "sites", "sessions"}


@dataclass(frozen=True)
class DemoPair:
    """A language pair of the demo.

    ``engine`` is the name of the Apertium mode that made the committed outputs.
    """

    slug: str
    source: str
    target: str
    engine: str
    organisation: str
    organisation_name: str

    @property
    def corpus_id(self) -> str:
        return f"django-ui-{self.source}-{self.target}"


PAIRS: tuple[DemoPair, ...] = (
    DemoPair("nb-nn", "nb", "nn", "nob-nno", "nynorsk", "Demo custodian for Norwegian Nynorsk"),
    DemoPair("es-ca", "es", "ca", "spa-cat", "catalan", "Demo custodian for Catalan"),
    DemoPair("es-gl", "es", "gl", "es-gl", "galician", "Demo custodian for Galician"),
    DemoPair("en-gl", "en", "gl", "en-gl", "galician", "Demo custodian for Galician"),
)

Key = tuple[str, str, str, str]


@dataclass(frozen=True)
class Candidate:
    """A pair of plain texts; ``part`` is the part of Django it comes from, ``number`` its place in the catalogues."""

    number: int
    part: str
    english: str
    source: str
    reference: str

    @property
    def level(self) -> int:
        return texts.difficulty(self.source)

    @property
    def rank(self) -> str:
        """A fixed order that has nothing to do with the text's place or length."""
        return hashlib.sha256(f"{self.part}\n{self.english}".encode()).hexdigest()


@functools.cache
def _catalogues(language: str) -> tuple[tuple[Path, polib.POFile], ...]:
    """Return a language's catalogues with their paths, in the order of the paths."""
    paths = sorted(Path(django.__file__).parent.glob(f"**/locale/{language}/LC_MESSAGES/*.po"))
    return tuple((path, polib.pofile(str(path))) for path in paths)


def _part(path: Path) -> str:
    return path.parents[3].name


def _translations(language: str) -> dict[Key, str]:
    """Read a language's singular strings: (part, file, context, English) -> translation."""
    found: dict[Key, str] = {}
    for path, catalogue in _catalogues(language):
        for entry in catalogue:
            if entry.translated() and not entry.msgid_plural:
                found[_part(path), path.name, entry.msgctxt or "", entry.msgid] = entry.msgstr
    return found


def contributors(language: str) -> list[str]:
    """Return the names that the headers of a language's catalogues credit, sorted, without their addresses."""
    names: set[str] = set()
    for _path, catalogue in _catalogues(language):
        for line in catalogue.header.splitlines():
            name = re.sub(r"\s*<[^>]*>", "", line).split(",")[0].strip(" #")
            if re.search(r",\s*(19|20)\d\d", line) and name and not re.fullmatch(r"[0-9a-f]{20,}\w*", name):
                names.add(name)
    return sorted(names, key=str.casefold)


def candidates(pair: DemoPair) -> list[Candidate]:
    """Return the usable pairs: plain on both sides, each source and each reference once, one word in a quarter."""
    sources = {} if pair.source == "en" else _translations(pair.source)
    found: list[Candidate] = []
    seen: set[str] = set()
    for number, (key, reference) in enumerate(sorted(_translations(pair.target).items()), 1):
        source = key[3] if pair.source == "en" else sources.get(key, "")
        if not (texts.is_plain(source) and texts.is_plain(reference)) or source in seen or reference in seen:
            continue
        seen.update((source, reference))
        found.append(Candidate(number, key[0], key[3], source, reference))
    return _with_few_words(found)


def _with_few_words(found: list[Candidate]) -> list[Candidate]:
    """Leave out words that stand alone until they are one in ``ONE_WORD_IN``."""
    longer = [one for one in found if " " in one.source]
    words = sorted((one for one in found if " " not in one.source), key=lambda one: one.rank)
    return longer + words[: len(longer) // (ONE_WORD_IN - 1)]


def select(found: list[Candidate]) -> dict[str, list[Candidate]]:
    """Spread candidates over the segments: each is in one, and each segment has its share of every level."""
    left = sorted(found, key=lambda candidate: candidate.rank)
    shares = {level: count / len(found) for level, count in Counter(one.level for one in found).items()}
    chosen: dict[str, list[Candidate]] = {}
    for segment, size in SEGMENT_SIZES.items():
        pool = [one for one in left if segment != "diagnostic" or texts.phenomenon(one.source)]
        chosen[segment] = _take(pool, size, shares)
        taken = set(chosen[segment])
        left = [one for one in left if one not in taken]
    return chosen


def _take(pool: list[Candidate], size: int, shares: dict[int, float]) -> list[Candidate]:
    """Take ``size`` by the levels' shares, hardest level first; what is still open is filled in order of rank."""
    taken: list[Candidate] = []
    for level in sorted(shares, reverse=True):
        quota = min(max(1, round(size * shares[level])), size - len(taken))
        taken += [one for one in pool if one.level == level][:quota]
    rest = [one for one in pool if one not in set(taken)]
    return sorted(taken + rest[: size - len(taken)], key=lambda candidate: candidate.number)


def created(pair: DemoPair) -> str:
    """Return the date, ISO 8601, on which a catalogue of the target language was last revised."""
    dates = (catalogue.metadata.get("PO-Revision-Date", "") for _path, catalogue in _catalogues(pair.target))
    return max(dates)[:10]


def _entries(pair: DemoPair) -> Iterator[dict[str, Any]]:
    for segment, chosen in sorted(select(candidates(pair)).items()):
        for one in chosen:
            entry: dict[str, Any] = {
                "id": f"ui-{one.number:04d}",
                "source": one.source,
                "reference": one.reference,
                "segment": segment,
                "difficulty": one.level,
                "domain": "ui",
                "register": "technical" if one.part in TECHNICAL_PARTS else "formal",
                "context": texts.context(one.english),
                "provenance": "corpus",
            }
            if segment == "diagnostic":
                entry["phenomenon"] = texts.phenomenon(one.source)
            yield entry


def corpus_document(pair: DemoPair) -> dict[str, Any]:
    """Return the corpus of a pair in the specification's JSON (SPEC C-1, C-2)."""
    version = django.get_version()
    return {
        "dataset": {
            "id": pair.corpus_id,
            "version": version,
            "language_pair": f"{pair.source.upper()}→{pair.target.upper()}",
            "source_language": pair.source,
            "target_language": pair.target,
            "created": created(pair),
            "license": "BSD-3-Clause",
            "provenance": ["corpus"],
            "title": f"Interface strings of Django {version}",
            "contributors": contributors(pair.target),
        },
        "entries": list(_entries(pair)),
    }
