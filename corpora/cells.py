"""Which numbers of a version's entries may be shown, by code: the very cells of its page (SPEC C-7, S-6).

Two pages, or a page and the API, that hid different cells of one table would together show all of them, so corpus
pages, boards, runs and the API take theirs from ``corpora.selectors``.
"""

from collections.abc import Mapping
from typing import Any

from django.core.cache import cache

from corpora import selectors
from corpora.constants import Difficulty, Segment
from corpora.models import CorpusVersion, Entry
from corpora.suppression import Cell, CellState

#: segment -> code of the cell ("" for not given) -> the cell
Cells = Mapping[str, Mapping[str, Cell]]
CUTS = ("difficulty", "domain", "register")
_KEPT_SECONDS = 24 * 3600


def cells_of(version: CorpusVersion, cut: str, *, may_read: bool) -> Cells:
    """Return the cells of a version by segment and the codes of `cut`, one of ``CUTS``.

    A version never changes (LAW-8), so they are counted once a day at most.
    """
    key = f"corpora.cells.{version.uid}.{cut}.{may_read}"
    found: Cells | None = cache.get(key)
    if found is None:
        found = _cells_of(version, cut, may_read=may_read)
        cache.set(key, found, _KEPT_SECONDS)
    return found


def _cells_of(version: CorpusVersion, cut: str, *, may_read: bool) -> Cells:
    table = {
        "difficulty": selectors.segments_by_difficulty,
        "domain": selectors.segments_by_domain,
        "register": selectors.segments_by_register,
    }[cut](version, may_read=may_read)
    codes = _codes(version, cut)
    return {row.segment: dict(zip(codes, row.cells, strict=True)) for row in table.rows}


def totals_of(version: CorpusVersion, *, may_read: bool) -> dict[str, Cell]:
    """Return the number of entries of each segment."""
    return {row.segment: row.total for row in selectors.segments_by_difficulty(version, may_read=may_read).rows}


def shown_keys(version: CorpusVersion, segment: str, cut: str, *, may_read: bool) -> frozenset[str] | None:
    """Return the keys of a cut whose figures may be shown on a segment; None where all may.

    Cuts that no page counts are not shown to whoever may not read a secret segment.
    """
    if may_read or segment not in (Segment.GOLD_STANDARD, Segment.HELD_OUT):
        return None
    if cut not in CUTS:
        return frozenset()
    cells = cells_of(version, cut, may_read=may_read)[segment]
    return frozenset(key for key, cell in cells.items() if cell.state is CellState.SHOWN and cell.count)


def _codes(version: CorpusVersion, cut: str) -> list[str]:
    """Return the codes of a table's columns, in their order."""
    found: set[Any] = set(Entry.objects.filter(version=version).order_by().values_list(cut, flat=True).distinct())
    if cut == "difficulty":
        return [*(str(value) for value in Difficulty.values), *([""] if None in found else [])]
    return sorted(found, key=lambda value: (value == "", value))
