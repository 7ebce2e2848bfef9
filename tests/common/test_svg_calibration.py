"""The calibration chart and its ROC curve: where marks stand, and what is left out (design 5, chart 9)."""

from champollion.common.svg.calibration import CalibrationBand, calibration, roc_curve
from champollion.common.svg.element import render

BANDS = [CalibrationBand(0.0, 0.5, 0, None, None), CalibrationBand(0.5, 1.0, 8, 0.75, (0.5, 0.875))]


def drawn(bands=BANDS) -> str:
    return render(calibration(bands, bound=0.7, bar=0.5, title="t", description="d", counted="outputs"))


def test_a_band_stands_in_its_middle_at_its_share_with_its_interval():
    text = drawn()
    assert '<circle class="ch-cal-point" cx="421" cy="88" r="4.5"/>' in text
    assert 'd="M421 160V52M416 160H426M416 52H426"' in text


def test_an_empty_band_has_its_count_alone_and_one_point_makes_no_line():
    text = drawn()
    assert text.count("<circle") == 1
    assert ">0</text>" in text
    assert "ch-cal-line" not in text


def test_bound_and_bar_are_dashed():
    assert 'd="M396.4 16V304"' in drawn()
    assert 'd="M52 160H544"' in drawn()


def test_the_curve_goes_from_corner_to_corner_in_any_order():
    points = [(0.5, 0.75), (0.25, 0.5)]
    one = render(roc_curve(points, title="t", description="d", axes=("a", "b")))
    assert one == render(roc_curve(points[::-1], title="t", description="d", axes=("a", "b")))
    assert 'd="M48 308L117 170L186 101L324 32"' in one
