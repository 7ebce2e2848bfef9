"""LAW-7 No decision without evidence: a complete campaign that meets its policy, or an override by two; harm never."""

import pytest

from champollion.common.errors import AccessDenied, DomainError, StateError
from review.models import Campaign, HarmFlag, Promotion
from review.services.decisions import decision_propose, decision_sign
from tests.review.closed_campaigns import SIZES, closed, closed_with, flagged, opened
from tests.review.reviewed_runs import stage_make

pytestmark = pytest.mark.django_db
REASON = "We read all of it."


@pytest.fixture
def stage():
    return stage_make(sizes=SIZES)


def approve(stage, campaign, **more):
    return decision_propose(actor=stage.stewards[0], campaign=campaign, kind="approve", reason=REASON, **more)


def test_what_meets_the_policy_is_approved_by_two(stage):
    campaign = closed(stage)
    decision = approve(stage, campaign)
    assert not Promotion.objects.exists()
    decision_sign(actor=stage.stewards[1], decision=decision, confirms=True)
    campaign.refresh_from_db()
    assert campaign.status == Campaign.Status.DECIDED and Promotion.objects.count() == 1
    assert not decision.is_override


def test_an_open_campaign_is_not_decided(stage):
    with pytest.raises(StateError) as refusal:
        approve(stage, opened(stage))
    assert refusal.value.code == "decision.campaign_not_closed" and not Promotion.objects.exists()


def test_what_does_not_meet_it_needs_an_override_with_its_own_reason(stage):
    campaign = closed_with(stage, 20)
    with pytest.raises(DomainError):
        approve(stage, campaign)
    decision = approve(stage, campaign, override_reason="We need it all the same.")
    assert decision.is_override
    with pytest.raises(AccessDenied):
        decision_sign(actor=stage.stewards[0], decision=decision, confirms=True)
    assert not Promotion.objects.exists()
    decision_sign(actor=stage.stewards[1], decision=decision, confirms=True)
    assert Promotion.objects.count() == 1


def test_an_override_needs_a_second_steward_to_be_there():
    stage = stage_make(sizes=SIZES, steward_count=1)
    with pytest.raises(DomainError):
        approve(stage, closed_with(stage, 20), override_reason="We need it all the same.")


def test_a_confirmed_harm_flag_cannot_be_overridden(stage):
    campaign = closed(stage)
    flagged(campaign, stage, HarmFlag.Status.CONFIRMED)
    for more in ({}, {"override_reason": "All the same."}):
        with pytest.raises(DomainError):
            approve(stage, campaign, **more)
    assert not Promotion.objects.exists()
