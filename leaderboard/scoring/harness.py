"""The same statistics counted as a harness counts them, to compare claims with. Never a headline of ours.

Harness 0.1.x leaves errored entries out of everything; 0.2.0 and later score them as empty outputs in corpus chrF++,
BLEU and TER and leave them out of the rates. Both give an empty output clean detectors. Entries that the run lacks were
never counted.
Source: SPEC R-5, M-2; 90-harness-facts 4.0, 1.3.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np

from leaderboard.metrics.base import BoolArray, FloatArray
from leaderboard.metrics.registry import CHRF, CORPUS_LEVEL, HALLUCINATION, METRICS, column_slices
from leaderboard.scoring.chunks import ChunkStats, Flag
from leaderboard.scoring.composite import Profile, composite
from leaderboard.scoring.tiers import Tier, tier_for

ALWAYS_THERE = ("chrf_plus_plus", "exact_match_rate", "code_switching_rate", "hallucination_rate")
"""What every harness computes. Of the others it knows less than we do, no variants for example, so that a composite
with them would be no figure of its own."""


class HarnessCounting(StrEnum):
    """Which rule for errored entries holds."""

    LEAVES_OUT = "0.1"
    AS_EMPTY = "0.2"


@dataclass(frozen=True)
class HarnessView:
    """A run as the harness would report it: its metrics, its composite and tier, entries evaluated and errored.

    `hallucination_early` is the rate that harnesses before 0.1.0 gave (reports of June 2026 hold it).
    """

    counting: HarnessCounting
    evaluated: int
    errored: int
    metrics: dict[str, float | None]
    composite: float | None
    tier: Tier
    avg_chrf: float | None
    hallucination_early: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-serialisable form."""
        return {**vars(self), "counting": self.counting.value, "tier": self.tier.value}


def counting_for(harness_version: str | None) -> HarnessCounting:
    """Return the rule of a harness version; one that is not stated counts as 0.1.x, as the June reports do."""
    match = re.match(r"(\d+)\.(\d+)", harness_version or "")
    # The snapshot of June 2026 called itself 3.0.0 and came before 0.1.0.
    early = match is None or match.groups() == ("0", "1") or int(match.group(1)) >= 3
    return HarnessCounting.LEAVES_OUT if early else HarnessCounting.AS_EMPTY


def harness_view(chunk: ChunkStats, counting: HarnessCounting, *, profile: Profile = Profile.SURFACE) -> HarnessView:
    """Return the run's figures by a harness's counting rule and detectors."""
    had = (chunk.flags & Flag.MISSING) == 0
    clean = had & ((chunk.flags & Flag.ERRORED) == 0)
    metrics = {}
    for metric in METRICS:
        # Later harnesses score an errored entry as an empty output, but in scores of the whole corpus alone.
        counted = had if metric.name in CORPUS_LEVEL and counting is HarnessCounting.AS_EMPTY else clean
        value = metric.aggregate_as_harness(*_sums(chunk, counted, metric.name))
        metrics[metric.name] = _rounded(value, metric.decimals)
    made_of = composite({name: metrics[name] for name in ALWAYS_THERE}, profile)
    early = HALLUCINATION.aggregate_early(*_sums(chunk, clean, HALLUCINATION.name))
    return HarnessView(
        counting=counting,
        evaluated=int(clean.sum()),
        errored=int(had.sum() - clean.sum()),
        metrics=metrics,
        composite=made_of.value,
        tier=tier_for(made_of.value),
        avg_chrf=_rounded(_entry_mean(chunk, clean), CHRF.decimals),
        hallucination_early=_rounded(early, HALLUCINATION.decimals),
    )


def _sums(chunk: ChunkStats, mask: BoolArray, metric: str) -> tuple[FloatArray, FloatArray]:
    statistics = chunk.statistics[:, column_slices()[metric]][mask]
    return statistics.sum(axis=0).astype(np.float64), np.array(float(mask.sum()))


def _entry_mean(chunk: ChunkStats, mask: BoolArray) -> FloatArray:
    values = CHRF.per_entry(chunk.statistics[:, column_slices()[CHRF.name]][mask])
    return np.array(values.mean() if len(values) else np.nan)


def _rounded(value: FloatArray, decimals: int) -> float | None:
    number = float(value)
    return None if np.isnan(number) else round(number, decimals)
