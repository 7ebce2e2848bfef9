"""Promotions: what an approval changes on the board (SPEC V-10, LAW-1). Called inside the decision's transaction."""

from datetime import datetime
from typing import Any

from django.db import transaction

from champollion.audit import services as audit
from corpora.constants import Segment
from leaderboard.services.standings import standing_promote
from review.anchors import version_of
from review.models import Decision, Promotion


@transaction.atomic
def promotion_make(*, actor: Any, decision: Decision, human: dict[str, Any], now: datetime) -> Promotion:
    """Confirm the tier of the reviewed run's frozen composite, on its corpus version and segment only.

    On ``gold_standard`` the verification level rises too; on a public segment it stays. Writes ``promotion.made`` and
    ``verification.changed``.

    Args:
        human: share, low, high (0-1), rating_count, verdict and is_generated, for the board.

    Source: SPEC V-1, V-10.
    """
    nomination = decision.campaign.nomination
    run = decision.campaign.run
    verifies = run.segment == Segment.GOLD_STANDARD
    promotion = Promotion(
        decision=decision,
        method_version=run.method_version,
        corpus_version=run.corpus_version,
        run=run,
        segment=run.segment,
        tier=nomination.tier,
        composite=nomination.composite,
    )
    promotion.full_clean()
    promotion.save(force_insert=True)
    standing_promote(
        method_version=run.method_version,
        corpus_version=version_of(run),
        segment=run.segment,
        run=run,
        tier=nomination.tier,
        is_override=decision.is_override,
        has_one_signature=decision.has_one_signature,
        verification=verifies,
        verified_by=decision.campaign.organisation.name,
        evidence=decision.evidence_sha256,
        human=human,
    )
    _record(promotion, actor=actor, verifies=verifies, now=now)
    return promotion


def _record(promotion: Promotion, *, actor: Any, verifies: bool, now: datetime) -> None:
    decision = promotion.decision
    organisation = decision.campaign.organisation
    details = {
        "decision": str(decision.uid),
        "run": str(promotion.run.uid),
        "segment": promotion.segment,
        "tier": promotion.tier,
        "composite": f"{promotion.composite:.6f}",
        "is_override": decision.is_override,
        "one_signature": decision.has_one_signature,
    }
    audit.record("promotion.made", actor=actor, organisation=organisation, obj=promotion, details=details, now=now)
    if verifies:
        audit.record(
            "verification.changed",
            actor=actor,
            organisation=organisation,
            obj=promotion.method_version,
            details={"decision": str(decision.uid), "level": "community_validated"},
            now=now,
        )
