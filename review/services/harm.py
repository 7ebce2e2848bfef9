"""A speaker stops at something harmful; stewards alone learn of it and judge it (SPEC V-5, LAW-7)."""

from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from champollion.accounts.models import User
from champollion.accounts.permissions import require
from champollion.audit import services as audit
from champollion.common.errors import AccessDenied, DomainError, StateError
from champollion.common.transitions import apply_transition
from review.access import campaign_open_require, words_open, words_seal
from review.conflicts import is_own_work, rater_require
from review.models import Campaign, HarmFlag, HarmFlagOpinion, Lease, SampleItem
from review.models.rating import HarmFlagStatus, LeaseStatus
from review.services.assignment import NOTE_LIMIT, lease_lock
from review.services.quotes import quote_refuse
from review.states import HARM_FLAG

#: Stewards who must agree. Source: SPEC V-5.
OPINIONS_TO_SETTLE = 2


@transaction.atomic
def harm_flag(*, actor: User, item_uid: UUID, note: str = "", now: datetime | None = None) -> HarmFlag:
    """Raise a flag on an item leased to the actor. The item leaves the pool until stewards have judged.

    The actor need not rate it; a rating they gave before stays. A second flag by the same person adds nothing.
    Locks the lease and the item; writes ``harm.flagged`` without the note.

    Raises:
        NotVisible: the item was never leased to the actor.
        AccessDenied: the person may not rate here.
        StateError: the campaign is not open.
        DomainError: the note is too long.
    """
    if len(note) > NOTE_LIMIT:
        raise DomainError("harm.note_too_long", _("A note has at most %(limit)s characters.") % {"limit": NOTE_LIMIT})
    lease = lease_lock(actor, item_uid)
    item, campaign = lease.item, lease.item.campaign
    rater_require(actor, campaign)
    campaign_open_require(campaign)
    known = HarmFlag.objects.filter(item=item, raised_by=actor).first()
    if known is not None:
        return known
    flag = HarmFlag.objects.create(item=item, raised_by=actor, sealed_note=words_seal(campaign, {"note": note.strip()}))
    if lease.status != LeaseStatus.RATED:
        Lease.objects.filter(pk=lease.pk).update(status=LeaseStatus.HARMFUL)
    SampleItem.objects.filter(pk=item.pk).update(is_held_back=True)
    audit.record(
        "harm.flagged",
        actor=actor,
        organisation=campaign.organisation,
        obj=flag,
        details={"campaign": str(campaign.uid), "item": str(item.uid)},
        now=now or timezone.now(),
    )
    return flag


@transaction.atomic
def harm_judge(*, actor: User, flag: HarmFlag, confirms: bool, reason: str, now: datetime | None = None) -> HarmFlag:
    """Record what a steward says of a flag; two who agree confirm or dismiss it.

    Until then a steward may change their opinion. A dismissed flag gives the item back to the pool, unless another flag
    on it is open or confirmed. Locks the flag; writes ``harm.confirmed`` or ``harm.dismissed``, which says whether the
    opinion settled it.

    Raises:
        NotVisible, AccessDenied: no steward of the organisation, or one who developed or submitted the method.
        StateError: the flag is settled, or the campaign is over.
        DomainError: no reason is given, or it quotes secret text.
    """
    flag = (
        HarmFlag.objects.select_for_update(of=("self",), no_key=True)
        .select_related("item__campaign__organisation", "item__campaign__run__corpus_version__corpus")
        .get(pk=flag.pk)
    )
    campaign = flag.item.campaign
    _judge_require(actor, flag, campaign)
    if not reason.strip():
        raise DomainError("harm.reason_missing", _("Write your reason; the other stewards read it."))
    quote_refuse(campaign, reason)
    HarmFlagOpinion.objects.update_or_create(
        flag=flag, steward=actor, defaults={"confirms": confirms, "reason": reason.strip()}
    )
    is_settled = flag.opinions.filter(confirms=confirms).count() >= OPINIONS_TO_SETTLE
    status = HarmFlagStatus.CONFIRMED if confirms else HarmFlagStatus.DISMISSED
    if is_settled:
        apply_transition(flag, status, transitions=HARM_FLAG)
        if not confirms:
            _item_give_back(flag)
    audit.record(
        f"harm.{status}",
        actor=actor,
        organisation=campaign.organisation,
        obj=flag,
        details={"campaign": str(campaign.uid), "settles": is_settled},
        now=now or timezone.now(),
    )
    return flag


def harm_note(flag: HarmFlag) -> str:
    """Open what the speaker wrote beside a flag, for stewards only; the caller records a read of secret text."""
    return str(words_open(flag.item.campaign, flag.sealed_note).get("note", ""))


def _judge_require(actor: User, flag: HarmFlag, campaign: Campaign) -> None:
    require(actor, "harm.judge", campaign.organisation)
    if is_own_work(actor, campaign):
        raise AccessDenied(
            "harm.own_method", _("You made or submitted this method, or belong to its team, so other stewards judge.")
        )
    if not campaign.is_under_way:
        raise StateError("harm.campaign_over", _("This campaign is over, so nothing more is judged in it."))
    if flag.status != HarmFlagStatus.OPEN:
        raise StateError("harm.settled", _("Two stewards have settled this flag already."), status=flag.status)


def _item_give_back(flag: HarmFlag) -> None:
    """Let the item be rated again, by whoever flagged it too."""
    others = HarmFlag.objects.filter(item=flag.item).exclude(status=HarmFlagStatus.DISMISSED)
    if others.exclude(pk=flag.pk).exists():
        return
    SampleItem.objects.filter(pk=flag.item_id).update(is_held_back=False)
    Lease.objects.filter(item=flag.item, status=LeaseStatus.HARMFUL).update(status=LeaseStatus.EXPIRED)
