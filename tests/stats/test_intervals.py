"""Intervals against published values, and what must hold for any share."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from champollion.stats.intervals import bootstrap_quantiles, clopper_pearson_lower, clopper_pearson_upper, wilson

# Newcombe 1998, Statistics in Medicine 17:857-872, table I: (k, n), Wilson score, Clopper-Pearson, both 95 %.
NEWCOMBE = [
    ((81, 263), (0.2553, 0.3662), (0.2527, 0.3676)),
    ((15, 148), (0.0624, 0.1605), (0.0578, 0.1617)),
    ((0, 20), (0.0000, 0.1611), (0.0000, 0.1684)),
    ((1, 29), (0.0061, 0.1718), (0.0009, 0.1776)),
]

shares = st.floats(0, 1)
sizes = st.floats(0.5, 5000)
levels = st.sampled_from([0.9, 0.95, 0.97, 0.995])


@pytest.mark.parametrize(("observed", "expected", "_exact"), NEWCOMBE)
def test_wilson_gives_published_values(observed, expected, _exact) -> None:
    k, n = observed
    assert wilson(k / n, n) == pytest.approx(expected, abs=5e-5)


@pytest.mark.parametrize(("observed", "_score", "expected"), NEWCOMBE)
def test_clopper_pearson_gives_published_values(observed, _score, expected) -> None:
    k, n = observed
    bounds = clopper_pearson_lower(k, n, level=0.975), clopper_pearson_upper(k, n, level=0.975)
    assert bounds == pytest.approx(expected, abs=5e-5)


def test_one_sided_bounds_of_the_extremes_have_their_closed_form() -> None:
    assert clopper_pearson_lower(99, 99, level=0.97) == pytest.approx(0.03 ** (1 / 99))
    assert clopper_pearson_upper(0, 99, level=0.97) == pytest.approx(1 - 0.03 ** (1 / 99))
    assert clopper_pearson_lower(0, 99, level=0.97) == 0
    assert clopper_pearson_upper(99, 99, level=0.97) == 1


def test_count_that_a_product_of_floats_missed_is_still_everything() -> None:
    assert clopper_pearson_upper(0.1 * 3 * 10, 3, level=0.95) == 1
    assert clopper_pearson_lower(1e-15, 10, level=0.95) == 0


def test_stratum_of_eight_is_under_a_half_with_one_usable_and_not_with_two() -> None:
    # SPEC V-8: at n_h = 8, 1 or fewer usable.
    assert clopper_pearson_upper(1, 8, level=0.95) < 0.50 < clopper_pearson_upper(2, 8, level=0.95)


@given(p=shares, n=sizes, level=levels)
def test_bounds_enclose_the_share(p: float, n: float, level: float) -> None:
    low, high = wilson(p, n, level=level)
    assert 0 <= low <= p + 1e-9 and p - 1e-9 <= high <= 1
    assert clopper_pearson_lower(p * n, n, level=level) <= p + 1e-6
    assert clopper_pearson_upper(p * n, n, level=level) >= p - 1e-6


@given(p=shares, n=sizes)
def test_higher_level_gives_wider_bounds(p: float, n: float) -> None:
    assert clopper_pearson_lower(p * n, n, level=0.995) <= clopper_pearson_lower(p * n, n, level=0.97) + 1e-12
    assert clopper_pearson_upper(p * n, n, level=0.995) >= clopper_pearson_upper(p * n, n, level=0.97) - 1e-12


@given(p=shares, n=sizes, level=levels)
def test_bounds_are_mirror_images(p: float, n: float, level: float) -> None:
    mirrored = 1 - clopper_pearson_upper((1 - p) * n, n, level=level)
    assert clopper_pearson_lower(p * n, n, level=level) == pytest.approx(mirrored, abs=1e-6)


@pytest.mark.parametrize(("p", "n", "level"), [(0.5, 0, 0.95), (1.5, 10, 0.95), (-0.5, 10, 0.95), (0.5, 10, 1.0)])
def test_arguments_out_of_range_are_refused(p: float, n: float, level: float) -> None:
    for bound in (clopper_pearson_lower, clopper_pearson_upper):
        with pytest.raises(ValueError, match="must be"):
            bound(p * n, n, level=level) if n else bound(0, n, level=level)
    with pytest.raises(ValueError, match="must be"):
        wilson(p, n, level=level)


def mean_of(values: list[float]):
    array = np.array(values)
    return lambda counts: counts @ array / counts.sum(axis=1)


def test_bootstrap_of_a_mean_is_near_its_normal_interval() -> None:
    values = [0.0] * 50 + [1.0] * 50
    low, high = bootstrap_quantiles(mean_of(values), item_count=100, seed=7, quantiles=(0.025, 0.975), draws=4000)
    assert (low, high) == pytest.approx((0.402, 0.598), abs=0.015)


def test_bootstrap_repeats_with_its_seed_and_differs_with_another() -> None:
    values = [float(i) for i in range(37)]

    def quantiles(seed: int):
        return bootstrap_quantiles(mean_of(values), item_count=37, seed=seed, quantiles=(0.1, 0.9), draws=200)

    assert quantiles(1) == quantiles(1)
    assert quantiles(1) != quantiles(2)


def test_bootstrap_leaves_undefined_draws_out() -> None:
    def only_where_item_0_was_drawn(counts):
        return np.where(counts[:, 0] > 0, 1.0, np.nan)

    assert bootstrap_quantiles(only_where_item_0_was_drawn, item_count=5, seed=1, quantiles=(0.5,)) == [1.0]


def test_bootstrap_without_items_or_values_gives_nothing() -> None:
    assert bootstrap_quantiles(mean_of([]), item_count=0, seed=1, quantiles=(0.5,)) is None
    nothing = bootstrap_quantiles(lambda counts: np.full(len(counts), np.nan), item_count=3, seed=1, quantiles=(0.5,))
    assert nothing is None
