"""The course of an open campaign: suspended, looked at once, closed, extended, withdrawn (SPEC V-2, V-8).

Callers use these by way of ``review.services.campaigns``. Every act locks the nomination, then the campaign.
"""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from champollion.accounts.permissions import may
from champollion.audit import services as audit
from champollion.common.canonical import canonical_sha256
from champollion.common.errors import StateError
from champollion.common.transitions import apply_transition
from leaderboard.models.standing import Claim
from leaderboard.services.standings import standing_set_claim
from review import states
from review.analysis import Figures, campaign_figures, figures_compute, look_compute, look_of
from review.models import Campaign, Nomination, SampleItem
from review.services.campaign_locks import actor_require, campaign_locked, reason_require

_RUNNING = (Campaign.Status.OPEN, Campaign.Status.SUSPENDED)


@transaction.atomic
def campaign_suspend(*, actor: Any, campaign: Campaign, reason: str, now: datetime | None = None) -> Campaign:
    """Stop a campaign for a while: no item is leased, no rating taken, nothing lost. Writes ``campaign.suspended``.

    Raises:
        AccessDenied, NotVisible: neither steward nor coordinator, or one of the method's makers.
        StateError: not open.
        DomainError: no reason.
    """
    campaign = campaign_locked(campaign)
    actor_require(actor, "campaign.run", campaign)
    written = reason_require(reason)
    apply_transition(campaign, Campaign.Status.SUSPENDED, transitions=states.CAMPAIGN)
    _record("campaign.suspended", campaign, actor=actor, reason=written, now=now)
    return campaign


@transaction.atomic
def campaign_resume(*, actor: Any, campaign: Campaign, now: datetime | None = None) -> Campaign:
    """Let a suspended campaign go on. Writes ``campaign.resumed``.

    Raises:
        AccessDenied, NotVisible: neither steward nor coordinator, or one of the method's makers.
        StateError: not suspended.
    """
    campaign = campaign_locked(campaign)
    actor_require(actor, "campaign.run", campaign)
    if campaign.status != Campaign.Status.SUSPENDED:
        raise StateError("campaign.not_suspended", _("Only a suspended campaign can go on."))
    apply_transition(campaign, Campaign.Status.OPEN, transitions=states.CAMPAIGN)
    _record("campaign.resumed", campaign, actor=actor, now=now)
    return campaign


@transaction.atomic
def campaign_close(*, actor: Any, campaign: Campaign, reason: str = "", now: datetime | None = None) -> Campaign:
    """End the rating and freeze the figures as evidence. Writes ``campaign.closed`` with the evidence's digest.

    A campaign with items that still need ratings is closed by a steward alone, with a reason; it stays incomplete.

    Raises:
        AccessDenied, NotVisible: neither steward nor coordinator, or one of the method's makers.
        StateError: not open, or incomplete and the actor is no steward.
        DomainError: incomplete and no reason.

    Source: SPEC V-2, V-8.
    """
    now = now or timezone.now()
    campaign = campaign_locked(campaign)
    actor_require(actor, "campaign.run", campaign)
    _ratings_wait_for(campaign)
    figures = figures_compute(campaign)
    written = reason.strip()
    if not figures.is_complete:
        _incomplete_close_require(actor, campaign, figures)
        written = reason_require(reason)
    apply_transition(campaign, Campaign.Status.CLOSED, transitions=states.CAMPAIGN, closed_at=now)
    _evidence_store(campaign, figures)
    details = {
        "evidence_sha256": campaign.evidence_sha256,
        "settled_by": figures.settled_by or "incomplete",
        "missing_count": figures.missing_count,
        "ratings": figures.rating_count,
    }
    _record("campaign.closed", campaign, actor=actor, reason=written, details=details, now=now)
    return campaign


@transaction.atomic
def campaign_extend(*, actor: Any, campaign: Campaign, reason: str = "", now: datetime | None = None) -> Campaign:
    """Open a closed campaign once more with the items of its plan's extension; its estimate is hidden again.

    Writes ``campaign.extended``.

    Raises:
        AccessDenied, NotVisible: no steward, or one of the method's makers.
        StateError: not closed, extended already, or the policy offers no extension for what was found.

    Source: SPEC V-2, V-8, LAW-4.
    """
    campaign = campaign_locked(campaign)
    actor_require(actor, "campaign.open", campaign)
    if campaign.status != Campaign.Status.CLOSED or campaign.is_extended:
        raise StateError("campaign.no_extension", _("Only a closed campaign can be extended, and only once."))
    if not campaign_figures(campaign).verdict.is_extension_offered:
        raise StateError(
            "campaign.no_extension", _("The plan has no further items for this campaign, or more items would not help.")
        )
    apply_transition(campaign, Campaign.Status.OPEN, transitions=states.CAMPAIGN, is_extended=True, closed_at=None)
    details = {"extension_size": campaign.plan["extension_size"], "evidence_sha256": campaign.evidence_sha256}
    _record("campaign.extended", campaign, actor=actor, reason=reason.strip(), details=details, now=now)
    return campaign


@transaction.atomic
def campaign_withdraw(*, actor: Any, campaign: Campaign, reason: str, now: datetime | None = None) -> Campaign:
    """End a campaign and its nomination without a verdict; ratings are kept. Writes ``campaign.withdrawn``.

    Raises:
        AccessDenied, NotVisible: no steward, or one of the method's makers.
        StateError: decided or withdrawn already.
        DomainError: no reason.

    Source: SPEC V-2, V-10 (send back).
    """
    now = now or timezone.now()
    campaign = campaign_locked(campaign)
    actor_require(actor, "campaign.open", campaign)
    written = reason_require(reason)
    apply_transition(campaign, Campaign.Status.WITHDRAWN, transitions=states.CAMPAIGN, over_at=now)
    apply_transition(campaign.nomination, Nomination.Status.CLOSED, transitions=states.NOMINATION)
    standing_set_claim(run=campaign.run, claim=Claim.NONE)
    _record("campaign.withdrawn", campaign, actor=actor, reason=written, now=now)
    return campaign


@transaction.atomic
def look_take(*, campaign: Campaign, now: datetime | None = None) -> bool:
    """Take a campaign's one look, once its items are finished: record what they say. Writes ``campaign.look_taken``.

    Harmless to call often. Later ratings do not change what was recorded.

    Returns:
        True if the look was taken by this call.

    Source: SPEC V-8.
    """
    campaign = campaign_locked(campaign)
    if campaign.status not in _RUNNING or look_of(campaign):
        return False
    figures = look_compute(campaign)
    if figures is None:
        return False
    campaign.evidence = {"look": figures.to_dict()}
    campaign.save(update_fields=["evidence"])
    details = {"look_sha256": canonical_sha256(campaign.evidence["look"]), "ends_campaign": figures.verdict.is_final}
    _record("campaign.look_taken", campaign, actor=None, details=details, now=now)
    return True


def looks_take(*, now: datetime | None = None) -> int:
    """Take every look that is due; how many were."""
    has_look = SampleItem.objects.filter(campaign=OuterRef("pk"), is_in_look=True)
    running = Campaign.objects.filter(
        Exists(has_look), status__in=_RUNNING, is_extended=False, evidence__look__isnull=True
    )
    return sum(look_take(campaign=campaign, now=now) for campaign in running.defer("plan").order_by("pk"))


@transaction.atomic
def evidence_freeze(campaign: Campaign) -> str:
    """Store the figures of a closed campaign as they now are, such as after a harm flag was judged; its digest.

    Source: SPEC V-10 (a decision names its evidence).

    Raises:
        StateError: the campaign is not closed.
    """
    campaign = campaign_locked(campaign)
    if campaign.status != Campaign.Status.CLOSED:
        raise StateError("campaign.not_closed", _("Only a closed campaign has evidence to keep."))
    _evidence_store(campaign, campaign_figures(campaign))
    return campaign.evidence_sha256


def _ratings_wait_for(campaign: Campaign) -> None:
    """Lock the items, as saving a rating does: what is being saved counts, what comes later finds the close."""
    shown = SampleItem.objects.filter(campaign=campaign).exclude(kind=SampleItem.Kind.UNUSABLE)
    list(shown.select_for_update(no_key=True).order_by("pk").values_list("pk", flat=True))


def _evidence_store(campaign: Campaign, figures: Figures) -> None:
    evidence = figures.to_dict() | {"plan_sha256": campaign.plan_sha256, "look": look_of(campaign) or None}
    campaign.evidence, campaign.evidence_sha256 = evidence, canonical_sha256(evidence)
    campaign.save(update_fields=["evidence", "evidence_sha256"])


def _incomplete_close_require(actor: Any, campaign: Campaign, figures: Figures) -> None:
    if may(actor, "campaign.open", campaign.organisation):
        return
    sentence = ngettext(
        "%(count)s item has no verdict yet. Only a steward closes a campaign that is not complete.",
        "%(count)s items have no verdict yet. Only a steward closes a campaign that is not complete.",
        figures.missing_count,
    )
    raise StateError("campaign.incomplete", sentence % {"count": figures.missing_count})


def _record(
    act: str,
    campaign: Campaign,
    *,
    actor: Any,
    now: datetime | None,
    reason: str = "",
    details: dict[str, Any] | None = None,
) -> None:
    audit.record(
        act,
        actor=actor,
        organisation=campaign.organisation,
        obj=campaign,
        reason=reason,
        details={"plan_sha256": campaign.plan_sha256} | (details or {}),
        now=now,
    )
