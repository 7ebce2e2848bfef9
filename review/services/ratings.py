"""Save what a rater says of an item: at once, once, and every version of it (LAW-3, SPEC V-5).

The order of things in one transaction: lock the lease and the item, see whether this act is known, write the version,
then what follows from it. A lost answer, a double click or a second tab send the same key or a later sequence; neither
loses nor doubles anything.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Count, Exists, OuterRef, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext as _

from champollion.accounts.models import User
from champollion.common.errors import AccessDenied, ConflictError, DomainError, NotVisible, StateError
from corpora.access import open_entry
from review.access import campaign_open_require, output_text, words_seal
from review.anchors import entry_of, version_of
from review.conflicts import conflict_facts, facts_move, rater_refusal, rater_require
from review.grades import Grade
from review.models import Campaign, Lease, Rating, RatingVersion, SampleItem
from review.models.rating import LeaseStatus
from review.rating_acts import SECONDS_PER_RATING, RatingAct, act_check, marks_within
from review.services.assignment import CANNOT_JUDGE_FOR_TALK, LEASE_TIME, leases_for_update, taken_slots
from review.slots import free_slot
from review.verdicts import Missing, item_verdict


@dataclass(frozen=True, kw_only=True)
class SavedRating:
    """What became of an act.

    Args:
        rating: as it stands now.
        is_current: this act is the one that counts; False where a later one had arrived before it.
        is_repeat: the act was known already; nothing was written.
        reference: the person's translation, where the plan shows it and it was asked for.
    """

    rating: Rating
    is_current: bool
    is_repeat: bool
    reference: str | None


def rating_submit(
    *,
    rater: User,
    item_uid: UUID,
    key: UUID,
    grade: int | None,
    sequence: int | None = None,
    tags: Sequence[str] = (),
    comment: str = "",
    suggestion: str = "",
    marks: Sequence[Sequence[int]] = (),
    focused_seconds: float = 0.0,
    now: datetime | None = None,
    wants_reference: bool = False,
    campaign_uid: UUID | None = None,
) -> SavedRating:
    """Save a rating, a change of it, or that it is taken back (`grade` None).

    Idempotent by `key`. The highest `sequence` wins, and of equal ones the later to arrive; all are kept. A lease that
    ran out is renewed silently while its slot is free. After the reference was shown only the second answer changes:
    `first_grade`, which estimates use, stays. Locks the lease and the item.

    Args:
        wants_reference: show the person's translation after the save, if the plan allows it.
        campaign_uid: refuse an item of another campaign.

    Raises:
        DomainError: the act is malformed, or there is nothing to take back.
        NotVisible: no such item, or it was never leased to this rater.
        AccessDenied: the person may not rate here (LAW-10).
        StateError: the campaign is not open, or the lease is over (``rating.lease_over``).
        ConflictError: the key belongs to another act.
    """
    act = act_check(
        key=key,
        sequence=sequence,
        grade=grade,
        tags=tags,
        comment=comment,
        suggestion=suggestion,
        marks=marks,
        focused_seconds=focused_seconds,
    )
    now = now or timezone.now()
    try:
        with transaction.atomic():
            lease = _lease_read(rater, item_uid, campaign_uid)
            return _act_save(act, lease, rater=rater, now=now, wants_reference=wants_reference)
    except IntegrityError as error:
        if not RatingVersion.objects.filter(key=act.key).exists():
            raise
        raise ConflictError("rating.key_taken", _("This key belongs to another rating.")) from error


def _lease_read(rater: User, item_uid: UUID, campaign_uid: UUID | None) -> Lease:
    """Lock the lease and the item, with the rater's ties to the method read beside them."""
    cannot_judge = Lease.objects.filter(item=OuterRef("item"), status=LeaseStatus.CANNOT_JUDGE).values("item")
    rows = leases_for_update().annotate(
        cannot_judge_count=Coalesce(Subquery(cannot_judge.annotate(n=Count("pk")).values("n")), 0),
        **conflict_facts(rater, at="item__campaign__"),
    )
    lease = rows.filter(rater=rater, item__uid=item_uid).first()
    if lease is None or campaign_uid not in (None, lease.item.campaign.uid):
        raise _not_yours(rater, item_uid)
    facts_move(lease, lease.item.campaign)
    rater_require(rater, lease.item.campaign)
    campaign_open_require(lease.item.campaign)
    return lease


def _not_yours(rater: User, item_uid: UUID) -> DomainError:
    """Say to a member of the organisation that the method is their own; to anybody else only that it is not theirs."""
    item = SampleItem.objects.filter(uid=item_uid).select_related("campaign__run__corpus_version__corpus").first()
    refusal = rater_refusal(rater, item.campaign) if item is not None else None
    if refusal is not None and refusal.code != "rater.not_speaker":
        return AccessDenied(refusal.code, refusal.sentence)
    return NotVisible("rating.not_yours", _("There is no such item, or it is not yours to rate."))


def _act_save(act: RatingAct, lease: Lease, *, rater: User, now: datetime, wants_reference: bool) -> SavedRating:
    campaign = lease.item.campaign
    ratings = _ratings_of(lease.item, act.key)
    rating = next((row for row in ratings if row.rater_id == rater.pk), None)
    if rating is not None and rating.has_key:
        is_current = act.sequence is None or act.sequence >= rating.sequence
        return _saved(rating, lease, is_current=is_current, is_repeat=True)
    _act_fits(act, lease, rating)
    if lease.status not in (LeaseStatus.HELD, LeaseStatus.RATED):
        _lease_regain(lease)
    if rating is None:
        rating = Rating(item=lease.item, rater=rater, lease=lease, rank=0)
        ratings.append(rating)
    version = _version(act, rating, campaign, now=now)
    if version.is_current:
        _rating_set(rating, act, ratings, version)
        if wants_reference and campaign.shows_reference and rating.grade and rating.reference_shown_at is None:
            rating.reference_shown_at = now
        _rating_write(rating, campaign)
    version.rating = rating
    version.save(force_insert=True)
    if version.is_current:
        _lease_write(lease, rating, campaign, now=now)
        _talk_mark(lease, ratings, campaign)
    return _saved(rating, lease, is_current=version.is_current, is_repeat=False)


def _ratings_of(item: SampleItem, key: UUID) -> list[Any]:
    known = RatingVersion.objects.filter(rating=OuterRef("pk"), key=key)
    return list(Rating.objects.filter(item=item).annotate(has_key=Exists(known)).order_by("rank", "pk"))


def _act_fits(act: RatingAct, lease: Lease, rating: Rating | None) -> None:
    marks_within(act.marks, len(output_text(lease.item, lease.item.campaign)))
    if rating is None and act.grade is None:
        raise StateError("rating.nothing_to_undo", _("There is no rating of this item to take back."))


def _version(act: RatingAct, rating: Rating, campaign: Campaign, *, now: datetime) -> RatingVersion:
    """Make the version of an act; it is current unless an act with a higher sequence arrived before it."""
    sequence = act.sequence or max(rating.sequence + 1, int(now.timestamp() * 1000))
    return RatingVersion(
        key=act.key,
        sequence=sequence,
        grade=act.grade,
        tags=list(act.tags),
        sealed_words=words_seal(campaign, act.words),
        is_after_reference=rating.reference_shown_at is not None,
        is_current=sequence >= rating.sequence,
        focused_seconds=act.focused_seconds,
    )


def _saved(rating: Rating, lease: Lease, *, is_current: bool, is_repeat: bool) -> SavedRating:
    """Answer with the reference once it was shown; before that nobody gets it from here."""
    rating.item = lease.item
    reference = None
    if rating.reference_shown_at is not None:
        reference = open_entry(entry_of(lease.item), version_of(lease.item.campaign.run).corpus).reference
    return SavedRating(rating=rating, is_current=is_current, is_repeat=is_repeat, reference=reference)


def _lease_regain(lease: Lease) -> None:
    """Take the slot again after the lease ran out or was given back, if it is still free."""
    if lease.status in (LeaseStatus.CANNOT_JUDGE, LeaseStatus.HARMFUL):
        raise StateError("rating.item_put_aside", _("You put this item aside, so it went to another speaker."))
    item = lease.item
    slot = free_slot(taken_slots([item.pk])[item.pk], overlap=item.campaign.overlap)
    if slot is None or item.needs_talk or item.is_held_back:
        raise StateError(
            "rating.lease_over",
            _("This item went to another speaker. Here is the next one; what you wrote is still on this page."),
        )
    lease.slot = slot


def _rating_set(rating: Rating, act: RatingAct, ratings: Sequence[Rating], version: RatingVersion) -> None:
    """Let an act become the rating: before the reference both answers, afterwards the second alone."""
    if rating.reference_shown_at is not None:
        rating.grade = act.grade if act.grade is not None else rating.first_grade
    else:
        if rating.grade is None and act.grade is not None:
            rating.rank = 1 + max((row.rank for row in ratings if row.grade is not None), default=0)
        rating.grade = rating.first_grade = act.grade
    rating.tags, rating.sealed_words, rating.sequence = version.tags, version.sealed_words, version.sequence
    rating.focused_seconds = min(rating.focused_seconds + act.focused_seconds, SECONDS_PER_RATING)


def _rating_write(rating: Rating, campaign: Campaign) -> None:
    if rating.pk is None:
        rating.save(force_insert=True)
        return
    # The campaign may have been closed while we waited for the lock: the condition reads it anew.
    fields = (
        "grade",
        "first_grade",
        "rank",
        "tags",
        "sealed_words",
        "sequence",
        "focused_seconds",
        "reference_shown_at",
    )
    still_open = Rating.objects.filter(pk=rating.pk, item__campaign__status=Campaign.Status.OPEN)
    changed = still_open.update(**{name: getattr(rating, name) for name in fields}, updated_at=timezone.now())
    if not changed:
        _closed_meanwhile(campaign)


def _lease_write(lease: Lease, rating: Rating, campaign: Campaign, *, now: datetime) -> None:
    """Hold the slot for good with a grade, for half an hour without one."""
    status = LeaseStatus.HELD if rating.first_grade is None else LeaseStatus.RATED
    if lease.status == status == LeaseStatus.RATED:
        return
    still_open = Lease.objects.filter(pk=lease.pk, item__campaign__status=Campaign.Status.OPEN)
    if not still_open.update(status=status, slot=lease.slot, expires_at=now + LEASE_TIME):
        _closed_meanwhile(campaign)
    lease.status = status


def _closed_meanwhile(campaign: Campaign) -> None:
    campaign.refresh_from_db(fields=["status"])
    campaign_open_require(campaign)


def _talk_mark(lease: Any, ratings: Sequence[Rating], campaign: Campaign) -> None:
    """Keep up whether two speakers have to talk about the item (SPEC V-5, V-7)."""
    given = [Grade(row.first_grade) for row in sorted(ratings, key=lambda row: row.rank) if row.first_grade]
    is_tied = item_verdict(given, overlap=campaign.overlap).missing is Missing.NEEDS_TALK
    needs_talk = is_tied or lease.cannot_judge_count >= CANNOT_JUDGE_FOR_TALK
    if needs_talk != lease.item.needs_talk:
        SampleItem.objects.filter(pk=lease.item.pk).update(needs_talk=needs_talk)
        lease.item.needs_talk = needs_talk
