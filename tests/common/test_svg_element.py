"""Elements: escaped, deterministic, without style or script."""

import pytest

from champollion.common.svg.element import element, number, percent, picture, render


def test_numbers_are_short_and_have_a_dot():
    assert [number(v) for v in (1, 2.5, 0.125, 3.0, -0.001, 100 / 3)] == ["1", "2.5", "0.12", "3", "0", "33.33"]


def test_shares_are_held_between_nothing_and_all():
    assert [percent(v) for v in (0, 0.825, 1, -0.2, 1.7)] == ["0%", "82.5%", "100%", "0%", "100%"]


def test_text_and_attributes_are_escaped():
    drawn = render(element("text", '<script>"&', class_='a"b'))
    assert drawn == '<text class="a&quot;b">&lt;script&gt;&quot;&amp;</text>'


@pytest.mark.parametrize("name", ["style", "onload", "onclick"])
def test_what_the_policy_refuses_cannot_be_written(name):
    with pytest.raises(ValueError, match="not allowed"):
        element("rect", **{name: "x"})


def test_an_attribute_of_none_is_left_out_and_one_given_again_is_replaced():
    rect = element("rect", x=1, y=None)
    assert render(rect) == '<rect x="1"/>'
    assert render(rect.with_attributes(x=2, fill_rule="evenodd")) == '<rect x="2" fill-rule="evenodd"/>'


def test_a_picture_is_named_and_described():
    drawn = render(picture(element("rect"), title="Grades", description="2 outputs", width=10))
    assert drawn.startswith('<svg role="img"')
    assert "<title>Grades</title><desc>2 outputs</desc><rect/>" in drawn


def test_a_picture_without_description_has_none():
    assert "<desc>" not in render(picture(title="Grades"))
