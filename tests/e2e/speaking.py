"""What the speakers of these tests say: a rule of the item's place in the corpus, so that every figure can be foretold.

The grades are made up by the rule, for testing; they judge nobody's translations.
"""

from __future__ import annotations

from collections.abc import Mapping

from review.models import SampleItem

from .rating import GradeOf

_Four = tuple[int, int, int, int]


def item_places(campaign: str) -> dict[str, int]:
    """Return each item's place in the corpus by its id."""
    items = SampleItem.objects.filter(campaign__uid=campaign).values_list("uid", "output__position")
    return {str(uid): place for uid, place in items}


def grades_of(speaker: int, places: Mapping[str, int]) -> GradeOf:
    """Return the rule of one speaker, 1 to 4."""
    return lambda item: _grades(places[item])[speaker - 1]


def split_count(places: Mapping[str, int]) -> int:
    """Return about how many items the first three speakers are split, so that a fourth is asked."""
    return sum(_is_split(_grades(place)) for place in places.values())


def _grades(place: int) -> _Four:
    """The grades of the four speakers; the fourth is asked where the three are split about the usable line."""
    if place % 20 == 7:
        return (3, 2, 1, 2)  # split, and the fourth finds it not usable
    if place % 5 == 2:
        return (2, 3, 4, 4)  # split, and the fourth finds it usable
    if place % 16 == 9:
        return (1, 2, 1, 1)  # two of three reject it
    return (4, 3, 4, 4) if place % 3 else (3, 3, 4, 3)


def _is_split(grades: _Four) -> bool:
    return len({grade >= 3 for grade in grades[:3]}) == 2
