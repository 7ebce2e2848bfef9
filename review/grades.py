"""The four grades and the tags of a rating: their order, their codes and what follows from them. The only place.

No Django here; the words people read are in `review.labels`.
Source: SPEC V-5, V-7; §7.1.
"""

from collections.abc import Collection
from enum import IntEnum, StrEnum


class Grade(IntEnum):
    """What a speaker says of one output, worst to best. The numbers are stored and must not change."""

    REJECT = 1
    GIST = 2
    ACCEPTABLE = 3
    EXCELLENT = 4

    @property
    def is_usable(self) -> bool:
        """Say whether the grade is on the usable side of the line. Source: SPEC V-7."""
        return self >= Grade.ACCEPTABLE

    @property
    def is_reject(self) -> bool:
        """Say whether the grade counts in the reject share. Source: SPEC V-7, V-8."""
        return self is Grade.REJECT


class Tag(StrEnum):
    """What a speaker may add to a grade. The codes are stored and exported and must not change."""

    WRONG_MEANING = "wrong_meaning"
    CULTURALLY_INAPPROPRIATE = "culturally_inappropriate"
    NOT_REAL_LANGUAGE = "not_real_language"
    OTHER_DIALECT_OR_SPELLING = "other_dialect_or_spelling"
    REGISTER = "register"
    GRAMMAR = "grammar"
    SPELLING = "spelling"


def can_combine(grade: Grade, tags: Collection[Tag]) -> bool:
    """Say whether these tags may stand beside this grade.

    "Right in another dialect or spelling" says that the output is right somewhere; a reject, that it is right nowhere.

    Source: SPEC V-5.
    """
    return not (grade.is_reject and Tag.OTHER_DIALECT_OR_SPELLING in tags)
