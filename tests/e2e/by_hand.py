"""The figures of a report worked out another way: numpy and scipy on rows read by SQL, nothing of the product's code.

Source: SPEC V-7. Only for campaigns without entries that lack an output, talks and items without a verdict.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np
from django.db import connection
from scipy.stats import beta, norm


@dataclass(frozen=True)
class Share:
    """A share over all entries with its bounds, 0-1; `lower` and `upper` are one-sided 97 %."""

    count: int
    p: float
    n_star: float
    split_share: float
    wilson: tuple[float, float]
    lower: float
    upper: float


@dataclass(frozen=True)
class ByHand:
    """What the report of a campaign has to show."""

    shown: int
    population: int
    rating_count: int
    fourth_count: int
    usable: Share
    reject: Share
    pairwise: float
    ac1: float
    alpha: float


def figures_by_hand(campaign: str, *, sizes: dict[str, int]) -> ByHand:
    """Work the figures out from the rows of a campaign.

    Args:
        campaign: its public id.
        sizes: entries by difficulty, counted in the corpus file itself.
    """
    items = _ratings(campaign)
    strata = [stratum for stratum, _grades in items]
    panels = np.array([grades[:3] for _stratum, grades in items])
    verdicts = np.array([_verdict(grades) for _stratum, grades in items])
    given = sum(len(grades) for _stratum, grades in items)
    return ByHand(
        shown=len(items),
        population=sum(sizes.values()),
        rating_count=given,
        fourth_count=given - panels.size,
        usable=_share(verdicts >= 3, _splits(panels >= 3), strata, sizes),
        reject=_share(verdicts == 1, _splits(panels == 1), strata, sizes),
        pairwise=_pairwise(panels >= 3),
        ac1=_ac1(panels >= 3),
        alpha=_ordinal_alpha(panels),
    )


def _ratings(campaign: str) -> list[tuple[str, list[int]]]:
    """Return stratum and grades in the order they came, item by item."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT i.id, i.stratum, r.first_grade FROM review_rating r"
            " JOIN review_sampleitem i ON i.id = r.item_id JOIN review_campaign c ON c.id = i.campaign_id"
            " WHERE c.uid = %s ORDER BY i.id, r.created_at, r.id",
            [campaign],
        )
        rows = cursor.fetchall()
    found: dict[int, tuple[str, list[int]]] = {}
    for item, stratum, grade in rows:
        found.setdefault(item, (stratum, []))[1].append(grade)
    return list(found.values())


def _verdict(grades: list[int]) -> int:
    """The side that most are on; its grade is the median of three of that side, or of the three ratings."""
    if len(grades) == 3:
        return int(np.median(grades))
    sides = [[grade for grade in grades if (grade >= 3) is side] for side in (True, False)]
    return int(np.median(max(sides, key=len)))


def _splits(panels: np.ndarray) -> float:
    return float(np.mean(panels.any(axis=1) & ~panels.all(axis=1)))


def _share(is_counted: np.ndarray, split: float, strata: list[str], sizes: dict[str, int]) -> Share:
    names = sorted(sizes)
    size = np.array([sizes[name] for name in names], dtype=float)
    shown = np.array([strata.count(name) for name in names], dtype=float)
    hits = np.array([sum(hit for hit, at in zip(is_counted, strata) if at == name) for name in names], dtype=float)
    weight, fraction = size / size.sum(), shown / size
    p, smooth = float(weight @ (hits / shown)), (hits + 1) / (shown + 2)
    a = 0.5 + np.sqrt(0.25 - min(split, 0.75) / 3)
    e = (1 - a) ** 2 * (1 + 2 * a)
    drawn = np.where(fraction < 1, (1 - fraction) * smooth * (1 - smooth) / np.maximum(shown - 1, 1), 0)
    variance = float((weight**2) @ (drawn + fraction * e * (1 - e) / shown))
    centre = float(weight @ smooth)
    n = centre * (1 - centre) / variance if variance else np.inf
    return Share(int(hits.sum()), p, n, split, _wilson(p, n), _beta_bound(p, n, 0.03), _beta_bound(p, n, 0.97))


def _wilson(p: float, n: float) -> tuple[float, float]:
    """Solve (p − x)² = z² x (1 − x)/n for x, in place of the usual closed form."""
    if np.isinf(n):
        return p, p
    z2 = norm.ppf(0.975) ** 2
    roots = np.sort(np.roots([1 + z2 / n, -2 * p - z2 / n, p * p]).real)
    return float(roots[0]), float(roots[1])


def _beta_bound(p: float, n: float, quantile: float) -> float:
    """Clopper and Pearson's bound: the quantile of the beta distribution on the lower or the upper side."""
    if np.isinf(n):
        return p
    k = p * n
    if quantile < 0.5:
        return float(beta.ppf(quantile, k, n - k + 1)) if k > 0 else 0.0
    return float(beta.ppf(quantile, k + 1, n - k)) if k < n else 1.0


def _pairwise(panels: np.ndarray) -> float:
    return float(np.mean([row[i] == row[j] for row in panels for i, j in combinations(range(3), 2)]))


def _ac1(panels: np.ndarray) -> float:
    """Gwet's AC1 of two categories: chance is 2π(1 − π), π the mean share of one of them."""
    share = panels.mean()
    chance = 2 * share * (1 - share)
    return float((_pairwise(panels) - chance) / (1 - chance))


def _ordinal_alpha(panels: np.ndarray) -> float:
    """Krippendorff's alpha, pair by pair of values as they stand, with the ordinal distance of ranks."""
    values = panels.ravel()
    counts = np.array([(values == grade).sum() for grade in (1, 2, 3, 4)], dtype=float)

    def distance(one: int, other: int) -> float:
        low, high = sorted((one, other))
        between = counts[low - 1 : high].sum() - (counts[low - 1] + counts[high - 1]) / 2
        return between**2 if low != high else 0.0

    observed = np.mean([distance(one, other) for row in panels for one, other in permutations(row, 2)])
    expected = np.mean([distance(one, other) for one, other in permutations(values, 2)])
    return float(1 - observed / expected)
