"""Word edit distance with tercom's beam, and the alignment that it settles for.

Each row of the table of distances is two whole numbers: bits say where the distance to the next word rises and falls,
so that a row costs a dozen operations whatever its length. The beam, 25 words to either side of the diagonal, is what
makes tercom's distance differ from the true one; where no path as short as the true one can leave it the two are equal,
and only elsewhere the table itself is filled in.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

BEAM = 25
_UNREACHED = 10**16

Row = tuple[int, int]
"""Where the distance rises (bit j: word j + 1 of the reference adds 1), and where it falls."""


@dataclass(frozen=True)
class Alignment:
    """Which word of the output stands at each word of the reference, -1 before the first, and which words are wrong."""

    positions: list[int]
    reference_errors: list[int]
    output_errors: list[int]


def cell_of(row: Row, i: int, j: int) -> int:
    """Return the true distance of the i words that led to a row to the first j words of the reference."""
    rise, fall = row
    before = (1 << j) - 1
    return i + (rise & before).bit_count() - (fall & before).bit_count()


class Reference:
    """A reference to measure outputs against: words are characters of a text, see `ter_search.encode`."""

    def __init__(self, words: str) -> None:
        """Note at which places of the reference each word stands."""
        self.words = words
        self.full = (1 << len(words)) - 1
        self.places: dict[str, int] = {}
        for place, word in enumerate(words):
            self.places[word] = self.places.get(word, 0) | 1 << place

    @property
    def first_row(self) -> Row:
        """The row of no output: every word of the reference adds 1."""
        return self.full, 0

    def rows(self, output: str, start: Row) -> list[Row]:
        """Return the rows behind `start`, one for each word of `output`."""
        rise, fall = start
        full, places = self.full, self.places
        rows = []
        for word in output:
            here = places.get(word, 0) | fall
            same = (((here & rise) + rise) ^ rise) | here
            up = ((fall | (full & ~(same | rise))) << 1) | 1
            rise, fall = (((rise & same) << 1) | ~(up | same)) & full, up & same & full
            rows.append((rise, fall))
        return rows

    def advance(self, output: str, start: Row) -> Row:
        """Return the last of the rows behind `start`, without keeping the others."""
        rise, fall = start
        full, places = self.full, self.places
        for word in output:
            here = places.get(word, 0) | fall
            same = (((here & rise) + rise) ^ rise) | here
            up = ((fall | (full & ~(same | rise))) << 1) | 1
            rise, fall = (((rise & same) << 1) | ~(up | same)) & full, up & same & full
        return rise, fall

    def is_within_beam(self, distance: int, length: int) -> bool:
        """Say whether no path of at most `distance` edits from an output of `length` words can leave the beam."""
        size = len(self.words)
        if size < BEAM:
            return True  # the beam is as wide as the table
        longer = size - length
        insertions, deletions = (distance + longer) // 2, (distance - longer) // 2
        return insertions < BEAM - 1 + min(0, longer) and deletions <= BEAM - max(0, longer)

    def table(self, output: str) -> "Table":
        """Return tercom's table of distances for an output."""
        return Table(output, self.words)


class Table:
    """tercom's table of distances: of each row only the cells in the beam are there, the others are never reached."""

    def __init__(self, output: str, reference: str) -> None:
        """Fill the table in, row by row."""
        size, length = len(reference), len(output)
        ratio = size / length if output else 1.0
        beam = math.ceil(ratio / 2 + BEAM) if ratio / 2 > BEAM else BEAM
        self._rows = [range(size + 1)]
        self._costs = [list(range(size + 1))]
        for place, word in enumerate(output, start=1):
            middle = math.floor(place * ratio)
            stop = size + 1 if place == length else min(size + 1, middle + beam)
            self._add(range(max(0, middle - beam), stop), word, reference)

    @property
    def distance(self) -> int:
        """tercom's distance of the whole output to the whole reference."""
        return self._costs[-1][-1]

    def cell(self, i: int, j: int) -> int:
        """Return the distance of the first i words of the output to the first j of the reference."""
        columns = self._rows[i]
        return self._costs[i][j - columns.start] if columns.start <= j < columns.stop else _UNREACHED

    def _add(self, columns: range, word: str, reference: str) -> None:
        row = len(self._rows) - 1
        left, costs = _UNREACHED, []
        diagonal = self.cell(row, columns.start - 1)
        for column in columns:
            above = self.cell(row, column)
            if column == 0:
                left = above + 1
            else:
                left = min(diagonal + (word != reference[column - 1]), above + 1, left + 1, _UNREACHED)
            costs.append(left)
            diagonal = above
        self._rows.append(columns)
        self._costs.append(costs)


def align(output: str, reference: str, cell: Callable[[int, int], int]) -> Alignment:
    """Walk back through the table; of equal ways tercom takes the diagonal, then the output's word as one too many.

    `cell` gives the distance of the first i words of the output to the first j of the reference.
    """
    i, j = len(output), len(reference)
    positions, reference_errors, output_errors = [0] * j, [1] * j, [1] * i
    while i or j:
        if i and j:
            here, differs = cell(i, j), output[i - 1] != reference[j - 1]
            if cell(i - 1, j - 1) + differs == here:
                positions[j - 1] = i - 1
                reference_errors[j - 1] = output_errors[i - 1] = int(differs)
                i, j = i - 1, j - 1
                continue
        if i and (not j or cell(i - 1, j) + 1 == here):
            i -= 1
        else:
            positions[j - 1] = i - 1
            j -= 1
    return Alignment(positions, reference_errors, output_errors)
