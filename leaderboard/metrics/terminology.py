"""Terminology adherence: terms of a glossary that stand in the source and are translated as it says.

Source: SPEC M-1; 90-harness-facts 4.5. Harness 0.1.x counts a source without a term, and an empty output, as 1, and
takes the mean of entries; 0.4.0 leaves sources without a term out, counts an empty output 0, and pools. Ours is the
mean of 0.1.x, except that an empty, errored or missing output keeps no term; the pooled rate is shown beside.
"""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from champollion.common.text import is_blank
from leaderboard.metrics.base import RATE_UNITS, FloatArray, IntArray, MetricSettings, Pair, mean_rate, ratio, to_units
from leaderboard.metrics.glossary import Glossary
from leaderboard.metrics.tools import ToolFailure, Tools


class TermCounting(StrEnum):
    """Whose rule holds for sources without a term and for empty outputs."""

    HARNESS_0_1 = "0.1"
    HARNESS_0_4 = "0.4"


@dataclass(frozen=True)
class Adherence:
    """Terms of one source: present, kept, missed; `rate` 0-1 to 4 decimals, None where the rule gives none."""

    rate: float | None
    present: int
    kept: int
    missed: tuple[str, ...]


def terminology_adherence(
    source: str, output: str, glossary: Glossary | None, counting: TermCounting = TermCounting.HARNESS_0_1
) -> Adherence:
    """Return what a harness says of one entry; None without a glossary."""
    if glossary is None:
        return Adherence(rate=None, present=0, kept=0, missed=())
    early = counting is TermCounting.HARNESS_0_1
    if early and is_blank(output):
        return Adherence(rate=1.0, present=0, kept=0, missed=())
    found = glossary.count(source, output)
    if not found.present:
        return Adherence(rate=1.0 if early else None, present=0, kept=0, missed=())
    rate = round(found.kept / found.present, 4)
    return Adherence(rate=rate, present=found.present, kept=found.kept, missed=found.missed)


class TerminologyMetric:
    """Mean of entry rates by the glossary of corpus version or language, else by the language's plug-in.

    Null where there is neither, and where no source holds a term. A method's own glossary has columns of its own and
    never enters the value.
    """

    name = "terminology_adherence"
    scale = 1.0
    lower_is_better = False
    decimals = 4
    columns = ("rate", "counted", "present", "kept", "harness_rate", "own_present", "own_kept", "failure")

    def statistics(self, pair: Pair, settings: MetricSettings) -> tuple[int, ...]:
        """Return rate and terms by the language's glossary, the harness's rate, and terms by the method's own."""
        own = settings.tools.own_glossary
        own_found = own.count(pair.source, pair.counted_output) if own else None
        own_columns = (own_found.present, own_found.kept) if own_found else (0, 0)
        try:
            counts = _terms(pair, settings.tools)
        except ToolFailure as failure:
            return (0, 0, 0, 0, 0, *own_columns, int(failure.kind))
        if counts is None:
            return (0, 0, 0, 0, 0, *own_columns, 0)
        kept, present = counts
        rate = to_units(kept / present) if present else RATE_UNITS
        return (rate, 1, present, kept, RATE_UNITS if pair.is_empty else rate, *own_columns, 0)

    def per_entry(self, statistics: IntArray) -> FloatArray:
        """Return rates; NaN where the source holds no term."""
        return np.where(statistics[:, 2] > 0, statistics[:, 0] / RATE_UNITS, np.nan)

    def aggregate(self, sums: FloatArray, counts: FloatArray) -> FloatArray:
        """Return the mean of entry rates; NaN where no source holds a term."""
        return np.where(sums[..., 2] > 0, mean_rate(sums[..., 0], sums[..., 1]), np.nan)

    def aggregate_as_harness(self, sums: FloatArray, counts: FloatArray) -> FloatArray:
        """Return the mean of harness 0.1.x's entry rates, in which an empty output keeps every term."""
        return mean_rate(sums[..., 4], sums[..., 1])

    def beside(self, sums: FloatArray, counts: FloatArray) -> dict[str, FloatArray]:
        """Return terms found, terms kept ÷ terms found, and the same by the method's own glossary."""
        return {
            "terms_found": sums[..., 2],
            "terminology_pooled": ratio(sums[..., 3], sums[..., 2]),
            "own_terms_found": sums[..., 5],
            "terminology_own_glossary": ratio(sums[..., 6], sums[..., 5]),
        }


def _terms(pair: Pair, tools: Tools) -> tuple[int, int] | None:
    if tools.glossary is not None:
        found = tools.glossary.count(pair.source, pair.counted_output)
        return found.kept, found.present
    if tools.count_terms is not None:
        return tools.count_terms(pair.source, pair.counted_output)
    return None
