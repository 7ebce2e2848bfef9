"""Hallucination: length far off, repeated word triples, names out of nowhere, the source given back.

Source: SPEC M-1, M-2; 90-harness-facts 4.4 (values of harness 0.1.1).
"""

import re
from collections import Counter
from dataclasses import dataclass

import numpy as np

from champollion.common.text import is_blank
from leaderboard.metrics.base import RATE_UNITS, FloatArray, IntArray, MetricSettings, Pair, mean_rate, to_units

LENGTH_WEIGHT = 0.4
REPETITION_WEIGHT = 0.3
ENTITY_WEIGHT = 0.2
ECHO_WEIGHT = 0.1

SHORTEST_RATIO = 0.3
LONGEST_RATIO = 3.0
LONGEST_WITHOUT_SOURCE = 10  # characters
FEWEST_WORDS_TO_REPEAT = 4
NEAR_ECHO = 0.85
FLAGGED_ABOVE = 0.1  # strictly above: a pure echo is exactly 0.1 and is not flagged

_NAME = re.compile(r"\b[A-Z][a-zA-Z]{2,}\b")
_SENTENCE_START = re.compile(r"(?:^|[.!?][\"')\]]*\s+)[A-Z]")
_CAPITAL = re.compile(r"[A-Z]")


@dataclass(frozen=True)
class Hallucination:
    """What the detector found in one output: the weighted rate and its four parts, each 0-1."""

    rate: float
    length: float
    repetition: float
    entity: float
    echo: float


CLEAN = Hallucination(rate=0.0, length=0.0, repetition=0.0, entity=0.0, echo=0.0)


def hallucination(source: str, output: str) -> Hallucination:
    """Return what the detector of harness 0.1.1 finds in one output; an empty one is clean, as it is there."""
    if is_blank(output):
        return CLEAN
    return _weighted(source, output, entity_score(source, output))


def hallucination_early(source: str, output: str) -> Hallucination:
    """Return what the harness before 0.1.0 found: the same, but sentence-initial capitals count as names.

    The reports of June 2026 hold these values; they are needed to check their claims, never for a score of ours.
    Source: 90-harness-facts 4.4, 0.1.
    """
    if is_blank(output):
        return CLEAN
    return _weighted(source, output, _novel_share(_NAME.findall(source), _NAME.findall(output)))


def length_score(source: str, output: str) -> float:
    """Return 0 where the output is 0.3 to 3 times as long as the source, rising to 1 outside; code points, trimmed."""
    source_length, output_length = len(source.strip()), len(output.strip())
    if source_length == 0:
        return 1.0 if output_length > LONGEST_WITHOUT_SOURCE else 0.0
    ratio = output_length / source_length
    if ratio > LONGEST_RATIO:
        return min(1.0, (ratio - LONGEST_RATIO) / LONGEST_RATIO)
    if ratio < SHORTEST_RATIO:
        return (SHORTEST_RATIO - ratio) / SHORTEST_RATIO
    return 0.0


def repetition_score(output: str) -> float:
    """Return the share of word triples that repeat an earlier one; 0 under four words."""
    words = output.lower().split()
    if len(words) < FEWEST_WORDS_TO_REPEAT:
        return 0.0
    triples = Counter(zip(words, words[1:], words[2:], strict=False))
    return sum(count - 1 for count in triples.values()) / triples.total()


def entity_score(source: str, output: str) -> float:
    """Return the share of the output's capitalised names that the source lacks; 0 where the source has no A-Z.

    Capitals that only begin a sentence make no name, on either side.
    """
    if not _CAPITAL.search(source):
        return 0.0
    return _novel_share(_NAME.findall(_lower_starts(source)), _NAME.findall(_lower_starts(output)))


def echo_score(source: str, output: str) -> float:
    """Return 1 for the source given back, 0.5 for nearly the same letters in any order, else 0."""
    first, second = source.strip().lower(), output.strip().lower()
    if first == second:
        return 1.0
    longest = max(len(first), len(second))
    overlap = (Counter(first) & Counter(second)).total()
    return 0.5 if longest and overlap / longest > NEAR_ECHO else 0.0


def _weighted(source: str, output: str, entity: float) -> Hallucination:
    length, repetition, echo = length_score(source, output), repetition_score(output), echo_score(source, output)
    rate = LENGTH_WEIGHT * length + REPETITION_WEIGHT * repetition + ENTITY_WEIGHT * entity + ECHO_WEIGHT * echo
    return Hallucination(
        rate=round(min(rate, 1.0), 4),
        length=round(length, 4),
        repetition=round(repetition, 4),
        entity=round(entity, 4),
        echo=round(echo, 4),
    )


def _lower_starts(text: str) -> str:
    return _SENTENCE_START.sub(lambda match: match.group().lower(), text)


def _novel_share(in_source: list[str], in_output: list[str]) -> float:
    names = {name.lower() for name in in_output}
    known = {name.lower() for name in in_source}
    return len(names - known) / len(names) if names else 0.0


class HallucinationMetric:
    """Mean of entry rates; an empty, errored or missing output counts 1 (SPEC M-2)."""

    name = "hallucination_rate"
    scale = 1.0
    lower_is_better = True
    decimals = 4
    columns = ("rate", "harness_rate", "affected", "flagged", "early_rate")

    def statistics(self, pair: Pair, settings: MetricSettings) -> tuple[int, ...]:
        """Return the entry's headline rate, the harness's, whether it is over 0, over 0.1, and the early rate."""
        output = pair.counted_output
        harness = to_units(hallucination(pair.source, output).rate)
        headline = RATE_UNITS if pair.is_empty else harness
        early = to_units(hallucination_early(pair.source, output).rate)
        return (headline, harness, int(headline > 0), int(headline > to_units(FLAGGED_ABOVE)), early)

    def per_entry(self, statistics: IntArray) -> FloatArray:
        """Return headline rates."""
        return np.asarray(statistics[:, 0] / RATE_UNITS)

    def aggregate(self, sums: FloatArray, counts: FloatArray) -> FloatArray:
        """Return the mean of headline rates."""
        return mean_rate(sums[..., 0], counts)

    def aggregate_as_harness(self, sums: FloatArray, counts: FloatArray) -> FloatArray:
        """Return the mean of the harness's rates, in which an empty output is clean."""
        return mean_rate(sums[..., 1], counts)

    def aggregate_early(self, sums: FloatArray, counts: FloatArray) -> FloatArray:
        """Return the mean of the rates that harnesses before 0.1.0 gave."""
        return mean_rate(sums[..., 4], counts)

    def share_affected(self, sums: FloatArray, counts: FloatArray) -> FloatArray:
        """Return the share of entries with a rate over 0: the source documents' figure, shown beside."""
        return mean_rate(sums[..., 2] * RATE_UNITS, counts)
