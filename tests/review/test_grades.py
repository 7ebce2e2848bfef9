"""Grades: order, the usable line, tags and what they may stand beside."""

import pytest

from review.grades import Grade, Tag, can_combine
from review.labels import GRADE_CHOICES, GRADE_LABELS, GRADE_MEANINGS, TAG_CHOICES, TAG_LABELS


def test_grades_are_ordered_from_reject_to_excellent() -> None:
    assert [grade.value for grade in sorted(Grade)] == [1, 2, 3, 4]
    assert Grade.REJECT < Grade.GIST < Grade.ACCEPTABLE < Grade.EXCELLENT


@pytest.mark.parametrize("grade", [Grade.ACCEPTABLE, Grade.EXCELLENT])
def test_acceptable_and_excellent_are_usable(grade: Grade) -> None:
    assert grade.is_usable


@pytest.mark.parametrize("grade", [Grade.REJECT, Grade.GIST])
def test_reject_and_gist_are_not_usable(grade: Grade) -> None:
    assert not grade.is_usable


def test_only_reject_is_a_reject() -> None:
    assert [grade for grade in Grade if grade.is_reject] == [Grade.REJECT]


def test_other_dialect_cannot_stand_beside_reject() -> None:
    assert not can_combine(Grade.REJECT, [Tag.OTHER_DIALECT_OR_SPELLING, Tag.GRAMMAR])


@pytest.mark.parametrize("grade", [Grade.GIST, Grade.ACCEPTABLE, Grade.EXCELLENT])
def test_other_dialect_can_stand_beside_any_other_grade(grade: Grade) -> None:
    assert can_combine(grade, [Tag.OTHER_DIALECT_OR_SPELLING])


@pytest.mark.parametrize("tag", [tag for tag in Tag if tag is not Tag.OTHER_DIALECT_OR_SPELLING])
def test_every_other_tag_can_stand_beside_reject(tag: Tag) -> None:
    assert can_combine(Grade.REJECT, [tag])


def test_every_grade_and_tag_has_its_words() -> None:
    assert set(GRADE_LABELS) == set(GRADE_MEANINGS) == set(Grade)
    assert set(TAG_LABELS) == set(Tag)
    assert [value for value, _ in GRADE_CHOICES] == [1, 2, 3, 4]
    assert [value for value, _ in TAG_CHOICES] == [tag.value for tag in Tag]
