"""Plain chrF: chrF++ without its words, from the same count of n-grams. Shown, never in the composite.

With several references the best one for chrF need not be the best for chrF++, so its counts are kept apart.
Source: SPEC M-1; 90-harness-facts 4.2.
"""

from leaderboard.metrics.chrf import CHARACTER_ORDER, ChrfMetric


class PlainChrfMetric(ChrfMetric):
    """Corpus chrF from summed counts."""

    name = "chrf_plain"
    word_order = 0
    columns = ChrfMetric.columns[: 3 * CHARACTER_ORDER]
