"""How far campaigns are, for stewards and coordinators: counts alone, nothing of what the ratings say.

Source: SPEC V-2, V-4; S-1 (coordinators see no estimate).
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, Q

from review.analysis import ratings_read
from review.models import Campaign, Lease, SampleItem
from review.models.rating import LeaseStatus
from review.sampling import NO_OUTPUT, SHOWN_STRATA
from review.verdicts import ItemRatings, Missing, item_verdict


@dataclass(frozen=True, slots=True)
class StratumProgress:
    """How far one stratum is; the numbers count items but for ratings.

    Args:
        stratum: "1" to "5", "not given", or "no output", whose items are never shown and always done.
        items: in play.
        done: with a verdict.
        needs_fourth, needs_talk: split ratings that wait for a fourth speaker, or for a talk.
        leased: slots that a rater holds now.
        ratings, ratings_asked_for: given, and what the overlap asks for at least.
    """

    stratum: str
    items: int
    done: int
    needs_fourth: int
    needs_talk: int
    leased: int
    ratings: int
    ratings_asked_for: int


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a campaign is, stratum by stratum in the order of difficulty, and in all."""

    strata: tuple[StratumProgress, ...]
    total: StratumProgress
    rater_count: int
    look_items: int
    look_done: int

    @property
    def is_done(self) -> bool:
        """Say whether every item has a verdict."""
        return self.total.done == self.total.items


def campaign_progress(campaign: Campaign) -> Progress:
    """Return how far a campaign is. Five queries, however many items or ratings there are."""
    ratings = ratings_read(campaign)
    talks, leased, unusable = _talks(campaign), _leased(campaign), _unusable_count(campaign)
    by_stratum: dict[str, list[ItemRatings]] = defaultdict(list)
    for item in ratings.items:
        by_stratum[item.stratum].append(item)
    rows = [
        _row(name, by_stratum[name], overlap=campaign.overlap, talks=talks, leased=leased.get(name, 0))
        for name in SHOWN_STRATA
        if name in by_stratum
    ]
    if unusable:
        rows.append(StratumProgress(NO_OUTPUT, unusable, unusable, 0, 0, 0, 0, 0))
    done_in_look = [item for item in ratings.items if item.item_id in ratings.look and _is_done(item, campaign.overlap)]
    return Progress(
        strata=tuple(rows),
        total=_total(rows),
        rater_count=ratings.rater_count,
        look_items=len(ratings.look),
        look_done=len(done_in_look),
    )


def _talks(campaign: Campaign) -> frozenset[str]:
    """Return the items that speakers sent to a talk which was not held yet."""
    waiting = SampleItem.objects.filter(campaign=campaign, needs_talk=True, talk__isnull=True)
    return frozenset(str(uid) for uid in waiting.values_list("uid", flat=True))


def _leased(campaign: Campaign) -> dict[str, int]:
    held = Lease.objects.filter(item__campaign=campaign, status=LeaseStatus.HELD)
    return dict(held.values_list("item__stratum").annotate(Count("pk")))


def _unusable_count(campaign: Campaign) -> int:
    return campaign.items.filter(Q(kind=SampleItem.Kind.UNUSABLE)).count()


def _row(
    stratum: str, items: Iterable[ItemRatings], *, overlap: int, talks: frozenset[str], leased: int
) -> StratumProgress:
    listed = list(items)
    verdicts = {item.item_id: item_verdict(item.ratings, overlap=overlap, talk=item.talk) for item in listed}
    waiting = [item_id for item_id, verdict in verdicts.items() if verdict.grade is None]
    to_talk = [item_id for item_id in waiting if item_id in talks or verdicts[item_id].missing is Missing.NEEDS_TALK]
    return StratumProgress(
        stratum=stratum,
        items=len(listed),
        done=len(listed) - len(waiting),
        needs_fourth=sum(verdicts[item_id].missing is Missing.NEEDS_FOURTH for item_id in set(waiting) - set(to_talk)),
        needs_talk=len(to_talk),
        leased=leased,
        ratings=sum(len(item.ratings) for item in listed),
        ratings_asked_for=overlap * len(listed),
    )


def _is_done(item: ItemRatings, overlap: int) -> bool:
    return item_verdict(item.ratings, overlap=overlap, talk=item.talk).grade is not None


def _total(rows: Iterable[StratumProgress]) -> StratumProgress:
    listed = list(rows)

    def added(name: str) -> int:
        return sum(getattr(row, name) for row in listed)

    return StratumProgress(
        "",
        added("items"),
        added("done"),
        added("needs_fourth"),
        added("needs_talk"),
        added("leased"),
        added("ratings"),
        added("ratings_asked_for"),
    )
