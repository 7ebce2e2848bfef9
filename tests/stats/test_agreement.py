"""Measures of agreement against published values, their corners and what must hold for any ratings."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from champollion.stats.agreement import (
    Metric,
    agreement,
    gwet_ac1,
    krippendorff_alpha,
    pairwise_agreement,
)

# Krippendorff 2011, section C: twelve units, four observers, missing values left out.
FOUR_OBSERVERS = [
    [1, 1, 1],
    [2, 2, 3, 2],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
    [2, 2, 2, 2],
    [1, 2, 3, 4],
    [4, 4, 4, 4],
    [1, 1, 2, 1],
    [2, 2, 2, 2],
    [5, 5, 5],
    [1, 1],
    [3],
]
# Krippendorff 2011, section A: two observers, ten units, two values.
TWO_OBSERVERS = [[0, 1], [1, 1], [0, 1], [0, 0], [0, 0], [0, 1], [0, 0], [0, 0], [1, 0], [0, 0]]
# Gwet 2008: the paradox of kappa. 118 both yes, 5 and 2 split, none both no.
PARADOX = [[1, 1]] * 118 + [[1, 0]] * 5 + [[0, 1]] * 2


@pytest.mark.parametrize(
    ("metric", "expected"),
    [(Metric.NOMINAL, 0.743), (Metric.ORDINAL, 0.815), (Metric.INTERVAL, 0.849)],
)
def test_alpha_of_four_observers_gives_published_values(metric: Metric, expected: float) -> None:
    assert krippendorff_alpha(FOUR_OBSERVERS, metric=metric) == pytest.approx(expected, abs=5e-4)


def test_alpha_of_two_observers_gives_the_published_value() -> None:
    assert krippendorff_alpha(TWO_OBSERVERS, metric=Metric.NOMINAL) == pytest.approx(0.095, abs=5e-4)


def test_ac1_of_four_observers_gives_the_published_value() -> None:
    assert gwet_ac1(FOUR_OBSERVERS) == pytest.approx(0.77544, abs=5e-6)


def test_ac1_does_not_fall_into_the_paradox_of_kappa() -> None:
    assert pairwise_agreement(PARADOX) == pytest.approx(0.944)
    assert gwet_ac1(PARADOX) == pytest.approx(0.9408, abs=5e-5)
    assert krippendorff_alpha(PARADOX, metric=Metric.NOMINAL) < 0


def test_pairwise_agreement_by_hand() -> None:
    # Three equal: 3 of 3 pairs; two and one: 1 of 3; one rating: no pair.
    assert pairwise_agreement([[1, 1, 1], [1, 0, 1], [1]]) == pytest.approx(4 / 6)


def test_two_values_make_every_metric_the_same() -> None:
    by_metric = {round(krippendorff_alpha(TWO_OBSERVERS, metric=metric), 12) for metric in Metric}
    assert len(by_metric) == 1


def test_ordinal_counts_a_far_miss_more_than_a_near_one() -> None:
    agreed = [[1, 1], [2, 2], [3, 3], [4, 4]] * 5
    near = krippendorff_alpha([*agreed, [3, 4], [4, 3]], metric=Metric.ORDINAL)
    far = krippendorff_alpha([*agreed, [1, 4], [4, 1]], metric=Metric.ORDINAL)
    assert far < near < 1


def test_ac1_of_unused_categories_needs_them_named() -> None:
    ratings = [[1, 1], [1, 2], [2, 2]]
    assert gwet_ac1(ratings, categories=(1, 2, 3, 4)) > gwet_ac1(ratings)


def test_excellent_methods_have_high_agreement_and_low_alpha() -> None:
    # SPEC V-7: 85 % excellent, and hardly a split across the line, still gives a middling alpha.
    ratings = [[4, 4, 4]] * 72 + [[4, 4, 3]] * 18 + [[3, 3, 4]] * 4 + [[3, 3, 2]] * 4 + [[2, 2, 2]] * 2
    found = agreement(ratings, line=3, seed=1)
    assert found.pairwise.value == pytest.approx(0.973, abs=1e-3)
    assert 0.4 < found.alpha.value < 0.65
    assert found.ac1.value > 0.95


def test_full_agreement_on_one_grade_leaves_alpha_undefined() -> None:
    found = agreement([[4, 4, 4]] * 30, line=3, seed=1)
    assert (found.pairwise.value, found.pairwise.upper, found.ac1.value) == (1, 1, 1)
    assert found.alpha.value is None
    assert found.alpha.interval is None


def test_nothing_rated_twice_gives_no_value() -> None:
    for ratings in ([], [[4], [3], []]):
        found = agreement(ratings, line=3, seed=1)
        assert found.item_count == 0
        assert found.pairwise.value is found.ac1.value is found.alpha.value is None
        assert found.pairwise.upper is None


def test_items_rated_once_change_no_interval() -> None:
    ratings = [[4, 3, 2], [2, 2, 2], [3, 4, 3]] * 10
    assert agreement([*ratings, [1], []], line=3, seed=5) == agreement(ratings, line=3, seed=5)


def test_interval_repeats_with_its_seed() -> None:
    ratings = [[4, 3, 2], [2, 2, 2], [3, 4, 3]] * 10
    assert agreement(ratings, line=3, seed=5) == agreement(ratings, line=3, seed=5)
    assert agreement(ratings, line=3, seed=5) != agreement(ratings, line=3, seed=6)


def test_interval_has_the_width_of_a_share_of_items() -> None:
    # Two raters: pairwise agreement is a plain share of items, with its binomial error.
    ratings = [[4, 4]] * 80 + [[4, 1]] * 20
    found = agreement(ratings, line=3, seed=3)
    assert found.pairwise.value == 0.8
    assert found.pairwise.interval == pytest.approx((0.72, 0.88), abs=0.015)
    assert found.pairwise.upper == pytest.approx(0.865, abs=0.015)
    assert found.pairwise.interval[0] < found.pairwise.upper < found.pairwise.interval[1]


def test_agreement_is_json() -> None:
    stored = json.loads(json.dumps(agreement([[4, 3], [2, 2], [1, 2]], line=3, seed=1).to_dict()))
    assert stored["pairwise"]["value"] == 1.0
    assert set(stored) == {"item_count", "pairwise", "ac1", "alpha"}


ratings_lists = st.lists(st.lists(st.integers(1, 4), max_size=4), max_size=25)


@given(ratings=ratings_lists)
def test_any_ratings_give_values_in_range_or_none(ratings: list[list[int]]) -> None:
    found = agreement(ratings, line=3, seed=1, draws=50)
    if found.pairwise.value is not None:
        assert 0 <= found.pairwise.value <= 1
        assert -1 <= found.ac1.value <= 1
    if found.alpha.value is not None:
        assert found.alpha.value <= 1
        assert not np.isnan(found.alpha.value)


@given(ratings=ratings_lists)
def test_order_of_raters_and_items_does_not_matter(ratings: list[list[int]]) -> None:
    turned = [item[::-1] for item in ratings[::-1]]
    for metric in Metric:
        first, second = (krippendorff_alpha(r, metric=metric) for r in (ratings, turned))
        assert first == pytest.approx(second) if first is not None else second is None
    assert pairwise_agreement(ratings) == pairwise_agreement(turned)
