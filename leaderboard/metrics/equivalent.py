"""Equivalent match: an output that equals a reference or one of its variants, or that a plug-in accepts.

Source: SPEC M-1, C-2; 90-harness-facts 4.8.
"""

import numpy as np

from leaderboard.metrics.base import FloatArray, IntArray, MetricSettings, Pair, ratio
from leaderboard.metrics.exact import exact_match
from leaderboard.metrics.tools import ToolFailure


def equivalent_match(output: str, references: tuple[str, ...], variants: tuple[str, ...]) -> bool:
    """Say whether the output equals a reference or a variant, compared as exact match compares; an empty one never."""
    return exact_match(output, references) or exact_match(output, variants)


class EquivalentMatchMetric:
    """Share of entries whose output is an acceptable translation; null where corpus and language know no variants."""

    name = "equivalent_match_rate"
    scale = 1.0
    lower_is_better = False
    decimals = 4
    columns = ("matches", "counted", "by_variant", "by_plugin", "failure")

    def statistics(self, pair: Pair, settings: MetricSettings) -> tuple[int, ...]:
        """Return whether it matches, that it was judged, and by what it matches where it is not exact."""
        judge = settings.tools.is_equivalent
        if not settings.language.has_variants and judge is None:
            return (0,) * len(self.columns)
        output = pair.counted_output
        if exact_match(output, pair.references):
            return (1, 1, 0, 0, 0)
        if exact_match(output, pair.variants):
            return (1, 1, 1, 0, 0)
        if judge is None or pair.is_empty:
            return (0, 1, 0, 0, 0)
        try:
            accepted = judge(pair.source, output, pair.references)
        except ToolFailure as failure:
            return (0, 0, 0, 0, int(failure.kind))
        return (int(accepted), 1, 0, int(accepted), 0)

    def per_entry(self, statistics: IntArray) -> FloatArray:
        """Return 1.0 or 0.0 per entry; NaN where nothing was judged."""
        return np.where(statistics[:, 1] > 0, statistics[:, 0], np.nan).astype(np.float64)

    def aggregate(self, sums: FloatArray, counts: FloatArray) -> FloatArray:
        """Return matches ÷ entries."""
        return ratio(sums[..., 0], sums[..., 1])

    def aggregate_as_harness(self, sums: FloatArray, counts: FloatArray) -> FloatArray:
        """Return matches ÷ entries, over the harness's choice of entries; it knows plug-ins only, no variants."""
        return self.aggregate(sums, counts)

    def beside(self, sums: FloatArray, counts: FloatArray) -> dict[str, FloatArray]:
        """Return the shares of entries that match by a variant alone and by the plug-in alone."""
        return {
            "matched_by_variant_rate": ratio(sums[..., 2], sums[..., 1]),
            "matched_by_plugin_rate": ratio(sums[..., 3], sums[..., 1]),
        }
