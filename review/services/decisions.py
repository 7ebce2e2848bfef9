"""Decisions of stewards: proposed by one, signed by another, carried out in one transaction (SPEC V-10, LAW-7).

What may be decided stands in ``review.decision_rules``, who may in ``review.services.decision_people``. What an
approval changes beyond the campaign is done by ``promotions`` and ``transfers``.
"""

from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from champollion.audit import services as audit
from champollion.common.errors import AccessDenied, ConflictError, DomainError, StateError
from champollion.common.transitions import apply_transition
from review import states
from review.decision_rules import Ground, Proposal, harm_check, is_override, proposal_check
from review.models import Campaign, Decision, Signature
from review.services import notices
from review.services.campaign_course import evidence_freeze
from review.services.campaign_locks import campaign_locked
from review.services.decision_ground import ground_read
from review.services.decision_outcomes import carry_out
from review.services.decision_people import decider_require, has_rated, unrated_signatory_require
from review.services.quotes import quote_refuse


@transaction.atomic
def decision_propose(
    *,
    actor: Any,
    campaign: Campaign,
    kind: str,
    reason: str,
    transfer: str = "",
    waive_reason: str = "",
    override_reason: str = "",
    developer_agreement: str = "",
    now: datetime | None = None,
) -> Decision:
    """Propose a decision on a closed campaign; with one steward it is carried out at once, marked so.

    Locks the campaign. Writes ``decision.proposed``. The proposal is the first signature.

    Raises:
        AccessDenied, NotVisible: no steward, or one who made or submitted the method.
        StateError: the campaign is not closed, or its findings do not allow this decision.
        ConflictError: another proposal waits.
        DomainError: a reason is missing, or a choice does not fit.

    Source: SPEC V-10, LAW-7, LAW-10.
    """
    now = now or timezone.now()
    campaign = campaign_locked(campaign)
    proposal, ground = decision_check(
        actor=actor,
        campaign=campaign,
        kind=kind,
        reason=reason,
        transfer=transfer,
        waive_reason=waive_reason,
        override_reason=override_reason,
        developer_agreement=developer_agreement,
    )
    if _flags_moved(campaign, ground):
        campaign.evidence_sha256 = evidence_freeze(campaign)
        ground = replace(ground, evidence_sha256=campaign.evidence_sha256)
    decision = _decision_make(actor, campaign, proposal, ground)
    _sign(decision, actor, reason="")
    audit.record(
        "decision.proposed",
        actor=actor,
        organisation=campaign.organisation,
        obj=decision,
        reason=proposal.reason,
        details=_facts(decision),
        now=now,
    )
    if decision.has_one_signature:
        carry_out(decision, actor=actor, now=now)
    else:
        notices.decision_waits(decision, actor=actor)
    return decision


def decision_check(
    *,
    actor: Any,
    campaign: Campaign,
    kind: str,
    reason: str,
    transfer: str = "",
    waive_reason: str = "",
    override_reason: str = "",
    developer_agreement: str = "",
) -> tuple[Proposal, Ground]:
    """Say whether a decision may be proposed, and on what ground; nothing is written.

    Raises: as ``decision_propose``.
    """
    decider_require(actor, campaign)
    _closed_require(campaign)
    ground = ground_read(campaign)
    proposal = Proposal(
        kind=kind,
        reason=reason.strip(),
        transfer=transfer,
        waive_reason=waive_reason.strip() if transfer == Decision.TransferChoice.WAIVE else "",
        override_reason=override_reason.strip(),
        developer_agreement=developer_agreement.strip() if transfer == Decision.TransferChoice.START else "",
    )
    proposal_check(proposal, ground)
    if ground.has_one_steward:
        unrated_signatory_require(has_unrated=not has_rated(actor, campaign))
    if Decision.objects.filter(campaign=campaign, status=Decision.Status.PROPOSED).exists():
        raise _one_waits()
    quote_refuse(campaign, *_written(proposal))
    return proposal, ground


@transaction.atomic
def decision_sign(
    *, actor: Any, decision: Decision, confirms: bool, reason: str = "", now: datetime | None = None
) -> Decision:
    """Confirm a proposal, or decline it; the last signature that is needed carries it out.

    Locks campaign and decision. Writes ``decision.signed`` or ``decision.declined``.

    Raises:
        AccessDenied, NotVisible: no steward, own method, signed already, or all signatories rated.
        StateError: the decision no longer waits, or what it rests on has changed.
        DomainError: declined without a reason.

    Source: SPEC V-10, LAW-7.
    """
    now = now or timezone.now()
    campaign = campaign_locked(decision.campaign)
    decision = Decision.objects.select_for_update(no_key=True).get(pk=decision.pk)
    decision.campaign = campaign
    decider_require(actor, campaign)
    _waiting_require(decision)
    _other_steward_require(decision, actor)
    quote_refuse(campaign, reason)
    if not confirms:
        return _decline(decision, actor, reason=reason.strip(), now=now)
    _closed_require(campaign)
    _unchanged_require(decision, ground_read(campaign))
    is_last = decision.signatures.filter(confirms=True).count() + 1 >= decision.needed_signatures
    if is_last:
        signed_unrated = decision.signatures.filter(confirms=True, has_rated=False).exists()
        unrated_signatory_require(has_unrated=signed_unrated or not has_rated(actor, campaign))
    _sign(decision, actor, reason=reason.strip())
    audit.record(
        "decision.signed",
        actor=actor,
        organisation=campaign.organisation,
        obj=decision,
        reason=reason.strip(),
        details=_facts(decision),
        now=now,
    )
    if is_last:
        carry_out(decision, actor=actor, now=now)
    return decision


@transaction.atomic
def decision_take_back(*, actor: Any, decision: Decision, reason: str, now: datetime | None = None) -> Decision:
    """Let the proposer take a waiting proposal back, so that another can be made.

    Locks campaign and decision. Writes ``decision.declined``.

    Raises:
        AccessDenied, NotVisible: somebody else's proposal.
        StateError: it no longer waits.
        DomainError: no reason.
    """
    campaign = campaign_locked(decision.campaign)
    decision = Decision.objects.select_for_update(no_key=True).get(pk=decision.pk)
    decision.campaign = campaign
    decider_require(actor, campaign)
    _waiting_require(decision)
    if decision.proposed_by_id != actor.pk:
        raise AccessDenied("decision.not_yours", _("Only the steward who proposed can take a proposal back."))
    quote_refuse(campaign, reason)
    return _end_unconfirmed(decision, actor, reason=reason.strip(), now=now or timezone.now())


def _decision_make(actor: Any, campaign: Campaign, proposal: Proposal, ground: Ground) -> Decision:
    overrides = is_override(proposal, ground)
    decision = Decision(
        campaign=campaign,
        kind=proposal.kind,
        reason=proposal.reason,
        is_override=overrides,
        override_reason=proposal.override_reason if overrides else "",
        transfer=proposal.transfer,
        waive_reason=proposal.waive_reason,
        developer_agreement=proposal.developer_agreement if overrides else "",
        proposed_by=actor,
        needed_signatures=ground.needed_signatures,
        has_one_signature=ground.has_one_steward,
        evidence_sha256=ground.evidence_sha256,
        outcome=ground.outcome,
    )
    decision.full_clean(exclude=["campaign", "proposed_by"], validate_unique=False, validate_constraints=False)
    try:
        with transaction.atomic():
            decision.save(force_insert=True)
    except IntegrityError as error:
        raise _one_waits() from error
    return decision


def _written(proposal: Proposal) -> tuple[str, ...]:
    """Return what the steward wrote: all of it goes to the audit log."""
    return proposal.reason, proposal.waive_reason, proposal.override_reason, proposal.developer_agreement


def _flags_moved(campaign: Campaign, ground: Ground) -> bool:
    """Say whether harm flags were judged since the evidence was frozen, so that the decision needs it anew."""
    frozen = campaign.evidence.get("harm_flags", {})
    return (frozen.get("open"), frozen.get("confirmed")) != (ground.harm_open, ground.harm_confirmed)


def _one_waits() -> ConflictError:
    return ConflictError(
        "decision.one_waits", _("A proposal for this campaign waits for a signature already. Sign or decline that one.")
    )


def _sign(decision: Decision, actor: Any, *, reason: str, confirms: bool = True) -> Signature:
    return Signature.objects.create(
        decision=decision,
        steward=actor,
        confirms=confirms,
        reason=reason,
        has_rated=has_rated(actor, decision.campaign),
    )


def _decline(decision: Decision, actor: Any, *, reason: str, now: datetime) -> Decision:
    _reason_require(reason)
    _sign(decision, actor, reason=reason, confirms=False)
    return _end_unconfirmed(decision, actor, reason=reason, now=now)


def _end_unconfirmed(decision: Decision, actor: Any, *, reason: str, now: datetime) -> Decision:
    _reason_require(reason)
    apply_transition(decision, Decision.Status.DECLINED, transitions=states.DECISION)
    audit.record(
        "decision.declined",
        actor=actor,
        organisation=decision.campaign.organisation,
        obj=decision,
        reason=reason,
        details=_facts(decision),
        now=now,
    )
    return decision


def _reason_require(reason: str) -> None:
    if not reason:
        raise DomainError("decision.reason_missing", _("Write your reason; it is kept in the audit log."))


def _closed_require(campaign: Campaign) -> None:
    if campaign.status != Campaign.Status.CLOSED:
        raise StateError(
            "decision.campaign_not_closed",
            _("Only a closed campaign is decided. Until then its results are hidden from everyone."),
        )


def _waiting_require(decision: Decision) -> None:
    if decision.status != Decision.Status.PROPOSED:
        raise StateError("decision.not_waiting", _("This decision no longer waits for a signature."))


def _other_steward_require(decision: Decision, actor: Any) -> None:
    if decision.signatures.filter(steward=actor).exists():
        raise AccessDenied(
            "decision.same_steward", _("You signed this decision already. Another steward has to confirm it.")
        )


def _unchanged_require(decision: Decision, ground: Ground) -> None:
    """Refuse to confirm what was proposed on other findings, such as before a harm flag."""
    if decision.kind == Decision.Kind.APPROVE:
        harm_check(ground)
    if decision.evidence_sha256 != ground.evidence_sha256 or decision.outcome != ground.outcome:
        raise StateError(
            "decision.ground_changed",
            _("What this proposal rests on has changed since. Decline it, read the report again and propose anew."),
        )


def _facts(decision: Decision) -> dict[str, Any]:
    """Facts of a decision for the audit log; no text of an entry among them (LAW-2)."""
    return {
        "campaign": str(decision.campaign.uid),
        "kind": decision.kind,
        "outcome": decision.outcome,
        "is_override": decision.is_override,
        "override_reason": decision.override_reason,
        "transfer": decision.transfer,
        "waive_reason": decision.waive_reason,
        "developer_agreement": decision.developer_agreement,
        "evidence_sha256": decision.evidence_sha256,
        "needed_signatures": decision.needed_signatures,
        "one_signature": decision.has_one_signature,
    }
