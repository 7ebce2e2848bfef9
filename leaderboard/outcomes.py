"""Wins, ties and losses of two runs by entry, and hiding the small ones of secret segments. Pure. Source: L-5, C-7."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from corpora.suppression import SMALLEST_SHOWN, Cell, CellState, open_row, suppressed_row
from leaderboard.metrics.base import FloatArray

#: Entry scores are out of 100; below this two are equal.
EQUAL = 1e-9
Counts = tuple[int, int, int]


@dataclass(frozen=True)
class Outcomes:
    """How often the first run was better, equal, worse; `entries` is their number, None where it is hidden."""

    key: str
    entries: Cell
    wins: Cell
    ties: Cell
    losses: Cell


def outcomes_of(first: FloatArray, second: FloatArray, keys: Sequence[str]) -> dict[str, Counts]:
    """Count wins, ties and losses of (n,) entry scores, higher better, by key."""
    apart = first - second
    sign = np.where(np.abs(apart) <= EQUAL, 0, np.sign(apart))
    given = np.array(list(keys), dtype=np.str_)
    return {key: _counts(sign[given == key]) for key in sorted(set(given.tolist()))}


def total_row(counts: Mapping[str, Counts], *, may_read: bool) -> Outcomes:
    """Return the outcomes over all entries, whose number is public."""
    summed = [sum(row[place] for row in counts.values()) for place in range(3)]
    cells = open_row(summed) if may_read else suppressed_row(summed)
    return Outcomes("", Cell(CellState.SHOWN, sum(summed)), *cells)


def outcome_rows(
    counts: Mapping[str, Counts], entries: Mapping[str, Cell], total: Outcomes, *, may_read: bool
) -> list[Outcomes]:
    """Return a row a group.

    To outsiders of a secret segment a group whose size is hidden shows nothing. In the others cells under 5 are
    hidden, and as many more as it takes that none follows from its row's total or from a column's, which `total` shows.
    """
    shown = {key: counts.get(key, (0, 0, 0)) for key in entries}
    hidden = {key: _hidden_at_first(shown[key], entries[key], may_read=may_read) for key in entries}
    if not may_read:
        _hide_what_follows(shown, hidden, (total.wins, total.ties, total.losses))
    rows = []
    for key, cell in entries.items():
        cells = [_cell(shown[key][place], cell, is_hidden=place in hidden[key]) for place in range(3)]
        rows.append(Outcomes(key, cell, *cells))
    return [row for row in rows if row.entries.count != 0]


def _counts(sign: FloatArray) -> Counts:
    return int((sign > 0).sum()), int((sign == 0).sum()), int((sign < 0).sum())


def _hidden_at_first(row: Counts, entries: Cell, *, may_read: bool) -> set[int]:
    if may_read:
        return set()
    if entries.state is not CellState.SHOWN:
        return {0, 1, 2}
    return {place for place, cell in enumerate(suppressed_row(row)) if cell.state is not CellState.SHOWN}


def _hide_what_follows(shown: Mapping[str, Counts], hidden: dict[str, set[int]], totals: Sequence[Cell]) -> None:
    """Hide more until no row and no column with a public total has a hidden cell that follows from it."""
    changed = True
    while changed:
        changed = False
        for place, total in enumerate(totals):
            if total.state is CellState.SHOWN and _column_follows(shown, hidden, place):
                changed |= _hide_smallest([(shown[key][place], key, place) for key in shown], hidden)
        for key in shown:
            if len(hidden[key]) == 1:
                changed |= _hide_smallest([(shown[key][place], key, place) for place in range(3)], hidden)


def _column_follows(shown: Mapping[str, Counts], hidden: Mapping[str, set[int]], place: int) -> bool:
    covered = [shown[key][place] for key in shown if place in hidden[key]]
    # One cell follows by subtraction; several small ones give away too much together.
    return bool(covered) and (len(covered) == 1 or sum(covered) < SMALLEST_SHOWN)


def _hide_smallest(cells: Sequence[tuple[int, str, int]], hidden: dict[str, set[int]]) -> bool:
    left = sorted(cell for cell in cells if cell[2] not in hidden[cell[1]])
    if not left:
        return False
    _count, key, place = left[0]
    hidden[key].add(place)
    return True


def _cell(count: int, entries: Cell, *, is_hidden: bool) -> Cell:
    if not is_hidden:
        return Cell(CellState.SHOWN, count)
    is_small = entries.state is CellState.SHOWN and count < SMALLEST_SHOWN
    return Cell(CellState.SMALL if is_small else CellState.WITHHELD, None)
