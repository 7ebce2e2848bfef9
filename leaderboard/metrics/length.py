"""Length ratio: how long outputs are beside their references. A diagnostic, never in the composite.

Source: SPEC M-1; 90-harness-facts 4.2.
"""

import numpy as np

from leaderboard.metrics.base import RATE_UNITS, FloatArray, IntArray, MetricSettings, Pair, mean_rate, to_units


def length_ratio(output: str, reference: str) -> float | None:
    """Return len(output) ÷ len(reference) in code points, to 4 decimals; None for an empty reference."""
    return round(len(output) / len(reference), 4) if reference else None


class LengthRatioMetric:
    """Mean of entry ratios against the first reference, over the entries that have one."""

    name = "length_ratio"
    scale = 1.0
    lower_is_better = False
    decimals = 4
    columns = ("ratio", "with_reference")

    def statistics(self, pair: Pair, settings: MetricSettings) -> tuple[int, ...]:
        """Return the ratio in ten-thousandths and whether there is a reference to compare with."""
        ratio = length_ratio(pair.counted_output, pair.references[0] if pair.references else "")
        return (0, 0) if ratio is None else (to_units(ratio), 1)

    def per_entry(self, statistics: IntArray) -> FloatArray:
        """Return ratios; NaN where there is no reference."""
        return np.where(statistics[:, 1] > 0, statistics[:, 0] / RATE_UNITS, np.nan)

    def aggregate(self, sums: FloatArray, counts: FloatArray) -> FloatArray:
        """Return the mean ratio over entries with a reference."""
        return mean_rate(sums[..., 0], sums[..., 1])

    def aggregate_as_harness(self, sums: FloatArray, counts: FloatArray) -> FloatArray:
        """Return the mean ratio: the harness counts the same, over its own choice of entries."""
        return self.aggregate(sums, counts)
