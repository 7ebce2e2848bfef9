"""Scores and what people said of the same things: bands, correlation, curve, bound, small numbers (M-7)."""

import numpy as np
import pytest
from scipy.stats import spearmanr

from champollion.stats.calibration import area_under, association, bands, bound_for, roc

THRESHOLDS = tuple(step / 10 for step in range(11))


def simulated(count: int, *, noise: float = 0.2, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Scores and grades 1 to 4 that rise with them."""
    rng = np.random.default_rng(seed)
    scores = rng.random(count)
    grades = np.clip(np.round(1 + 3 * (scores + rng.normal(0, noise, count))), 1, 4)
    return scores, grades


def test_bands_count_and_the_last_holds_its_end():
    found = bands([0.0, 0.49, 0.5, 0.99, 1.0], [False, True, True, True, False], edges=[0.0, 0.5, 1.0])
    assert [(band.count, band.usable) for band in found] == [(2, 1), (3, 2)]
    assert found[0].share == 0.5
    assert found[0].interval == pytest.approx((0.0945, 0.9055), abs=1e-4)


def test_an_empty_band_has_neither_share_nor_interval():
    found = bands([], [], edges=[0.0, 0.5, 1.0])
    assert [(band.share, band.interval) for band in found] == [(None, None)] * 2


def test_edges_that_fall_and_lengths_that_differ_are_refused():
    with pytest.raises(ValueError, match="rise"):
        bands([0.1], [True], edges=[0.5, 0.1])
    with pytest.raises(ValueError, match="as many"):
        bands([0.1], [True, False], edges=[0.0, 1.0])


@pytest.mark.parametrize("count", [0, 5, 29])
def test_of_few_things_no_correlation_is_given(count):
    found = association(*simulated(count), line=3, seed=1)
    assert (found.count, found.correlation, found.interval, found.area) == (count, None, None, None)


def test_the_correlation_of_500_is_scipy_s_and_lies_in_its_interval():
    scores, grades = simulated(500)
    found = association(scores, grades, line=3, seed=1)
    assert found.correlation == pytest.approx(spearmanr(scores, grades).statistic, abs=1e-12)
    assert found.interval[0] < found.correlation < found.interval[1]
    assert found.interval[1] - found.interval[0] < 0.1
    assert association(scores, grades, line=3, seed=1) == found
    assert association(scores, grades, line=3, seed=2).interval != found.interval


def test_order_changes_no_correlation_and_what_is_all_alike_has_none():
    scores, grades = simulated(200)
    turned = association(scores[::-1], grades[::-1], line=3, seed=1)
    assert turned.correlation == pytest.approx(association(scores, grades, line=3, seed=1).correlation, abs=1e-12)
    assert association(np.ones(200), grades, line=3, seed=1).correlation is None
    assert association(scores, np.full(200, 4), line=3, seed=1).correlation is None


def test_things_without_a_score_are_left_out():
    scores, grades = simulated(100)
    scores[:40] = np.nan
    assert association(scores, grades, line=3, seed=1).count == 60


def test_area_is_one_for_a_perfect_order_a_half_for_ties_and_none_with_nine_of_a_kind():
    good = [False] * 10 + [True] * 10
    assert area_under(range(20), good) == 1.0
    assert area_under([0.5] * 20, good) == 0.5
    assert area_under(range(19, -1, -1), good) == 0.0
    assert area_under(range(19), good[:-1]) is None


def test_the_curve_falls_from_everything_to_nothing():
    scores, grades = simulated(500)
    points = roc(scores, grades >= 3, thresholds=THRESHOLDS)
    assert (points[0].found, points[0].taken) == (1.0, 1.0)
    assert all(a.found >= b.found and a.taken >= b.taken for a, b in zip(points, points[1:], strict=False))
    assert all(point.found >= point.taken for point in points)
    assert roc(scores[:5], grades[:5] >= 3, thresholds=THRESHOLDS) == ()


def test_the_bound_is_the_lowest_over_which_surely_enough_are_usable():
    scores = [0.2] * 50 + [0.8] * 50
    good = [False] * 50 + [True] * 50
    assert bound_for(scores, good, share=0.7, thresholds=[0.1, 0.2, 0.5, 0.9]) == 0.5
    # Of 30 all usable the bound is .05 ** (1/30) = .905; with 29 over the threshold nothing is said.
    assert bound_for(scores[:80], good[:80], share=0.90, thresholds=[0.5]) == 0.5
    assert bound_for(scores[:79], good[:79], share=0.90, thresholds=[0.5]) is None
    assert bound_for(scores[:80], good[:80], share=0.91, thresholds=[0.5]) is None


def test_all_usable_proposes_nothing():
    assert bound_for([0.9] * 500, [True] * 500, share=0.7, thresholds=THRESHOLDS) is None
