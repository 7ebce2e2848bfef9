"""Code-switching: words left in the source language's script, or runs of words copied from the source.

Source: SPEC M-1, M-2; 90-harness-facts 4.3 (values of harness 0.1.1).
"""

from dataclasses import dataclass

import numpy as np

from leaderboard.metrics.base import RATE_UNITS, FloatArray, IntArray, MetricSettings, Pair, mean_rate, to_units
from leaderboard.metrics.scripts import dominant_script

SHORTEST_RUN = 3  # consecutive words of the source that count as left untranslated


@dataclass(frozen=True)
class CodeSwitching:
    """What the detector found in one output: rate 0-1 (4 decimals), words of a wrong script, words with letters, words
    in untranslated runs."""

    rate: float
    wrong_script_words: int
    letter_words: int
    run_words: int


def code_switching(source: str, output: str, settings: MetricSettings) -> CodeSwitching:
    """Return what the harness's detector finds in one output; an empty one is clean, as it is there.

    The rate is the larger of (words in the source's script ÷ words with letters) and (words in runs of at least three
    words that all occur in the source ÷ all words), 0 where no word has a letter.
    """
    words = output.split()
    scripts = [script for script in map(dominant_script, words) if script is not None]
    wrong = sum(_is_wrong(script, settings) for script in scripts)
    run = _words_in_runs(words, set(source.lower().split()))
    if not scripts:
        return CodeSwitching(rate=0.0, wrong_script_words=0, letter_words=0, run_words=run)
    rate = max(wrong / len(scripts), run / len(words))
    return CodeSwitching(
        rate=round(min(rate, 1.0), 4), wrong_script_words=wrong, letter_words=len(scripts), run_words=run
    )


def _is_wrong(script: str, settings: MetricSettings) -> bool:
    targets = settings.target_scripts
    return bool(targets) and script == settings.source_script and script not in targets


def _words_in_runs(words: list[str], source_words: set[str]) -> int:
    total = current = 0
    for word in [*words, None]:
        if word is not None and word.lower() in source_words:
            current += 1
            continue
        if current >= SHORTEST_RUN:
            total += current
        current = 0
    return total


class CodeSwitchingMetric:
    """Mean of entry rates; an empty, errored or missing output counts 1 (SPEC M-2)."""

    name = "code_switching_rate"
    scale = 1.0
    lower_is_better = True
    decimals = 4
    columns = ("rate", "harness_rate", "affected", "wrong_script_words", "letter_words", "run_words")

    def statistics(self, pair: Pair, settings: MetricSettings) -> tuple[int, ...]:
        """Return the entry's headline rate, the harness's rate, whether it is affected, and the word counts."""
        found = code_switching(pair.source, pair.counted_output, settings)
        harness = to_units(found.rate)
        headline = RATE_UNITS if pair.is_empty else harness
        return (headline, harness, int(headline > 0), found.wrong_script_words, found.letter_words, found.run_words)

    def per_entry(self, statistics: IntArray) -> FloatArray:
        """Return headline rates."""
        return np.asarray(statistics[:, 0] / RATE_UNITS)

    def aggregate(self, sums: FloatArray, counts: FloatArray) -> FloatArray:
        """Return the mean of headline rates."""
        return mean_rate(sums[..., 0], counts)

    def aggregate_as_harness(self, sums: FloatArray, counts: FloatArray) -> FloatArray:
        """Return the mean of the harness's rates, in which an empty output is clean."""
        return mean_rate(sums[..., 1], counts)

    def share_affected(self, sums: FloatArray, counts: FloatArray) -> FloatArray:
        """Return the share of entries with a rate over 0: the source documents' figure, shown beside."""
        return mean_rate(sums[..., 2] * RATE_UNITS, counts)
