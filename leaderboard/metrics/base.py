"""What a metric is: whole numbers per entry, and a value of their sums.

Scoring is split over chunks that may finish in any order. Sums of whole numbers do not depend on the order, so the
scores are the same to the last bit whichever worker did what; rates are therefore kept as ten-thousandths, the
precision to which the harness rounds an entry's rate.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from champollion.common.text import is_blank
from leaderboard.metrics.scripts import LATIN, first_script
from leaderboard.metrics.tools import LanguageFacts, Tools

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]

RATE_UNITS = 10_000  # a rate of 1 in a statistics column


@dataclass(frozen=True, slots=True)
class Pair:
    """One entry of a run: the corpus's source and references, and what the method predicted.

    `errored` means that the harness reported an error, `missing` that the run has no result for the entry; both count
    as an empty output, whatever `output` holds. `variants` are other acceptable translations, those of entries of the
    same variant class and source among them; `gold_analysis` is the corpus's, "" where it has none.
    Source: SPEC M-1, M-2, R-4, C-2.
    """

    entry_id: str
    source: str
    output: str
    references: tuple[str, ...]
    errored: bool = False
    missing: bool = False
    variants: tuple[str, ...] = ()
    gold_analysis: str = ""

    @property
    def counted_output(self) -> str:
        """The output as it counts: empty where the entry is errored or missing."""
        return "" if self.errored or self.missing else self.output

    @property
    def is_empty(self) -> bool:
        """Whether nothing but white space counts."""
        return is_blank(self.counted_output)


@dataclass(frozen=True)
class MetricSettings:
    """What the metrics need to know of a whole run: the same for each of its chunks.

    Scripts are named as in `leaderboard.metrics.scripts`. Without target scripts no word's script is called wrong.
    `language` says what the language brings, `tools` are the handles that a worker opened for it; they are no part of
    the serialised form. `spbleu_model` is the digest of the model that spBLEU is made with, "" where there is none.
    """

    source_script: str = LATIN
    target_scripts: frozenset[str] = field(default_factory=frozenset)
    language: LanguageFacts = field(default_factory=LanguageFacts)
    spbleu_model: str = ""
    tools: Tools = field(default_factory=Tools, compare=False, repr=False)

    @classmethod
    def detect(
        cls,
        *,
        sources: Iterable[str],
        references: Iterable[str],
        language: LanguageFacts | None = None,
        spbleu_model: str = "",
    ) -> "MetricSettings":
        """Settle the scripts once per run, from the corpus version in its own order.

        Each is the dominant script of the first text that has one; a source without any counts as Latin.
        Source: 90-harness-facts 4.3.
        """
        target = first_script(references)
        return cls(
            source_script=first_script(sources) or LATIN,
            target_scripts=frozenset({target} if target else ()),
            language=language or LanguageFacts(),
            spbleu_model=spbleu_model,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-serialisable form, for task arguments and the stored score set."""
        return {
            "source_script": self.source_script,
            "target_scripts": sorted(self.target_scripts),
            "language": self.language.to_dict(),
            "spbleu_model": self.spbleu_model,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "MetricSettings":
        """Read what `to_dict` wrote."""
        return cls(
            source_script=data["source_script"],
            target_scripts=frozenset(data["target_scripts"]),
            language=LanguageFacts.from_dict(data["language"]) if "language" in data else LanguageFacts(),
            spbleu_model=data.get("spbleu_model", ""),
        )


class Counted(Protocol):
    """Whole numbers per entry, of which a run's figures are made."""

    @property
    def name(self) -> str:
        """The metric's key in scores and claims."""
        ...

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of its whole numbers per entry."""
        ...

    def statistics(self, pair: Pair, settings: MetricSettings) -> tuple[int, ...]:
        """Return the entry's whole numbers, in the order of `columns`."""
        ...


class Metric(Counted, Protocol):
    """One metric: whole numbers per entry, and a value that is a function of their sums over entries.

    A column called `failure` holds a `FailureKind` where a tool failed at the entry; one such entry makes the metric
    null for the whole run. A metric may have `beside(sums, counts)`: figures by name that are shown beside it.
    """

    @property
    def scale(self) -> float:
        """The top of its range: 1 or 100."""
        ...

    @property
    def lower_is_better(self) -> bool:
        """Whether the composite inverts it."""
        ...

    @property
    def decimals(self) -> int:
        """Places to which its value is published."""
        ...

    def per_entry(self, statistics: IntArray) -> FloatArray:
        """Return each entry's own value, from an (n, columns) matrix."""
        ...

    def aggregate(self, sums: FloatArray, counts: FloatArray) -> FloatArray:
        """Return the values of sums (…, columns) over counts (…) entries; NaN where nothing was counted."""
        ...

    def aggregate_as_harness(self, sums: FloatArray, counts: FloatArray) -> FloatArray:
        """Return the same as the harness counts it: where it differs, by its own value for an empty output."""
        ...


def mean_rate(sums: FloatArray, counts: FloatArray) -> FloatArray:
    """Return sums of ten-thousandths over counts as rates; NaN where the count is 0."""
    counts = np.asarray(counts, dtype=np.float64)
    rates = np.full(np.broadcast(sums, counts).shape, np.nan)
    np.divide(sums, counts * RATE_UNITS, out=rates, where=counts > 0)
    return rates


def ratio(part: FloatArray, whole: FloatArray) -> FloatArray:
    """Return part ÷ whole; NaN where the whole is 0."""
    return mean_rate(np.asarray(part) * RATE_UNITS, whole)


def to_units(rate: float) -> int:
    """Return a rate as ten-thousandths, rounded as the harness rounds an entry's rate: to 4 decimals."""
    return round(round(rate, 4) * RATE_UNITS)
