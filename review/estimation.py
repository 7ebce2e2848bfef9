"""The share of outputs that speakers find usable (or reject), estimated over strata, with its bounds.

Pure: numbers in, numbers out. What a verdict is stands in `review.verdicts`, what follows from a bound in
`review.policy`.

An item without a verdict counts against the share in the lower bound and for it in the upper one, so the share is
estimated twice; the two are one where every item has a verdict.

Source: SPEC V-7.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from fractions import Fraction
from math import sqrt
from typing import Any

from champollion.stats.intervals import clopper_pearson_lower, clopper_pearson_upper, wilson
from review.sampling import NO_OUTPUT, SHOWN_STRATA

DISPLAY_LEVEL = 0.95
REPORTED_LEVELS = (0.95, 0.97, 0.995)
"""One-sided levels that `Estimate.to_dict` prints; `Estimate.lower` and `.upper` take any."""
SMALL_STRATUM_BELOW = 8
"""A stratum of fewer items is shown as too small to speak for itself. Source: SPEC V-9."""


class ShareOf(StrEnum):
    """Which verdicts an estimate counts."""

    USABLE = "usable"
    REJECT = "reject"


@dataclass(frozen=True, slots=True)
class StratumCount:
    """What was found in one stratum of shown outputs.

    Args:
        stratum: its name.
        size: N_h, entries of the frame in it, 1 or more.
        shown: n_h, items of the sample in it, 1 to N_h.
        positive: k_h, items whose verdict is of the kind counted.
        missing: items without a verdict; positive + missing ≤ shown.
    """

    stratum: str
    size: int
    shown: int
    positive: int
    missing: int = 0

    def __post_init__(self) -> None:
        """Raise ValueError for counts that contradict each other."""
        if not 1 <= self.shown <= self.size:
            raise ValueError(f"stratum {self.stratum}: of {self.size} entries, 1 to {self.size} must be shown")
        if min(self.positive, self.missing) < 0 or self.positive + self.missing > self.shown:
            raise ValueError(f"stratum {self.stratum}: more verdicts than items")


@dataclass(frozen=True, slots=True)
class Weighted:
    """The weighted share with all items without a verdict counted one way.

    p_hat and p_tilde are 0-1; n_star is how many simple observations it is worth, None where the variance is 0 and
    nothing is uncertain.
    """

    p_hat: float
    p_tilde: float
    variance: float

    @property
    def n_star(self) -> float | None:
        """Return p̃(1 − p̃)/v, or None if v = 0."""
        return self.p_tilde * (1 - self.p_tilde) / self.variance if self.variance > 0 else None

    def wilson(self, level: float) -> tuple[float, float]:
        """Return the two-sided interval for display."""
        return (self.p_hat, self.p_hat) if self.n_star is None else wilson(self.p_hat, self.n_star, level=level)

    def lower(self, level: float) -> float:
        """Return the one-sided lower bound for decisions."""
        if self.n_star is None:
            return self.p_hat
        return clopper_pearson_lower(self.p_hat * self.n_star, self.n_star, level=level)

    def upper(self, level: float) -> float:
        """Return the one-sided upper bound for decisions."""
        if self.n_star is None:
            return self.p_hat
        return clopper_pearson_upper(self.p_hat * self.n_star, self.n_star, level=level)


@dataclass(frozen=True, slots=True)
class StratumRow:
    """One stratum for the report: counts, share k_h/n_h, two-sided 95 % interval, and if it is small or a census."""

    stratum: str
    size: int
    shown: int
    positive: int
    missing: int
    weight: float
    share: float
    interval: tuple[float, float]
    is_small: bool
    is_census: bool


@dataclass(frozen=True, slots=True)
class Estimate:
    """A share over all N entries of the segment.

    Args:
        share_of: usable or reject.
        population: N, with the entries without output.
        shown: n, items of the sample.
        positive: verdicts of this kind, unweighted.
        missing: items without a verdict.
        split_share: s, 0-1, of items whose first ratings stand on both sides of the line.
        panel_error: e, the chance that a panel's majority is wrong.
        low: items without a verdict counted as not of this kind.
        high: items without a verdict counted as of this kind.
        strata: one row a stratum, "no output" last.
    """

    share_of: ShareOf
    population: int
    shown: int
    positive: int
    missing: int
    split_share: float
    panel_error: float
    low: Weighted
    high: Weighted
    strata: tuple[StratumRow, ...]

    @property
    def p_hat(self) -> float:
        """Return the weighted estimate, items without a verdict not counted as of this kind."""
        return self.low.p_hat

    @property
    def plain_share(self) -> float | None:
        """Return positive of shown, unweighted, for the report's first sentence; None if nothing was shown."""
        return self.positive / self.shown if self.shown else None

    @property
    def interval(self) -> tuple[float, float]:
        """Return the two-sided 95 % interval for display."""
        return self.low.wilson(DISPLAY_LEVEL)[0], self.high.wilson(DISPLAY_LEVEL)[1]

    @property
    def interval_counts(self) -> tuple[int, int]:
        """Return the interval in entries of the population: "among all 150, very likely 119 to 132"."""
        low, high = self.interval
        return round(low * self.population), round(high * self.population)

    def lower(self, level: float) -> float:
        """Return the one-sided lower bound for decisions."""
        return self.low.lower(level)

    def upper(self, level: float) -> float:
        """Return the one-sided upper bound for decisions."""
        return self.high.upper(level)

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as JSON values, with bounds at the reported levels."""
        return {
            "share_of": self.share_of.value,
            "population": self.population,
            "shown": self.shown,
            "positive": self.positive,
            "missing": self.missing,
            "split_share": self.split_share,
            "panel_error": self.panel_error,
            "p_hat": self.p_hat,
            "plain_share": self.plain_share,
            "interval": list(self.interval),
            "low": asdict(self.low) | {"n_star": self.low.n_star},
            "high": asdict(self.high) | {"n_star": self.high.n_star},
            "lower": {str(level): self.lower(level) for level in REPORTED_LEVELS},
            "upper": {str(level): self.upper(level) for level in REPORTED_LEVELS},
            "strata": [asdict(row) | {"interval": list(row.interval)} for row in self.strata],
        }


def panel_error(split_share: float, *, overlap: int) -> float:
    """Return e, the chance that a panel's majority is wrong, from the share of items whose first ratings split.

    Args:
        split_share: s, 0-1; over ¾ (three raters) or ½ (two) it counts as that, where raters only guess.
        overlap: raters an item. With one there is no panel to disagree, and the result only describes: 0.

    Returns:
        e, from 0 (never split) to ½ (three raters) or ¼ (two).

    Source: SPEC V-7.
    """
    if not 0 <= split_share <= 1:
        raise ValueError("the share of split items must be 0 to 1")
    if overlap == 1:
        return 0.0
    if overlap == 2:
        a = 0.5 + sqrt(0.25 - min(split_share, 0.5) / 2)
        return (1 - a) ** 2
    a = 0.5 + sqrt(0.25 - min(split_share, 0.75) / 3)
    return (1 - a) ** 2 * (1 + 2 * a)


def estimate(
    counts: Sequence[StratumCount],
    *,
    share_of: ShareOf,
    no_output: int = 0,
    split_share: float = 0.0,
    overlap: int = 3,
) -> Estimate:
    """Estimate a share over strata.

    Args:
        counts: every stratum of shown outputs that has entries.
        share_of: what `positive` counts; entries without output are not usable and are rejects.
        no_output: entries without a usable output.
        split_share: s for this line, 0-1.
        overlap: raters an item, 1 to 3.

    Raises:
        ValueError: there is no entry at all, or a share is out of range.

    Source: SPEC V-7.
    """
    population = sum(count.size for count in counts) + no_output
    if population == 0:
        raise ValueError("there must be at least one entry")
    e = panel_error(split_share, overlap=overlap)
    certain = no_output if share_of is ShareOf.REJECT else 0

    def side(extra: Mapping[str, int]) -> Weighted:
        return _weigh(counts, extra, certain=certain, population=population, e=e)

    rows = [_row(count, population=population, e=e) for count in counts]
    rows += [_no_output_row(no_output, certain=certain, population=population)] if no_output else []
    return Estimate(
        share_of=share_of,
        population=population,
        shown=sum(count.shown for count in counts),
        positive=sum(count.positive for count in counts),
        missing=sum(count.missing for count in counts),
        split_share=split_share,
        panel_error=e,
        low=side({}),
        high=side({count.stratum: count.missing for count in counts}),
        strata=tuple(sorted(rows, key=lambda row: _place(row.stratum))),
    )


def _weigh(
    counts: Sequence[StratumCount], extra: Mapping[str, int], *, certain: int, population: int, e: float
) -> Weighted:
    """Add up the strata; `certain` entries are of this kind without having been shown."""
    # As fractions, so that a census of 70 usable in 100 gives .70 itself and not a float beside it.
    p_hat = p_tilde = Fraction(certain, population)
    variance = 0.0
    for count in counts:
        k = count.positive + extra.get(count.stratum, 0)
        weight = Fraction(count.size, population)
        smoothed = Fraction(k + 1, count.shown + 2)
        p_hat += weight * Fraction(k, count.shown)
        p_tilde += weight * smoothed
        variance += float(weight) ** 2 * _stratum_variance(count, float(smoothed), e=e)
    return Weighted(p_hat=float(p_hat), p_tilde=float(p_tilde), variance=variance)


def _stratum_variance(count: StratumCount, smoothed: float, *, e: float) -> float:
    """Sampling variance, none in a census, plus what another panel might have said of the same items."""
    fraction = count.shown / count.size
    panel = fraction * e * (1 - e) / count.shown
    if count.shown == count.size:
        return panel
    # One item of several has no variance of its own to divide by; it is taken as if n_h − 1 were 1.
    return (1 - fraction) * smoothed * (1 - smoothed) / max(count.shown - 1, 1) + panel


def _row(count: StratumCount, *, population: int, e: float) -> StratumRow:
    """Describe one stratum as if it were the whole population."""
    low, high = (
        _weigh([count], extra, certain=0, population=count.size, e=e) for extra in ({}, {count.stratum: count.missing})
    )
    return StratumRow(
        stratum=count.stratum,
        size=count.size,
        shown=count.shown,
        positive=count.positive,
        missing=count.missing,
        weight=count.size / population,
        share=low.p_hat,
        interval=(low.wilson(DISPLAY_LEVEL)[0], high.wilson(DISPLAY_LEVEL)[1]),
        is_small=count.shown < SMALL_STRATUM_BELOW,
        is_census=count.shown == count.size,
    )


def _no_output_row(size: int, *, certain: int, population: int) -> StratumRow:
    share = 1.0 if certain else 0.0
    return StratumRow(
        stratum=NO_OUTPUT,
        size=size,
        shown=0,
        positive=certain,
        missing=0,
        weight=size / population,
        share=share,
        interval=(share, share),
        is_small=False,
        is_census=True,
    )


def _place(stratum: str) -> int:
    names = (*SHOWN_STRATA, NO_OUTPUT)
    return names.index(stratum) if stratum in names else len(names)
