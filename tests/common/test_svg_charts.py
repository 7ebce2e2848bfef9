"""Charts: known geometry, edges of the range, and properties over any counts."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from champollion.common.svg import charts
from champollion.common.svg.element import render

COUNTS = st.fixed_dictionaries({g: st.integers(0, 400) for g in (1, 2, 3, 4)})


def drawn(element):
    return render(element)


def test_dots_go_from_best_to_worst():
    assert charts.dot_grades({4: 2, 3: 1, 2: 0, 1: 3}) == [4, 4, 3, 1, 1, 1]


def test_up_to_150_outputs_each_has_a_dot():
    assert len(charts.dot_grades({4: 100, 3: 50})) == 150


def test_above_150_outputs_a_dot_is_one_percent_by_largest_remainder():
    dots = charts.dot_grades({4: 460, 3: 380, 2: 111, 1: 50})
    assert [dots.count(g) for g in (4, 3, 2, 1)] == [46, 38, 11, 5]
    assert len(charts.dot_grades({4: 67, 3: 67, 2: 67})) == 100


@given(COUNTS)
def test_the_dots_sum_to_the_outputs_or_to_a_hundred(counts):
    total = sum(counts.values())
    dots = charts.dot_grades(counts)
    assert len(dots) == (total if total <= 150 else 100)
    assert dots == sorted(dots, reverse=True)
    if total > 150:
        assert all(abs(dots.count(g) - 100 * counts[g] / total) < 1 for g in counts)


def test_the_edge_steps_after_the_last_usable_dot():
    assert charts.dot_edge(84, 100) == "M1 280H125V249H311"


def test_the_edge_is_straight_where_a_row_is_full():
    assert charts.dot_edge(80, 100) == "M1 249H311"


@pytest.mark.parametrize("usable", [0, 100])
def test_no_edge_where_all_or_none_are_usable(usable):
    assert charts.dot_edge(usable, 100) == ""


def test_the_edge_ends_with_the_dots_of_the_last_row():
    assert charts.dot_edge(2, 5) == "M1 32H63V1H156"


def test_the_first_and_last_dot_of_a_row_lie_in_the_box_of_312():
    picture = drawn(charts.dot_array({4: 10}, title="t", description="d"))
    assert 'viewBox="0 0 312 33"' in picture
    assert 'cx="16.5" cy="16.5" r="11.5"' in picture
    assert 'cx="295.5" cy="16.5" r="11.5"' in picture


def test_no_outputs_make_an_empty_picture_that_still_has_words():
    picture = drawn(charts.dot_array({}, title="Grades", description="0 outputs"))
    assert "<circle" not in picture
    assert "<desc>0 outputs</desc>" in picture


def test_a_stratum_lays_excellent_before_acceptable():
    bar = drawn(charts.stratum_bar(0.5, 0.3))
    assert 'class="ch-fill-excellent" x="0" y="6" width="50%"' in bar
    assert 'class="ch-fill-acceptable" x="50%" y="6" width="30%"' in bar


def test_a_stratum_without_interval_or_floor_draws_neither():
    bar = drawn(charts.stratum_bar(0.5, 0.3))
    assert "ch-whisker" not in bar
    assert "ch-floor" not in bar


def test_whisker_and_floor_lie_on_a_casing():
    bar = drawn(charts.stratum_bar(0.5, 0.3, interval=(0.62, 0.91), floor=0.5))
    assert bar.count("ch-whisker") == 3
    assert bar.count("ch-casing") == 4
    assert bar.index("ch-casing") < bar.index("ch-floor")
    assert 'x1="62%" x2="91%"' in bar


def test_a_thin_stratum_is_grey():
    assert "ch-bar-thin" in drawn(charts.stratum_bar(0.5, 0.3, thin=True))
    assert "ch-bar-thin" not in drawn(charts.stratum_bar(0.5, 0.3))


def test_progress_shows_done_leased_and_open():
    bar = drawn(charts.progress_bar(0.5, leased=0.25))
    assert 'class="ch-done" x="0" y="0" width="50%"' in bar
    assert 'x1="50%" x2="75%"' in bar
    assert "ch-leased" not in drawn(charts.progress_bar(0.5))


def test_a_score_lies_on_a_scale_of_120_with_notches_at_the_bounds():
    mini = drawn(charts.mini_interval(0.762, low=0.73, high=0.79))
    assert [float(x) for x in re.findall(r'ch-notch" d="M([\d.]+)', mini)] == [36, 60, 84, 102]
    assert 'x="87.6" y="4" width="7.2"' in mini
    assert 'class="ch-tick" d="M91.44 1V13"' in mini


@pytest.mark.parametrize(("value", "x"), [(0, "0"), (1, "120"), (1.4, "120"), (-1, "0")])
def test_a_score_outside_the_scale_stays_on_it(value, x):
    assert f'class="ch-tick" d="M{x} 1V13"' in drawn(charts.mini_interval(value))


def test_a_mini_without_interval_draws_none():
    assert "ch-mini-interval" not in drawn(charts.mini_interval(0.5))
    assert "ch-whisker" not in drawn(charts.mini_share(0.5))
    assert "ch-whisker" in drawn(charts.mini_share(0.5, low=0.4, high=0.6))


def test_the_segments_of_a_composite_follow_one_another_to_its_value():
    parts = [charts.Part("a", 0.2, 0.5), charts.Part("b", 0.3, 0.5)]
    bar = drawn(charts.composite_bar(parts, title="t", description="d", value="0.500"))
    assert 'x="0%" y="22" width="20%"' in bar
    assert 'x="20%" y="22" width="30%"' in bar
    assert '<line class="ch-tick" x1="50%" x2="50%"' in bar
    assert ">0.500</text>" in bar


def test_a_contribution_is_drawn_to_the_largest_weight():
    bar = drawn(charts.contribution_bar(charts.Part("a", 0.1, 0.25), place=0, scale=0.5))
    assert 'width="50%"' in bar
    assert 'width="20%"' in bar
    assert "0%" in drawn(charts.contribution_bar(charts.Part("a", 0, 0), place=0, scale=0))


def test_the_heat_ramp_has_six_classes():
    bounds = (0.3, 0.5, 0.6, 0.7, 0.85)
    assert [charts.heat_class(v, bounds) for v in (0, 0.3, 0.5, 0.65, 0.7, 0.99)] == [1, 2, 3, 4, 5, 6]


def test_the_same_values_give_the_same_bytes():
    assert drawn(charts.stratum_bar(1 / 3, 1 / 7)) == drawn(charts.stratum_bar(1 / 3, 1 / 7))
