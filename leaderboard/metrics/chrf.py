"""chrF++ from sufficient statistics: n-grams counted per entry, and the F score of their sums.

The sums give sacreBLEU's corpus score to the last bit, one entry's counts give its score for that pair, and resampling
needs no further call. chrF's counts (`chrf_plain`) are the first of these, so that both cost one count.
Source: SPEC M-1; 90-harness-facts 4.2.
"""

import string

import numpy as np
import sacrebleu
from sacrebleu.metrics.chrf import CHRF

from leaderboard.metrics import ngrams
from leaderboard.metrics.base import FloatArray, IntArray, MetricSettings, Pair
from leaderboard.metrics.batch import Batch

CHARACTER_ORDER = 6
WORD_ORDER = 2
BETA = 2
_PARTS = ("output", "reference", "match")
_PUNCTUATION = frozenset(string.punctuation)


def chrf_statistics(output: str, references: tuple[str, ...], *, word_order: int = WORD_ORDER) -> tuple[int, ...]:
    """Return 24 counts: per order (1-6 characters, 1-2 words) the n-grams of output, reference and both.

    With several references the counts are those of the best one for this output, as in sacreBLEU. With a word order of
    0 they are chrF's 18.
    """
    pair = Pair(entry_id="", source="", output=output, references=references)
    return tuple(int(count) for count in chrf_matrix(Batch([pair]), word_order=word_order)[0])


def chrf_matrix(batch: Batch, *, word_order: int = WORD_ORDER) -> IntArray:
    """Return the counts of many entries, shape (n, 3 × orders)."""
    counted = batch.once(_first_reference_counts)[:, : 3 * (CHARACTER_ORDER + word_order)]
    several = batch.with_several_references
    if several:
        counted = counted.copy()
        counted[several] = [_best_counts(batch.pairs[place], word_order) for place in several]
    return counted


def _first_reference_counts(batch: Batch) -> IntArray:
    outputs, references = batch.outputs, batch.references
    known: dict[str, int] = {}
    characters = _triples(ngrams.characters(outputs), ngrams.characters(references), CHARACTER_ORDER)
    words = _triples(
        ngrams.words([_words(text) for text in outputs], known),
        ngrams.words([_words(text) for text in references], known),
        WORD_ORDER,
    )
    return np.concatenate((characters, words), axis=1)


def _triples(outputs: ngrams.Sequences, references: ngrams.Sequences, order: int) -> IntArray:
    of_outputs, of_references = ngrams.totals(outputs, order), ngrams.totals(references, order)
    # sacreBLEU does not count an output's n-grams of an order that the reference lacks.
    of_outputs = np.where(of_references > 0, of_outputs, 0)
    triples = np.stack((of_outputs, of_references, ngrams.matches(outputs, references, order)), axis=2)
    return triples.reshape(len(outputs), 3 * order)


def _words(text: str) -> list[str]:
    """Split at white space, and one mark of punctuation off each word: the last character, else the first."""
    found: list[str] = []
    for word in text.split():
        if len(word) > 1 and word[-1] in _PUNCTUATION:
            found += (word[:-1], word[-1])
        elif len(word) > 1 and word[0] in _PUNCTUATION:
            found += (word[0], word[1:])
        else:
            found.append(word)
    return found


def _best_counts(pair: Pair, word_order: int) -> IntArray:
    rows = [chrf_statistics(pair.counted_output, (reference,), word_order=word_order) for reference in pair.references]
    counts = np.array(rows, dtype=np.int64)
    best: IntArray = counts[int(np.argmax(chrf_from_statistics(counts.astype(np.float64))))]
    return best


def chrf_from_statistics(statistics: FloatArray) -> FloatArray:
    """Return chrF++ of summed counts, shape (…, 24) to (…), or chrF of (…, 18); 0-100.

    Orders that lack n-grams on one side are left out of the means. The steps and their order are sacreBLEU's, so that
    the result is equal to its own, not only near.
    """
    counts = np.asarray(statistics, dtype=np.float64)
    precision_sum = np.zeros(counts.shape[:-1])
    recall_sum = np.zeros(counts.shape[:-1])
    orders = np.zeros(counts.shape[:-1])
    for order in range(counts.shape[-1] // 3):
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


def chrf_signature(*, word_order: int = WORD_ORDER) -> str:
    """Return sacreBLEU's signature for what is computed here, such as `nrefs:1|case:mixed|eff:yes|…`."""
    metric = CHRF(char_order=CHARACTER_ORDER, word_order=word_order, beta=BETA)
    metric.corpus_score(["a"], [["a"]])  # the number of references is known to the signature only after a score
    return str(metric.get_signature())


def sacrebleu_version() -> str:
    """Return the version of the library whose figures ours equal."""
    return sacrebleu.__version__


class ChrfMetric:
    """Corpus chrF++ from summed counts; an empty output counts as one without n-grams."""

    name = "chrf_plus_plus"
    scale = 100.0
    lower_is_better = False
    decimals = 2
    word_order = WORD_ORDER
    columns = tuple(f"{part}_{order + 1}" for order in range(CHARACTER_ORDER + WORD_ORDER) for part in _PARTS)

    def statistics(self, pair: Pair, settings: MetricSettings) -> tuple[int, ...]:
        """Return the entry's counts."""
        return chrf_statistics(pair.counted_output, pair.references, word_order=self.word_order)

    def batch_statistics(self, batch: Batch, settings: MetricSettings) -> IntArray:
        """Return the counts of all entries."""
        return chrf_matrix(batch, word_order=self.word_order)

    def per_entry(self, statistics: IntArray) -> FloatArray:
        """Return each entry's own score, unrounded."""
        return chrf_from_statistics(statistics.astype(np.float64))

    def aggregate(self, sums: FloatArray, counts: FloatArray) -> FloatArray:
        """Return the corpus score; NaN where no entry was counted."""
        return np.where(np.asarray(counts) > 0, chrf_from_statistics(sums), np.nan)

    def aggregate_as_harness(self, sums: FloatArray, counts: FloatArray) -> FloatArray:
        """Return the corpus score: the harness counts the same, over its own choice of entries."""
        return self.aggregate(sums, counts)
