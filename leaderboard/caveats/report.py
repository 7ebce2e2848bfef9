"""The caveats of a run: each with the entries it rests on and their share. No number of the run changes.

Source: SPEC M-2; 90-harness-facts 10 for the bounds of one output for many sources.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np

from leaderboard.caveats.detectors import NormalForm
from leaderboard.caveats.marks import COLUMNS
from leaderboard.metrics.base import RATE_UNITS, BoolArray, IntArray

LONGEST_MEAN = 2.0
SHORTEST_MEAN = 0.5
FEWEST_SOURCES = 3
FEWEST_SOURCES_OF_SHORT = 5


class CaveatCode(StrEnum):
    """What a caveat is about."""

    EMPTY_OUTPUT = "empty_output"
    SOURCE_COPIED = "source_copied"
    SAME_OUTPUT = "same_output"
    LENGTH_FAR_OFF = "length_far_off"
    ENGINE_MARKS = "engine_marks"
    WRONG_SCRIPT = "wrong_script"
    REPEATED_NGRAMS = "repeated_ngrams"
    MIXED_NORMALISATION = "mixed_normalisation"


@dataclass(frozen=True)
class Caveat:
    """A caveat of a run: `entry_ids` are its evidence, `share` is theirs of all entries (0-1).

    `mean_ratio` is the mean length ratio where the caveat is about it.
    """

    code: CaveatCode
    entry_ids: tuple[str, ...]
    share: float
    mean_ratio: float | None = None

    @property
    def entry_count(self) -> int:
        """How many entries it touches."""
        return len(self.entry_ids)

    def to_dict(self) -> dict[str, Any]:
        """Return what may be stored in the open: without the entries, which on a secret segment are secret results."""
        stored: dict[str, Any] = {"code": self.code.value, "entry_count": self.entry_count, "share": self.share}
        return stored if self.mean_ratio is None else {**stored, "mean_ratio": self.mean_ratio}


def caveats_of(marks: IntArray, entry_ids: Sequence[str]) -> tuple[Caveat, ...]:
    """Return the caveats of a run, in the order of `CaveatCode`; none for a run without entries.

    Args:
        marks: (n, columns) as `CaveatMarks` counts them.
        entry_ids: n ids, in the same order.
    """
    mean = mean_length_ratio(marks)
    found = []
    for code, mask in caveat_masks(marks).items():
        if mask.any():
            ids = tuple(entry_ids[int(place)] for place in np.flatnonzero(mask))
            ratio = mean if code is CaveatCode.LENGTH_FAR_OFF else None
            found.append(Caveat(code=code, entry_ids=ids, share=len(ids) / len(marks), mean_ratio=ratio))
    return tuple(found)


def caveat_masks(marks: IntArray) -> dict[CaveatCode, BoolArray]:
    """Return, for each caveat, which of the n entries it touches."""
    return {
        CaveatCode.EMPTY_OUTPUT: _column(marks, "empty") > 0,
        CaveatCode.SOURCE_COPIED: _column(marks, "source_copied") > 0,
        CaveatCode.SAME_OUTPUT: _same_output(marks),
        CaveatCode.LENGTH_FAR_OFF: _length_far_off(marks),
        CaveatCode.ENGINE_MARKS: _column(marks, "engine_marks") > 0,
        CaveatCode.WRONG_SCRIPT: _column(marks, "wrong_script") > 0,
        CaveatCode.REPEATED_NGRAMS: _column(marks, "repeated") > 0,
        CaveatCode.MIXED_NORMALISATION: _mixed_normalisation(marks),
    }


def mean_length_ratio(marks: IntArray) -> float | None:
    """Return the mean length ratio of the outputs that are not empty, to 4 decimals; None where there is none."""
    judged = _column(marks, "with_ratio") > 0
    if not judged.any():
        return None
    return round(float(_column(marks, "length_ratio")[judged].sum()) / RATE_UNITS / int(judged.sum()), 4)


def _length_far_off(marks: IntArray) -> BoolArray:
    mean = mean_length_ratio(marks)
    ratios, judged = _column(marks, "length_ratio"), _column(marks, "with_ratio") > 0
    if mean is not None and mean > LONGEST_MEAN:
        return judged & (ratios > LONGEST_MEAN * RATE_UNITS)
    if mean is not None and mean < SHORTEST_MEAN:
        return judged & (ratios < SHORTEST_MEAN * RATE_UNITS)
    return np.zeros(len(marks), dtype=bool)


def _same_output(marks: IntArray) -> BoolArray:
    outputs, sources = _column(marks, "output_digest"), _column(marks, "source_digest")
    touched = np.zeros(len(marks), dtype=bool)
    places = np.flatnonzero(outputs)
    if not len(places):
        return touched
    distinct, group = np.unique(outputs[places], return_inverse=True)
    pairs = np.unique(np.stack((group, sources[places]), axis=1), axis=0)
    source_counts = np.bincount(pairs[:, 0], minlength=len(distinct))
    fewest = np.where(_column(marks, "short")[places] > 0, FEWEST_SOURCES_OF_SHORT, FEWEST_SOURCES)
    touched[places] = source_counts[group] >= fewest
    return touched


def _mixed_normalisation(marks: IntArray) -> BoolArray:
    """Pick texts that are in neither form, and where texts of both forms come, those of the rarer (or decomposed)."""
    forms = _column(marks, "normal_form")
    mixed = forms == NormalForm.NEITHER
    composed, decomposed = forms == NormalForm.COMPOSED, forms == NormalForm.DECOMPOSED
    if composed.any() and decomposed.any():
        mixed = mixed | (composed if composed.sum() < decomposed.sum() else decomposed)
    return mixed


def _column(marks: IntArray, name: str) -> IntArray:
    column: IntArray = marks[:, COLUMNS.index(name)]
    return column
