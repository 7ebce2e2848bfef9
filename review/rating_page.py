"""What the rating page and "My campaigns" show a rater: their block, item by item, and how far things are.

Nothing here tells which method wrote what, how it scored or what others said (LAW-9). The number of queries is the same
for every size of campaign.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any
from uuid import UUID, uuid4

from django.db.models import BooleanField, Case, Count, Exists, F, Max, OuterRef, Q, QuerySet, Subquery, Sum, When

from corpora.models import Entry
from review.access import (
    SKIPS_AT_MOST,
    is_open_to,
    item_texts,
    items_open_to,
    items_planned,
    slot_counts,
    words_open,
)
from review.anchors import entry_of
from review.models import Campaign, Lease
from review.models.rating import LeaseStatus
from review.note_checks import note_reveals
from review.words_of_text import Word, words_of

#: Source and output together, in characters: longer ones are set smaller, the dock is not pinned. Source: design 4.3.
LONG_TEXT = 150


@dataclass(frozen=True, kw_only=True)
class PageItem:
    """One item of the block, opened for the rater to whom it is leased."""

    uid: str
    number: int
    source: str
    output: str
    reference: str | None
    note: str
    register: str
    domain: str
    before: str
    after: str
    status: str
    grade: int | None
    tags: tuple[str, ...]
    comment: str
    suggestion: str
    words: tuple[Word, ...]
    sequence: int

    @property
    def is_open(self) -> bool:
        return self.status == LeaseStatus.HELD

    @property
    def is_rated(self) -> bool:
        return self.status == LeaseStatus.RATED

    @property
    def state(self) -> str:
        """Return ``done`` for what needs nothing more in this block, else ``open``: for the segments on top."""
        return "open" if self.is_open else "done"

    @property
    def is_long(self) -> bool:
        return len(self.source) + len(self.output) > LONG_TEXT

    @property
    def has_context(self) -> bool:
        return bool(self.before or self.after)

    @property
    def has_notes(self) -> bool:
        return bool(self.note or self.register or self.domain)

    @cached_property
    def key(self) -> str:
        """A fresh key for the next act, for browsers without script."""
        return str(uuid4())


@dataclass(frozen=True, kw_only=True)
class Progress:
    """How far a campaign is for one rater.

    Args:
        mine: ratings of this rater that count.
        left: items open to them now, or held by them.
        share: of the ratings that the plan asks for, 0-1; further opinions are not counted.
    """

    mine: int
    left: int
    share: float

    @property
    def part(self) -> int:
        return self.mine + self.left

    @property
    def percent(self) -> int:
        """Return the share in percent; never 100 before everything is rated."""
        return min(int(100 * self.share), 100)


@dataclass(frozen=True, kw_only=True)
class RatePage:
    """The block that a rater works on, and the item on display."""

    campaign: Campaign
    items: tuple[PageItem, ...]
    current: PageItem | None
    progress: Progress
    leases: tuple[Lease, ...] = field(repr=False)

    @property
    def needs_lease(self) -> bool:
        """Say whether nothing of this block was dealt with or is held: a new block is due."""
        return not self.items or all(item.status == LeaseStatus.EXPIRED for item in self.items)

    @property
    def has_skipped(self) -> bool:
        return any(le.status == LeaseStatus.SKIPPED and le.skip_count < SKIPS_AT_MOST for le in self.leases)

    @property
    def rated(self) -> tuple[PageItem, ...]:
        return tuple(item for item in self.items if item.is_rated)

    @property
    def previous(self) -> PageItem | None:
        """Return the item that was rated last before the one on display."""
        before = [item for item in self.rated if self.current is None or item.number < self.current.number]
        return before[-1] if before else None


def rate_page(*, rater: Any, campaign: Campaign, item_uid: UUID | None, now: datetime) -> RatePage:
    """Return the block with an item, or the rater's last block; two queries, three with sentences around."""
    leases = tuple(_block(rater, campaign, item_uid))
    around = _around(campaign, leases)
    items = tuple(_item(number, lease, campaign, around) for number, lease in enumerate(leases, start=1))
    return RatePage(
        campaign=campaign,
        items=items,
        current=_current(items, item_uid),
        progress=progress_of(rater, campaign, now=now),
        leases=leases,
    )


def progress_of(rater: Any, campaign: Campaign, *, now: datetime) -> Progress:
    """Return how far a campaign is for a rater; one query."""
    leases = Lease.objects.filter(item=OuterRef("pk"))
    given = leases.filter(status=LeaseStatus.RATED, slot__lte=campaign.overlap).values("item")
    counts = (
        items_planned([campaign])
        .annotate(
            **slot_counts(now=now),
            first_given=Subquery(given.annotate(n=Count("pk")).values("n")),
            is_mine=Exists(leases.filter(rater=rater, status=LeaseStatus.RATED)),
            is_held=Exists(leases.filter(rater=rater, status=LeaseStatus.HELD)),
        )
        .annotate(is_left=Case(When(is_open_to(rater), then=True), default=False, output_field=BooleanField()))
        .aggregate(
            items=Count("pk"),
            mine=Count("pk", filter=Q(is_mine=True)),
            left=Count("pk", filter=Q(is_left=True) | Q(is_held=True)),
            given=Sum("first_given"),
        )
    )
    return _progress(counts["mine"], counts["left"], counts["given"] or 0, counts["items"] * campaign.overlap)


@dataclass(frozen=True, kw_only=True)
class CampaignCard:
    """A campaign on "My campaigns"; `refusal` says why a speaker may not rate in it."""

    campaign: Campaign
    progress: Progress
    refusal: str

    @property
    def can_rate(self) -> bool:
        return self.campaign.status == Campaign.Status.OPEN and not self.refusal and self.progress.left > 0


def campaign_cards(
    rater: Any, listed: Sequence[Campaign], refusals: dict[int, str], *, now: datetime
) -> list[CampaignCard]:
    """Return the cards of a speaker's campaigns, the ones with work first; three queries for any number."""
    counts = _counts_by_campaign(rater, listed)
    planned = dict(items_planned(listed).values_list("campaign").annotate(n=Count("pk")).order_by())
    left = dict(
        items_open_to(rater, campaigns=listed, now=now).values_list("campaign").annotate(n=Count("pk")).order_by()
    )
    cards = [
        CampaignCard(
            campaign=one,
            progress=_progress(
                counts.get(one.pk, (0, 0, 0))[0],
                left.get(one.pk, 0) + counts.get(one.pk, (0, 0, 0))[1],
                counts.get(one.pk, (0, 0, 0))[2],
                planned.get(one.pk, 0) * one.overlap,
            ),
            refusal=refusals.get(one.pk, ""),
        )
        for one in listed
    ]
    return sorted(cards, key=lambda card: not card.can_rate)


def campaigns_of_speaker(rater: Any, organisations: Sequence[int]) -> QuerySet[Campaign]:
    """Return what a speaker sees: campaigns that run, and later ones in which they rated."""
    rated = Lease.objects.filter(rater=rater, status=LeaseStatus.RATED, item__campaign=OuterRef("pk"))
    running = Q(status__in=[Campaign.Status.OPEN, Campaign.Status.SUSPENDED])
    return (
        Campaign.objects.filter(organisation__in=organisations)
        .filter(running | Q(Exists(rated)) & ~Q(status=Campaign.Status.DRAFT))
        .select_related("organisation", "run__corpus_version__corpus")
        .order_by("-opened_at", "pk")
    )


def _progress(mine: int, left: int, given: int, asked: int) -> Progress:
    return Progress(mine=mine, left=left, share=given / asked if asked else 0.0)


def _counts_by_campaign(rater: Any, campaigns: Sequence[Campaign]) -> dict[int, tuple[int, int, int]]:
    rows = (
        Lease.objects.filter(item__campaign__in=campaigns)
        .values_list("item__campaign")
        .annotate(
            mine=Count("pk", filter=Q(rater=rater, status=LeaseStatus.RATED)),
            held=Count("pk", filter=Q(rater=rater, status=LeaseStatus.HELD)),
            given=Count("pk", filter=Q(status=LeaseStatus.RATED, slot__lte=F("item__campaign__overlap"))),
        )
        .order_by()
    )
    return {pk: (mine, held, given) for pk, mine, held, given in rows}


def _block(rater: Any, campaign: Campaign, item_uid: UUID | None) -> QuerySet[Lease]:
    mine = Lease.objects.filter(rater=rater, item__campaign=campaign)
    number = mine.filter(item__uid=item_uid).values("block")[:1] if item_uid else None
    last = mine.values("item__campaign").annotate(last=Max("block")).values("last")
    return (
        mine.filter(block=Subquery(number if number is not None else last))
        .select_related("item__output__entry", "rating")
        .order_by("place")
    )


def _current(items: Sequence[PageItem], item_uid: UUID | None) -> PageItem | None:
    """Return the item asked for if it is open or rated, else the first open one."""
    asked = next((item for item in items if item_uid and item.uid == str(item_uid)), None)
    if asked is not None and (asked.is_open or asked.is_rated):
        return asked
    return next((item for item in items if item.is_open), None)


def _around(campaign: Campaign, leases: Sequence[Lease]) -> dict[int, str]:
    """Return the sources beside the block's entries by position; of a secret segment none: they are not leased."""
    if campaign.run.is_secret or not leases:
        return {}
    places = {entry_of(lease.item).position + step for lease in leases for step in (-1, 1)}
    rows = Entry.objects.filter(
        version=campaign.run.corpus_version_id, segment=campaign.run.segment, position__in=places, sealed__isnull=True
    )
    return dict(rows.values_list("position", "source"))


def _item(number: int, lease: Lease, campaign: Campaign, around: dict[int, str]) -> PageItem:
    source, output, reference, fields = item_texts(lease.item, campaign)
    rating = getattr(lease, "rating", None)
    said = words_open(campaign, rating.sealed_words) if rating is not None else {}
    entry = entry_of(lease.item)
    note = str(fields.get("notes") or "")
    is_shown = rating is not None and rating.reference_shown_at is not None
    return PageItem(
        uid=str(lease.item.uid),
        number=number,
        source=source,
        output=output,
        reference=reference if is_shown else None,
        note="" if note_reveals(note, reference=reference, source=source) else note,
        register=entry.register,
        domain=entry.get_domain_display() if entry.domain else "",
        before=around.get(entry.position - 1, ""),
        after=around.get(entry.position + 1, ""),
        status=lease.status,
        grade=rating.grade if rating is not None else None,
        tags=tuple(rating.tags) if rating is not None else (),
        comment=said.get("comment", ""),
        suggestion=said.get("suggestion", ""),
        words=words_of(output, marks=said.get("marks", [])),
        sequence=rating.sequence if rating is not None else 0,
    )
