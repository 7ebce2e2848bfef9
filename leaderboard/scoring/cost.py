"""Cost and speed of a run. Unknown is None, never 0; a free run is 0. Source: SPEC R-6, M-5; 90-harness-facts 3.5."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

COMPOSITE_DECIMALS = 4


@dataclass(frozen=True)
class LatencySummary:
    """Seconds per entry, to 3 decimals: mean, median and 95th percentile, all None where none was stated."""

    count: int
    mean: float | None
    median: float | None
    p95: float | None


def cost_adjusted(composite: float | None, cost_per_entry_usd: float | None) -> float | None:
    """Return composite ÷ max(1, log2(1 + cost per entry × 1000)), to 4 decimals; None where either is unknown.

    A cost of 0 (or under) gives the composite. Source: SPEC M-5.
    """
    if composite is None or cost_per_entry_usd is None:
        return None
    if cost_per_entry_usd <= 0:
        return round(composite, COMPOSITE_DECIMALS)
    return round(composite / max(1.0, math.log2(1 + cost_per_entry_usd * 1000)), COMPOSITE_DECIMALS)


def one_figure(value: float) -> float:
    """Round to one significant figure, as latencies of secret runs are shown to outsiders. Source: SPEC S-6."""
    return round(value, -math.floor(math.log10(abs(value)))) if value else 0.0


def latency_shown(value: float | None, *, rounds: bool) -> float | None:
    """Return a mean latency in seconds as a reader may see it; ``rounds`` for outsiders to a secret run."""
    return one_figure(value) if rounds and value is not None else value


def cost_per_entry(total_usd: float | None, entry_count: int) -> float | None:
    """Return the total over all entries, errored ones too, to 6 decimals; None where unknown."""
    return None if total_usd is None or entry_count <= 0 else round(total_usd / entry_count, 6)


def cost_per_source_character(total_usd: float | None, sources: Iterable[str]) -> float | None:
    """Return the total over the sources' code points, to 8 decimals; None where unknown, 0 for a free run."""
    characters = sum(len(source) for source in sources)
    return None if total_usd is None or not characters else round(total_usd / characters, 8)


def latency_summary(latencies: Iterable[float | None]) -> LatencySummary:
    """Return mean, median and 95th percentile of the stated latencies of entries without an error.

    Of n sorted values, counted from 0, the median is element ⌊n/2⌋ and p95 element min(⌊0.95 n⌋, n − 1).
    Source: SPEC R-6.
    """
    known = sorted(latency for latency in latencies if latency is not None)
    n = len(known)
    if n == 0:
        return LatencySummary(count=0, mean=None, median=None, p95=None)
    median, p95 = known[n // 2], known[min(n * 95 // 100, n - 1)]
    return LatencySummary(count=n, mean=round(sum(known) / n, 3), median=round(median, 3), p95=round(p95, 3))
