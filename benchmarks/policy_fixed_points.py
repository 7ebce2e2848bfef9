"""Simulate how often community-1 says "meets", for the table of fixed points in SPEC V-8.

Populations with exactly 70, 80 or 85 % usable outputs over strata of 10/25/30/25/10 %, their shares shifted on the
logit scale from .9/.82/.72/.58/.4; a third of the unusable are truly rejects. Three independent raters say usable of
90 % of the usable and 15 % of the unusable outputs; of a true reject they otherwise say reject, of another output gist.
Majorities of the first three ratings, simple draws within strata. Agreement is taken as not failed: such raters agree
on about 80 % of pairs.

The policy's arithmetic is repeated here on arrays, thousands of campaigns at once; `campaign_at` builds single ones for
the product's own functions, and the tests compare the two.

    python -m benchmarks.policy_fixed_points [--runs 8000] [--seed 1] [--quick]
"""

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv

from champollion.stats.allocation import allocate, allocate_extension
from champollion.stats.intervals import clopper_pearson_upper
from review.grades import Grade
from review.policy import COMMUNITY_1
from review.verdicts import ItemRatings

STRATUM_SHARES = (0.10, 0.25, 0.30, 0.25, 0.10)
BASE_USABLE = np.array([0.9, 0.82, 0.72, 0.58, 0.4])
SAYS_USABLE = {True: 0.90, False: 0.15}
REJECT, GIST, USABLE = 0, 1, 2
USABLE_SHARES = (0.70, 0.80, 0.85)

ROWS: dict[tuple[int, int], tuple[tuple[float, ...], tuple[float, ...] | None]] = {
    (50, 50): ((0.034, 0.909, 0.988), None),
    (100, 100): ((0.028, 0.992, 0.999), None),
    (150, 100): ((0.021, 0.871, 0.999), (0.043, 0.999, 1.0)),
    (300, 100): ((0.020, 0.665, 0.967), (0.033, 0.890, 0.999)),
    (1000, 150): ((0.020, 0.766, 0.990), (0.031, 0.894, 0.999)),
}
"""(N, n): shares that meet at first and after the extension, for 70 / 80 / 85 % usable. Source: SPEC V-8."""

Flags = NDArray[np.bool_]
Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Simulation:
    """Many campaigns over one population.

    `kinds` and `says` have one array a stratum, of the outputs that may be shown: shape (runs, items) and (runs, items,
    raters).
    """

    sizes: list[int]
    sample: list[int]
    look: list[int] | None
    extended: list[int] | None
    kinds: list[NDArray[np.int8]]
    says: list[Flags]


@dataclass(frozen=True)
class Judged:
    """One flag a campaign: meets, does not meet, and held though the figures meet."""

    meets: Flags
    fails: Flags
    held: Flags


def by_largest_remainder(shares: Numbers, total: int) -> list[int]:
    """Round real numbers so that they sum to `total`; ties to the lower stratum."""
    # A hair more before rounding down, so that 30 % of 150 is 45 whatever the float says.
    counts = np.floor(shares + 1e-9).astype(int)
    order = np.argsort(-(shares - counts), kind="stable")
    counts[order[: total - counts.sum()]] += 1
    return [int(count) for count in counts]


def stratum_sizes(population: int) -> list[int]:
    """Return N_h for a population of N."""
    return by_largest_remainder(np.array(STRATUM_SHARES) * population, population)


def usable_counts(sizes: Sequence[int], share: float) -> list[int]:
    """Return usable outputs by stratum: the base shares moved on the logit scale until exactly `share` are usable."""
    low, high = -10.0, 10.0
    logit = np.log(BASE_USABLE / (1 - BASE_USABLE))
    total = round(share * sum(sizes))
    for _ in range(100):
        shift = (low + high) / 2
        expected = np.array(sizes) / (1 + np.exp(-(logit + shift)))
        low, high = (shift, high) if expected.sum() < total else (low, shift)
    return by_largest_remainder(expected, total)


def stratum_outputs(sizes: Sequence[int], share: float) -> list[NDArray[np.int8]]:
    """Return, for each stratum, what its outputs truly are."""
    usable = usable_counts(sizes, share)
    unusable = np.array(sizes) - usable
    rejects = by_largest_remainder(unusable / 3, round(unusable.sum() / 3))
    return [
        np.repeat(np.array([USABLE, REJECT, GIST], dtype=np.int8), [good, bad, size - good - bad])
        for size, good, bad in zip(sizes, usable, rejects, strict=True)
    ]


def simulate(population: int, sample_size: int, share: float, *, runs: int, seed: int) -> Simulation:
    """Draw and rate many campaigns."""
    rng = np.random.default_rng(seed)
    sizes = stratum_sizes(population)
    sample = allocate(sizes, total=sample_size)
    is_census = sample == sizes
    extended = allocate_extension(sizes, drawn=sample, added=COMMUNITY_1.extension_size)
    kinds, says = [], []
    for outputs, shown in zip(stratum_outputs(sizes, share), extended, strict=True):
        drawn = rng.permuted(np.tile(outputs, (runs, 1)), axis=1)[:, :shown]
        chance = np.where(drawn == USABLE, SAYS_USABLE[True], SAYS_USABLE[False])
        kinds.append(drawn)
        says.append(rng.random((runs, shown, 3), dtype=np.float32) < chance[..., None])
    return Simulation(
        sizes=sizes,
        sample=sample,
        look=None if is_census or sample_size < 100 else allocate(sizes, total=COMMUNITY_1.look_size),
        extended=None if is_census else extended,
        kinds=kinds,
        says=says,
    )


def share_that_meets(simulation: Simulation) -> tuple[float, float | None]:
    """Return the share of campaigns that meet at the look or the close, and with the extension as well."""
    level = COMMUNITY_1.level
    close = judge_all(simulation, simulation.sample, meets_level=level, fails_level=level)
    meets, settled = close.meets, close.meets | close.fails | close.held
    if simulation.look is not None:
        look = judge_all(
            simulation,
            simulation.look,
            meets_level=COMMUNITY_1.look_meets_level,
            fails_level=COMMUNITY_1.look_fails_level,
        )
        meets = look.meets | (~look.fails & meets)
        settled = look.meets | look.fails | settled
    if simulation.extended is None:
        return float(meets.mean()), None
    after = judge_all(simulation, simulation.extended, meets_level=level, fails_level=level)
    return float(meets.mean()), float((meets | (~settled & after.meets)).mean())


def judge_all(simulation: Simulation, counts: Sequence[int], *, meets_level: float, fails_level: float) -> Judged:
    """Apply community-1 to the first `counts` items of each stratum, in every campaign."""
    says = [stratum[:, :n].sum(axis=2) for stratum, n in zip(simulation.says, counts, strict=True)]
    refused = [
        np.where(kinds[:, :n] == REJECT, 3 - votes, 0)
        for kinds, votes, n in zip(simulation.kinds, says, counts, strict=True)
    ]
    usable = _estimate(simulation.sizes, counts, says)
    reject = _estimate(simulation.sizes, counts, refused)
    meets = (_lower(*usable, meets_level) >= COMMUNITY_1.usable_share - 1e-9) & (
        _upper(*reject, meets_level) <= COMMUNITY_1.reject_share + 1e-9
    )
    fails = (_upper(*usable, fails_level) < COMMUNITY_1.usable_share - 1e-9) | (
        _lower(*reject, fails_level) > COMMUNITY_1.reject_share + 1e-9
    )
    weak = _has_weak_stratum(counts, says)
    return Judged(meets=meets & ~weak, fails=fails, held=meets & weak)


def campaign_at(simulation: Simulation, run: int, counts: Sequence[int]) -> list[ItemRatings]:
    """Return one campaign's items as the product takes them; a talk gives split ones the majority's grade."""
    items = []
    for h, n in enumerate(counts):
        for i in range(n):
            bad = Grade.REJECT if simulation.kinds[h][run, i] == REJECT else Grade.GIST
            ratings = tuple(Grade.ACCEPTABLE if said else bad for said in simulation.says[h][run, i])
            majority = sorted(ratings)[1]
            items.append(ItemRatings(f"{h + 1}-{i}", str(h + 1), ratings, talk=majority))
    return items


def _estimate(sizes: Sequence[int], counts: Sequence[int], votes: list[NDArray[np.int64]]) -> tuple[Numbers, Numbers]:
    """Return p̂ and n* (infinite where v = 0) of every campaign, from votes of three. Source: SPEC V-7."""
    shown, size = np.array(counts), np.array(sizes)
    k = np.stack([(stratum >= 2).sum(axis=1) for stratum in votes], axis=1)
    split = sum(((stratum == 1) | (stratum == 2)).sum(axis=1) for stratum in votes) / shown.sum()
    a = 0.5 + np.sqrt(0.25 - np.minimum(split, 0.75) / 3)
    e = (1 - a) ** 2 * (1 + 2 * a)
    weight, fraction = size / size.sum(), shown / size
    smoothed = (k + 1) / (shown + 2)
    drawing = np.where(fraction < 1, (1 - fraction) * smoothed * (1 - smoothed) / np.maximum(shown - 1, 1), 0)
    panel = fraction * (e * (1 - e))[:, None] / shown
    variance = (weight**2 * (drawing + panel)).sum(axis=1)
    p_hat, p_tilde = (weight * k / shown).sum(axis=1), (weight * smoothed).sum(axis=1)
    n_star = np.divide(p_tilde * (1 - p_tilde), variance, out=np.full(len(k), np.inf), where=variance > 0)
    return p_hat, n_star


def _lower(p_hat: Numbers, n_star: Numbers, level: float) -> Numbers:
    known = np.isfinite(n_star)
    n = np.where(known, n_star, 1.0)
    k = p_hat * n
    bound = np.where(k > 1e-9, betaincinv(np.maximum(k, 1e-9), np.maximum(n - k, 0) + 1, 1 - level), 0.0)
    return np.where(known, bound, p_hat)


def _upper(p_hat: Numbers, n_star: Numbers, level: float) -> Numbers:
    return 1 - _lower(1 - p_hat, n_star, level)


def _has_weak_stratum(counts: Sequence[int], votes: list[NDArray[np.int64]]) -> Flags:
    weak = np.zeros(len(votes[0]), dtype=bool)
    for n, stratum in zip(counts, votes, strict=True):
        if n >= COMMUNITY_1.stratum_minimum:
            bounds = [clopper_pearson_upper(k, n, level=COMMUNITY_1.stratum_level) for k in range(n + 1)]
            weak |= np.array(bounds)[(stratum >= 2).sum(axis=1)] < COMMUNITY_1.stratum_share
    return weak


def main() -> None:
    """Print one line a row of the table: simulated, and in brackets what the specification has."""
    parser = argparse.ArgumentParser(description="Simulate the fixed points of the policy community-1.")
    parser.add_argument("--runs", type=int, default=8000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="200 runs")
    options = parser.parse_args()
    if options.quick:
        options.runs = 200
    started = time.perf_counter()
    for (population, size), (first, after) in ROWS.items():
        cells = []
        for place, share in enumerate(USABLE_SHARES):
            simulation = simulate(population, size, share, runs=options.runs, seed=options.seed)
            found, extended = share_that_meets(simulation)
            cells.append(f"{share:.2f}: {found:.3f} ({first[place]:.3f})")
            if after is not None and extended is not None:
                cells.append(f"extended {extended:.3f} ({after[place]:.3f})")
        print(f"N={population} n={size}  " + "  ".join(cells))
    print(f"{options.runs} runs a cell, seed {options.seed}, {time.perf_counter() - started:.1f} s")


if __name__ == "__main__":
    main()
