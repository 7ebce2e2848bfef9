"""Ownership transfers: opened or waived by a decision (SPEC S-8). Later steps come with the sovereignty work."""

from datetime import datetime
from typing import Any

from django.db import transaction

from champollion.audit import services as audit
from review.models import Promotion, Transfer, TransferStep


@transaction.atomic
def transfer_open(*, actor: Any, promotion: Promotion, statement: str, now: datetime) -> Transfer:
    """Open the transfer of a promoted method version. Writes ``transfer.initiated``.

    Args:
        statement: what it rests on beside the decision, such as the developer's written agreement after an override.
    """
    return _make(actor=actor, promotion=promotion, status=Transfer.Status.INITIATED, statement=statement, now=now)


@transaction.atomic
def transfer_waive(*, actor: Any, promotion: Promotion, reason: str, now: datetime) -> Transfer:
    """Record that the organisation waives the transfer, with its reason. Writes ``transfer.waived``.

    The decision that calls this carries the two signatures that a waiver needs.
    """
    return _make(actor=actor, promotion=promotion, status=Transfer.Status.WAIVED, statement=reason, now=now)


def _make(*, actor: Any, promotion: Promotion, status: str, statement: str, now: datetime) -> Transfer:
    transfer = Transfer(promotion=promotion, method_version=promotion.method_version, status=status)
    transfer.full_clean()
    transfer.save(force_insert=True)
    TransferStep.objects.create(transfer=transfer, status=status, by=actor, statement=statement, created_at=now)
    audit.record(
        f"transfer.{status}",
        actor=actor,
        organisation=promotion.decision.campaign.organisation,
        obj=transfer,
        reason=statement,
        details={"promotion": str(promotion.uid), "decision": str(promotion.decision.uid)},
        now=now,
    )
    return transfer
