"""A board: which rows it has, on which cut of the entries, in which order; a constant number of queries (SPEC L-4)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Count, F, FilteredRelation, Q, QuerySet
from django.utils.translation import gettext as _

from corpora.cells import cells_of
from corpora.constants import Difficulty, Domain, Segment
from corpora.models import CorpusVersion
from leaderboard.board_columns import Column, columns_shown, ordering, places_of, sort_read
from leaderboard.models import Standing
from leaderboard.models.standing import Tier, VerificationLevel
from leaderboard.selectors.pairs import BOARD_SEGMENTS, standings_shown
from leaderboard.services.standings import SMALLEST_RANKED_CUT

PAGE_SIZE = 100
#: What a cut stores of its own; everything else of a row belongs to the whole segment.
_CUT_FIELDS = (
    "rank_low", "rank_high", "rank_digest", "is_ranked", "composite",
    "composite_interval_low", "composite_interval_high", "chrf", "chrf_low", "chrf_high", "exact_match",
)  # fmt: skip
_HEAVY = ("run__configuration", "run__claimed", "method_version__identity")


@dataclass(frozen=True)
class Cut:
    """A part of the entries for which scores were made: a domain or a difficulty, and its number of entries."""

    kind: str
    key: str
    label: str
    entry_count: int

    @property
    def is_thin(self) -> bool:
        """Whether it has too few entries to rank by (SPEC L-4)."""
        return self.entry_count < SMALLEST_RANKED_CUT

    @property
    def is_ranked(self) -> bool:
        """Whether rows have ranks on it: the whole board and each domain do, the other filters list."""
        return self.kind == "domain" and not self.is_thin


@dataclass(frozen=True)
class BoardFilters:
    """What a person chose. ``cut`` is a cut that is offered; ``cost_max`` in USD per entry."""

    cut: Cut | None = None
    method_class: str = ""
    level: str = ""
    since: date | None = None
    cost_max: float | None = None
    sort: str = ""
    columns: tuple[str, ...] = ()
    #: Of secret runs outsiders see latencies with one figure (SPEC S-6).
    rounds_latency: bool = False

    @property
    def is_listing(self) -> bool:
        """Whether rows were left out, so that ranks are those of the whole board."""
        return bool(self.method_class or self.level or self.since or self.cost_max is not None)


@dataclass(frozen=True)
class Board:
    """A page of a board. Rows are ``Standing`` objects with ``shown_…`` attributes for what the cut changes."""

    version: CorpusVersion
    segment: str
    filters: BoardFilters
    columns: list[Column]
    sort: Column
    descending: bool
    page: Page
    metric_sets: list[str]
    validated_on: Mapping[int, str] = field(default_factory=dict)

    @property
    def rows(self) -> list[Standing]:
        return list(self.page.object_list)

    @property
    def compared(self) -> list[Standing]:
        """The first two ranked rows, which the page offers to compare; empty where there are not two."""
        ranked = [row for row in self.rows if row.is_ranked][:2]
        return ranked if len(ranked) == 2 else []

    @property
    def is_rank_tested(self) -> bool:
        """Whether the ranks of the shown rows rest on tests; until a task has made those they are by composite."""
        return all(row.shown_rank_digest for row in self.rows if row.shown_rank_low is not None)  # type: ignore[attr-defined]

    @property
    def mixes_metrics(self) -> bool:
        """Whether ranked rows have composites made of different metrics, which needs a warning (SPEC M-3)."""
        return len(self.metric_sets) > 1


def board_get(version: CorpusVersion, segment: str, filters: BoardFilters, *, page: Any = 1) -> Board:
    """Return a page of a board; four queries."""
    column, descending = sort_read(filters.sort, is_cut=filters.cut is not None)
    found = Paginator(board_rows(version, segment, filters), PAGE_SIZE).get_page(page)
    found.object_list = list(found.object_list)
    ranked = standings_shown().filter(corpus_version=version, segment=segment, is_ranked=True)
    return Board(
        version=version,
        segment=segment,
        filters=filters,
        columns=columns_shown(filters.columns, is_cut=filters.cut is not None),
        sort=column,
        descending=descending,
        page=found,
        metric_sets=sorted(ranked.order_by().values_list("metric_set", flat=True).distinct()),
        validated_on=_validated_on(found.object_list, version),
    )


def board_rows(version: CorpusVersion, segment: str, filters: BoardFilters) -> QuerySet[Standing]:
    """Return all rows of a board in its order, with what the cut changes as ``shown_…``."""
    rows = standings_shown().filter(corpus_version=version, segment=segment)
    prefix = ""
    if filters.cut is not None:
        of_cut = Q(cuts__cut=filters.cut.kind, cuts__key=filters.cut.key)
        rows = rows.annotate(shown_cut=FilteredRelation("cuts", condition=of_cut))
        prefix = "shown_cut__"
    rows = rows.annotate(
        **{f"shown_{name}": F(prefix + name) for name in _CUT_FIELDS},
        tier_order=places_of("public_tier", Tier),
        level_order=places_of("verification_level", VerificationLevel),
    )
    column, descending = sort_read(filters.sort, is_cut=filters.cut is not None)
    rows = rows.filter(_listed(filters)).order_by(*ordering(column, descending=descending))
    return rows.select_related("method_version__method__team", "run").defer(*_HEAVY)


def _listed(filters: BoardFilters) -> Q:
    listed = Q()
    if filters.method_class:
        listed &= Q(method_version__method__method_class=filters.method_class)
    if filters.level:
        listed &= Q(verification_level=filters.level)
    if filters.since:
        listed &= Q(run__created_at__date__gte=filters.since)
    if filters.cost_max is not None:
        listed &= Q(cost_per_entry_usd__lte=filters.cost_max)
    return listed


def segment_counts(versions: Iterable[CorpusVersion]) -> dict[tuple[int, str], int]:
    """Count the rows of each board: (pk of the version, segment) -> number."""
    grouped = standings_shown().filter(corpus_version__in=list(versions)).order_by()
    rows = grouped.values_list("corpus_version", "segment").annotate(count=Count("pk"))
    return {(version, segment): count for version, segment, count in rows}


def version_choose(
    versions: list[CorpusVersion], *, segment: str, named: str, counts: Mapping[tuple[int, str], int]
) -> tuple[CorpusVersion, str]:
    """Return the version and segment to show: what the address names, else the latest version with that segment.

    Without a segment it is the gold standard, unless no row stands there and some do on another board.
    """
    segment = segment if segment in [one.value for one in BOARD_SEGMENTS] else ""
    by_name = {f"{one.corpus.corpus_id} {one.version}": one for one in versions}
    if named in by_name:
        version = by_name[named]
        return version, segment or _segment_of(version, counts)
    if not segment:
        segment = next(
            (one.value for one in BOARD_SEGMENTS if any(key[1] == one.value for key in counts)),
            Segment.GOLD_STANDARD.value,
        )
    with_segment = [one for one in versions if getattr(one, f"has_{segment}")]
    return (with_segment or versions)[0], segment


def _segment_of(version: CorpusVersion, counts: Mapping[tuple[int, str], int]) -> str:
    found = (one.value for one in BOARD_SEGMENTS if counts.get((version.pk, one.value)))
    return next(found, Segment.GOLD_STANDARD.value)


def cuts_offered(version: CorpusVersion, segment: str, *, may_read: bool) -> dict[str, list[Cut]]:
    """Return the domains and difficulties that one may filter by.

    Of a secret segment only those whose number of entries is public: under 5, or where such a number would follow,
    a cut is not offered to outsiders (SPEC C-7).
    """
    return {
        kind: [
            Cut(kind, key, cut_label(kind, key), cell.count)
            for key, cell in cells_of(version, kind, may_read=may_read)[segment].items()
            if key and cell.count
        ]
        for kind in ("domain", "difficulty")
    }


def cut_label(kind: str, key: str) -> str:
    """Name a domain or a difficulty: "conversation", "3 moderate", "not given"."""
    if not key:
        return _("not given")
    if kind == "difficulty":
        level = Difficulty(int(key))
        return f"{level.value} {level.label}"
    return str(Domain(key).label) if key in Domain.values else key


def _validated_on(rows: list[Standing], version: CorpusVersion) -> dict[int, str]:
    """Return for method versions that were validated on an earlier version of the corpus: on which (SPEC L-2)."""
    earlier = (
        Standing.objects.filter(
            method_version__in=[row.method_version_id for row in rows],
            corpus_version__corpus=version.corpus_id,
            verification_level=VerificationLevel.COMMUNITY_VALIDATED,
        )
        .exclude(corpus_version=version)
        .order_by("corpus_version__order_key")
    )
    return dict(earlier.values_list("method_version", "corpus_version__version"))
