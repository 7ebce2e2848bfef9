"""Intervals for a share, with a real-valued number of observations, and a bootstrap over items.

Real-valued, because a stratified sample is worth n* simple observations, and n* is seldom whole.
Source: SPEC V-7 (Wilson for display, one-sided Clopper-Pearson for decisions, bootstrap for agreement).
"""

from collections.abc import Callable, Sequence
from math import sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv, ndtri

Counts = NDArray[np.int64]
Values = NDArray[np.float64]

BOOTSTRAP_DRAWS = 2000

# A count is a product of floats; one this near to nothing or to everything is nothing or everything.
_TINY = 1e-9


def wilson(p: float, n: float, *, level: float = 0.95) -> tuple[float, float]:
    """Return the two-sided Wilson score interval of a share.

    Args:
        p: observed share, 0-1.
        n: observations, over 0, not necessarily whole.
        level: of the interval, between 0 and 1.

    Raises:
        ValueError: an argument is out of its range.

    Source: Wilson 1927, JASA 22:209-212; SPEC V-7.
    """
    _check(p, n, level)
    z = float(ndtri((1 + level) / 2))
    centre = p + z * z / (2 * n)
    half = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    return max(0.0, (centre - half) / scale), min(1.0, (centre + half) / scale)


def clopper_pearson_lower(k: float, n: float, *, level: float) -> float:
    """Return the one-sided lower Clopper-Pearson bound of k successes in n, by its beta form.

    Args:
        k: successes, 0 to n, not necessarily whole.
        n: observations, over 0, not necessarily whole.
        level: one-sided, between 0 and 1; .975 gives the lower end of the usual two-sided 95 % interval.

    Raises:
        ValueError: an argument is out of its range.

    Source: Clopper & Pearson 1934, Biometrika 26:404-413; SPEC V-7.
    """
    _check(k / n if n else 0.0, n, level)
    if k <= _TINY:
        return 0.0
    return float(betaincinv(k, max(n - k, 0.0) + 1, 1 - level))


def clopper_pearson_upper(k: float, n: float, *, level: float) -> float:
    """Return the one-sided upper Clopper-Pearson bound of k successes in n, by its beta form.

    Args, errors and source: as `clopper_pearson_lower`.
    """
    _check(k / n if n else 0.0, n, level)
    if n - k <= _TINY:
        return 1.0
    return float(betaincinv(k + 1, n - k, level))


def bootstrap_quantiles(
    statistic: Callable[[Counts], Values],
    *,
    item_count: int,
    seed: int,
    quantiles: Sequence[float],
    draws: int = BOOTSTRAP_DRAWS,
) -> list[float] | None:
    """Return percentile-bootstrap quantiles of a statistic over items.

    Args:
        statistic: takes how often each item was drawn, shape (draws, items), and returns one value a draw, NaN where
            the statistic is not defined for that draw.
        item_count: items to draw from, with replacement, as many as there are.
        seed: of a numpy Generator (PCG64); the same seed gives the same quantiles.
        quantiles: 0-1; (.025, .975) is the two-sided 95 % interval, (.95,) the one-sided 95 % upper bound.
        draws: how many bootstrap samples.

    Returns:
        The quantiles in the order asked, or None if there is no item or no draw with a value.

    Source: Efron & Tibshirani 1993, chapter 13; SPEC V-7.
    """
    if item_count == 0:
        return None
    rng = np.random.default_rng(seed)
    counts = rng.multinomial(item_count, np.full(item_count, 1 / item_count), size=draws)
    values = statistic(counts)
    defined = values[~np.isnan(values)]
    if defined.size == 0:
        return None
    return [float(q) for q in np.quantile(defined, quantiles)]


def _check(p: float, n: float, level: float) -> None:
    if not n > 0:
        raise ValueError("n must be over 0")
    if not -_TINY <= p <= 1 + _TINY:
        raise ValueError("the share must be 0 to 1")
    if not 0 < level < 1:
        raise ValueError("the level must be between 0 and 1")
