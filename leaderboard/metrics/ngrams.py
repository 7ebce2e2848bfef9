"""Counts of n-grams that output and reference share, for many entries at once.

Each position's longest n-gram is packed into one whole number, entry first: after a single sort every shorter n-gram is
a prefix, so that equal ones lie side by side and each order costs one pass. Nothing is hashed: counts are exact.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from leaderboard.metrics.base import IntArray

_KEY_BITS = 63
_BLOCK_SYMBOLS = 200_000  # symbols sorted at once: keys and their copies stay within some 10 MB
_END = "\n"


@dataclass(frozen=True, eq=False)
class Sequences:
    """n sequences of symbols, one after another: `symbols` holds each sequence and a 0 behind it.

    Symbols are numbers from 1; `lengths` (n) counts them without the 0.
    """

    symbols: npt.NDArray[np.int64]
    lengths: IntArray

    def part(self, start: int, stop: int) -> "Sequences":
        """Return sequences `start` to `stop`, without copying them."""
        first = int(self.lengths[:start].sum()) + start
        size = int(self.lengths[start:stop].sum()) + stop - start
        return Sequences(self.symbols[first : first + size], self.lengths[start:stop])

    def __len__(self) -> int:
        return len(self.lengths)


def characters(texts: Sequence[str]) -> Sequences:
    """Return the texts' code points, white space left out."""
    solid = ["".join(text.split()) for text in texts]
    joined = "".join(f"{text}{_END}" for text in solid)
    # A lone surrogate, which JSON can hold, is a symbol like any other.
    codes = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), dtype=np.uint32).astype(np.int64) + 1
    codes[codes == ord(_END) + 1] = 0
    return Sequences(codes, np.array([len(text) for text in solid], dtype=np.int64))


def words(texts: Sequence[Sequence[str]], known: dict[str, int]) -> Sequences:
    """Return lists of words as numbers; `known` holds those given so far, so that outputs and references agree."""
    symbols: list[int] = []
    for text in texts:
        symbols.extend([known.setdefault(word, len(known) + 1) for word in text])
        symbols.append(0)
    return Sequences(np.array(symbols, dtype=np.int64), np.array([len(text) for text in texts], dtype=np.int64))


def totals(sequences: Sequences, order: int) -> IntArray:
    """Return how many n-grams each sequence has, shape (n, order)."""
    return np.maximum(sequences.lengths[:, None] - np.arange(order), 0)


def matches(outputs: Sequences, references: Sequences, order: int) -> IntArray:
    """Return how many n-grams of length 1 to `order` each output and its reference share, shape (n, order).

    An n-gram counts as often as the side has it that has it more rarely.
    """
    found = np.zeros((len(outputs), order), dtype=np.int64)
    for start, stop in _blocks(outputs.lengths + references.lengths):
        found[start:stop] = _block_matches(outputs.part(start, stop), references.part(start, stop), order)
    return found


def _blocks(sizes: IntArray) -> list[tuple[int, int]]:
    ends = np.cumsum(sizes)
    blocks: list[tuple[int, int]] = []
    start = 0
    while start < len(sizes):
        before = ends[start - 1] if start else 0
        stop = max(start + 1, int(np.searchsorted(ends, before + _BLOCK_SYMBOLS, side="right")))
        blocks.append((start, stop))
        start = stop
    return blocks


def _block_matches(outputs: Sequences, references: Sequences, order: int) -> IntArray:
    count = len(outputs)
    symbols, bits = _dense(np.concatenate((outputs.symbols, references.symbols)))
    if 1 + bits * order + count.bit_length() <= _KEY_BITS:
        return _sorted_matches(outputs, references, symbols, bits=bits, order=order)
    if count == 1:
        return _counted_matches(outputs.symbols[:-1], references.symbols[:-1], order)
    half = count // 2  # fewer entries have fewer different symbols
    parts = [(0, half), (half, count)]
    return np.concatenate([_block_matches(outputs.part(*at), references.part(*at), order) for at in parts])


def _dense(symbols: IntArray) -> tuple[IntArray, int]:
    """Renumber symbols from 1 without gaps; return them and the bits that one needs."""
    present = np.zeros(int(symbols.max(initial=0)) + 1, dtype=np.int64)
    present[symbols] = 1
    present[0] = 0
    numbers = np.cumsum(present)
    return (numbers * present)[symbols], int(numbers[-1]).bit_length()


def _sorted_matches(outputs: Sequences, references: Sequences, symbols: IntArray, *, bits: int, order: int) -> IntArray:
    count, size = len(outputs), len(symbols)
    keys = np.concatenate([np.repeat(np.arange(count), part.lengths + 1) for part in (outputs, references)])
    sides = np.repeat(np.array([0, 1]), [len(outputs.symbols), len(references.symbols)])
    padded = np.concatenate((symbols, np.zeros(order, dtype=np.int64)))
    following = symbols
    for place in range(order):
        if place:
            # What stands behind a sequence's end is no part of it, though the next sequence begins there.
            following = np.where(following > 0, padded[place : place + size], 0)
        keys = (keys << bits) | following
    keys = (keys << 1) | sides
    return _prefix_matches(np.sort(keys[symbols > 0]), bits=bits, order=order, count=count)


def _prefix_matches(keys: IntArray, *, bits: int, order: int, count: int) -> IntArray:
    """Count from sorted keys: entry, `order` symbols, side (0 output, 1 reference)."""
    found = np.zeros((count, order), dtype=np.int64)
    if not len(keys):
        return found
    in_references = np.concatenate(([0], np.cumsum(keys & 1)))
    changes = keys[1:] ^ keys[:-1]
    for length in range(1, order + 1):
        shift = 1 + bits * (order - length)
        starts = np.concatenate(([0], np.flatnonzero(changes >> shift) + 1))
        ends = np.append(starts[1:], len(keys))
        grams = keys[starts] >> shift
        in_reference = in_references[ends] - in_references[starts]
        shared = np.minimum(in_reference, ends - starts - in_reference)
        shared[grams & ((1 << bits) - 1) == 0] = 0  # the sequence ended before the n-gram was complete
        found[:, length - 1] = np.bincount(grams >> (bits * length), weights=shared, minlength=count)
    return found


def _counted_matches(output: IntArray, reference: IntArray, order: int) -> IntArray:
    """Count one entry that has too many different symbols to pack."""
    shared = [(_grams(output, length) & _grams(reference, length)).total() for length in range(1, order + 1)]
    return np.array([shared], dtype=np.int64)


def _grams(symbols: IntArray, length: int) -> Counter[tuple[int, ...]]:
    values = symbols.tolist()
    return Counter(tuple(values[at : at + length]) for at in range(len(values) - length + 1))
