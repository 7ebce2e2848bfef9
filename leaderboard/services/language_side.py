"""What language and corpus version bring to a scoring: analyser, glossaries, plug-ins, variants, gold analyses.

Files lie in one folder per language, named by its tag, in `settings.LANGUAGES_DIR`:

    crk/analyser.hfstol   the analyser
    crk/analyser.json     {"version": …}, as its maker numbers it
    crk/glossary.json     {"term": ["translation", …]}

A corpus version's own glossary is the `glossary` of its envelope; it goes before the language's. A file that cannot be
used is as if it were not there, and the score set says so. Source: SPEC M-1, M-3.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.conf import settings

from corpora import access
from corpora.access import EntryText
from corpora.models import CorpusVersion
from leaderboard.caveats.floors import ReferenceFloors
from leaderboard.metrics.base import MetricSettings
from leaderboard.metrics.glossary import Glossary, GlossaryError
from leaderboard.metrics.tools import LanguageFacts, ToolFacts
from leaderboard.metrics.variants import VariantClasses, has_variants
from leaderboard.models import Run
from leaderboard.plugins.finding import plugin_find, plugin_named
from leaderboard.plugins.hfst import AnalyserFile, AnalyserFileError, analyser_file_read
from leaderboard.plugins.opening import Places
from leaderboard.plugins.protocols import Group

_TAG = re.compile(r"[A-Za-z0-9]{1,8}(-[A-Za-z0-9]{1,8})*")
GLOSSARY_LIMIT = 20_000_000  # bytes
_ENTRIES_AT_ONCE = 1000


@dataclass(frozen=True)
class LanguageSide:
    """The facts, for the scoring key and the score set, and the places where a worker finds what they name."""

    facts: LanguageFacts
    places: Places


@dataclass
class _Found:
    """Facts and places while they are gathered."""

    facts: dict[str, Any] = field(default_factory=dict)
    places: dict[str, Any] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)


def language_side(run: Run, version: CorpusVersion) -> LanguageSide:
    """Return what there is for a run: by the target language's tag, by the corpus version, by the run's own set-up."""
    language = version.corpus.target_language
    found = _Found()
    _analyser_find(found, language)
    _glossary_find(found, version, language)
    _own_glossary_find(found, run)
    found.facts["equivalence"] = plugin_find(Group.EQUIVALENCE, language)
    found.facts["semantic"] = plugin_find(Group.SEMANTIC, language)
    if found.facts.get("glossary") is None:
        found.facts["terminology"] = plugin_find(Group.TERMINOLOGY, language)
    _embedding_find(found)
    _entries_look(found, run, version)
    return LanguageSide(LanguageFacts(**found.facts, problems=found.problems), Places(**found.places))


def reference_floors(run: Run, version: CorpusVersion, scripts: MetricSettings) -> dict[str, float]:
    """Return what the detectors say of the references of a run's segment, 0-1 by metric."""
    floors = ReferenceFloors(scripts)
    for text in _texts(run, version):
        floors.add(source=text.source, reference=text.reference)
    return floors.values()


def entry_variants(text: EntryText, variants: VariantClasses | None) -> tuple[str, ...]:
    """Return an entry's acceptable translations beside its reference: its own, and those of its class and source."""
    company = variants.variants_of(variant_class=variant_class_of(text), source=text.source) if variants else ()
    return tuple(dict.fromkeys((*text.variants, *company)))


def variant_class_of(text: EntryText) -> str:
    """Return an entry's variant class, "" where it has none."""
    return str(text.fields.get("variant_class") or "")


def gold_analysis_of(text: EntryText) -> str:
    """Return an entry's gold analysis, "" where it has none."""
    return str(text.fields.get("morphological_analysis") or "")


def _texts(run: Run, version: CorpusVersion) -> Any:
    entries = version.entries.filter(segment=run.segment).order_by("position")
    return access.open_entries(entries.iterator(chunk_size=_ENTRIES_AT_ONCE), version.corpus)


def _entries_look(found: _Found, run: Run, version: CorpusVersion) -> None:
    variants = VariantClasses()
    found.facts |= {"has_variants": False, "has_gold_analyses": False}
    for text in _texts(run, version):
        variant_class = variant_class_of(text)
        if has_variants(text.variants, variant_class):
            found.facts["has_variants"] = True
            variants.add(variant_class=variant_class, source=text.source, translations=[text.reference, *text.variants])
        if gold_analysis_of(text).partition("|")[0].strip():
            found.facts["has_gold_analyses"] = True
    found.places["variants"] = variants


def _analyser_find(found: _Found, language: str) -> None:
    path = _file_of(language, "analyser.hfstol")
    if path is not None:
        try:
            file = _analyser_file(path, *_stamp(path))
        except AnalyserFileError as error:
            problem = f"analyser_{error.code}"
            found.problems |= {"fst_acceptance_rate": problem, "morphological_accuracy": problem}
        else:
            version = _stated_version(path.with_suffix(".json"))
            name = f"{path.parent.name}/{path.name}"
            found.facts["analyser"] = ToolFacts(kind="hfst", name=name, version=version, sha256=file.sha256)
            found.places["analyser"] = path
            return
    found.facts["analyser"] = plugin_find(Group.ANALYSER, language)


def _glossary_find(found: _Found, version: CorpusVersion, language: str) -> None:
    of_version = version.envelope.get("glossary")
    if of_version is not None:
        origin, data = f"{version.corpus.corpus_id} {version.version}", of_version
    else:
        path = _file_of(language, "glossary.json")
        if path is None:
            return
        origin, data = f"{path.parent.name}/{path.name}", _json(path)
    try:
        glossary = Glossary.parse(data)
    except GlossaryError:
        found.problems["terminology_adherence"] = "glossary_refused"
        return
    found.facts["glossary"] = ToolFacts(kind="glossary", name=origin, sha256=glossary.sha256)
    found.places["glossary"] = glossary


def _own_glossary_find(found: _Found, run: Run) -> None:
    stated = run.configuration.get("glossary")
    if not isinstance(stated, Mapping):
        return
    try:
        glossary = Glossary.parse(stated)
    except GlossaryError:
        return  # it would be shown beside alone; what the method states stays in its document
    found.facts["own_glossary"] = ToolFacts(kind="glossary", name="method", sha256=glossary.sha256)
    found.places["own_glossary"] = glossary


def _embedding_find(found: _Found) -> None:
    name, folder = settings.EMBEDDING_MODEL, settings.EMBEDDING_FOLDER
    if not name:
        return
    model = plugin_named(Group.EMBEDDING, name)
    if model is None or not folder or not Path(folder).is_dir():
        found.problems["semantic_score"] = "model_not_found"
        return
    found.facts["embedding"] = replace(model, version=f"{model.version} {Path(folder).name}")
    found.places["embedding"] = Path(folder)


def _file_of(language: str, name: str) -> Path | None:
    """Return a language's file, by its whole tag or else by its language subtag."""
    for tag in dict.fromkeys((language, language.partition("-")[0])):
        path = Path(settings.LANGUAGES_DIR) / tag / name
        if _TAG.fullmatch(tag) and path.is_file():
            return path
    return None


@lru_cache(maxsize=64)
def _analyser_file(path: Path, _changed_at: int, _size: int) -> AnalyserFile:
    return analyser_file_read(path)


def _stamp(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_mtime_ns, status.st_size


def _stated_version(path: Path) -> str:
    data = _json(path)
    return str(data.get("version", ""))[:60] if isinstance(data, Mapping) else ""


def _json(path: Path) -> Any:
    try:
        if path.stat().st_size > GLOSSARY_LIMIT:
            return None
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
