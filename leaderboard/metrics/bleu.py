"""BLEU with sacreBLEU's defaults: 13a tokens, exponential smoothing, no effective order. Shown, never in the composite.

One entry's value is the corpus score of that pair alone, as the harness gives it: without effective order a text of
fewer than four tokens has 0, even where it equals its reference. Source: SPEC M-1; 90-harness-facts 4.2.
"""

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
from sacrebleu.metrics.bleu import BLEU

from leaderboard.metrics import ngrams
from leaderboard.metrics.base import FloatArray, IntArray, MetricSettings, Pair
from leaderboard.metrics.batch import Batch

ORDER = 4
COLUMNS = (
    "output_length",
    "reference_length",
    *(f"match_{order + 1}" for order in range(ORDER)),
    *(f"total_{order + 1}" for order in range(ORDER)),
)
_LOG_OF_ZERO = -9999999999.0  # as in sacreBLEU, which floors the logarithm

_SYMBOLS = '!"#$%&()*+/:;<=>?@[\\]^_`{|}~'  # each is a token of its own
_POINTS_IN_A_ROW = re.compile(r"[.,][.,]")
# Two rules of points at once, for texts in which no point follows another: only between digits one is no token.
_POINT = re.compile(r"\.(?:(?![0-9])|(?<![0-9]\.))")
_COMMA = re.compile(r",(?:(?![0-9])|(?<![0-9],))")
# The rules themselves: each takes a neighbour along, so that in a row of points every other one is passed over.
_POINT_AFTER_OTHER = re.compile(r"([^0-9])([.,])")
_POINT_BEFORE_OTHER = re.compile(r"([.,])([^0-9])")
_DASH_AFTER_DIGIT = re.compile(r"-(?<=[0-9]-)")


def tokens_13a(texts: Sequence[str]) -> list[list[str]]:
    """Return each text's tokens as mteval-v13a makes them."""
    lines = [f" {_one_line(text)} " for text in texts]
    in_a_row = {place: _by_the_rules(line) for place, line in enumerate(lines) if _POINTS_IN_A_ROW.search(line)}
    # One line a text, with a blank at either end, so that no rule reaches from one text into the next.
    joined = _apart("\n".join("" if place in in_a_row else line for place, line in enumerate(lines)))
    joined = _DASH_AFTER_DIGIT.sub(" - ", _COMMA.sub(" , ", _POINT.sub(" . ", joined)))
    found = [line.split() for line in joined.split("\n")] if texts else []
    for place, tokens in in_a_row.items():
        found[place] = tokens
    return found


def _by_the_rules(line: str) -> list[str]:
    line = _POINT_AFTER_OTHER.sub(r"\1 \2 ", _apart(line))
    line = _POINT_BEFORE_OTHER.sub(r" \1 \2", line)
    return _DASH_AFTER_DIGIT.sub(" - ", line).split()


def _apart(text: str) -> str:
    for symbol in _SYMBOLS:
        text = text.replace(symbol, f" {symbol} ")
    return text


def _one_line(text: str) -> str:
    text = text.rstrip().replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    if "&" in text:
        text = text.replace("&quot;", '"').replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">")
    return text


def bleu_matrix(outputs: Sequence[list[str]], references: Sequence[Sequence[list[str]]]) -> IntArray:
    """Return BLEU's ten counts, shape (n, 10), of tokenised outputs against one reference or several each."""
    known: dict[str, int] = {}
    first = ngrams.words([texts[0] for texts in references], known)
    counted = ngrams.words(outputs, known)
    matrix = np.concatenate(
        (
            counted.lengths[:, None],
            first.lengths[:, None],
            ngrams.matches(counted, first, ORDER),
            ngrams.totals(counted, ORDER),
        ),
        axis=1,
    )
    for place, texts in enumerate(references):
        if len(texts) > 1:
            matrix[place, 1 : 2 + ORDER] = _against_several(outputs[place], texts)
    return matrix


def _against_several(output: list[str], references: Sequence[list[str]]) -> list[int]:
    """Return the length of the closest reference, the shorter of two, and matches with any of them."""
    lengths = [len(reference) for reference in references]
    closest = min(lengths, key=lambda length: (abs(len(output) - length), length))
    matched = []
    for order in range(1, ORDER + 1):
        allowed: Counter[tuple[str, ...]] = Counter()
        for reference in references:
            allowed |= _grams(reference, order)
        matched.append((_grams(output, order) & allowed).total())
    return [closest, *matched]


def _grams(tokens: list[str], order: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(tokens[at : at + order]) for at in range(len(tokens) - order + 1))


def bleu_from_statistics(statistics: FloatArray) -> FloatArray:
    """Return BLEU (0-100) of summed counts, shape (…, 10) to (…), in sacreBLEU's steps."""
    counts = np.asarray(statistics, dtype=np.float64)
    matched, totals = counts[..., 2 : 2 + ORDER], counts[..., 2 + ORDER :]
    logarithms = np.zeros(counts.shape[:-1])
    smoothing = np.ones(counts.shape[:-1])
    for order in range(ORDER):
        there, hit = totals[..., order] > 0, matched[..., order] > 0
        smoothing = np.where(there & ~hit, smoothing * 2, smoothing)
        divisor = np.where(hit, 1.0, smoothing) * np.where(there, totals[..., order], 1.0)
        precision = 100.0 * np.where(hit, matched[..., order], 1.0) / divisor
        logarithms += np.where(there, np.log(precision), _LOG_OF_ZERO)
    score = _brevity(counts[..., 0], counts[..., 1]) * np.exp(logarithms / ORDER)
    return np.where(matched.any(axis=-1), score, 0.0)


def _brevity(output_length: FloatArray, reference_length: FloatArray) -> FloatArray:
    ratio = np.divide(reference_length, output_length, out=np.ones_like(output_length), where=output_length > 0)
    return np.where(output_length == 0, 0.0, np.exp(np.minimum(0.0, 1 - ratio)))


def bleu_signature() -> str:
    """Return sacreBLEU's signature for what is computed here."""
    metric = BLEU()
    metric.corpus_score(["a"], [["a"]])  # the number of references is known to the signature only after a score
    return str(metric.get_signature())


class BleuMetric:
    """Corpus BLEU from summed counts."""

    name = "corpus_bleu"
    scale = 100.0
    lower_is_better = False
    decimals = 2
    columns = COLUMNS

    def statistics(self, pair: Pair, settings: MetricSettings) -> tuple[int, ...]:
        """Return the entry's ten counts."""
        return tuple(int(count) for count in self.batch_statistics(Batch([pair]), settings)[0])

    def batch_statistics(self, batch: Batch, settings: MetricSettings) -> IntArray:
        """Return the counts of all entries."""
        references = [[tokens] for tokens in tokens_13a(batch.references)]
        for place in batch.with_several_references:
            references[place] = tokens_13a(batch.pairs[place].references)
        return bleu_matrix(tokens_13a(batch.outputs), references)

    def per_entry(self, statistics: IntArray) -> FloatArray:
        """Return each entry's own BLEU, unrounded."""
        return bleu_from_statistics(statistics.astype(np.float64))

    def aggregate(self, sums: FloatArray, counts: FloatArray) -> FloatArray:
        """Return corpus BLEU; NaN where no entry was counted."""
        return np.where(np.asarray(counts) > 0, bleu_from_statistics(sums), np.nan)

    def aggregate_as_harness(self, sums: FloatArray, counts: FloatArray) -> FloatArray:
        """Return corpus BLEU: the harness counts the same, over its own choice of entries."""
        return self.aggregate(sums, counts)
