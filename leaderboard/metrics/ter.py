"""Translation edit rate with sacreBLEU's defaults: words at white space, case ignored. Shown, never in the composite.

One entry's value is the corpus score of that pair alone: an empty output has 100, where the harness gives 0.
Source: SPEC M-1; 90-harness-facts 4.2.
"""

import numpy as np
from sacrebleu.metrics.ter import TER

from leaderboard.metrics.base import FloatArray, IntArray, MetricSettings, Pair
from leaderboard.metrics.ter_search import edits

PARTS = 2520  # of a word: the mean length of up to ten references is a whole number of them


def ter_statistics(output: str, references: tuple[str, ...]) -> tuple[int, int]:
    """Return the edits to the reference that needs fewest, and the references' mean length in 2520ths of a word."""
    words = output.lower().split()
    texts = [reference.lower().split() for reference in references or ("",)]
    mean_length = sum(len(text) for text in texts) * PARTS / len(texts)
    return min(edits(words, text) for text in texts), round(mean_length)


def ter_from_statistics(statistics: FloatArray) -> FloatArray:
    """Return TER (0 and up, 100 for as many edits as reference words) of summed counts, shape (…, 2) to (…)."""
    counts = np.asarray(statistics, dtype=np.float64)
    edited, length = counts[..., 0], counts[..., 1] / PARTS
    without_reference = np.where(edited > 0, 1.0, 0.0)
    return 100 * np.divide(edited, length, out=without_reference, where=length > 0)


def ter_signature() -> str:
    """Return sacreBLEU's signature for what is computed here."""
    metric = TER()
    metric.corpus_score(["a"], [["a"]])  # the number of references is known to the signature only after a score
    return str(metric.get_signature())


class TerMetric:
    """Corpus TER from summed edits over summed reference words."""

    name = "ter"
    scale = 100.0
    lower_is_better = True
    decimals = 2
    columns = ("edits", "reference_parts")

    def statistics(self, pair: Pair, settings: MetricSettings) -> tuple[int, ...]:
        """Return the entry's edits and reference length."""
        return ter_statistics(pair.counted_output, pair.references)

    def per_entry(self, statistics: IntArray) -> FloatArray:
        """Return each entry's own TER, unrounded."""
        return ter_from_statistics(statistics.astype(np.float64))

    def aggregate(self, sums: FloatArray, counts: FloatArray) -> FloatArray:
        """Return corpus TER; NaN where no entry was counted."""
        return np.where(np.asarray(counts) > 0, ter_from_statistics(sums), np.nan)

    def aggregate_as_harness(self, sums: FloatArray, counts: FloatArray) -> FloatArray:
        """Return corpus TER: the harness counts the same, over its own choice of entries."""
        return self.aggregate(sums, counts)
