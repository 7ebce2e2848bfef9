"""The forest: two drawings, a symmetric axis, filled where hardly chance. Source: design 5, chart 3."""

from champollion.common.svg.element import render
from champollion.common.svg.forest import ForestRow, forest, forest_bound

ROWS = [
    ForestRow("chrF++", 0.04, 0.01, 0.07, is_certain=True, ends="+4.00  p 0.001"),
    ForestRow("Exact <match>", -0.02, None, None, is_certain=False, ends="−0.020  p 0.400"),
]


def drawn(**given) -> str:
    return render(
        forest(ROWS, title="How far apart", description="chrF++ +4.00", sides=("B better", "A better"), **given)
    )


def test_the_axis_is_symmetric_and_holds_every_interval():
    assert forest_bound(ROWS) == 0.1
    assert forest_bound([]) == 0.005
    assert all(f">{tick}<" in drawn() for tick in ("−0.1", "−0.05", "0", "+0.05", "+0.1"))


def test_the_wide_drawing_is_560_by_66_and_34_a_row_and_names_the_rows():
    picture = drawn()
    assert 'viewBox="0 0 560 134"' in picture
    assert "Exact &lt;match&gt;" in picture
    assert "+4.00  p 0.001" in picture
    assert 'd="M291 42V122"' in picture  # zero stands in the middle of 150 to 432


def test_the_narrow_drawing_has_numbers_for_names():
    picture = drawn(narrow=True)
    assert 'viewBox="0 0 328 134"' in picture
    assert ">1</text>" in picture
    assert "chrF++</text>" not in picture


def test_a_square_is_filled_where_the_difference_is_hardly_chance():
    picture = drawn()
    assert picture.count("ch-forest-open") == 1
    assert picture.count('class="ch-whisker"') == 1  # the row without an interval has none
