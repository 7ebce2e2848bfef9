"""Entries that are scored together, with the work that several metrics share done once."""

from collections.abc import Callable, Iterable
from typing import Any, Protocol, TypeVar, runtime_checkable

import numpy as np

from leaderboard.metrics.base import Counted, IntArray, MetricSettings, Pair

Made = TypeVar("Made")


class Batch:
    """Some entries of a run. It lives as long as their statistics are being made, and so does what is kept in it."""

    def __init__(self, pairs: Iterable[Pair]) -> None:
        """Take the entries in their order."""
        self.pairs = tuple(pairs)
        self._made: dict[Callable[[Batch], Any], Any] = {}

    def __len__(self) -> int:
        return len(self.pairs)

    def once(self, make: Callable[["Batch"], Made]) -> Made:
        """Return what `make` makes of this batch; the second caller gets the first one's."""
        if make not in self._made:
            self._made[make] = make(self)
        made: Made = self._made[make]
        return made

    @property
    def outputs(self) -> list[str]:
        """The outputs as they count: empty where an entry is errored or missing."""
        return [pair.counted_output for pair in self.pairs]

    @property
    def references(self) -> list[str]:
        """The first reference of each entry, empty where there is none."""
        return [pair.references[0] if pair.references else "" for pair in self.pairs]

    @property
    def with_several_references(self) -> list[int]:
        """Places of the entries whose best reference has to be looked for."""
        return [place for place, pair in enumerate(self.pairs) if len(pair.references) > 1]


@runtime_checkable
class BatchMetric(Protocol):
    """A metric that counts many entries faster together than one by one, with the same result."""

    def batch_statistics(self, batch: Batch, settings: MetricSettings) -> IntArray:
        """Return the statistics of all entries, shape (n, columns)."""
        ...


def statistics_of(metric: Counted, batch: Batch, settings: MetricSettings) -> IntArray:
    """Return a metric's statistics of a batch, shape (n, columns), by the faster way where it has one."""
    if isinstance(metric, BatchMetric):
        return metric.batch_statistics(batch, settings)
    rows = [metric.statistics(pair, settings) for pair in batch.pairs]
    return np.array(rows, dtype=np.int64).reshape(len(batch), len(metric.columns))
