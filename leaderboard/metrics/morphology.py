"""Morphological accuracy: gold morphemes that the output has, else readings that agree with the reference's.

Source: SPEC M-1; 90-harness-facts 4.7 for the readings. The harness reads no gold analysis.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from champollion.common.text import nfc
from leaderboard.metrics.base import FloatArray, IntArray, MetricSettings, Pair, mean_rate, ratio, to_units
from leaderboard.metrics.fst_acceptance import analyser_words
from leaderboard.metrics.tools import Analyse, ToolFailure

_BETWEEN_MORPHEMES = re.compile(r"[\s\-\u2010\u2011]+")


@dataclass(frozen=True)
class Readings:
    """Words of one output: those with an analysis, those whose lemma the reference has, those with its tags too."""

    analysable: int
    covered: int
    correct: int


def gold_morphemes(gold_analysis: str) -> list[str]:
    """Return the segments left of `|`, split at spaces and hyphens, NFC and lower case."""
    left = nfc(gold_analysis).lower().partition("|")[0]
    return [piece for piece in _BETWEEN_MORPHEMES.split(left) if piece]


def morphemes_produced(gold: Iterable[str], output: str) -> int:
    """Return how many gold morphemes stand in the output, left to right, without overlap, in their order.

    One that is not found is passed over; the search for the next goes on from where the last one found ended.
    """
    text, place, produced = nfc(output).lower(), 0, 0
    for morpheme in gold:
        found = text.find(morpheme, place)
        if found >= 0:
            place = found + len(morpheme)
            produced += 1
    return produced


def compare_readings(output: str, references: Sequence[str], analyse: Analyse) -> Readings:
    """Return how the readings of an output's words agree with those of the references' words.

    A word counts as covered if one of its lemmas is a lemma of a reference, as correct if one of its readings has the
    same lemma and the same set of tags there. Raises ToolFailure.
    """
    known = {_lemma_and_tags(one) for text in references for word in analyse(analyser_words(text)) for one in word}
    lemmas = {lemma for lemma, _tags in known}
    readings = [{_lemma_and_tags(one) for one in word} for word in analyse(analyser_words(output)) if word]
    return Readings(
        analysable=len(readings),
        covered=sum(any(lemma in lemmas for lemma, _tags in word) for word in readings),
        correct=sum(not known.isdisjoint(word) for word in readings),
    )


def _lemma_and_tags(analysis: str) -> tuple[str, frozenset[str]]:
    lemma, *tags = analysis.split("+")
    return lemma, frozenset(tags)


class MorphologyMetric:
    """Where the corpus has gold analyses, the mean of entry rates over them; else correct ÷ covered words.

    Null where the corpus has no gold analysis and the language no analyser.
    """

    name = "morphological_accuracy"
    scale = 1.0
    lower_is_better = False
    decimals = 4
    columns = ("rate", "with_gold", "gold", "produced", "analysable", "covered", "correct", "failure")

    def statistics(self, pair: Pair, settings: MetricSettings) -> tuple[int, ...]:
        """Return the gold columns where the corpus has gold analyses, the columns of the readings otherwise."""
        if settings.language.has_gold_analyses:
            return self._against_gold(pair)
        if settings.tools.analyse is None:
            return (0,) * len(self.columns)
        try:
            found = compare_readings(pair.counted_output, pair.references, settings.tools.analyse)
        except ToolFailure as failure:
            return (0, 0, 0, 0, 0, 0, 0, int(failure.kind))
        return (0, 0, 0, 0, found.analysable, found.covered, found.correct, 0)

    def _against_gold(self, pair: Pair) -> tuple[int, ...]:
        gold = gold_morphemes(pair.gold_analysis)
        if not gold:
            return (0,) * len(self.columns)
        produced = morphemes_produced(gold, pair.counted_output)
        return (to_units(produced / len(gold)), 1, len(gold), produced, 0, 0, 0, 0)

    def per_entry(self, statistics: IntArray) -> FloatArray:
        """Return each entry's rate, or its correct ÷ covered words; NaN where there is neither."""
        return self.aggregate(statistics.astype(np.float64), np.ones(len(statistics)))

    def aggregate(self, sums: FloatArray, counts: FloatArray) -> FloatArray:
        """Return the mean rate over entries with a gold analysis, or correct ÷ covered words."""
        return np.where(sums[..., 1] > 0, mean_rate(sums[..., 0], sums[..., 1]), ratio(sums[..., 6], sums[..., 5]))

    def aggregate_as_harness(self, sums: FloatArray, counts: FloatArray) -> FloatArray:
        """Return correct ÷ covered words, which is all that the harness knows."""
        return ratio(sums[..., 6], sums[..., 5])

    def coverage(self, sums: FloatArray, counts: FloatArray) -> FloatArray:
        """Return entries with a gold analysis ÷ entries, or covered ÷ analysable words; NaN where nothing was."""
        return np.where(sums[..., 1] > 0, ratio(sums[..., 1], counts), ratio(sums[..., 5], sums[..., 4]))

    def beside(self, sums: FloatArray, counts: FloatArray) -> dict[str, FloatArray]:
        """Return the coverage, and the morphemes produced ÷ gold morphemes over the whole run."""
        return {
            "morphology_coverage": self.coverage(sums, counts),
            "morphemes_produced_rate": ratio(sums[..., 3], sums[..., 2]),
        }
