"""FST acceptance: the share of an output's words that the language's analyser knows.

Source: SPEC M-1; 90-harness-facts 4.6 (values of harness 0.1.1; the lower-case fallback of 0.4.0 beside them).
"""

from dataclasses import dataclass

import numpy as np

from leaderboard.metrics.base import RATE_UNITS, FloatArray, IntArray, MetricSettings, Pair, mean_rate, ratio, to_units
from leaderboard.metrics.tools import Analyse, ToolFailure

#: What is taken off both ends of a word. Curly quotes and guillemets are not, as in the harness.
STRIPPED = ".,;:!?\"'()[]{}—–-"


@dataclass(frozen=True)
class Acceptance:
    """Words of one output: all, those that the analyser accepts as written, and those only in lower case."""

    words: int
    accepted: int
    folded: int

    @property
    def rate(self) -> float:
        """Accepted ÷ all, to 4 decimals; 0 for an output without words."""
        return round(self.accepted / self.words, 4) if self.words else 0.0

    @property
    def rate_with_fallback(self) -> float:
        """The same, with words that are accepted in lower case only."""
        return round((self.accepted + self.folded) / self.words, 4) if self.words else 0.0


def analyser_words(text: str) -> list[str]:
    """Return the words of a text as the analyser gets them: split at white space, punctuation off both ends."""
    return [word for word in (piece.strip(STRIPPED) for piece in text.split()) if word]


def fst_acceptance(output: str, analyse: Analyse) -> Acceptance:
    """Return how many words of an output the analyser accepts; numbers are words, case counts.

    Raises what the analyser raises: ToolFailure.
    """
    words = analyser_words(output)
    unknown = [word for word, found in zip(words, analyse(words), strict=True) if not found]
    lowered = [word.lower() for word in unknown if word.lower() != word]
    folded = sum(1 for found in analyse(lowered) if found) if lowered else 0
    return Acceptance(words=len(words), accepted=len(words) - len(unknown), folded=folded)


class FstAcceptanceMetric:
    """Mean of entry rates; an output without words counts 0. Null where no analyser is set up."""

    name = "fst_acceptance_rate"
    scale = 1.0
    lower_is_better = False
    decimals = 4
    columns = ("rate", "counted", "words", "accepted", "folded", "rate_with_fallback", "failure")

    def statistics(self, pair: Pair, settings: MetricSettings) -> tuple[int, ...]:
        """Return the entry's rate, whether it was judged, its words, and how a failing analyser failed."""
        analyse = settings.tools.analyse
        if analyse is None:
            return (0,) * len(self.columns)
        try:
            found = fst_acceptance(pair.counted_output, analyse)
        except ToolFailure as failure:
            return (0, 0, 0, 0, 0, 0, int(failure.kind))
        rates = to_units(found.rate), to_units(found.rate_with_fallback)
        return (rates[0], 1, found.words, found.accepted, found.folded, rates[1], 0)

    def per_entry(self, statistics: IntArray) -> FloatArray:
        """Return rates; NaN where nothing was judged."""
        return np.where(statistics[:, 1] > 0, statistics[:, 0] / RATE_UNITS, np.nan)

    def aggregate(self, sums: FloatArray, counts: FloatArray) -> FloatArray:
        """Return the mean of entry rates."""
        return mean_rate(sums[..., 0], sums[..., 1])

    def aggregate_as_harness(self, sums: FloatArray, counts: FloatArray) -> FloatArray:
        """Return the mean of entry rates: the harness counts the same, over its own choice of entries."""
        return self.aggregate(sums, counts)

    def beside(self, sums: FloatArray, counts: FloatArray) -> dict[str, FloatArray]:
        """Return what is shown beside: words, accepted words, words accepted ÷ words, and the mean with fallback."""
        return {
            "fst_words": sums[..., 2],
            "fst_accepted": sums[..., 3],
            "fst_words_accepted_rate": ratio(sums[..., 3], sums[..., 2]),
            "fst_acceptance_case_fallback": mean_rate(sums[..., 5], sums[..., 1]),
        }
