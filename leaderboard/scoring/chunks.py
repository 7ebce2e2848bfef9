"""Statistics of a part of a run: what one worker makes, stores and hands on. No text is in it, only whole numbers.

Chunks may be made in any order, twice, and on any machine: the same pairs give the same bytes.
"""

import json
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntFlag
from itertools import islice

import numpy as np
import numpy.typing as npt

from champollion.common.canonical import canonical_json
from leaderboard.metrics.base import IntArray, MetricSettings, Pair
from leaderboard.metrics.batch import Batch, statistics_of
from leaderboard.metrics.registry import COUNTED, column_names
from leaderboard.scoring.version import SCORER_VERSION

BATCH_SIZE = 1000  # entries whose texts and n-grams are held at once
_MAGIC = b"champollion chunk 1\n"


class Flag(IntFlag):
    """What is to be known of an entry beside its statistics."""

    NONE = 0
    ERRORED = 1
    MISSING = 2
    EMPTY = 4


class ChunkError(ValueError):
    """Bytes that are no chunk, or chunks that do not make up the run."""


@dataclass(frozen=True, eq=False)
class ChunkStats:
    """Per-entry statistics: n entry ids, an (n, columns) matrix of int64, n flags (bits of `Flag`)."""

    entry_ids: tuple[str, ...]
    statistics: IntArray
    flags: npt.NDArray[np.uint8]

    def to_bytes(self) -> bytes:
        """Return deterministic bytes: a canonical JSON header, then the arrays, little-endian, deflated."""
        header = canonical_json(
            {"columns": column_names(), "entry_ids": self.entry_ids, "scorer_version": SCORER_VERSION}
        )
        body = b"".join((header, b"\n", self.statistics.astype("<i8").tobytes(), self.flags.astype(np.uint8).tobytes()))
        return _MAGIC + zlib.compress(body, level=6)

    @classmethod
    def from_bytes(cls, data: bytes) -> "ChunkStats":
        """Read what `to_bytes` wrote.

        Raises ChunkError for other bytes, and for a chunk of another scorer version or other columns.
        """
        header, body = _unpack(data)
        if header.get("scorer_version") != SCORER_VERSION or header.get("columns") != list(column_names()):
            raise ChunkError("The chunk was made by another version of the scorer; score it again.")
        ids = tuple(header["entry_ids"])
        size = len(ids) * len(column_names()) * 8
        if len(body) != size + len(ids):
            raise ChunkError("The chunk is cut short or too long.")
        statistics = np.frombuffer(body[:size], dtype="<i8").astype(np.int64).reshape(len(ids), len(column_names()))
        return cls(entry_ids=ids, statistics=statistics, flags=np.frombuffer(body[size:], dtype=np.uint8).copy())


def score_chunk(pairs: Iterable[Pair], settings: MetricSettings) -> ChunkStats:
    """Return the statistics of some entries of a run. Pure: the same pairs and settings give the same chunk."""
    ids: list[str] = []
    flags: list[int] = []
    parts = [np.zeros((0, len(column_names())), dtype=np.int64)]
    waiting = iter(pairs)
    while batch := Batch(islice(waiting, BATCH_SIZE)):
        ids.extend(pair.entry_id for pair in batch.pairs)
        flags.extend(int(_flags(pair)) for pair in batch.pairs)
        parts.append(np.concatenate([statistics_of(metric, batch, settings) for metric in COUNTED], axis=1))
    return ChunkStats(entry_ids=tuple(ids), statistics=np.concatenate(parts), flags=np.array(flags, dtype=np.uint8))


def merge_chunks(chunks: Iterable[ChunkStats], entry_ids: tuple[str, ...]) -> ChunkStats:
    """Return one chunk in the order of `entry_ids`, whatever the order of the parts.

    An entry that comes twice counts once: statistics of one pair are always the same.
    Raises ChunkError for an entry that is not asked for and for entries that no chunk holds.
    """
    places = {entry_id: place for place, entry_id in enumerate(entry_ids)}
    statistics = np.zeros((len(entry_ids), len(column_names())), dtype=np.int64)
    flags = np.zeros(len(entry_ids), dtype=np.uint8)
    filled = np.zeros(len(entry_ids), dtype=bool)
    for chunk in chunks:
        try:
            rows = np.array([places[entry_id] for entry_id in chunk.entry_ids], dtype=np.intp)
        except KeyError as error:
            raise ChunkError(f"Entry {error.args[0]} is not one of this run's.") from error
        statistics[rows] = chunk.statistics
        flags[rows] = chunk.flags
        filled[rows] = True
    if not filled.all():
        raise ChunkError(f"{int((~filled).sum())} of {len(entry_ids)} entries have no statistics yet.")
    return ChunkStats(entry_ids=tuple(entry_ids), statistics=statistics, flags=flags)


def _flags(pair: Pair) -> Flag:
    flags = Flag.NONE
    if pair.errored:
        flags |= Flag.ERRORED
    if pair.missing:
        flags |= Flag.MISSING
    if pair.is_empty:
        flags |= Flag.EMPTY
    return flags


def _unpack(data: bytes) -> tuple[dict[str, list[str]], bytes]:
    if not data.startswith(_MAGIC):
        raise ChunkError("These bytes are no chunk of statistics.")
    try:
        header, _newline, body = zlib.decompress(data[len(_MAGIC) :]).partition(b"\n")
        return json.loads(header), body
    except (zlib.error, ValueError) as error:
        raise ChunkError("The chunk is damaged.") from error
