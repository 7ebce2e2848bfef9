"""How many items each stratum gives to a sample.

Exact integer arithmetic throughout: two machines never disagree about a tie. Which items are taken is not decided here.
Source: SPEC V-3 (allocation), V-8 (the look is the same rule with 60; the extension adds to what is drawn).
"""

from collections.abc import Sequence

STRATUM_FLOOR = 8
"""Items a stratum gives at least, as far as it has them. Source: SPEC V-3."""


def allocate(sizes: Sequence[int], *, total: int) -> list[int]:
    """Share `total` items over strata of the given sizes.

    Args:
        sizes: N_h ≥ 0 of each stratum, in the order of difficulty, "not given" last. An empty stratum takes no part.
        total: n, 0 or more; cut to the sum of the sizes.

    Returns:
        n_h for each stratum, in the same order; they sum to min(total, sum of sizes).

    Raises:
        ValueError: a size or the total is negative.

    Source: SPEC V-3.
    """
    n = _checked_total(sizes, total)
    floor = _floor_per_stratum(sizes, n)
    return _balance(sizes, n, floors=[min(size, floor) for size in sizes])


def allocate_extension(sizes: Sequence[int], *, drawn: Sequence[int], added: int) -> list[int]:
    """Share `added` more items over strata from which `drawn` were taken already.

    The rule of V-3 for the larger total, in which a stratum never gives fewer than it already gave.

    Args:
        sizes: N_h of each stratum, as for `allocate`.
        drawn: items taken so far, 0 ≤ drawn_h ≤ N_h.
        added: items wanted on top; cut to what is left.

    Returns:
        The new totals n_h ≥ drawn_h; they sum to min(sum of drawn + added, sum of sizes).

    Raises:
        ValueError: lengths differ, or a number is out of its range.

    Source: SPEC V-3, V-8; LAW-4.
    """
    if len(drawn) != len(sizes) or any(not 0 <= d <= size for d, size in zip(drawn, sizes, strict=True)):
        raise ValueError("drawn must give, for each stratum, a number from 0 to its size")
    if added < 0:
        raise ValueError("added must not be negative")
    n = _checked_total(sizes, sum(drawn) + added)
    floor = _floor_per_stratum(sizes, n)
    floors = [max(d, min(size, floor)) for d, size in zip(drawn, sizes, strict=True)]
    if sum(floors) > n:
        floors = list(drawn)
    return _balance(sizes, n, floors=floors)


def _checked_total(sizes: Sequence[int], total: int) -> int:
    if total < 0 or any(size < 0 for size in sizes):
        raise ValueError("sizes and total must not be negative")
    return min(total, sum(sizes))


def _floor_per_stratum(sizes: Sequence[int], n: int) -> int:
    """8, or n/H rounded down where eight from each stratum are more than the sample holds."""
    present = sum(1 for size in sizes if size)
    if sum(min(STRATUM_FLOOR, size) for size in sizes) > n:
        return n // present
    return STRATUM_FLOOR


def _balance(sizes: Sequence[int], n: int, *, floors: Sequence[int]) -> list[int]:
    """Start at floor or rounded-down share, then add or take one at a time until the sum is n."""
    population = sum(sizes)
    if population == 0:
        return [0] * len(sizes)
    counts = [min(size, max(floor, n * size // population)) for size, floor in zip(sizes, floors, strict=True)]

    def lack(h: int) -> int:
        # (t_h − n_h) · N′, whole numbers, so that ties are exact.
        return n * sizes[h] - counts[h] * population

    strata = range(len(sizes))
    while sum(counts) < n:
        # Ties: the lower difficulty, hence −h.
        counts[max((h for h in strata if counts[h] < sizes[h]), key=lambda h: (lack(h), -h))] += 1
    while sum(counts) > n:
        # Ties: the higher difficulty, hence +h.
        counts[max((h for h in strata if counts[h] > floors[h]), key=lambda h: (-lack(h), h))] -= 1
    return counts
