"""Campaigns before and at their opening: drafted, changed, discarded, opened with a frozen plan (SPEC V-2).

What happens to an open one stands in ``review.services.campaign_course``; both are called by their names here. Every
act locks the nomination, then the campaign.
"""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from champollion.audit import services as audit
from champollion.common.canonical import canonical_sha256
from champollion.common.errors import DomainError, StateError
from champollion.common.transitions import apply_transition
from leaderboard.models import Run
from leaderboard.models.standing import Claim
from leaderboard.services.standings import standing_set_claim
from review import states
from review.models import AcceptancePolicy, Campaign, Nomination
from review.policy import policy_from_dict
from review.sampling import sample_size
from review.services.campaign_course import (
    campaign_close,
    campaign_extend,
    campaign_resume,
    campaign_suspend,
    campaign_withdraw,
    evidence_freeze,
    look_take,
    looks_take,
)
from review.services.campaign_locks import actor_require, campaign_locked, nomination_locked
from review.services.policies import DEFAULT, policies_for, policy_preset
from review.services.samples import plan_make, sample_differences, sample_store

__all__ = [
    "campaign_close",
    "campaign_configure",
    "campaign_discard",
    "campaign_draft",
    "campaign_extend",
    "campaign_open",
    "campaign_resume",
    "campaign_suspend",
    "campaign_withdraw",
    "evidence_freeze",
    "look_take",
    "looks_take",
]
OVERLAPS = (1, 2, 3)


@transaction.atomic
def campaign_draft(*, nomination: Nomination, actor: Any = None, now: datetime | None = None) -> Campaign:
    """Make a nomination's draft campaign with its sample drawn, or return the campaign that it has.

    Where the organisation opens campaigns by itself, the new draft is opened at once. Writes ``campaign.drafted``.

    Args:
        actor: the steward who draws again after discarding a draft; None for the installation.

    Raises:
        StateError: the nomination is not open, or its run can give no seed.
        AccessDenied, NotVisible: an actor who may not.

    Source: SPEC V-2, V-3.
    """
    now = now or timezone.now()
    nomination = nomination_locked(nomination)
    there = nomination.campaigns.exclude(status=Campaign.Status.WITHDRAWN).first()
    if there is not None:
        return there
    if nomination.status != Nomination.Status.NOMINATED or nomination.run.status == Run.Status.WITHDRAWN:
        raise StateError("campaign.not_nominated", _("Only an open nomination gets a campaign."))
    campaign = _draft_new(nomination)
    if actor is not None:
        actor_require(actor, "campaign.open", campaign)
    _plan(campaign)
    campaign.full_clean(exclude=["evidence"], validate_unique=False, validate_constraints=False)
    campaign.save(force_insert=True)
    sample_store(campaign)
    _record("campaign.drafted", campaign, actor=actor, now=now)
    if campaign.organisation.opens_campaigns_automatically:
        _open(campaign, actor=None, now=now)
    return campaign


@transaction.atomic
def campaign_configure(
    *,
    actor: Any,
    campaign: Campaign,
    size: int | None = None,
    overlap: int | None = None,
    policy: AcceptancePolicy | None = None,
    shows_reference: bool | None = None,
    now: datetime | None = None,
) -> Campaign:
    """Change a draft's size, overlap, policy or showing of references, and draw by the same seed. None keeps what is.

    Writes ``campaign.configured``.

    Args:
        size: items to draw; it may only be raised over what the rule gives.
        overlap: raters an item, 1 to 3; with one the result only describes.
        policy: one of ``policies_for(organisation)``.

    Raises:
        AccessDenied, NotVisible: no steward of the organisation, or one of the method's makers.
        StateError: no draft any more.
        DomainError: a number out of its range, or another organisation's policy.

    Source: SPEC V-3, V-4, V-8.
    """
    campaign = campaign_locked(campaign)
    actor_require(actor, "campaign.open", campaign)
    _draft_require(campaign)
    if size is not None:
        _size_check(campaign, size)
        campaign.chosen_size = size
    if overlap is not None:
        _overlap_check(overlap)
        campaign.overlap = overlap
    if policy is not None:
        _policy_check(campaign, policy)
        _policy_set(campaign, policy)
    if shows_reference is not None:
        campaign.shows_reference = shows_reference
    _plan(campaign)
    campaign.save(
        update_fields=["chosen_size", "overlap", "policy_name", "policy_version", "policy", "shows_reference", "plan"]
    )
    sample_store(campaign)
    _record("campaign.configured", campaign, actor=actor, now=now)
    return campaign


@transaction.atomic
def campaign_discard(*, actor: Any, campaign: Campaign, reason: str = "", now: datetime | None = None) -> Campaign:
    """Throw a draft away. The nomination stays, and keeps its nonce: the next draft has the same seed.

    Writes ``campaign.discarded``.

    Raises:
        AccessDenied, NotVisible: no steward of the organisation, or one of the method's makers.
        StateError: no draft any more.

    Source: SPEC V-3, LAW-4.
    """
    now = now or timezone.now()
    campaign = campaign_locked(campaign)
    actor_require(actor, "campaign.open", campaign)
    _draft_require(campaign)
    apply_transition(campaign, Campaign.Status.WITHDRAWN, transitions=states.CAMPAIGN, over_at=now)
    _record("campaign.discarded", campaign, actor=actor, now=now, reason=reason.strip())
    return campaign


@transaction.atomic
def campaign_open(*, actor: Any, campaign: Campaign, now: datetime | None = None) -> Campaign:
    """Open a draft: from here on its plan is frozen, and its hash stands in the audit log before any rating.

    Writes ``campaign.opened``. The board says "in review" from then on.

    Raises:
        AccessDenied, NotVisible: no steward of the organisation, or one of the method's makers.
        StateError: no draft any more, or its sample is not the one its plan gives.

    Source: SPEC V-2, LAW-4, LAW-10.
    """
    campaign = campaign_locked(campaign)
    actor_require(actor, "campaign.open", campaign)
    _draft_require(campaign)
    return _open(campaign, actor=actor, now=now or timezone.now())


def _open(campaign: Campaign, *, actor: Any, now: datetime) -> Campaign:
    differences = sample_differences(campaign)
    if differences:
        raise StateError(
            "campaign.sample_differs",
            _("The sample is not the one that its plan gives, so the campaign cannot open. Discard it and draw again."),
            differences=differences[:20],
        )
    apply_transition(
        campaign,
        Campaign.Status.OPEN,
        transitions=states.CAMPAIGN,
        plan_sha256=canonical_sha256(campaign.plan),
        opened_at=now,
        opened_by=actor,
    )
    _record("campaign.opened", campaign, actor=actor, now=now)
    standing_set_claim(run=campaign.run, claim=Claim.IN_REVIEW)
    return campaign


def _draft_new(nomination: Nomination) -> Campaign:
    campaign = Campaign(
        nomination=nomination,
        run=nomination.run,
        organisation=nomination.corpus_version.corpus.organisation,
        status=Campaign.Status.DRAFT,
    )
    _policy_set(campaign, policy_preset(DEFAULT))
    return campaign


def _plan(campaign: Campaign) -> None:
    campaign.plan = plan_make(
        campaign.nomination,
        policy=policy_from_dict(campaign.policy),
        overlap=campaign.overlap,
        chosen_size=campaign.chosen_size,
        shows_reference=campaign.shows_reference,
        has_calibration=campaign.has_calibration,
    )
    campaign.seed = campaign.plan["seed"]


def _policy_set(campaign: Campaign, policy: AcceptancePolicy) -> None:
    campaign.policy_name, campaign.policy_version = policy.name, policy.version
    campaign.policy = policy_from_dict(policy.numbers).to_dict()


def _draft_require(campaign: Campaign) -> None:
    if campaign.status != Campaign.Status.DRAFT:
        raise StateError(
            "campaign.no_draft",
            _("This campaign is no draft any more; only a draft can be changed, discarded or opened."),
        )


def _size_check(campaign: Campaign, size: int) -> None:
    plan, nomination = campaign.plan, campaign.nomination
    shown = len(plan["frame"]) - len(plan["no_output"])
    least = sample_size(shown, composite=nomination.composite, bound=nomination.bound)
    if not least <= size <= shown:
        raise DomainError(
            "campaign.size_range",
            _("The sample can hold %(least)s to %(most)s items: it can be raised, never lowered.")
            % {"least": least, "most": shown},
        )


def _overlap_check(overlap: int) -> None:
    if overlap not in OVERLAPS:
        raise DomainError("campaign.overlap_range", _("Each item is rated by one to three speakers."))


def _policy_check(campaign: Campaign, policy: AcceptancePolicy) -> None:
    if policy.pk not in {known.pk for known in policies_for(campaign.organisation)}:
        raise DomainError("campaign.policy_unknown", _("Choose one of the acceptance policies of your organisation."))


def _record(act: str, campaign: Campaign, *, actor: Any, now: datetime | None, reason: str = "") -> None:
    plan = campaign.plan
    audit.record(
        act,
        actor=actor,
        organisation=campaign.organisation,
        obj=campaign,
        reason=reason,
        details={
            "nomination": str(campaign.nomination.uid),
            "seed": campaign.seed,
            "plan_sha256": campaign.plan_sha256 or canonical_sha256(plan),
            "size": plan["size"],
            "look_size": plan["look_size"],
            "extension_size": plan["extension_size"],
            "strata": {row["stratum"]: row["sample_count"] for row in plan["strata"]},
            "overlap": campaign.overlap,
            "policy": f"{campaign.policy_name}, version {campaign.policy_version}",
        },
        now=now,
    )
