"""Which slot of an item is free, and the order in which one rater meets the items. Pure.

Source: SPEC V-4 (overlap, own order, mixed difficulties), V-7 (the fourth rating), V-8 (the look's items come first).
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256

from review.grades import Grade
from review.verdicts import Missing, item_verdict

FOURTH = 4
_SCALE = 1 << 256


@dataclass(frozen=True, slots=True)
class Placed:
    """An item as far as its place in a rater's order goes. `key` is the database's id, `uid` the public one."""

    key: int
    uid: str
    stratum: str
    is_in_look: bool
    is_extension: bool


def free_slot(taken: Mapping[int, Grade | None], *, overlap: int) -> int | None:
    """Return the lowest slot that a rater may take, or None.

    Args:
        taken: slots in use, each with the grade that counts, or None while it is only leased.
        overlap: raters an item, 1 to 3.
    """
    for slot in range(1, overlap + 1):
        if slot not in taken:
            return slot
    return FOURTH if FOURTH not in taken and needs_fourth([taken[s] for s in range(1, overlap + 1)], overlap) else None


def needs_fourth(grades: Iterable[Grade | None], overlap: int) -> bool:
    """Say whether the first ratings lie on both sides of the usable line, so that a fourth speaker is asked."""
    given = [grade for grade in grades if grade is not None]
    return item_verdict(given, overlap=overlap).missing is Missing.NEEDS_FOURTH


def own_order(items: Iterable[Placed], *, seed: str, rater: str) -> list[int]:
    """Return the keys of the items in one rater's order: the look first, the extension last, difficulties mixed.

    In each part the j-th of the c items of a stratum stands at (j - 1 + u)/c, u from a hash, so that every stretch of
    the order holds about the same mix. The order is the same each time for one rater, and another's differs.

    Args:
        seed: of the campaign's draw.
        rater: public id of the rater.
    """
    strata: dict[tuple[bool, bool, str], list[tuple[bytes, Placed]]] = defaultdict(list)
    for item in items:
        part = (item.is_extension, not item.is_in_look, item.stratum)
        strata[part].append((_digest(seed, rater, item.uid), item))
    placed: list[tuple[bool, bool, int, bytes, int]] = []
    for (is_extension, is_later, stratum), members in strata.items():
        shift = int.from_bytes(_digest(seed, rater, stratum))
        members.sort(key=lambda member: member[0])
        for before, (digest, item) in enumerate(members):
            place = ((before * _SCALE + shift) << 64) // len(members)
            placed.append((is_extension, is_later, place, digest, item.key))
    return [row[-1] for row in sorted(placed)]


def _digest(*lines: str) -> bytes:
    return sha256("\n".join(lines).encode()).digest()
