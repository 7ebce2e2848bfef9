"""Counting shared n-grams by one sort: any block size, any number of different symbols. Source: SPEC M-1."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboard.metrics import ngrams

texts = st.lists(st.tuples(*[st.text(alphabet="abc é日😀\x00 ", max_size=15)] * 2), max_size=8)


def expected(output, reference, order):
    counts = []
    for length in range(1, order + 1):
        grams = [
            Counter(text[at : at + length] for at in range(len(text) - length + 1)) for text in (output, reference)
        ]
        counts.append((grams[0] & grams[1]).total())
    return counts


def solid(text):
    return "".join(text.split())


def shared(pairs, order):
    sides = [ngrams.characters([pair[side] for pair in pairs]) for side in (0, 1)]
    return ngrams.matches(*sides, order).tolist()


@given(texts, st.integers(1, 6))
def test_each_order_counts_what_both_sides_have(pairs, order):
    assert shared(pairs, order) == [expected(solid(one), solid(other), order) for one, other in pairs]


@given(texts)
def test_blocks_of_any_size_count_the_same(pairs):
    whole = shared(pairs, 6)
    size = ngrams._BLOCK_SYMBOLS
    try:
        ngrams._BLOCK_SYMBOLS = 7
        assert shared(pairs, 6) == whole
    finally:
        ngrams._BLOCK_SYMBOLS = size


@pytest.mark.parametrize("different", [300, 900, 1100, 3000])
def test_so_many_symbols_that_six_fill_no_number_are_still_counted(different):
    """A thousand different characters take ten bits each: entries are counted in smaller blocks, then one by one."""
    one = "".join(chr(0x4E00 + place) for place in range(different))
    pairs = [(one, one[1:] + "x"), (one[::-1], one), ("ab", "ab"), (one[:50], one[25:])]
    assert shared(pairs, 6) == [expected(*pair, 6) for pair in pairs]


def test_an_n_gram_never_reaches_into_the_next_text():
    assert shared([("ab", "ab"), ("cd", "cd")], 3) == [[2, 1, 0], [2, 1, 0]]
    assert shared([("ab", ""), ("", "ab")], 2) == [[0, 0], [0, 0]]


def test_totals_are_the_places_where_an_n_gram_can_begin():
    assert np.array_equal(ngrams.totals(ngrams.characters(["a b c", ""]), 4), [[3, 2, 1, 0], [0, 0, 0, 0]])


def test_no_texts_have_no_counts():
    assert shared([], 6) == []
