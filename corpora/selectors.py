"""What the pages of corpora show. Texts come from `corpora.access` alone; here are counts, versions and filters."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.cache import cache
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.utils.translation import gettext as _

from champollion.common.errors import NotVisible
from corpora.constants import PUBLIC_SEGMENTS, Difficulty, Domain, Segment
from corpora.diff import VersionDiff, public_diff, version_diff
from corpora.models import Corpus, CorpusVersion, Entry
from corpora.services.editions import version_records
from corpora.suppression import Cell, open_row, suppressed_row, suppressed_sum, suppressed_total
from corpora.vocabulary import is_secret

_DIFF_KEPT_SECONDS = 24 * 3600
#: How many ids of each kind of difference a page names; the rest is counted.
NAMED_IDS = 50


@dataclass(frozen=True)
class ListedCorpus:
    """A row of the list: a corpus, its newest version, and how many public and secret entries it has."""

    corpus: Corpus
    version: CorpusVersion
    public_count: int
    secret_count: Cell


@dataclass(frozen=True)
class SegmentRow:
    """A segment: its number of entries, and that of each column; small ones of a secret segment may be hidden."""

    segment: str
    label: str
    is_secret: bool
    total: Cell
    cells: list[Cell]


@dataclass(frozen=True)
class SegmentTable:
    """Counts of a version by segment and one other field; `has_hidden` says whether a cell is not shown as it is."""

    columns: list[str]
    rows: list[SegmentRow]

    @property
    def has_hidden(self) -> bool:
        return any(cell.count is None for row in self.rows for cell in (row.total, *row.cells))


@dataclass(frozen=True)
class Differences:
    """What changed from the version before: numbers of each kind, and the first ids to name."""

    previous: CorpusVersion
    counts: dict[str, int]
    named: dict[str, list[str]]


def corpus_list() -> list[ListedCorpus]:
    """Return the corpora with their newest version that is not withdrawn, by language and id; three queries."""
    newest = CorpusVersion.objects.filter(corpus=OuterRef("pk"), status=CorpusVersion.Status.READY)
    corpora = Corpus.objects.annotate(newest=Subquery(newest.order_by("-order_key").values("pk")[:1]))
    found = corpora.exclude(newest=None).select_related("organisation").order_by("target_language", "corpus_id")
    versions = CorpusVersion.objects.in_bulk([corpus.newest for corpus in found])
    counts: dict[int, Counter[str]] = defaultdict(Counter)
    grouped = Entry.objects.filter(version__in=versions).order_by().values_list("version", "segment")
    for version, segment, count in grouped.annotate(count=Count("pk")):
        counts[version][segment] += count
    return [_listed(corpus, versions[corpus.newest], counts[corpus.newest]) for corpus in found]


def version_get(corpus_id: str, version: str) -> CorpusVersion:
    """Return a version by the ids of its address, with corpus and organisation. Raises NotVisible."""
    found = CorpusVersion.objects.select_related("corpus__organisation", "uploaded_by")
    match = found.filter(corpus__corpus_id=corpus_id, version=version).first()
    if match is None:
        raise NotVisible("corpus.not_visible", _("There is no such corpus version."))
    return match


def readable_version_get(corpus_id: str, version: str) -> CorpusVersion:
    """Return a version whose texts may be given out: one that is not withdrawn. Raises NotVisible."""
    found = version_get(corpus_id, version)
    if found.status != CorpusVersion.Status.READY:
        raise NotVisible("corpus.not_visible", _("There is no such corpus version."))
    return found


def newest_version_get(corpus_id: str) -> CorpusVersion:
    """Return the newest version of a corpus that is not withdrawn. Raises NotVisible."""
    found = CorpusVersion.objects.filter(corpus__corpus_id=corpus_id, status=CorpusVersion.Status.READY)
    newest = found.select_related("corpus").order_by("-order_key").first()
    if newest is None:
        raise NotVisible("corpus.not_visible", _("There is no such corpus."))
    return newest


def versions_of(corpus: Corpus) -> list[CorpusVersion]:
    """Return all versions of a corpus, the newest first, withdrawn ones too: their names stay."""
    return list(corpus.versions.order_by("-order_key"))


def segments_by_difficulty(version: CorpusVersion, *, may_read: bool) -> SegmentTable:
    """Count a version's entries by segment and difficulty; a last column counts those without one, if there are any."""
    counts = _counts(version, "difficulty")
    values: list[Any] = list(Difficulty.values)
    columns = [str(value) for value in values]
    if any(value is None for _segment, value in counts):
        values.append(None)
        columns.append(_("not given"))
    return _table(counts, values, columns, may_read=may_read)


def segments_by_domain(version: CorpusVersion, *, may_read: bool) -> SegmentTable:
    """Count a version's entries by segment and domain, for the domains that it has."""
    labels = dict(Domain.choices)
    return _by_text(version, "domain", labels, may_read=may_read)


def segments_by_register(version: CorpusVersion, *, may_read: bool) -> SegmentTable:
    """Count a version's entries by segment and register, for the registers that it has."""
    return _by_text(version, "register", {}, may_read=may_read)


def differences(version: CorpusVersion, *, may_read: bool) -> Differences | None:
    """Return what changed from the version before; None for the first one. Of public segments only, unless `may_read`.

    Versions do not change, so the outcome is kept; it holds ids, no text. Source: SPEC C-6.
    """
    ready = CorpusVersion.objects.filter(corpus_id=version.corpus_id, status=CorpusVersion.Status.READY)
    earlier = ready.filter(order_key__lt=version.order_key).select_related("corpus").order_by("-order_key")
    previous = earlier.first()
    if previous is None:
        return None
    key = f"corpora:diff:{previous.uid}:{version.uid}:{'all' if may_read else 'public'}"
    kept: dict[str, Any] | None = cache.get(key)
    if kept is None:
        kept = _compare(previous, version, may_read=may_read)
        cache.set(key, kept, _DIFF_KEPT_SECONDS)
    return Differences(previous, **kept)


def entries_filtered(version: CorpusVersion, *, filters: dict[str, Any], may_read: bool) -> QuerySet[Entry]:
    """Return the entries that match every filter given, in the order of the file.

    Args:
        filters: `segment`, `difficulty`, `domain`, `register`, `context`, `provenance`, `phenomenon`, `variant_class`,
            and `q`, which looks in id, source and reference. Empty ones are passed over.
        may_read: whether secret segments may be asked for; else they are as good as absent. Without a segment only
            public entries are given, and words are looked for in public ones only, since secret text does not lie
            open to be searched.
    """
    entries = Entry.objects.filter(version=version).order_by("position")
    segment = filters.get("segment")
    if segment and (may_read or segment in PUBLIC_SEGMENTS):
        entries = entries.filter(segment=segment)
    else:
        entries = entries.filter(segment__in=PUBLIC_SEGMENTS)
    for name, column in _FILTERED.items():
        if filters.get(name):
            entries = entries.filter(**{column: filters[name]})
    words = str(filters.get("q") or "").strip()
    if words:
        in_text = Q(source__icontains=words) | Q(reference__icontains=words) | Q(entry_id__icontains=words)
        entries = entries.filter(in_text)
    return entries


def values_of(version: CorpusVersion, field: str, *, may_read: bool) -> list[str]:
    """Return the values of a field of a version's entries, for a filter: of public entries, unless `may_read`."""
    entries = Entry.objects.filter(version=version).exclude(**{field: ""}).order_by(field)
    if not may_read:
        entries = entries.filter(segment__in=PUBLIC_SEGMENTS)
    return list(entries.values_list(field, flat=True).distinct())


def _listed(corpus: Corpus, version: CorpusVersion, counts: Counter[str]) -> ListedCorpus:
    secret = [count for segment, count in counts.items() if is_secret(segment)]
    public = sum(counts.values()) - sum(secret)
    return ListedCorpus(corpus, version, public, suppressed_sum(secret))


_FILTERED = {
    "difficulty": "difficulty",
    "domain": "domain",
    "register": "register",
    "context": "context",
    "provenance": "provenance_name",
    "phenomenon": "fields__phenomenon__icontains",
    "variant_class": "fields__variant_class",
}


def _counts(version: CorpusVersion, field: str) -> dict[tuple[str, Any], int]:
    grouped = Entry.objects.filter(version=version).order_by().values_list("segment", field)
    return {(segment, value): count for segment, value, count in grouped.annotate(count=Count("pk"))}


def _by_text(version: CorpusVersion, field: str, labels: dict[str, Any], *, may_read: bool) -> SegmentTable:
    counts = _counts(version, field)
    values = sorted({value for _segment, value in counts}, key=lambda value: (value == "", value))
    columns = [str(labels.get(value, value)) if value else _("not given") for value in values]
    return _table(counts, values, columns, may_read=may_read)


def _table(
    counts: dict[tuple[str, Any], int], values: Sequence[Any], columns: list[str], *, may_read: bool
) -> SegmentTable:
    rows = []
    for segment in Segment:
        row = [counts.get((segment.value, value), 0) for value in values]
        is_open = may_read or not is_secret(segment.value) or not sum(row)
        rows.append(
            SegmentRow(
                segment=segment.value,
                label=str(segment.label),
                is_secret=is_secret(segment.value),
                total=open_row([sum(row)])[0] if is_open else suppressed_total(sum(row)),
                cells=open_row(row) if is_open else suppressed_row(row),
            )
        )
    return SegmentTable(columns, rows)


def _compare(previous: CorpusVersion, version: CorpusVersion, *, may_read: bool) -> dict[str, Any]:
    segments: Iterable[str] = () if may_read else PUBLIC_SEGMENTS
    compare = version_diff if may_read else public_diff
    found = compare(version_records(previous, segments=segments), version_records(version, segments=segments))
    lists = _lists(found)
    return {
        "counts": {kind: len(ids) for kind, ids in lists.items()},
        "named": {kind: ids[:NAMED_IDS] for kind, ids in lists.items()},
    }


def _lists(found: VersionDiff) -> dict[str, list[str]]:
    return {
        "added": list(found.added),
        "removed": list(found.removed),
        "changed": list(found.changed),
        "moved": [moved.key for moved in found.moved],
    }
