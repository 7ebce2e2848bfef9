"""chrF++ from sufficient statistics: sacreBLEU counts n-grams per entry, we sum the counts and take the F score.

The sums give sacreBLEU's corpus score to the last bit, one entry's counts give its score for that pair, and resampling
needs no further call. Source: SPEC M-1; 90-harness-facts 4.2.
"""

import numpy as np
import sacrebleu
from sacrebleu.metrics.chrf import CHRF

from leaderboard.metrics.base import FloatArray, IntArray, MetricSettings, Pair

CHARACTER_ORDER = 6
WORD_ORDER = 2
BETA = 2
_ORDERS = CHARACTER_ORDER + WORD_ORDER
_PARTS = ("output", "reference", "match")

_CHRF = CHRF(char_order=CHARACTER_ORDER, word_order=WORD_ORDER, beta=BETA)


def chrf_statistics(output: str, references: tuple[str, ...]) -> tuple[int, ...]:
    """Return 24 counts: per order (1-6 characters, 1-2 words) the n-grams of output, reference and both.

    With several references the counts are those of the best one for this output, as in sacreBLEU.
    """
    streams = [[reference] for reference in references or ("",)]
    # sacreBLEU publishes scores only, not the counts they are made of; a test holds the two together.
    return tuple(int(count) for count in _CHRF._extract_corpus_statistics([output], streams)[0])


def chrf_from_statistics(statistics: FloatArray) -> FloatArray:
    """Return chrF++ (0-100) of summed counts, shape (…, 24) to (…).

    Orders that lack n-grams on one side are left out of the means. The steps and their order are sacreBLEU's, so that
    the result is equal to its own, not only near.
    """
    counts = np.asarray(statistics, dtype=np.float64)
    precision_sum = np.zeros(counts.shape[:-1])
    recall_sum = np.zeros(counts.shape[:-1])
    orders = np.zeros(counts.shape[:-1])
    for order in range(_ORDERS):
        in_output, in_reference, matched = np.moveaxis(counts[..., 3 * order : 3 * order + 3], -1, 0)
        counted = (in_output > 0) & (in_reference > 0)
        precision_sum += np.divide(matched, in_output, out=np.zeros_like(matched), where=counted)
        recall_sum += np.divide(matched, in_reference, out=np.zeros_like(matched), where=counted)
        orders += counted
    precision = np.divide(precision_sum, orders, out=np.zeros_like(orders), where=orders > 0)
    recall = np.divide(recall_sum, orders, out=np.zeros_like(orders), where=orders > 0)
    factor = BETA**2
    score = (1 + factor) * precision * recall
    denominator = (factor * precision) + recall
    return 100 * np.divide(score, denominator, out=np.zeros_like(score), where=denominator > 0)


def chrf_signature() -> str:
    """Return sacreBLEU's signature for what is computed here, such as `nrefs:1|case:mixed|eff:yes|…`."""
    metric = CHRF(char_order=CHARACTER_ORDER, word_order=WORD_ORDER, beta=BETA)
    metric.corpus_score(["a"], [["a"]])  # the number of references is known to the signature only after a score
    return str(metric.get_signature())


def sacrebleu_version() -> str:
    """Return the version of the library that counts."""
    return sacrebleu.__version__


class ChrfMetric:
    """Corpus chrF++ from summed counts; an empty output counts as one without n-grams."""

    name = "chrf_plus_plus"
    scale = 100.0
    lower_is_better = False
    decimals = 2
    columns = tuple(f"{part}_{order + 1}" for order in range(_ORDERS) for part in _PARTS)

    def statistics(self, pair: Pair, settings: MetricSettings) -> tuple[int, ...]:
        """Return the entry's 24 counts."""
        return chrf_statistics(pair.counted_output, pair.references)

    def per_entry(self, statistics: IntArray) -> FloatArray:
        """Return each entry's own chrF++, unrounded."""
        return chrf_from_statistics(statistics.astype(np.float64))

    def aggregate(self, sums: FloatArray, counts: FloatArray) -> FloatArray:
        """Return corpus chrF++; NaN where no entry was counted."""
        return np.where(np.asarray(counts) > 0, chrf_from_statistics(sums), np.nan)

    def aggregate_as_harness(self, sums: FloatArray, counts: FloatArray) -> FloatArray:
        """Return corpus chrF++: the harness counts the same, over its own choice of entries."""
        return self.aggregate(sums, counts)
