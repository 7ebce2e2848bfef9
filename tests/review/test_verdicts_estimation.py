"""The stratified estimate of V-7 against values worked out by hand, and its corners."""

from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.estimation import ShareOf, StratumCount, estimate, panel_error

USABLE = ShareOf.USABLE


def one_stratum(k: int, n: int, size: int, *, split_share: float = 0.0):
    return estimate([StratumCount("3", size, n, k)], share_of=USABLE, split_share=split_share)


# The panel's error


@pytest.mark.parametrize(("p", "overlap"), [(0.9, 3), (0.8, 3), (0.6, 3), (1.0, 3), (0.5, 3)])
def test_error_of_three_is_that_of_raters_who_split_as_often(p: float, overlap: int) -> None:
    split = 3 * p * (1 - p)
    wrong = (1 - p) ** 3 + 3 * p * (1 - p) ** 2
    assert panel_error(split, overlap=overlap) == pytest.approx(wrong)


@pytest.mark.parametrize("p", [0.9, 0.7, 1.0, 0.5])
def test_error_of_two_is_that_both_are_wrong(p: float) -> None:
    assert panel_error(2 * p * (1 - p), overlap=2) == pytest.approx((1 - p) ** 2)


def test_error_is_capped_where_raters_only_guess() -> None:
    assert panel_error(0.9, overlap=3) == panel_error(0.75, overlap=3) == 0.5
    assert panel_error(0.9, overlap=2) == panel_error(0.5, overlap=2) == 0.25


def test_one_rater_has_no_panel_error() -> None:
    assert panel_error(0.0, overlap=1) == 0


def test_no_split_is_no_error() -> None:
    assert panel_error(0.0, overlap=3) == panel_error(0.0, overlap=2) == 0


@pytest.mark.parametrize("split_share", [-0.1, 1.1])
def test_impossible_share_of_splits_is_refused(split_share: float) -> None:
    with pytest.raises(ValueError, match="0 to 1"):
        panel_error(split_share, overlap=3)


# By hand


def test_one_stratum_by_hand() -> None:
    # k = 8 of n = 10 in N = 40, no splits: p̃ = 9/12, f = 1/4, v = (3/4)(3/4)(1/4)/9 = 1/64, n* = (3/16)/(1/64) = 12.
    found = one_stratum(8, 10, 40)
    assert found.p_hat == 0.8
    assert found.low.p_tilde == 0.75
    assert found.low.variance == pytest.approx(1 / 64)
    assert found.low.n_star == pytest.approx(12)


def test_two_strata_with_splits_by_hand() -> None:
    # N = 100 + 25; 20 of 25 and 5 of 5: W = .8/.2; p̂ = .64 + .2; p̃ = .8·21/27 + .2·6/7.
    counts = [StratumCount("2", 100, 25, 20), StratumCount("5", 25, 5, 5)]
    found = estimate(counts, share_of=USABLE, split_share=0.27)
    a = 0.5 + sqrt(0.25 - 0.09)
    e = (1 - a) ** 2 * (1 + 2 * a)
    p2, p5 = 21 / 27, 6 / 7
    v = 0.64 * (0.75 * p2 * (1 - p2) / 24 + 0.25 * e * (1 - e) / 25)
    v += 0.04 * (0.8 * p5 * (1 - p5) / 4 + 0.2 * e * (1 - e) / 5)
    assert found.panel_error == pytest.approx(e) == pytest.approx(0.028)
    assert found.p_hat == pytest.approx(0.84)
    assert found.low.p_tilde == pytest.approx(0.8 * p2 + 0.2 * p5)
    assert found.low.variance == pytest.approx(v)
    assert found.low.n_star == pytest.approx(found.low.p_tilde * (1 - found.low.p_tilde) / v)


def test_large_population_of_one_stratum_is_worth_its_items_less_one() -> None:
    assert one_stratum(80, 100, 10**9).low.n_star == pytest.approx(99, rel=1e-5)


def test_all_usable_has_an_upper_bound_of_one_and_a_lower_one_under_it() -> None:
    found = one_stratum(100, 100, 10**9)
    assert found.upper(0.97) == 1
    assert found.lower(0.97) == pytest.approx(0.03 ** (1 / 99), abs=1e-6)


def test_none_usable_has_a_lower_bound_of_zero_and_an_upper_one_over_it() -> None:
    found = one_stratum(0, 100, 10**9)
    assert found.lower(0.97) == 0
    assert found.upper(0.97) == pytest.approx(1 - 0.03 ** (1 / 99), abs=1e-6)


def test_no_variance_makes_every_bound_the_estimate() -> None:
    found = one_stratum(37, 50, 50)
    assert found.low.n_star is None
    assert found.interval == (0.74, 0.74)
    assert found.lower(0.995) == found.upper(0.995) == found.p_hat == 0.74


def test_census_with_splits_keeps_the_panels_variance() -> None:
    found = one_stratum(37, 50, 50, split_share=0.75)
    assert found.low.variance == pytest.approx(0.25 / 50)


def test_stratum_of_one_is_a_census_of_itself() -> None:
    found = estimate([StratumCount("1", 1, 1, 1), StratumCount("3", 50, 50, 25)], share_of=USABLE)
    assert found.p_hat == pytest.approx(26 / 51)
    assert found.low.variance == 0


def test_one_item_of_a_larger_stratum_does_not_divide_by_zero() -> None:
    assert one_stratum(1, 1, 10).low.variance == pytest.approx(0.9 * (2 / 3) * (1 / 3))


def test_share_that_is_asked_for_is_met_exactly_in_a_census() -> None:
    counts = [
        StratumCount(str(h), n, n, k) for h, (n, k) in enumerate([(15, 14), (38, 32), (45, 33), (37, 22), (15, 4)])
    ]
    assert estimate(counts, share_of=USABLE).p_hat == 0.70


def test_entries_without_output_carry_no_variance() -> None:
    counts = [StratumCount("3", 90, 20, 20)]
    usable = estimate(counts, share_of=USABLE, no_output=10)
    assert usable.p_hat == 0.9
    assert usable.low.variance == pytest.approx(0.81 * (70 / 90) * (21 / 22) * (1 / 22) / 19)
    reject = estimate([StratumCount("3", 90, 20, 0)], share_of=ShareOf.REJECT, no_output=10)
    assert reject.p_hat == pytest.approx(0.1)
    assert reject.low.variance == pytest.approx(usable.low.variance)


def test_interval_in_entries_of_the_population() -> None:
    found = one_stratum(37, 50, 50)
    assert found.interval_counts == (37, 37)


# Rows


def test_rows_say_which_strata_are_small_and_which_a_census() -> None:
    counts = [StratumCount("5", 7, 7, 3), StratumCount("2", 80, 8, 6), StratumCount("not given", 8, 8, 8)]
    rows = estimate(counts, share_of=USABLE, no_output=2).strata
    assert [row.stratum for row in rows] == ["2", "5", "not given", "no output"]
    assert [row.is_small for row in rows] == [False, True, False, False]
    assert [row.is_census for row in rows] == [False, True, True, True]
    assert [row.share for row in rows] == pytest.approx([0.75, 3 / 7, 1, 0])
    assert sum(row.weight for row in rows) == pytest.approx(1)


def test_row_of_a_census_is_certain_and_that_of_a_sample_is_not() -> None:
    counts = [StratumCount("2", 80, 8, 6), StratumCount("5", 7, 7, 3)]
    sample, census = estimate(counts, share_of=USABLE).strata
    assert sample.interval[0] < 0.75 < sample.interval[1]
    assert census.interval == pytest.approx((3 / 7, 3 / 7))


# Refusals


@pytest.mark.parametrize(
    ("size", "shown", "positive", "missing"),
    [(10, 0, 0, 0), (10, 11, 0, 0), (10, 5, 6, 0), (10, 5, 3, 3), (10, 5, -1, 0)],
)
def test_counts_that_contradict_each_other_are_refused(size: int, shown: int, positive: int, missing: int) -> None:
    with pytest.raises(ValueError, match="stratum 3"):
        StratumCount("3", size, shown, positive, missing)


def test_empty_population_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one entry"):
        estimate([], share_of=USABLE)


@given(
    rows=st.lists(st.tuples(st.integers(1, 40), st.integers(0, 100), st.integers(0, 40)), min_size=1, max_size=6),
    split_share=st.floats(0, 1),
)
def test_reject_of_the_rest_mirrors_usable(rows, split_share: float) -> None:
    counts, mirrored = [], []
    for h, (shown, more, k) in enumerate(rows):
        k = min(k, shown)
        counts.append(StratumCount(str(h), shown + more, shown, k))
        mirrored.append(StratumCount(str(h), shown + more, shown, shown - k))
    usable = estimate(counts, share_of=USABLE, split_share=split_share)
    rest = estimate(mirrored, share_of=ShareOf.REJECT, split_share=split_share)
    assert usable.p_hat == pytest.approx(1 - rest.p_hat)
    assert usable.lower(0.97) == pytest.approx(1 - rest.upper(0.97), abs=1e-6)
