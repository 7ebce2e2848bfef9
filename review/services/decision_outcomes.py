"""What a confirmed decision changes, all of it in the decision's transaction (SPEC V-10)."""

from datetime import datetime
from typing import Any

from django.db import transaction

from champollion.audit import services as audit
from champollion.common.transitions import apply_transition
from leaderboard.services.standings import standing_record_people
from review import states
from review.models import Campaign, Decision, Nomination
from review.services import notices
from review.services.campaigns import campaign_extend, campaign_withdraw
from review.services.decision_ground import human_figures
from review.services.promotions import promotion_make
from review.services.transfers import transfer_open, transfer_waive


@transaction.atomic
def carry_out(decision: Decision, *, actor: Any, now: datetime) -> None:
    """Carry a decision out. The caller holds the locks of nomination, campaign and decision.

    Writes ``decision.carried_out`` and what promotions, transfers and campaigns write.
    """
    acts = {
        Decision.Kind.APPROVE: _approve,
        Decision.Kind.REFUSE: _refuse,
        Decision.Kind.MORE: _more,
        Decision.Kind.SEND_BACK: _send_back,
    }
    apply_transition(decision, Decision.Status.CARRIED_OUT, transitions=states.DECISION, carried_out_at=now)
    acts[Decision.Kind(decision.kind)](decision, actor, now)
    audit.record(
        "decision.carried_out",
        actor=actor,
        organisation=decision.campaign.organisation,
        obj=decision,
        reason=decision.reason,
        details={
            "campaign": str(decision.campaign.uid),
            "kind": decision.kind,
            "signatures": [
                str(uid) for uid in decision.signatures.order_by("pk").values_list("steward__uid", flat=True)
            ],
            "is_override": decision.is_override,
            "one_signature": decision.has_one_signature,
        },
        now=now,
    )
    notices.decision_carried_out(decision)


def _approve(decision: Decision, actor: Any, now: datetime) -> None:
    promotion = promotion_make(actor=actor, decision=decision, human=human_figures(decision.campaign), now=now)
    if decision.transfer == Decision.TransferChoice.START:
        transfer = transfer_open(actor=actor, promotion=promotion, statement=decision.developer_agreement, now=now)
        notices.transfer_opened(transfer, campaign=decision.campaign)
    elif decision.transfer == Decision.TransferChoice.WAIVE:
        transfer_waive(actor=actor, promotion=promotion, reason=decision.waive_reason, now=now)
    _end(decision.campaign, now)


def _refuse(decision: Decision, actor: Any, now: datetime) -> None:
    standing_record_people(run=decision.campaign.run, human=human_figures(decision.campaign))
    _end(decision.campaign, now)


def _more(decision: Decision, actor: Any, now: datetime) -> None:
    campaign_extend(actor=actor, campaign=decision.campaign, reason=decision.reason, now=now)


def _send_back(decision: Decision, actor: Any, now: datetime) -> None:
    campaign_withdraw(actor=actor, campaign=decision.campaign, reason=decision.reason, now=now)


def _end(campaign: Campaign, now: datetime) -> None:
    apply_transition(campaign, Campaign.Status.DECIDED, transitions=states.CAMPAIGN, over_at=now)
    apply_transition(campaign.nomination, Nomination.Status.CLOSED, transitions=states.NOMINATION)
