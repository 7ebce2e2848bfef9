"""From ratings to item verdicts, and from verdicts to all the figures of a campaign.

Pure: a campaign is given as the sizes of its strata, the grades of each item in the order they came, what a talk
settled, and the overlap. Every figure of a report can be computed again from these.

Only ratings that count belong here: each in its last version before the reference was shown, without controls, repeats,
calibration, "can't judge", and without the ratings of excluded raters or withdrawn ones.

Source: SPEC V-7.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from statistics import median_low
from typing import Any

from review.estimation import Estimate, ShareOf, StratumCount, estimate
from review.grades import Grade
from review.sampling import NO_OUTPUT

GAP_MARKED_OVER = 0.05
"""The estimate from first ratings is marked if it lies further than this from the verdicts'. Source: SPEC V-7."""


class Missing(StrEnum):
    """Why an item has no verdict yet."""

    UNRATED = "unrated"
    """Fewer ratings than the overlap."""
    NEEDS_FOURTH = "needs_fourth"
    """Three ratings on both sides of the usable line."""
    NEEDS_TALK = "needs_talk"
    """Two against two, or with overlap two one against one."""


@dataclass(frozen=True, slots=True)
class ItemRatings:
    """One item of the sample: its stratum, the grades that count in the order they came, the talk's grade if any."""

    item_id: str
    stratum: str
    ratings: tuple[Grade, ...] = ()
    talk: Grade | None = None


@dataclass(frozen=True, slots=True)
class ItemVerdict:
    """The grade an item came to, or None and why. `is_from_talk` says that a talk settled it."""

    grade: Grade | None
    missing: Missing | None = None
    is_from_talk: bool = False


@dataclass(frozen=True, slots=True)
class Analysis:
    """All figures of a campaign, or of its look.

    Args:
        overlap: raters an item, 1 to 3.
        sizes: N_h by stratum, "no output" among them if there are such entries.
        items: what was given.
        verdicts: by item id, in the order of the items.
        usable, reject: the two estimates.
        grade_counts: items by verdict grade, stratum by stratum.
        first_ratings_share: the usable share by the majority of first ratings alone, 0-1; None if a stratum has none.
        assumed: the grade that items without a verdict were given to see what would follow; None in a real analysis.
    """

    overlap: int
    sizes: Mapping[str, int]
    items: tuple[ItemRatings, ...]
    verdicts: Mapping[str, ItemVerdict]
    usable: Estimate
    reject: Estimate
    grade_counts: Mapping[str, Mapping[Grade, int]]
    first_ratings_share: float | None
    assumed: Grade | None = None

    @property
    def missing_count(self) -> int:
        """Return how many items have no verdict."""
        return sum(1 for verdict in self.verdicts.values() if verdict.grade is None)

    @property
    def is_complete(self) -> bool:
        """Say whether every item has a verdict. Source: SPEC V-2."""
        return self.missing_count == 0

    @property
    def first_ratings_gap(self) -> float | None:
        """Return verdicts' minus first ratings' estimate, or None without one."""
        return None if self.first_ratings_share is None else self.usable.p_hat - self.first_ratings_share

    @property
    def is_gap_marked(self) -> bool:
        """Say whether fourth ratings and talks moved the estimate by more than 5 points."""
        gap = self.first_ratings_gap
        return gap is not None and abs(gap) > GAP_MARKED_OVER + 1e-12

    def to_dict(self) -> dict[str, Any]:
        """Return input and figures as JSON values; `analyse_dict` reads the input back."""
        return {
            "overlap": self.overlap,
            "sizes": dict(self.sizes),
            "items": [_item_to_dict(item) for item in self.items],
            "verdicts": {item_id: _verdict_to_dict(verdict) for item_id, verdict in self.verdicts.items()},
            "missing_count": self.missing_count,
            "usable": self.usable.to_dict(),
            "reject": self.reject.to_dict(),
            "grade_counts": {
                stratum: {grade.name.lower(): counts[grade] for grade in Grade}
                for stratum, counts in self.grade_counts.items()
            },
            "first_ratings_share": self.first_ratings_share,
            "first_ratings_gap": self.first_ratings_gap,
            "is_gap_marked": self.is_gap_marked,
        }


def item_verdict(ratings: Sequence[Grade], *, overlap: int, talk: Grade | None = None) -> ItemVerdict:
    """Return the verdict on one item, or why there is none yet.

    Ratings decide where they can. A talk's grade counts only where they cannot: after a tie, or where speakers could
    not judge.

    Args:
        ratings: grades that count, in the order they came; with overlap n the first n are the panel, with three a
            fourth may follow. Further ones are ignored.
        overlap: 1 to 3.
        talk: grade of the talk, if there was one.

    Raises:
        ValueError: the overlap is not 1, 2 or 3.

    Source: SPEC V-7.
    """
    if overlap not in (1, 2, 3):
        raise ValueError("the overlap must be 1, 2 or 3")
    decided = _decide(ratings, overlap=overlap)
    if decided.grade is None and talk is not None:
        return ItemVerdict(talk, is_from_talk=True)
    return decided


def analyse(
    items: Iterable[ItemRatings],
    *,
    sizes: Mapping[str, int],
    overlap: int,
    assumed: Grade | None = None,
) -> Analysis:
    """Compute every figure of a campaign.

    Args:
        items: the sample's items (or the look's, or the sample's with the extension's), rated or not.
        sizes: N_h by stratum; "no output" is the stratum of entries without a usable output.
        overlap: raters an item, 1 to 3.
        assumed: a grade for items without a verdict, to see what would follow; they are then not missing.

    Raises:
        ValueError: an item stands twice, in no known stratum, or a stratum with entries has no item.

    Source: SPEC V-7.
    """
    listed = tuple(items)
    _check_items(listed, sizes)
    verdicts = {
        item.item_id: _or_assumed(item_verdict(item.ratings, overlap=overlap, talk=item.talk), assumed)
        for item in listed
    }

    def share(share_of: ShareOf, is_counted: Callable[[Grade], bool]) -> Estimate:
        return estimate(
            _stratum_counts(listed, verdicts, sizes, is_counted),
            share_of=share_of,
            no_output=sizes.get(NO_OUTPUT, 0),
            split_share=_split_share(listed, overlap, is_counted),
            overlap=overlap,
        )

    return Analysis(
        overlap=overlap,
        sizes=dict(sizes),
        items=listed,
        verdicts=verdicts,
        usable=share(ShareOf.USABLE, lambda grade: grade.is_usable),
        reject=share(ShareOf.REJECT, lambda grade: grade.is_reject),
        grade_counts=_grade_counts(listed, verdicts, sizes),
        first_ratings_share=_first_ratings_share(listed, sizes, overlap),
        assumed=assumed,
    )


def analyse_dict(campaign: Mapping[str, Any]) -> Analysis:
    """Compute every figure from JSON values, as a verdict bundle holds them.

    Args:
        campaign: {"overlap": 1-3, "sizes": {stratum: N_h}, "items": [{"id", "stratum", "ratings": [1-4 in order],
            "talk": 1-4 or null}]}; further keys are ignored, so that the result of `Analysis.to_dict` can be given.
    """
    items = [
        ItemRatings(
            item_id=str(row["id"]),
            stratum=row["stratum"],
            ratings=tuple(Grade(value) for value in row["ratings"]),
            talk=None if row.get("talk") is None else Grade(row["talk"]),
        )
        for row in campaign["items"]
    ]
    return analyse(items, sizes=campaign["sizes"], overlap=campaign["overlap"])


def _decide(ratings: Sequence[Grade], *, overlap: int) -> ItemVerdict:
    """Let the ratings decide alone."""
    if len(ratings) < overlap:
        return ItemVerdict(None, Missing.UNRATED)
    panel = ratings[:overlap]
    if not _is_split(panel, lambda grade: grade.is_usable):
        # Of three the median, of two the lower, of one itself: the lower median says all of it.
        return ItemVerdict(median_low(panel))
    if overlap == 2:
        return ItemVerdict(None, Missing.NEEDS_TALK)
    if len(ratings) == overlap:
        return ItemVerdict(None, Missing.NEEDS_FOURTH)
    return _decide_by_four(ratings[:4])


def _decide_by_four(ratings: Sequence[Grade]) -> ItemVerdict:
    """Three of four decide, and the median of the three is the grade."""
    usable = [grade for grade in ratings if grade.is_usable]
    unusable = [grade for grade in ratings if not grade.is_usable]
    majority = max(usable, unusable, key=len)
    return ItemVerdict(None, Missing.NEEDS_TALK) if len(majority) == 2 else ItemVerdict(median_low(majority))


def _or_assumed(verdict: ItemVerdict, assumed: Grade | None) -> ItemVerdict:
    return ItemVerdict(assumed) if verdict.grade is None and assumed is not None else verdict


def _check_items(items: Sequence[ItemRatings], sizes: Mapping[str, int]) -> None:
    if len({item.item_id for item in items}) != len(items):
        raise ValueError("an item stands twice")
    present = {item.stratum for item in items}
    shown = {stratum for stratum, size in sizes.items() if size and stratum != NO_OUTPUT}
    if present != shown:
        raise ValueError(f"strata of items and sizes differ: {', '.join(sorted(present ^ shown))}")


def _is_split(panel: Sequence[Grade], is_counted: Callable[[Grade], bool]) -> bool:
    return len({is_counted(grade) for grade in panel}) == 2


def _split_share(items: Sequence[ItemRatings], overlap: int, is_counted: Callable[[Grade], bool]) -> float:
    """Return s among the items that have all their first ratings; 0 if none has."""
    panels = [item.ratings[:overlap] for item in items if len(item.ratings) >= overlap]
    return sum(_is_split(panel, is_counted) for panel in panels) / len(panels) if panels else 0.0


def _stratum_counts(
    items: Sequence[ItemRatings],
    verdicts: Mapping[str, ItemVerdict],
    sizes: Mapping[str, int],
    is_counted: Callable[[Grade], bool],
) -> list[StratumCount]:
    shown: Counter[str] = Counter()
    positive: Counter[str] = Counter()
    missing: Counter[str] = Counter()
    for item in items:
        grade = verdicts[item.item_id].grade
        shown[item.stratum] += 1
        positive[item.stratum] += grade is not None and is_counted(grade)
        missing[item.stratum] += grade is None
    return [
        StratumCount(name, size, shown[name], positive[name], missing[name])
        for name, size in sizes.items()
        if size and name != NO_OUTPUT
    ]


def _grade_counts(
    items: Sequence[ItemRatings], verdicts: Mapping[str, ItemVerdict], sizes: Mapping[str, int]
) -> dict[str, dict[Grade, int]]:
    counts = {name: dict.fromkeys(Grade, 0) for name in sizes if name != NO_OUTPUT}
    for item in items:
        grade = verdicts[item.item_id].grade
        if grade is not None:
            counts[item.stratum][grade] += 1
    return counts


def _first_ratings_share(items: Sequence[ItemRatings], sizes: Mapping[str, int], overlap: int) -> float | None:
    """Weigh the majorities of first ratings by stratum; a tie counts half, an item without all of them not at all."""
    votes: dict[str, list[Fraction]] = {name: [] for name, size in sizes.items() if size and name != NO_OUTPUT}
    for item in items:
        panel = item.ratings[:overlap]
        if len(panel) == overlap:
            votes[item.stratum].append(_majority(panel))
    if not votes or not all(votes.values()):
        return None
    population = sum(sizes.values())
    return float(sum(Fraction(sizes[name], population) * sum(cast) / len(cast) for name, cast in votes.items()))


def _majority(panel: Sequence[Grade]) -> Fraction:
    usable = sum(grade.is_usable for grade in panel)
    if 2 * usable == len(panel):
        return Fraction(1, 2)
    return Fraction(int(2 * usable > len(panel)))


def _item_to_dict(item: ItemRatings) -> dict[str, Any]:
    return {
        "id": item.item_id,
        "stratum": item.stratum,
        "ratings": [int(grade) for grade in item.ratings],
        "talk": None if item.talk is None else int(item.talk),
    }


def _verdict_to_dict(verdict: ItemVerdict) -> dict[str, Any]:
    return {
        "grade": None if verdict.grade is None else int(verdict.grade),
        "missing": None if verdict.missing is None else verdict.missing.value,
        "is_from_talk": verdict.is_from_talk,
    }
