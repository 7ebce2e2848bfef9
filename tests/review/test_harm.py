"""Harm flags: raised deliberately, seen and judged by stewards alone (SPEC V-5)."""

from __future__ import annotations

from uuid import uuid4

import pytest

from champollion.accounts.models import Role, TeamMembership
from champollion.audit.models import AuditEvent
from champollion.common.errors import AccessDenied, DomainError, NotVisible, StateError
from review.models import Campaign, HarmFlag, Lease, SampleItem
from review.services.assignment import block_lease
from review.services.harm import harm_flag, harm_judge, harm_note
from review.services.ratings import rating_submit
from tests.factories import flow as make
from tests.factories.flow import NOW

pytestmark = pytest.mark.django_db


def flagged(flow: make.Flow, note: str = "") -> HarmFlag:
    item = block_lease(rater=flow.speakers[0], campaign=flow.campaign, now=NOW)[0].item
    return harm_flag(actor=flow.speakers[0], item_uid=item.uid, note=note, now=NOW)


def judge(steward, flag, confirms, reason="A reason."):
    return harm_judge(actor=steward, flag=flag, confirms=confirms, reason=reason, now=NOW)


def test_flag_takes_the_item_out_of_the_pool_and_frees_the_rater():
    flow = make.flow(count=1)
    flag = flagged(flow, "It insults our elders.")
    assert flag.status == "open"
    assert harm_note(flag) == "It insults our elders."
    assert SampleItem.objects.get().is_held_back
    assert Lease.objects.get().status == "harmful"
    assert block_lease(rater=flow.speakers[1], campaign=flow.campaign, now=NOW) == []


def test_flag_after_a_grade_leaves_the_rating():
    flow = make.flow(count=1)
    item = block_lease(rater=flow.speakers[0], campaign=flow.campaign, now=NOW)[0].item
    rating_submit(rater=flow.speakers[0], item_uid=item.uid, key=uuid4(), grade=1, now=NOW)
    harm_flag(actor=flow.speakers[0], item_uid=item.uid, now=NOW)
    assert Lease.objects.get().status == "rated"
    assert item.ratings.get().grade == 1


def test_second_flag_of_the_same_person_adds_nothing():
    flow = make.flow(count=1)
    flag = flagged(flow)
    assert harm_flag(actor=flow.speakers[0], item_uid=flag.item.uid, now=NOW) == flag
    assert HarmFlag.objects.count() == 1


def test_item_of_another_is_not_flagged():
    flow = make.flow(count=1)
    with pytest.raises(NotVisible):
        harm_flag(actor=flow.speakers[1], item_uid=flow.items()[0].uid, now=NOW)


def test_nothing_is_flagged_in_a_closed_campaign():
    flow = make.flow(count=1)
    item = block_lease(rater=flow.speakers[0], campaign=flow.campaign, now=NOW)[0].item
    Campaign.objects.update(status="closed")
    with pytest.raises(StateError) as refused:
        harm_flag(actor=flow.speakers[0], item_uid=item.uid, now=NOW)
    assert refused.value.code == "rating.campaign_closed"


def test_audit_record_of_a_flag_holds_no_note():
    flow = make.flow(count=1, segment="gold_standard")
    flagged(flow, "canary-note")
    event = AuditEvent.objects.get(act="harm.flagged")
    assert "canary" not in repr(event.__dict__)


@pytest.mark.parametrize(("confirms", "status"), [(True, "confirmed"), (False, "dismissed")])
def test_two_stewards_who_agree_settle_a_flag(confirms, status):
    flow = make.flow(count=1)
    flag = flagged(flow)
    assert judge(flow.stewards[0], flag, confirms).status == "open"
    assert judge(flow.stewards[1], flag, confirms).status == status
    settled = [event.details["settles"] for event in AuditEvent.objects.filter(act=f"harm.{status}").order_by("pk")]
    assert settled == [False, True]
    with pytest.raises(StateError) as refused:
        judge(flow.stewards[0], flag, confirms)
    assert refused.value.code == "harm.settled"


def test_same_steward_twice_is_one_opinion():
    flow = make.flow(count=1)
    flag = flagged(flow)
    judge(flow.stewards[0], flag, True)
    assert judge(flow.stewards[0], flag, True).status == "open"
    assert flag.opinions.count() == 1


def test_stewards_who_disagree_leave_it_open_until_a_third_or_a_change_of_mind():
    flow = make.flow(count=1)
    flag = flagged(flow)
    judge(flow.stewards[0], flag, True)
    assert judge(flow.stewards[1], flag, False).status == "open"
    assert judge(flow.stewards[1], flag, True).status == "confirmed"


def test_dismissed_flag_gives_the_item_back_to_everybody():
    flow = make.flow(count=1)
    flag = flagged(flow)
    for steward in flow.stewards:
        judge(steward, flag, False)
    assert not SampleItem.objects.get().is_held_back
    for user in flow.speakers:
        assert len(block_lease(rater=user, campaign=flow.campaign, now=NOW)) == 1


def test_item_stays_held_back_while_another_flag_on_it_is_open():
    flow = make.flow(count=1)
    for user in flow.speakers[:2]:
        block_lease(rater=user, campaign=flow.campaign, now=NOW)
    item = flow.items()[0]
    first, _second = (harm_flag(actor=user, item_uid=item.uid, now=NOW) for user in flow.speakers[:2])
    for steward in flow.stewards:
        judge(steward, first, False)
    assert SampleItem.objects.get().is_held_back


def test_confirmed_flag_keeps_the_item_out():
    flow = make.flow(count=1)
    flag = flagged(flow)
    for steward in flow.stewards:
        judge(steward, flag, True)
    assert SampleItem.objects.get().is_held_back


def test_steward_of_the_developing_team_does_not_judge():
    flow = make.flow(count=1)
    flag = flagged(flow)
    TeamMembership.objects.create(team=flow.team, user=flow.stewards[0])
    with pytest.raises(AccessDenied) as refused:
        judge(flow.stewards[0], flag, False)
    assert refused.value.code == "harm.own_method"


@pytest.mark.parametrize("role", [Role.SPEAKER, Role.COORDINATOR, Role.CURATOR, Role.HELPER])
def test_other_members_do_not_judge(role):
    flow = make.flow(count=1)
    flag = flagged(flow)
    with pytest.raises(AccessDenied):
        judge(make.member(flow.organisation, "other", role), flag, False)


def test_strangers_do_not_learn_of_a_flag():
    flow = make.flow(count=1)
    flag = flagged(flow)
    other = make.member(make.organisation("unit-other", languages=("gl",)), "stranger", Role.STEWARD)
    with pytest.raises(NotVisible):
        judge(other, flag, False)


def test_opinion_needs_a_reason():
    flow = make.flow(count=1)
    flag = flagged(flow)
    with pytest.raises(DomainError) as refused:
        judge(flow.stewards[0], flag, True, reason="  ")
    assert refused.value.code == "harm.reason_missing"
    assert not flag.opinions.exists()


def test_reason_does_not_quote_secret_text():
    flow = make.flow(count=1, segment="gold_standard", outputs=("a long secret output sentence",))
    flag = flagged(flow)
    with pytest.raises(DomainError) as refused:
        judge(flow.stewards[0], flag, True, reason="It says: a long secret output sentence.")
    assert refused.value.code == "reason.quotes_secret_text"


def test_nothing_is_judged_after_the_campaign():
    flow = make.flow(count=1)
    flag = flagged(flow)
    Campaign.objects.update(status="decided")
    with pytest.raises(StateError) as refused:
        judge(flow.stewards[0], flag, False)
    assert refused.value.code == "harm.campaign_over"
