"""Edits of the translation edit rate: tercom's search for shifts of words, with what cannot matter left out.

tercom shifts greedily: of all allowed shifts the one that lowers the distance most, until none does. A shift costs one
edit, so it pays only where it lowers the distance by two or more; and no shift brings the distance below what the words
alone demand, in whatever order they stand. Where the two are one apart or less the search is over before it begins,
which is so for most real outputs. What remains is tried in tercom's own order of preference, so that the first that
cannot be bettered is the one it would take. Source: SPEC M-1; sacreBLEU's TER, whose limits these are.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from leaderboard.metrics.ter_distance import Alignment, Reference, Row, align, cell_of

LONGEST_SHIFT = 10  # words moved together
FARTHEST_MATCH = 50  # words between a match's two places
MOST_CANDIDATES = 1000  # shifts looked at in one entry; the round that reaches it is not carried out


@dataclass(frozen=True, slots=True)
class Shift:
    """`length` words of the output from `start` on, put before `target`."""

    length: int
    start: int
    target: int

    def apply(self, words: str) -> str:
        """Return the words in their new order."""
        start, end, target = self.start, self.start + self.length, self.target
        moved = words[start:end]
        if target < start:
            return words[:target] + moved + words[target:start] + words[end:]
        if target <= end:
            target += self.length  # within itself: tercom counts on from behind
        return words[:start] + words[end:target] + moved + words[target:]

    @property
    def reach(self) -> tuple[int, int]:
        """The part of the words, from and to, outside which each stays where it is; it may go on behind the last."""
        end = self.start + self.length
        if self.target < self.start:
            return self.target, end
        return self.start, self.target if self.target > end else self.target + self.length

    @property
    def most_gain(self) -> int:
        """How far the distance can fall at most: each word moved, or moved over, may cost two edits less."""
        end = self.start + self.length
        jumped = self.target - end if self.target > end else abs(self.target - self.start)
        return 2 * min(self.length, jumped)


def edits(output: Sequence[str], reference: Sequence[str]) -> int:
    """Return tercom's edits (insertions, deletions, substitutions, shifts) from output to reference."""
    if not output or not reference:
        return max(len(output), len(reference))
    if output == reference:
        return 0
    numbers: dict[str, str] = {}
    words, wanted = (
        "".join([numbers.setdefault(word, chr(len(numbers))) for word in text]) for text in (output, reference)
    )
    return _search(words, Reference(wanted))


def _search(words: str, reference: Reference) -> int:
    least = max(len(words), len(reference.words)) - (Counter(words) & Counter(reference.words)).total()
    shifts = looked_at = 0
    while True:
        state = _State(words, reference)
        if state.distance - least <= 1:
            return shifts + state.distance
        candidates = list(_candidates(words, reference.words, state.alignment, MOST_CANDIDATES - looked_at))
        looked_at += len(candidates)
        if looked_at >= MOST_CANDIDATES:
            return shifts + state.distance
        best = state.best(candidates, least)
        if best is None:
            return shifts + state.distance
        shifts += 1
        words = best


class _State:
    """The output as it stands between two shifts: its distance, and the rows that lead there."""

    def __init__(self, words: str, reference: Reference) -> None:
        self.words = words
        self.reference = reference
        self.rows: list[Row] = [reference.first_row, *reference.rows(words, reference.first_row)]
        self._cell: Callable[[int, int], int] = self._true_cell
        self._true_distance = self.distance = self._true_cell(len(words), len(reference.words))
        if not reference.is_within_beam(self.distance, len(words)):
            table = reference.table(words)
            self._cell = table.cell
            self.distance = table.distance

    @property
    def alignment(self) -> Alignment:
        return align(self.words, self.reference.words, self._cell)

    def best(self, candidates: Sequence[Shift], least: int) -> str | None:
        """Return the words after the shift that lowers the distance most, None where none does.

        Of equals the longest is taken, then the earliest, then the one with the earliest target.
        """
        gain, best = 0, None
        for shift in sorted(set(candidates), key=lambda shift: (-shift.length, shift.start, shift.target)):
            if shift.most_gain <= gain:
                continue
            shifted = shift.apply(self.words)
            new_gain = self.distance - self._distance(shifted, shift, self.distance - gain)
            if new_gain > gain:
                gain, best = new_gain, shifted
                if gain == self.distance - least:
                    break
        return best

    def _distance(self, words: str, shift: Shift, limit: int) -> int:
        """Return tercom's distance of the shifted words, if it is under `limit`."""
        start, stop = shift.reach
        row, distance = self.reference.advance(words[start:stop], self.rows[start]), self._true_distance
        if row != self.rows[min(stop, len(words))]:  # from an equal row on nothing differs
            row = self.reference.advance(words[stop:], row)
            distance = cell_of(row, len(words), len(self.reference.words))
        if distance < limit and not self.reference.is_within_beam(distance, len(words)):
            return self.reference.table(words).distance
        return distance

    def _true_cell(self, i: int, j: int) -> int:
        return cell_of(self.rows[i], i, j)


def _candidates(words: str, reference: str, alignment: Alignment, most: int) -> Iterator[Shift]:
    """Yield the shifts that tercom would try, each as often as it does; none behind the match that reaches `most`."""
    seen = 0
    positions = alignment.positions
    for start, place, length in _matches(words, reference):
        if not any(alignment.output_errors[start : start + length]):
            continue
        if not any(alignment.reference_errors[place : place + length]):
            continue
        if start <= positions[place] < start + length:
            continue  # it stands there already
        last = -1
        for at in range(place - 1, place + length):
            target = positions[at] + 1 if at >= 0 else 0
            if target != last:
                last = target
                seen += 1
                yield Shift(length, start, target)
        if seen >= most:
            return


def _matches(words: str, reference: str) -> Iterator[tuple[int, int, int]]:
    """Yield start in the output, place in the reference and length of each run of equal words."""
    for start, word in enumerate(words):
        place = reference.find(word)
        while place >= 0:
            if abs(place - start) <= FARTHEST_MATCH:
                longest = min(LONGEST_SHIFT, len(words) - start, len(reference) - place)
                for length in range(1, longest + 1):
                    if words[start + length - 1] != reference[place + length - 1]:
                        break
                    yield start, place, length
            place = reference.find(word, place + 1)
