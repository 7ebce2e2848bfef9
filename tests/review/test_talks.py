"""The talk of two speakers about what ratings cannot settle (SPEC V-7)."""

from __future__ import annotations

from uuid import uuid4

import pytest

from champollion.accounts.models import Role, TeamMembership
from champollion.audit.models import AuditEvent
from champollion.common.errors import AccessDenied, ConflictError, DomainError, NotVisible, StateError
from review.access import words_open
from review.models import Campaign, SampleItem, Talk
from review.services.assignment import block_lease
from review.services.ratings import rating_submit
from review.services.talks import talk_record, talk_speakers
from tests.factories import flow as make
from tests.factories.flow import NOW

pytestmark = pytest.mark.django_db


def tied(*, speakers: int, segment: str = "development") -> tuple[make.Flow, SampleItem]:
    """Write a campaign of one item with overlap two, rated once usable and once not."""
    flow = make.flow(speakers=speakers, count=1, overlap=2, segment=segment)
    for user, grade in zip(flow.speakers[:2], (1, 3), strict=True):
        item = block_lease(rater=user, campaign=flow.campaign, now=NOW)[0].item
        rating_submit(rater=user, item_uid=item.uid, key=uuid4(), grade=grade, now=NOW)
    return flow, SampleItem.objects.get()


def record(flow, item, first, second, *, actor=None, grade=2, reason="The meaning is there.", **more):
    actor = actor or flow.stewards[0]
    return talk_record(
        actor=actor, item=item, first_speaker=first, second_speaker=second, grade=grade, reason=reason, now=NOW, **more
    )


def test_talk_of_two_who_did_not_rate_is_recorded_beside_the_ratings():
    flow, item = tied(speakers=4)
    talk = record(flow, item, flow.speakers[2], flow.speakers[3])
    assert talk.grade == 2
    assert words_open(flow.campaign, talk.sealed_reason) == {"reason": "The meaning is there."}
    assert list(item.ratings.order_by("rank").values_list("grade", flat=True)) == [1, 3]
    assert AuditEvent.objects.filter(act="talk.recorded").count() == 1


def test_coordinator_records_a_talk_and_a_speaker_does_not():
    flow, item = tied(speakers=4)
    first, second = flow.speakers[2:]
    with pytest.raises(AccessDenied):
        record(flow, item, first, second, actor=flow.speakers[0])
    record(flow, item, first, second, actor=make.member(flow.organisation, "coordinator", Role.COORDINATOR))


def test_stranger_records_no_talk():
    flow, item = tied(speakers=4)
    with pytest.raises(NotVisible):
        record(flow, item, *flow.speakers[2:], actor=make.person("stranger"))


@pytest.mark.parametrize(("speakers", "pair", "code"), [
    (4, (2, 3), ""), (4, (0, 3), "talk.speakers_rated"), (4, (0, 1), "talk.speakers_rated"),
    (3, (0, 2), ""), (3, (0, 1), "talk.speakers_rated"), (2, (0, 1), ""),
    (4, (2, 2), "talk.two_speakers"),
])  # fmt: skip
def test_those_who_rated_talk_only_where_others_are_missing(speakers, pair, code):
    flow, item = tied(speakers=speakers)
    first, second = (flow.speakers[place] for place in pair)
    if not code:
        assert record(flow, item, first, second).pk
        return
    with pytest.raises(DomainError) as refused:
        record(flow, item, first, second)
    assert refused.value.code == code


def test_steward_without_the_role_of_a_speaker_does_not_talk():
    flow, item = tied(speakers=4)
    with pytest.raises(DomainError) as refused:
        record(flow, item, flow.speakers[2], flow.stewards[0])
    assert refused.value.code == "talk.not_speakers"


def test_speakers_are_told_apart_by_whether_they_rated():
    flow, item = tied(speakers=3)
    fresh, rated = talk_speakers(item)
    assert (fresh, rated) == ([flow.speakers[2]], flow.speakers[:2])


@pytest.mark.parametrize(("more", "code"), [
    ({"grade": 5}, "talk.grade_unknown"), ({"grade": True}, "talk.grade_unknown"),
    ({"grade": "2"}, "talk.grade_unknown"),
    ({"reason": " "}, "talk.reason_missing"), ({"reason": "x" * 4001}, "talk.reason_too_long"),
])  # fmt: skip
def test_talk_needs_a_grade_and_a_reason(more, code):
    flow, item = tied(speakers=4)
    with pytest.raises(DomainError) as refused:
        record(flow, item, *flow.speakers[2:], **more)
    assert refused.value.code == code
    assert not Talk.objects.exists()


def test_item_that_ratings_settle_needs_no_talk():
    flow = make.flow(speakers=2, count=1)
    with pytest.raises(StateError) as refused:
        record(flow, flow.items()[0], *flow.speakers)
    assert refused.value.code == "talk.not_needed"


def test_talk_is_recorded_once_and_while_the_campaign_is_open():
    flow, item = tied(speakers=4)
    Campaign.objects.update(status="closed")
    with pytest.raises(StateError):
        record(flow, item, *flow.speakers[2:])
    Campaign.objects.update(status="open")
    record(flow, item, *flow.speakers[2:])
    with pytest.raises(ConflictError):
        record(flow, item, *flow.speakers[2:])


def test_reason_of_a_talk_about_secret_text_lies_sealed_only():
    flow, item = tied(speakers=4, segment="gold_standard")
    record(flow, item, *flow.speakers[2:], reason="canary-reason")
    assert "canary" not in repr([event.__dict__ for event in AuditEvent.objects.all()])


def test_item_with_a_talk_is_leased_no_more():
    flow, item = tied(speakers=5)
    record(flow, item, *flow.speakers[2:4])
    SampleItem.objects.update(needs_talk=False)
    assert block_lease(rater=flow.speakers[4], campaign=flow.campaign, now=NOW) == []


def test_coordinator_who_made_the_method_records_no_talk_about_it():
    """LAW-10: the grade of a talk is a verdict, and no one judges their own work."""
    flow, item = tied(speakers=4)
    maker = make.member(flow.organisation, "maker", Role.COORDINATOR)
    TeamMembership.objects.create(team=flow.team, user=maker)
    with pytest.raises(AccessDenied) as refused:
        record(flow, item, *flow.speakers[2:], actor=maker)
    assert refused.value.code == "campaign.own_method"
    assert not Talk.objects.exists()
