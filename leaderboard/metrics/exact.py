"""Exact match: an output that equals a reference. Source: SPEC M-1; 90-harness-facts 4.1."""

import numpy as np

from champollion.common.text import is_blank, nfc, normalise_exact
from leaderboard.metrics.base import RATE_UNITS, FloatArray, IntArray, MetricSettings, Pair, mean_rate


def exact_match(output: str, references: tuple[str, ...]) -> bool:
    """Say whether the output equals a reference after NFC, trimming, lower-casing and white-space collapse.

    An empty output never matches, not even an empty reference. Punctuation counts.
    """
    normalised = normalise_exact(output)
    return bool(normalised) and any(normalised == normalise_exact(reference) for reference in references)


def strict_match(output: str, references: tuple[str, ...]) -> bool:
    """Say whether the output equals a reference after NFC alone: the source document's wording, shown beside."""
    composed = nfc(output)
    return not is_blank(composed) and any(composed == nfc(reference) for reference in references)


class ExactMatchMetric:
    """Share of entries whose output equals a reference."""

    name = "exact_match_rate"
    scale = 1.0
    lower_is_better = False
    decimals = 4
    columns = ("matches", "strict")

    def statistics(self, pair: Pair, settings: MetricSettings) -> tuple[int, ...]:
        """Return 1 or 0 for a match, and for a strict one."""
        output = pair.counted_output
        return (int(exact_match(output, pair.references)), int(strict_match(output, pair.references)))

    def per_entry(self, statistics: IntArray) -> FloatArray:
        """Return 1.0 or 0.0 per entry."""
        return statistics[:, 0].astype(np.float64)

    def aggregate(self, sums: FloatArray, counts: FloatArray) -> FloatArray:
        """Return matches ÷ entries."""
        return mean_rate(sums[..., 0] * RATE_UNITS, counts)

    def aggregate_as_harness(self, sums: FloatArray, counts: FloatArray) -> FloatArray:
        """Return matches ÷ entries: the harness counts the same, over its own choice of entries."""
        return self.aggregate(sums, counts)

    def beside(self, sums: FloatArray, counts: FloatArray) -> dict[str, FloatArray]:
        """Return the share of strict matches."""
        return {"strict_match_rate": mean_rate(sums[..., 1] * RATE_UNITS, counts)}
