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
            up = fall | (full & ~(same | rise))
            up = (up << 1) | 1
            rise, fall = (((rise & same) << 1) | ~(up | same)) & full, up & same & full
            rows.append((rise, fall))
        return rows

    def distance(self, output: str, start: Row, before: int) -> int:
        """Return the true distance of an output whose first `before` words led to the row `start`."""
        rise, fall = start
        full, places = self.full, self.places
        for word in output:
            here = places.get(word, 0) | fall
            same = (((here & rise) + rise) ^ rise) | here
            up = ((fall | (full & ~(same | rise))) << 1) | 1
            rise, fall = (((rise & same) << 1) | ~(up | same)) & full, up & same & full
        return before + len(output) + rise.bit_count() - fall.bit_count()

    def is_within_beam(self, distance: int, length: int) -> bool:
        """Say whether no path of at most `distance` edits from an output of `length` words can leave the beam."""
        size = len(self.words)
        if size < BEAM:
            return True  # the beam is as wide as the table
        longer = size - length
        insertions, deletions = (distance + longer) // 2, (distance - longer) // 2
        return insertions < BEAM - 1 + min(0, longer) and deletions <= BEAM - max(0, longer)

    def table(self, output: str) -> list[list[int]]:
        """Return tercom's table of distances: cells outside the beam are never reached."""
        size, length = len(self.words), len(output)
        ratio = size / length if output else 1.0
        beam = math.ceil(ratio / 2 + BEAM) if ratio / 2 > BEAM else BEAM
        above = list(range(size + 1))
        rows = [above]
        for place, word in enumerate(output, start=1):
            middle = math.floor(place * ratio)
            first, stop = max(0, middle - beam), min(size + 1, middle + beam)
            above = _table_row(above, word, self.words, range(first, size + 1 if place == length else stop))
            rows.append(above)
        return rows


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


def _table_row(above: list[int], word: str, reference: str, columns: range) -> list[int]:
    row = [_UNREACHED] * len(above)
    left = _UNREACHED
    for column in columns:
        if column == 0:
            left = above[0] + 1
        else:
            left = min(above[column - 1] + (word != reference[column - 1]), above[column] + 1, left + 1, _UNREACHED)
        row[column] = left
    return row
