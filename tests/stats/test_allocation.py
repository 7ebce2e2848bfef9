"""The allocation of V-3: its examples, its ties, and what must hold for any strata."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from champollion.stats.allocation import STRATUM_FLOOR, allocate, allocate_extension

strata_sizes = st.lists(st.integers(0, 400), min_size=1, max_size=6)


@pytest.mark.parametrize(
    ("sizes", "total", "expected"),
    [
        ([15, 38, 45, 37, 15], 100, [10, 25, 30, 25, 10]),
        ([46, 1], 100, [46, 1]),
        ([500, 300, 20, 5, 1, 200], 100, [45, 25, 8, 5, 1, 16]),
    ],
)
def test_examples_of_the_specification(sizes: list[int], total: int, expected: list[int]) -> None:
    assert allocate(sizes, total=total) == expected


def test_look_of_sixty_uses_the_same_rule() -> None:
    # t = 6 / 15.2 / 18 / 14.8 / 6 with floors of 8 starts at 8 + 15 + 18 + 14 + 8 = 63, so three are taken. n − t is
    # -0.2 / 0 / -0.8 in the middle three: first 45 gives one, then 38, then 37.
    assert allocate([15, 38, 45, 37, 15], total=60) == [8, 14, 17, 13, 8]


def test_missing_one_goes_to_the_lower_difficulty_on_a_tie() -> None:
    # Two equal strata, 21 items: both lack one half.
    assert allocate([50, 50], total=21) == [11, 10]


def test_surplus_one_is_taken_from_the_higher_difficulty_on_a_tie() -> None:
    # t = 10.9 / 10.9 / 0.2: start 10 + 10 + 2, and 22 is the total: nothing to do; with 21 one of the equals gives.
    assert allocate([100, 100, 2], total=22) == [10, 10, 2]
    assert allocate([100, 100, 2], total=21) == [10, 9, 2]


def test_floor_shrinks_when_eight_from_each_are_too_many() -> None:
    assert allocate([100, 100, 100, 100, 100], total=12) == [3, 3, 2, 2, 2]


def test_floor_of_eight_holds_for_a_small_stratum() -> None:
    assert allocate([1000, 10], total=100) == [92, 8]


def test_empty_stratum_takes_no_part() -> None:
    assert allocate([0, 30, 0, 30], total=20) == [0, 10, 0, 10]


def test_census_takes_everything() -> None:
    assert allocate([5, 25, 20], total=100) == [5, 25, 20]


def test_nothing_to_draw_gives_nothing() -> None:
    assert allocate([], total=100) == []
    assert allocate([0, 0], total=100) == [0, 0]
    assert allocate([10, 10], total=0) == [0, 0]


@pytest.mark.parametrize(("sizes", "total"), [([-1, 4], 3), ([4], -1)])
def test_negative_numbers_are_refused(sizes: list[int], total: int) -> None:
    with pytest.raises(ValueError, match="negative"):
        allocate(sizes, total=total)


@given(sizes=strata_sizes, total=st.integers(0, 500))
def test_allocation_sums_to_the_total_within_caps_and_floors(sizes: list[int], total: int) -> None:
    counts = allocate(sizes, total=total)
    n = min(total, sum(sizes))
    assert sum(counts) == n
    assert all(0 <= count <= size for count, size in zip(counts, sizes, strict=True))
    if sum(min(STRATUM_FLOOR, size) for size in sizes) <= n:
        floor = STRATUM_FLOOR
    else:
        floor = n // sum(1 for size in sizes if size)
    assert all(count >= min(size, floor) for count, size in zip(counts, sizes, strict=True))
    assert counts == allocate(sizes, total=total)


@given(sizes=strata_sizes, total=st.integers(100, 150))
def test_look_never_takes_more_than_the_sample(sizes: list[int], total: int) -> None:
    sample = allocate(sizes, total=total)
    if sum(sizes) > total:
        assert all(look <= n for look, n in zip(allocate(sizes, total=60), sample, strict=True))


@given(sizes=strata_sizes, total=st.integers(0, 150), added=st.integers(0, 60))
def test_extension_keeps_what_was_drawn(sizes: list[int], total: int, added: int) -> None:
    drawn = allocate(sizes, total=total)
    extended = allocate_extension(sizes, drawn=drawn, added=added)
    assert sum(extended) == min(sum(drawn) + added, sum(sizes))
    assert all(d <= e <= size for d, e, size in zip(drawn, extended, sizes, strict=True))


def test_extension_by_nothing_changes_nothing() -> None:
    drawn = allocate([500, 300, 20, 5, 1, 200], total=100)
    assert allocate_extension([500, 300, 20, 5, 1, 200], drawn=drawn, added=0) == drawn


def test_extension_is_the_allocation_of_the_larger_total() -> None:
    sizes = [15, 38, 45, 37, 15]
    assert allocate_extension(sizes, drawn=allocate(sizes, total=100), added=40) == allocate(sizes, total=140)


@pytest.mark.parametrize(("drawn", "added"), [([11, 0], 1), ([5], 1), ([5, 5], -1)])
def test_impossible_extensions_are_refused(drawn: list[int], added: int) -> None:
    with pytest.raises(ValueError, match="must"):
        allocate_extension([10, 10], drawn=drawn, added=added)
