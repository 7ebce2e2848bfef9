"""What a rater sends: one act on one item, checked for shape. No database here.

A grade is a whole number, 1 to 4; null takes the rating back. Anything else is refused with a sentence that says what
would be right. Source: SPEC V-5.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from champollion.common.errors import DomainError
from review.grades import Grade, Tag, can_combine

COMMENT_LIMIT = 2_000
SUGGESTION_LIMIT = 10_000
MARKS_AT_MOST = 200
#: Focused time that one act may bring, and that one rating may reach, in seconds.
SECONDS_PER_ACT = 300.0
SECONDS_PER_RATING = 1_800.0
SEQUENCE_LIMIT = 2**53


@dataclass(frozen=True, kw_only=True)
class RatingAct:
    """A checked act.

    Args:
        key: the client's UUID for the act; the same act sent twice has the same key.
        sequence: the client's order of acts on this rating, 1 or more; None means "after all that is known".
        grade: None takes the rating back.
        marks: [start, end) places of the words at fault, in code points of the output, in order.
        focused_seconds: focused time since the last act, 0 to 300.
    """

    key: UUID
    sequence: int | None
    grade: Grade | None
    tags: tuple[Tag, ...]
    comment: str
    suggestion: str
    marks: tuple[tuple[int, int], ...]
    focused_seconds: float

    @property
    def words(self) -> dict[str, Any]:
        """Return what is sealed: comment, suggestion and marks."""
        return {"comment": self.comment, "suggestion": self.suggestion, "marks": [list(mark) for mark in self.marks]}


@dataclass(frozen=True, kw_only=True)
class Sent:
    """One act as it was sent, unchecked but for its kind and item."""

    act: str
    item: UUID
    values: dict[str, Any]

    @property
    def rating(self) -> dict[str, Any]:
        """Return the arguments of ``rating_submit``."""
        names = ("key", "sequence", "grade", "tags", "comment", "suggestion", "marks", "focused_seconds")
        return {name: self.values[name] for name in names}


def act_check(
    *,
    key: Any,
    sequence: Any,
    grade: Any,
    tags: Any,
    comment: Any,
    suggestion: Any,
    marks: Any,
    focused_seconds: Any,
) -> RatingAct:
    """Return the act, or say what is wrong with it.

    Raises:
        DomainError: ``rating.…``, status 422.
    """
    checked_grade, checked_tags = _grade(grade), _tags(tags)
    if checked_grade is not None and not can_combine(checked_grade, checked_tags):
        raise DomainError(
            "rating.tag_and_grade",
            _(
                "“Right, but another dialect or spelling” says that it is right somewhere. "
                "Choose another grade than reject."
            ),
        )
    return RatingAct(
        key=_key(key),
        sequence=_sequence(sequence),
        grade=checked_grade,
        tags=checked_tags,
        comment=_words(comment, COMMENT_LIMIT),
        suggestion=_words(suggestion, SUGGESTION_LIMIT),
        marks=_marks(marks),
        focused_seconds=_seconds(focused_seconds),
    )


def marks_within(marks: Sequence[tuple[int, int]], length: int) -> None:
    """Refuse a mark beyond the end of the output.

    Raises:
        DomainError: one ends after `length` code points.
    """
    if any(end > length for _start, end in marks):
        raise _wrong_marks()


def _grade(value: Any) -> Grade | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or value not in list(Grade):
        raise DomainError("rating.grade_unknown", _("Choose one of the four grades: 1, 2, 3 or 4."))
    return Grade(value)


def _key(value: Any) -> UUID:
    if isinstance(value, UUID):
        return value
    try:
        return UUID(str(value))
    except ValueError as error:
        raise DomainError("rating.key_missing", _("Each act needs a key of its own, a UUID.")) from error


def _sequence(value: Any) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not 0 < value <= SEQUENCE_LIMIT:
        raise DomainError("rating.sequence_wrong", _("The sequence of an act is a whole number from 1."))
    return value


def _tags(value: Any) -> tuple[Tag, ...]:
    known = {tag.value for tag in Tag}
    if not isinstance(value, list | tuple) or any(not isinstance(tag, str) or tag not in known for tag in value):
        raise DomainError("rating.tag_unknown", _("One of the tags is not known here."))
    return tuple(tag for tag in Tag if tag.value in value)


def _words(value: Any, limit: int) -> str:
    if not isinstance(value, str):
        raise DomainError("rating.words_wrong", _("Comment and suggestion are texts."))
    # Browsers send line breaks of a form as CR LF; lone surrogates cannot be stored as UTF-8.
    written = value.replace("\r\n", "\n").encode("utf-8", "replace").decode().strip()
    if len(written) > limit:
        sentence = _("This text has %(count)s characters; at most %(limit)s can be kept.")
        raise DomainError("rating.words_too_long", sentence % {"count": len(written), "limit": limit})
    return written


def _marks(value: Any) -> tuple[tuple[int, int], ...]:
    if not isinstance(value, list | tuple) or len(value) > MARKS_AT_MOST:
        raise _wrong_marks()
    return tuple(sorted({_mark(mark) for mark in value}))


def _mark(value: Any) -> tuple[int, int]:
    is_pair = isinstance(value, list | tuple) and len(value) == 2
    if not is_pair or any(isinstance(place, bool) or not isinstance(place, int) for place in value):
        raise _wrong_marks()
    start, end = value
    if not 0 <= start < end:
        raise _wrong_marks()
    return start, end


def _wrong_marks() -> DomainError:
    return DomainError("rating.marks_wrong", _("The marked words do not fit the output. Mark them again."))


def _seconds(value: Any) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or (isinstance(value, float) and not isfinite(value)):
        return 0.0
    # Capped before it becomes a float: a whole number of JSON may be larger than any float.
    return float(min(max(value, 0), SECONDS_PER_ACT))
