"""Free slots and a rater's own order, without a database (SPEC V-4, V-7)."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.grades import Grade
from review.slots import Placed, free_slot, own_order

R, G, A, E = Grade.REJECT, Grade.GIST, Grade.ACCEPTABLE, Grade.EXCELLENT


@pytest.mark.parametrize(("taken", "overlap", "slot"), [
    ({}, 3, 1), ({1: None}, 3, 2), ({2: A}, 3, 1), ({1: A, 3: None}, 3, 2), ({1: A, 2: A}, 2, None), ({1: R}, 1, None),
    ({1: A, 2: A, 3: G}, 3, 4), ({1: R, 2: E, 3: E}, 3, 4), ({1: A, 2: A, 3: E}, 3, None),
    ({1: R, 2: G, 3: G}, 3, None),
    ({1: A, 2: A, 3: None}, 3, None), ({1: A, 2: G, 3: A, 4: None}, 3, None), ({1: A, 2: R}, 2, None),
])  # fmt: skip
def test_lowest_free_slot(taken, overlap, slot):
    assert free_slot(taken, overlap=overlap) == slot


def placed(counts: dict[str, int]) -> list[Placed]:
    listed = [(stratum, number) for stratum, count in counts.items() for number in range(count)]
    return [
        Placed(key, f"{stratum}-{number}", stratum, is_in_look=number == 0, is_extension=False)
        for key, (stratum, number) in enumerate(listed)
    ]


def test_every_stretch_of_the_order_holds_about_the_same_mix():
    items = [Placed(n, str(n), "12345"[n % 5], is_in_look=False, is_extension=False) for n in range(100)]
    order = own_order(items, seed="a" * 64, rater="somebody")
    for start in range(0, 100, 10):
        strata = Counter("12345"[key % 5] for key in order[start : start + 10])
        assert all(1 <= strata[stratum] <= 3 for stratum in "12345"), strata


@given(
    st.dictionaries(st.sampled_from(["1", "2", "3", "not given"]), st.integers(0, 20)),
    st.text(max_size=5),
    st.randoms(),
)
def test_order_holds_every_item_once_and_does_not_depend_on_how_they_come(counts, rater, random):
    items = placed(counts)
    order = own_order(items, seed="b" * 64, rater=rater)
    assert sorted(order) == sorted(item.key for item in items)
    shuffled = list(items)
    random.shuffle(shuffled)
    assert own_order(shuffled, seed="b" * 64, rater=rater) == order
    looks = [items[key].is_in_look for key in order]
    assert looks == sorted(looks, reverse=True)


def test_extension_comes_after_everything_else():
    items = [Placed(n, str(n), "1", is_in_look=False, is_extension=n < 5) for n in range(10)]
    order = own_order(items, seed="c" * 64, rater="x")
    assert set(order[5:]) == {0, 1, 2, 3, 4}
