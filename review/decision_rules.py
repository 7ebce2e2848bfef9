"""What stewards may decide, given what the campaign found: the rules of a proposal, without the database.

Who may decide stands in ``review.services.decision_people``; carrying out in ``review.services.decisions``.

Source: SPEC V-2, V-8, V-10, LAW-7.
"""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from champollion.common.errors import DomainError, StateError
from review.judging import Outcome
from review.models.decision import DecisionKind, DecisionTransferChoice


@dataclass(frozen=True, kw_only=True)
class Ground:
    """What a decision rests on, read under the campaign's lock.

    Args:
        outcome: of the frozen policy on the figures at the close, with the harm flags as they stand now.
        is_complete: every item has a verdict, or the look or early stopping settled the campaign.
        missing_count: items without a verdict.
        is_extension_offered: the plan's extension may be taken now.
        harm_open, harm_confirmed: harm flags.
        evidence_sha256: digest of the figures at the close.
        steward_count: active stewards of the organisation.
        quorum: stewards who must sign, 2 or more.
        asks_for_transfer: the segment is ``gold_standard``.
    """

    outcome: str
    is_complete: bool
    missing_count: int
    is_extension_offered: bool
    harm_open: int
    harm_confirmed: int
    evidence_sha256: str
    steward_count: int
    quorum: int
    asks_for_transfer: bool

    @property
    def meets(self) -> bool:
        """Whether an approval follows the policy: a complete campaign whose figures meet it (LAW-7)."""
        return self.is_complete and self.outcome == Outcome.MEETS

    @property
    def has_one_steward(self) -> bool:
        return self.steward_count < 2

    @property
    def needed_signatures(self) -> int:
        """Return how many stewards must sign; where there is only one, that one."""
        return 1 if self.has_one_steward else self.quorum


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """What a steward wants to decide, as the form or the API gives it."""

    kind: str
    reason: str
    transfer: str = ""
    waive_reason: str = ""
    override_reason: str = ""
    developer_agreement: str = ""


def is_override(proposal: Proposal, ground: Ground) -> bool:
    """Say whether this approves against the policy. Source: LAW-7, SPEC V-10."""
    return proposal.kind == DecisionKind.APPROVE and not ground.meets


def proposal_check(proposal: Proposal, ground: Ground) -> None:
    """Refuse a proposal that the rules do not allow.

    Raises:
        DomainError: a reason is missing, or a choice does not fit.
        StateError: what the campaign found does not allow this decision.
    """
    if proposal.kind not in DecisionKind.values:
        raise DomainError("decision.kind_unknown", _("Choose what you decide."))
    if not proposal.reason.strip():
        raise DomainError("decision.reason_missing", _("Write your reason; it is kept in the audit log."))
    if proposal.kind == DecisionKind.APPROVE:
        _check_approval(proposal, ground)
    elif proposal.kind == DecisionKind.MORE and not ground.is_extension_offered:
        raise StateError(
            "decision.no_extension",
            _("The plan has no further items for this campaign, or more items would not help."),
        )
    _check_transfer(proposal, ground)


def _check_approval(proposal: Proposal, ground: Ground) -> None:
    harm_check(ground)
    if not is_override(proposal, ground):
        return
    if ground.has_one_steward:
        raise StateError(
            "decision.override_needs_two",
            _("Approving against the policy needs a second steward, and your organisation has one."),
        )
    if not proposal.override_reason.strip():
        raise DomainError(
            "decision.override_reason_missing",
            _("The policy is not met. Say which rule you set aside, and why; it is shown wherever the result is."),
        )


def harm_check(ground: Ground) -> None:
    """Refuse any approval while a confirmed harm flag stands. Source: LAW-7."""
    if ground.harm_confirmed:
        raise StateError(
            "decision.harm_confirmed",
            _("Two stewards confirmed that an output is harmful. This method version cannot be approved."),
        )


def _check_transfer(proposal: Proposal, ground: Ground) -> None:
    if proposal.kind != DecisionKind.APPROVE or not ground.asks_for_transfer:
        if proposal.transfer:
            raise DomainError(
                "decision.transfer_not_asked",
                _("An ownership transfer is decided with an approval on the gold standard only."),
            )
        return
    if proposal.transfer == DecisionTransferChoice.START:
        _check_start(proposal, ground)
    elif proposal.transfer == DecisionTransferChoice.WAIVE:
        _check_waiver(proposal, ground)
    else:
        raise DomainError("decision.transfer_missing", _("Say whether the ownership transfer starts or is waived."))


def _check_start(proposal: Proposal, ground: Ground) -> None:
    if is_override(proposal, ground) and not proposal.developer_agreement.strip():
        raise DomainError(
            "decision.developer_agreement_missing",
            _("After an approval against the policy a transfer starts only if the developer agreed in writing."),
        )


def _check_waiver(proposal: Proposal, ground: Ground) -> None:
    if ground.has_one_steward:
        raise StateError(
            "decision.waiver_needs_two",
            _("Waiving the transfer needs two stewards, and your organisation has one. Let it start; it can wait."),
        )
    if not proposal.waive_reason.strip():
        raise DomainError("decision.waive_reason_missing", _("Say why the ownership transfer is waived."))
