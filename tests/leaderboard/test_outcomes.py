"""Wins, ties and losses, and what outsiders of a secret segment may see of them. Source: L-5, C-7."""

import itertools

import numpy as np

from corpora.suppression import Cell, CellState, suppressed_row
from leaderboard.outcomes import outcome_rows, outcomes_of, total_row


def cells(*counts):
    return {str(place): cell for place, cell in enumerate(suppressed_row(counts))}


def rows_of(counts):
    """Return the rows for outsiders of counts by place."""
    by_key = {str(place): row for place, row in enumerate(counts)}
    return total_row(by_key, may_read=False), outcome_rows(
        by_key, cells(*(sum(row) for row in counts)), total_row(by_key, may_read=False), may_read=False
    )


def numbers(row):
    return [row.wins.count, row.ties.count, row.losses.count]


def test_outcomes_are_counted_by_key():
    first, second = np.array([50.0, 20.0, 30.0, 1.0]), np.array([40.0, 20.0, 31.0, 0.0])
    assert outcomes_of(first, second, ["1", "1", "2", "2"]) == {"1": (1, 1, 0), "2": (1, 0, 1)}


def test_who_may_read_sees_all():
    counts = {"1": (1, 0, 9)}
    row = outcome_rows(counts, {"1": Cell(CellState.SHOWN, 10)}, total_row(counts, may_read=True), may_read=True)[0]
    assert numbers(row) == [1, 0, 9]


def test_large_cells_are_shown_and_small_ones_never():
    total, rows = rows_of([(10, 11, 12), (20, 21, 22)])
    assert numbers(total) == [30, 32, 34]
    assert [numbers(row) for row in rows] == [[10, 11, 12], [20, 21, 22]]
    _total, rows = rows_of([(10, 2, 12), (20, 21, 22)])
    assert all(count is None or count >= 5 for row in rows for count in numbers(row))


def test_no_hidden_cell_follows_from_its_row_or_its_column():
    """Every table of small and large counts in three groups: no line with a public sum has one hidden cell alone."""
    choices = [(10, 11, 12), (1, 15, 9), (0, 0, 20), (6, 7, 2)]
    for counts in itertools.product(choices, repeat=3):
        total, rows = rows_of(list(counts))
        table = [numbers(row) for row in rows]
        assert all(count is None or count >= 5 for row in table for count in row)
        assert all(row.count(None) != 1 for row in table)
        for place, whole in enumerate(numbers(total)):
            column = [row[place] for row in table]
            if whole is not None:
                assert column.count(None) != 1
