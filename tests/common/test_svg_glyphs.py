"""Signs: told apart by shape, drawn to the measures of the design, refused for unknown codes."""

import pytest

from champollion.common.svg import glyphs, icons
from champollion.common.svg.element import render


def test_the_fillings_end_three_tenths_of_the_radius_below_and_over_the_centre():
    assert 'd="M2.94 14.85A9.5 9.5 0 0 0 21.06 14.85z"' in render(glyphs.grade(2))
    assert 'd="M2.94 9.15A9.5 9.5 0 1 0 21.06 9.15z"' in render(glyphs.grade(3))


def test_the_four_grades_differ_in_shape_alone():
    shapes = [render(glyphs.grade(g)).replace(f"ch-grade-{g}", "") for g in (1, 2, 3, 4)]
    assert len(set(shapes)) == 4
    assert "ch-g-cross" in shapes[0]
    assert "ch-g-cross" not in shapes[3]


@pytest.mark.parametrize("grade", [0, 5, -1])
def test_an_unknown_grade_is_refused(grade):
    with pytest.raises(ValueError, match="no such grade"):
        glyphs.grade(grade)


@pytest.mark.parametrize("level", range(6))
def test_a_tier_fills_as_many_bars_as_its_level(level):
    drawn = render(glyphs.tier(level))
    assert drawn.count("ch-t-full") == level
    assert drawn.count("ch-t-empty") == 5 - level
    assert "ch-t-next" not in drawn


@pytest.mark.parametrize("standing", ["nominated", "candidate", "in_review"])
def test_a_standing_changes_the_next_bar_only(standing):
    drawn = render(glyphs.tier(3, standing=standing))
    assert drawn.count("ch-t-full") == 3
    assert drawn.count("ch-t-next") == 1
    assert drawn.count("ch-t-empty") == 1
    assert ("ch-t-half" in drawn) == (standing == "in_review")


@pytest.mark.parametrize(("level", "standing"), [(6, ""), (-1, ""), (3, "promoted")])
def test_an_unknown_tier_or_standing_is_refused(level, standing):
    with pytest.raises(ValueError, match="no such tier"):
        glyphs.tier(level, standing=standing)


@pytest.mark.parametrize(
    ("draw", "codes"),
    [
        (glyphs.verification, glyphs.VERIFICATION_CODES),
        (glyphs.verdict, glyphs.VERDICT_CODES),
        (glyphs.process, glyphs.PROCESS_CODES),
        (glyphs.dependency_class, glyphs.CLASS_CODES),
        (icons.icon, tuple(icons.PATHS)),
    ],
)
def test_each_code_has_its_own_shape_and_unknown_ones_are_refused(draw, codes):
    def bare(code):
        drawn = render(draw(code))
        return drawn[drawn.index(">") :]

    assert len({bare(code) for code in codes}) == len(codes)
    with pytest.raises(ValueError, match="no such"):
        draw("nothing")


def test_signs_are_hidden_from_screen_readers_since_a_word_stands_beside_them():
    drawn = (
        glyphs.grade(1),
        glyphs.tier(2),
        glyphs.harm(),
        glyphs.access(secret=True),
        glyphs.logo(),
        icons.icon("check"),
    )
    assert all('aria-hidden="true"' in render(one) for one in drawn)


def test_a_lock_is_no_book():
    assert render(glyphs.access(secret=True)) != render(glyphs.access(secret=False))
