"""Who rates what, and when: blocks of leases, skips, and what a speaker cannot judge (SPEC V-4, V-5).

A lease holds a numbered slot of an item. The unique constraint on (item, slot) has the last word, so an item never has
more raters than the plan says; locks only keep raters from running into it.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from django.db import IntegrityError, OperationalError, transaction
from django.db.models import Max, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from champollion.accounts.models import User
from champollion.common.errors import ConflictError, DomainError, NotVisible, StateError
from corpora.access import secret_read_record
from review.access import SKIPS_AT_MOST, campaign_open_require, items_open_to, words_seal
from review.anchors import version_of
from review.conflicts import rater_require
from review.grades import Grade
from review.models import Campaign, CannotJudgeReason, Lease, SampleItem
from review.models.rating import LeaseStatus
from review.slots import Placed, free_slot, own_order

BLOCK_SIZE = 10
LEASE_TIME = timedelta(minutes=30)
#: After so many speakers who cannot judge an item, two of them talk about it. Source: SPEC V-5.
CANNOT_JUDGE_FOR_TALK = 3
NOTE_LIMIT = 2_000
_ATTEMPTS = 12
_DEADLOCK = "40P01"
_IN_USE = (LeaseStatus.HELD, LeaseStatus.RATED)


def block_lease(*, rater: User, campaign: Campaign, now: datetime | None = None) -> list[Lease]:
    """Lease a rater the next block: up to ten items in their own order, or the block they still hold.

    Locks the rater's row, then the items that are leased, skipping those another rater is about to get. On a secret
    segment writes one ``secret.read`` record: from now on the rater may read these texts.

    Returns:
        The leases in order; fewer than ten, or none, where no more slots are free for this rater.

    Raises:
        AccessDenied: the person may not rate here (LAW-10).
        StateError: the campaign is not open.
        ConflictError: other raters took every slot while we tried.
    """
    now = now or timezone.now()
    rater_require(rater, campaign)
    campaign_open_require(campaign)
    leases = _attempt(lambda: _block(rater, campaign, now, is_patient=False))
    # Nothing may mean that others hold the locks just now: wait for them and look again, in a transaction of its own.
    return leases or _attempt(lambda: _block(rater, campaign, now, is_patient=True))


@transaction.atomic
def skipped_lease(*, rater: User, campaign: Campaign, now: datetime | None = None) -> list[Lease]:
    """Offer once more what a rater skipped in their last block, as far as slots are still free."""
    now = now or timezone.now()
    rater_require(rater, campaign)
    campaign_open_require(campaign)
    _lock_rater(rater)
    mine = _leases_of(rater, campaign)
    block = mine.aggregate(last=Max("block"))["last"]
    skipped = mine.filter(block=block, status=LeaseStatus.SKIPPED, skip_count__lt=SKIPS_AT_MOST)
    wanted = list(skipped.values_list("item", flat=True))
    if not wanted:
        return []
    _leases_expire(campaign, now)
    return _take(rater, campaign, wanted, block=block, now=now, is_patient=True)


@transaction.atomic
def item_skip(*, rater: User, item_uid: UUID, now: datetime | None = None) -> Lease:
    """Give an item's slot back; it is offered to this rater once more at the block's end.

    Skipping what is skipped already changes nothing.

    Raises:
        NotVisible: the item is not this rater's.
        AccessDenied: the person may not rate here any more (LAW-10).
        StateError: it is rated, or was put aside.
    """
    lease = lease_lock(rater, item_uid)
    rater_require(rater, lease.item.campaign)
    campaign_open_require(lease.item.campaign)
    if lease.status in (LeaseStatus.SKIPPED, LeaseStatus.EXPIRED):
        return lease
    _held_require(lease)
    last = _leases_of(rater, lease.item.campaign).aggregate(last=Max("place"))["last"]
    lease.status, lease.skip_count, lease.place = LeaseStatus.SKIPPED, lease.skip_count + 1, last + 1
    lease.save(update_fields=["status", "skip_count", "place"])
    return lease


@transaction.atomic
def item_cannot_judge(
    *, rater: User, item_uid: UUID, reason: str, note: str = "", now: datetime | None = None
) -> Lease:
    """Record that a speaker cannot judge an item, and why; it goes to another, after three of them to a talk.

    Raises:
        NotVisible: the item is not this rater's.
        AccessDenied: the person may not rate here any more (LAW-10).
        StateError: it is rated; the rater takes the rating back first.
        DomainError: no such reason, "another reason" without a note, or a note that is too long.
    """
    _check_reason(reason, note)
    lease = lease_lock(rater, item_uid)
    rater_require(rater, lease.item.campaign)
    campaign_open_require(lease.item.campaign)
    if lease.status == LeaseStatus.CANNOT_JUDGE:
        return lease
    if lease.status not in (LeaseStatus.SKIPPED, LeaseStatus.EXPIRED):
        _held_require(lease)
    lease.status, lease.cannot_judge_reason = LeaseStatus.CANNOT_JUDGE, reason
    lease.sealed_note = words_seal(lease.item.campaign, {"note": note.strip()})
    lease.save(update_fields=["status", "cannot_judge_reason", "sealed_note"])
    item = lease.item
    if not item.needs_talk and item.leases.filter(status=LeaseStatus.CANNOT_JUDGE).count() >= CANNOT_JUDGE_FOR_TALK:
        SampleItem.objects.filter(pk=item.pk).update(needs_talk=True)
    return lease


def leases_renew(leases: Iterable[Lease], *, now: datetime) -> None:
    """Give leases that ran out and that nobody else took another half hour; one UPDATE, none if all still run."""
    late = [lease for lease in leases if lease.status == LeaseStatus.HELD and lease.expires_at <= now]
    if not late:
        return
    Lease.objects.filter(pk__in=[lease.pk for lease in late], status=LeaseStatus.HELD).update(
        expires_at=now + LEASE_TIME
    )
    for lease in late:
        lease.expires_at = now + LEASE_TIME


def lease_lock(rater: User, item_uid: UUID) -> Lease:
    """Return a rater's lease of an item with its campaign, its row and the item's locked.

    Raises:
        NotVisible: there is no such item, or it was never leased to this rater.
    """
    lease = leases_for_update().filter(rater=rater, item__uid=item_uid).first()
    if lease is None:
        raise NotVisible("rating.not_yours", _("There is no such item, or it is not yours to rate."))
    return lease


def leases_for_update() -> QuerySet[Lease]:
    """Return leases with item, output, entry and campaign; read inside a transaction, lease and item are locked."""
    rows = Lease.objects.select_related(
        "item__campaign__organisation", "item__campaign__run__corpus_version__corpus", "item__output__entry"
    )
    return rows.defer("item__campaign__plan", "item__campaign__evidence").select_for_update(
        of=("self", "item"), no_key=True
    )


def taken_slots(items: Sequence[int]) -> dict[int, dict[int, Grade | None]]:
    """Return, by item, the slots in use with the grade that counts, None while a slot is only leased."""
    rows = Lease.objects.filter(item__in=items, status__in=_IN_USE).values_list("item", "slot", "rating__first_grade")
    taken: dict[int, dict[int, Grade | None]] = {item: {} for item in items}
    for item, slot, grade in rows:
        taken[item][slot] = None if grade is None else Grade(grade)
    return taken


def _attempt(act: Callable[[], list[Lease]]) -> list[Lease]:
    for _number in range(_ATTEMPTS):
        try:
            with transaction.atomic():
                return act()
        except IntegrityError:
            continue  # another rater took a slot between our look and our insert
        except OperationalError as error:
            if getattr(error.__cause__, "sqlstate", "") != _DEADLOCK:
                raise
    raise ConflictError("lease.busy", _("Many people ask for items right now. Try again in a moment."))


def _block(rater: User, campaign: Campaign, now: datetime, *, is_patient: bool) -> list[Lease]:
    _lock_rater(rater)
    held = list(_leases_of(rater, campaign).filter(status=LeaseStatus.HELD).order_by("place"))
    if held:
        leases_renew(held, now=now)
        return held
    _leases_expire(campaign, now)
    block = (_leases_of(rater, campaign).aggregate(last=Max("block"))["last"] or 0) + 1
    wanted = _candidates(rater, campaign, now)
    leases = _take(rater, campaign, wanted, block=block, now=now, is_patient=is_patient)
    if leases and campaign.run.is_secret:
        version = version_of(campaign.run)
        secret_read_record(corpus=version.corpus, version=version, reader=rater, purpose="rating", count=len(leases))
    return leases


def _candidates(rater: User, campaign: Campaign, now: datetime) -> list[int]:
    """Return the items that are open to a rater, in the rater's own order."""
    rows = items_open_to(rater, campaigns=[campaign], now=now).values_list("pk", "uid", "stratum", "is_in_look", "kind")
    placed = [
        Placed(pk, str(uid), stratum, look, kind == SampleItem.Kind.EXTENSION) for pk, uid, stratum, look, kind in rows
    ]
    return own_order(placed, seed=campaign.seed, rater=str(rater.uid))


def _take(
    rater: User, campaign: Campaign, wanted: Sequence[int], *, block: int, now: datetime, is_patient: bool
) -> list[Lease]:
    """Take a slot of each item wanted until the block is full.

    Impatient, item by item in the rater's order and past those that others lock. Patient, in one statement in the order
    of the keys, so that two who wait cannot wait for each other.
    """
    got: dict[int, int] = {}
    step = len(wanted) if is_patient else BLOCK_SIZE
    for start in range(0, len(wanted), max(step, 1)):
        if len(got) >= BLOCK_SIZE:
            break
        chunk = wanted[start : start + step]
        got |= _slots_free(_items_lock(chunk, is_patient=is_patient), chunk, campaign.overlap)
    chosen = [(item, got[item]) for item in wanted if item in got][:BLOCK_SIZE]
    return _leases_write(rater, campaign, chosen, block=block, now=now)


def _items_lock(items: Sequence[int], *, is_patient: bool) -> list[int]:
    """Lock items and return which; impatient, those locked by others are left out. SQLite has one writer anyway."""
    rows = SampleItem.objects.filter(pk__in=items, needs_talk=False, is_held_back=False).order_by("pk")
    return list(rows.select_for_update(skip_locked=not is_patient, no_key=True).values_list("pk", flat=True))


def _slots_free(locked: Sequence[int], wanted: Sequence[int], overlap: int) -> dict[int, int]:
    taken = taken_slots(locked)
    free = {item: free_slot(taken[item], overlap=overlap) for item in wanted if item in taken}
    return {item: slot for item, slot in free.items() if slot is not None}


def _leases_write(
    rater: User, campaign: Campaign, chosen: Sequence[tuple[int, int]], *, block: int, now: datetime
) -> list[Lease]:
    """Write the leases; a row that this rater has from before is used again (an item never comes twice to a rater)."""
    earlier = {lease.item_id: lease for lease in Lease.objects.filter(rater=rater, item__in=[i for i, _s in chosen])}
    place = _leases_of(rater, campaign).aggregate(last=Max("place"))["last"] or 0
    leases = []
    for number, (item, slot) in enumerate(chosen, start=place + 1):
        lease = earlier.get(item) or Lease(rater=rater, item_id=item)
        lease.status, lease.slot, lease.block, lease.place = LeaseStatus.HELD, slot, block, number
        lease.expires_at = now + LEASE_TIME
        leases.append(lease)
    Lease.objects.bulk_create([lease for lease in leases if lease.pk is None])
    Lease.objects.bulk_update(
        [lease for lease in leases if lease.item_id in earlier], ["status", "slot", "block", "place", "expires_at"]
    )
    return leases


def _leases_expire(campaign: Campaign, now: datetime) -> None:
    """Free the slots of leases that ran out, but for rows another transaction works on."""
    late = Lease.objects.filter(item__campaign=campaign, status=LeaseStatus.HELD, expires_at__lte=now)
    found = list(late.select_for_update(skip_locked=True, of=("self",), no_key=True).values_list("pk", flat=True))
    if found:
        Lease.objects.filter(pk__in=found, status=LeaseStatus.HELD).update(status=LeaseStatus.EXPIRED)


def _leases_of(rater: User, campaign: Campaign) -> QuerySet[Lease]:
    return Lease.objects.filter(Q(rater=rater), item__campaign=campaign)


def _lock_rater(rater: User) -> None:
    """Let one block at a time be leased to a rater, so that two tabs do not take two."""
    User.objects.select_for_update(no_key=True).filter(pk=rater.pk).values_list("pk").first()


def _held_require(lease: Lease) -> None:
    if lease.status == LeaseStatus.RATED:
        raise StateError("rating.rated_already", _("You rated this item. Take the rating back first (Undo)."))
    if lease.status != LeaseStatus.HELD:
        raise StateError("rating.item_put_aside", _("You put this item aside, so it went to another speaker."))


def _check_reason(reason: str, note: str) -> None:
    if reason not in CannotJudgeReason.values:
        raise DomainError("lease.reason_missing", _("Choose why you cannot judge this."))
    if reason == CannotJudgeReason.OTHER and not note.strip():
        raise DomainError("lease.note_missing", _("Write in a few words why you cannot judge this."))
    if len(note) > NOTE_LIMIT:
        raise DomainError("lease.note_too_long", _("A note has at most %(limit)s characters.") % {"limit": NOTE_LIMIT})
