"""Figures for people."""

import pytest
from django.utils import translation

from champollion.common import figures


def test_composites_are_rounded_not_cut():
    assert figures.fixed(0.2677, 3) == "0.268"
    assert figures.fixed(0.7964, 4) == "0.7964"
    assert figures.fixed(64.25, 1) == "64.2"


def test_figures_follow_the_interface_language():
    with translation.override("de"):
        assert figures.fixed(0.7964, 3) == "0,796"


@pytest.mark.parametrize("value", [None, float("nan"), float("inf")])
def test_what_is_not_known_is_a_word(value):
    assert figures.fixed(value, 3) == "not stated"
    assert figures.fixed(value, 3, unknown="not asked yet") == "not asked yet"
    assert figures.share(value) == "not stated"
    assert figures.cost(value) == "not stated"
    assert figures.duration(value) == "not stated"


@pytest.mark.parametrize(
    ("value", "words"), [(0, "0 %"), (1, "100 %"), (0.844, "84 %"), (0.001, "1 %"), (0.999, "99 %")]
)
def test_shares_are_whole_and_never_read_none_or_all_unless_they_are(value, words):
    assert figures.share(value) == words


def test_an_interval_of_shares():
    assert figures.share_range(0.811, 0.889) == "81–89 %"


@pytest.mark.parametrize(
    ("value", "words"), [(0.00412, "0.0041"), (0.1, "0.10"), (1.26, "1.3"), (12.6, "13"), (1234, "1234"), (0, "0")]
)
def test_two_significant_figures_without_exponent(value, words):
    assert figures.significant(value) == words


def test_a_cost_of_nothing_is_free_and_an_unknown_one_is_not_nothing():
    assert figures.cost(0) == "free"
    assert figures.cost(0.0041) == "0.41\u00a0¢"
    assert figures.cost(0.000087) == "0.0087\u00a0¢"
    assert figures.cost(0.41) == "0.41\u00a0USD"
    assert figures.cost(0.0041, currency="EUR") == "0.0041\u00a0EUR"


@pytest.mark.parametrize(
    ("value", "words"), [(1.24, "1.2 s"), (0, "0 s"), (0.02, "0.020 s"), (89.9, "90 s"), (90, "2 min"), (300, "5 min")]
)
def test_time_is_in_seconds_and_from_ninety_in_minutes(value, words):
    assert figures.duration(value) == words
