"""Hiding small counts of secret segments so that they do not follow by subtraction either. Pure. Source: SPEC C-7."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

SMALLEST_SHOWN = 5


class CellState(StrEnum):
    """How a count is shown: as it is, as "<5", or not at all because a small one would follow from it."""

    SHOWN = "shown"
    SMALL = "small"
    WITHHELD = "withheld"


@dataclass(frozen=True, slots=True)
class Cell:
    """A count (number of entries) and how it may be shown; `count` is None where it may not."""

    state: CellState
    count: int | None


def open_row(counts: Sequence[int]) -> list[Cell]:
    """Return the counts of a public segment, or for somebody who may read the secret one: all shown."""
    return [Cell(CellState.SHOWN, count) for count in counts]


def suppressed_row(counts: Sequence[int], smallest: int = SMALLEST_SHOWN) -> list[Cell]:
    """Return the counts of one row whose total is public.

    A count under `smallest` is hidden, zero too. Where a single hidden count would follow by subtraction from the
    total, or all hidden ones would because their sum leaves one possibility, the next smallest is hidden as well, until
    none follows. Columns have no total on any page, so nothing follows along them.
    """
    small = {place for place, count in enumerate(counts) if count < smallest}
    withheld: set[int] = set()
    large = [place for place in range(len(counts)) if place not in small]
    by_size = iter(sorted(large, key=lambda place: (counts[place], place)))
    while _follows(counts, small, withheld, smallest):
        place = next(by_size, None)
        if place is None:
            break
        withheld.add(place)
    return [_cell(place, count, small, withheld) for place, count in enumerate(counts)]


def suppressed_total(count: int, smallest: int = SMALLEST_SHOWN) -> Cell:
    """Return a total that stands alone."""
    return Cell(CellState.SMALL, None) if 0 < count < smallest else Cell(CellState.SHOWN, count)


def suppressed_sum(counts: Sequence[int], smallest: int = SMALLEST_SHOWN) -> Cell:
    """Return the sum of totals that are shown one by one elsewhere: withheld where a small one would follow from it."""
    total = suppressed_total(sum(counts), smallest)
    if total.count is not None and any(0 < count < smallest for count in counts):
        return Cell(CellState.WITHHELD, None)
    return total


def _follows(counts: Sequence[int], small: set[int], withheld: set[int], smallest: int) -> bool:
    """Say whether the hidden counts follow from their sum, which is the total less what is shown."""
    if not small:
        return False
    if len(small) + len(withheld) == 1:
        return True
    hidden = sum(counts[place] for place in small | withheld)
    lowest = smallest * len(withheld)
    highest = (smallest - 1) * len(small) if not withheld else None
    return hidden in (lowest, highest)


def _cell(place: int, count: int, small: set[int], withheld: set[int]) -> Cell:
    if place in small:
        return Cell(CellState.SMALL, None)
    if place in withheld:
        return Cell(CellState.WITHHELD, None)
    return Cell(CellState.SHOWN, count)
