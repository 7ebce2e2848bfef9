"""C-7: small counts of secret segments are hidden and do not follow by subtraction."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.suppression import CellState, open_row, suppressed_row, suppressed_sum, suppressed_total


def _shown(counts):
    marks = {CellState.SMALL: "<5", CellState.WITHHELD: "-"}
    return [marks.get(cell.state, cell.count) for cell in suppressed_row(counts)]


@pytest.mark.parametrize(
    ("counts", "shown"),
    [
        ([22, 46, 40, 28, 14], [22, 46, 40, 28, 14]),
        ([5, 5, 5, 5, 5], [5, 5, 5, 5, 5]),
        ([22, 46, 40, 28, 3], ["-", 46, 40, 28, "<5"]),
        ([4, 46, 40, 28, 3], ["<5", 46, 40, 28, "<5"]),
        ([50, 20, 30, 0, 0], [50, "-", 30, "<5", "<5"]),  # two zeros would follow from their sum
        ([50, 20, 30, 4, 4], [50, "-", 30, "<5", "<5"]),  # and so would two fours
        ([50, 5, 30, 0], [50, "-", "-", "<5"]),  # 5 is the least that the withheld one can be
        ([3], ["<5"]),
        ([0, 0], ["<5", "<5"]),
        ([], []),
    ],
)
def test_a_row_hides_small_counts_and_what_they_would_follow_from(counts, shown):
    assert _shown(counts) == shown


def test_a_public_row_shows_everything():
    assert [cell.count for cell in open_row([0, 3, 50])] == [0, 3, 50]


@pytest.mark.parametrize(("total", "count"), [(0, 0), (1, None), (4, None), (5, 5)])
def test_a_small_total_is_hidden(total, count):
    assert suppressed_total(total).count == count


@pytest.mark.parametrize(
    ("totals", "count"), [([], 0), ([0], 0), ([3], None), ([200], 200), ([200, 15], 215), ([200, 3], None)]
)
def test_a_sum_is_withheld_where_a_small_total_would_follow_from_it(totals, count):
    assert suppressed_sum(totals).count == count


@given(st.lists(st.integers(0, 12), min_size=2, max_size=4))
def test_no_hidden_small_count_has_one_possible_value_only(counts):
    cells = suppressed_row(counts)
    hidden = [place for place, cell in enumerate(cells) if cell.state != CellState.SHOWN]
    small = [place for place in hidden if cells[place].state == CellState.SMALL]
    if not small or len(hidden) == len(counts):
        return
    total = sum(counts[place] for place in hidden)
    ranges = [range(5) if place in small else range(5, total + 1) for place in hidden]
    possible = [values for values in product(*ranges) if sum(values) == total]
    for position, place in enumerate(hidden):
        if place in small:
            assert len({values[position] for values in possible}) > 1


@given(st.lists(st.integers(0, 100), max_size=12))
def test_no_small_count_is_shown(counts):
    assert all(cell.count is None or cell.count >= 5 for cell in suppressed_row(counts))
