"""Leasing: who may, what, in which order, and never more than the plan says (SPEC V-4, LAW-10)."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest

from champollion.accounts.models import Role, TeamMembership
from champollion.accounts.services.organisations import relation_declare, team_create
from champollion.audit.models import AuditEvent
from champollion.common.errors import AccessDenied, DomainError, NotVisible, StateError
from review.conflicts import rater_refusal, speaks
from review.models import Campaign, Lease, SampleItem
from review.services.assignment import block_lease, item_cannot_judge, item_skip, skipped_lease
from review.services.ratings import rating_submit
from tests.factories import flow as make
from tests.factories.flow import NOW

pytestmark = pytest.mark.django_db


def code_of(flow: make.Flow, user) -> str:
    refusal = rater_refusal(user, Campaign.objects.get(pk=flow.campaign.pk))
    return refusal.code if refusal else ""


def rate(user, lease: Lease, grade: int | None = 3, **more):
    return rating_submit(
        rater=user, item_uid=lease.item.uid, key=uuid4(), grade=grade, now=more.pop("now", NOW), **more
    )


def rate_all(user, campaign: Campaign, grade: int = 3) -> int:
    """Rate block after block until nothing is left; return how many."""
    done = 0
    while leases := block_lease(rater=user, campaign=campaign, now=NOW):
        for lease in leases:
            rate(user, lease, grade)
        done += len(leases)
    return done


# Who may rate ------------------------------------------------------------------------------------


def test_speaker_of_both_languages_may_rate():
    flow = make.flow(speakers=1)
    assert code_of(flow, flow.speakers[0]) == ""


@pytest.mark.parametrize("role", [Role.STEWARD, Role.CURATOR, Role.COORDINATOR, Role.HELPER])
def test_other_roles_do_not_rate(role):
    flow = make.flow(speakers=0)
    assert code_of(flow, make.member(flow.organisation, "other", role, spoken=("en", "cy"))) == "rater.not_speaker"


def test_speaker_of_another_organisation_does_not_rate():
    flow = make.flow(speakers=0)
    other = make.organisation("unit-other", languages=("gl",))
    assert code_of(flow, make.member(other, "stranger", Role.SPEAKER, spoken=("en", "cy"))) == "rater.not_speaker"


def test_speaker_without_recorded_languages_does_not_rate():
    flow = make.flow(speakers=0)
    assert code_of(flow, make.member(flow.organisation, "silent", Role.SPEAKER)) == "rater.languages_unknown"


@pytest.mark.parametrize(("spoken", "code"), [
    (("en", "cy"), ""), (("en-GB", "cy"), ""), (("eng", "cym"), ""), (("en",), "rater.other_languages"),
    (("cy",), "rater.other_languages"), (("en", "kw"), "rater.other_languages"),
])  # fmt: skip
def test_rater_speaks_both_languages(spoken, code):
    flow = make.flow(speakers=0)
    assert code_of(flow, make.member(flow.organisation, "speaker", Role.SPEAKER, spoken=spoken)) == code


@pytest.mark.parametrize(("spoken", "asked", "expected"), [
    (["es"], "es", True), (["es-419"], "es", True), (["es"], "es-419", False), (["es-MX"], "es-419", False),
    (["sr-Latn"], "sr", True), (["sr"], "sr-Cyrl", True), (["ca"], "ca-valencia", False), (["nb"], "nn", False),
    (["not a tag"], "nn", False), ([], "nn", False),
])  # fmt: skip
def test_dialect_is_asked_for_where_the_corpus_names_one(spoken, asked, expected):
    assert speaks(spoken, asked) is expected


def test_developer_team_member_and_submitter_do_not_rate():
    flow = make.flow(speakers=0)
    colleague, submitter = flow.speaker("colleague"), flow.speaker("submitter")
    TeamMembership.objects.create(team=flow.team, user=colleague)
    version = flow.campaign.run.method_version
    version.submitted_by = submitter
    version.save()
    assert code_of(flow, colleague) == "rater.own_method"
    assert code_of(flow, submitter) == "rater.own_method"
    assert code_of(flow, flow.speaker("nobody-of-these")) == ""


def test_uploading_the_organisations_own_run_is_no_submission():
    flow = make.flow(speakers=1, segment="gold_standard")
    run = flow.campaign.run
    run.submitted_by = flow.speakers[0]
    run.save()
    assert code_of(flow, flow.speakers[0]) == ""
    run.is_organisation_run = False
    run.save()
    assert code_of(flow, flow.speakers[0]) == "rater.own_method"


@pytest.mark.parametrize("declared_the_other_way", [False, True])
def test_declared_relative_of_the_developer_does_not_rate(declared_the_other_way):
    flow = make.flow(speakers=2)
    pair = (flow.speakers[0], flow.developer)
    person, relative = reversed(pair) if declared_the_other_way else pair
    relation_declare(actor=person, person=person, relative=relative)
    assert code_of(flow, flow.speakers[0]) == "rater.relative"
    assert code_of(flow, flow.speakers[1]) == ""


@pytest.mark.parametrize(("segment", "code"), [("gold_standard", "rater.on_corpus"), ("development", "")])
def test_whoever_has_a_run_on_the_corpus_rates_no_secret_text_of_it(segment, code):
    flow = make.flow(speakers=1, segment=segment)
    speaker = flow.speakers[0]
    team = team_create(name="Their team", slug="their-team", members=[speaker])
    make.run(flow.campaign.run.corpus_version, team, slug="their-method", is_organisation_run=True)
    assert code_of(flow, speaker) == code


def test_refused_person_gets_no_lease():
    flow = make.flow(speakers=1)
    TeamMembership.objects.create(team=flow.team, user=flow.speakers[0])
    with pytest.raises(AccessDenied) as refused:
        block_lease(rater=flow.speakers[0], campaign=flow.campaign, now=NOW)
    assert refused.value.code == "rater.own_method"
    assert not Lease.objects.exists()


# Blocks ------------------------------------------------------------------------------------------


def test_block_has_ten_items_and_mixes_difficulties():
    flow = make.flow(speakers=1, count=50)
    leases = block_lease(rater=flow.speakers[0], campaign=flow.campaign, now=NOW)
    assert len(leases) == 10
    assert {lease.slot for lease in leases} == {1}
    strata = sorted(lease.item.stratum for lease in leases)
    assert strata == ["1", "1", "2", "2", "3", "3", "4", "4", "5", "5"]
    assert [lease.place for lease in leases] == list(range(1, 11))
    assert {lease.expires_at for lease in leases} == {NOW + timedelta(minutes=30)}


def test_asking_again_returns_the_block_that_is_still_held():
    flow = make.flow(speakers=1, count=50)
    first = block_lease(rater=flow.speakers[0], campaign=flow.campaign, now=NOW)
    again = block_lease(rater=flow.speakers[0], campaign=flow.campaign, now=NOW + timedelta(minutes=5))
    assert [lease.pk for lease in again] == [lease.pk for lease in first]
    assert Lease.objects.count() == 10


def test_each_rater_has_an_order_of_their_own_and_always_the_same():
    flow = make.flow(speakers=2, count=50)
    blocks = [[le.item_id for le in block_lease(rater=user, campaign=flow.campaign, now=NOW)] for user in flow.speakers]
    assert blocks[0] != blocks[1]
    Lease.objects.all().delete()
    again = [[le.item_id for le in block_lease(rater=user, campaign=flow.campaign, now=NOW)] for user in flow.speakers]
    assert again == blocks


def test_items_of_the_look_come_first():
    flow = make.flow(speakers=1, count=50, look_count=15)
    user = flow.speakers[0]
    seen = []
    while leases := block_lease(rater=user, campaign=flow.campaign, now=NOW):
        seen += [lease.item.is_in_look for lease in leases]
        for lease in leases:
            rate(user, lease)
    assert seen == [True] * 15 + [False] * 35


@pytest.mark.parametrize("overlap", [1, 2, 3])
def test_never_more_raters_than_the_overlap_and_none_twice(overlap):
    flow = make.flow(speakers=5, count=12, overlap=overlap)
    done = [rate_all(user, flow.campaign) for user in flow.speakers]
    assert done == [12] * overlap + [0] * (5 - overlap)
    assert Lease.objects.count() == 12 * overlap


def test_extension_is_leased_only_after_it_was_taken():
    flow = make.flow(speakers=1, count=12)
    SampleItem.objects.filter(place__gte=8).update(kind=SampleItem.Kind.EXTENSION)
    user = flow.speakers[0]
    assert rate_all(user, flow.campaign) == 8
    Campaign.objects.update(is_extended=True)
    assert rate_all(user, flow.campaign) == 4


def test_entries_without_output_are_never_shown():
    flow = make.flow(speakers=1, count=12)
    SampleItem.objects.filter(place__lt=5).update(kind=SampleItem.Kind.UNUSABLE)
    assert rate_all(flow.speakers[0], flow.campaign) == 7


@pytest.mark.parametrize("status", ["draft", "suspended", "closed", "decided", "withdrawn"])
def test_only_an_open_campaign_is_leased(status):
    flow = make.flow(speakers=1, status=status)
    with pytest.raises(StateError) as refused:
        block_lease(rater=flow.speakers[0], campaign=flow.campaign, now=NOW)
    assert refused.value.code == f"rating.campaign_{status}"


def test_lease_of_secret_items_is_recorded_as_a_read_and_public_ones_are_not():
    secret = make.flow(speakers=1, segment="gold_standard")
    block_lease(rater=secret.speakers[0], campaign=secret.campaign, now=NOW)
    event = AuditEvent.objects.get(act="secret.read")
    assert event.actor == str(secret.speakers[0].uid)
    assert event.details == {"purpose": "rating", "entries": 10}


def test_lease_of_public_items_is_no_read_of_secret_text():
    flow = make.flow(speakers=1)
    block_lease(rater=flow.speakers[0], campaign=flow.campaign, now=NOW)
    assert not AuditEvent.objects.filter(act="secret.read").exists()


# Leases that run out -----------------------------------------------------------------------------


def test_lease_that_ran_out_frees_the_slot_for_another():
    flow = make.flow(speakers=2, count=3, overlap=1)
    absent, present = flow.speakers
    block_lease(rater=absent, campaign=flow.campaign, now=NOW)
    assert block_lease(rater=present, campaign=flow.campaign, now=NOW + timedelta(minutes=29)) == []
    taken = block_lease(rater=present, campaign=flow.campaign, now=NOW + timedelta(minutes=30))
    assert len(taken) == 3
    assert set(Lease.objects.filter(rater=absent).values_list("status", flat=True)) == {"expired"}


def test_same_rater_may_get_an_item_again_after_the_lease_ran_out():
    flow = make.flow(speakers=1, count=3)
    user = flow.speakers[0]
    first = block_lease(rater=user, campaign=flow.campaign, now=NOW)
    Lease.objects.update(status="expired")
    later = block_lease(rater=user, campaign=flow.campaign, now=NOW + timedelta(hours=1))
    assert {lease.pk for lease in later} == {lease.pk for lease in first}
    assert {lease.block for lease in later} == {2}


def test_own_block_that_ran_out_is_renewed_while_nobody_took_it():
    flow = make.flow(speakers=1, count=3)
    first = block_lease(rater=flow.speakers[0], campaign=flow.campaign, now=NOW)
    later = NOW + timedelta(hours=2)
    again = block_lease(rater=flow.speakers[0], campaign=flow.campaign, now=later)
    assert [lease.pk for lease in again] == [lease.pk for lease in first]
    assert set(Lease.objects.values_list("expires_at", flat=True)) == {later + timedelta(minutes=30)}


# The fourth slot ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("grades", "is_offered"), [
    ((3, 3, 2), True), ((2, 2, 3), True), ((1, 1, 4), True), ((2, 4, 4), True),
    ((3, 3, 4), False), ((1, 1, 2), False), ((4, 4, 4), False),
])  # fmt: skip
def test_fourth_speaker_is_asked_where_three_ratings_split(grades, is_offered):
    flow = make.flow(speakers=5, count=1)
    for user, grade in zip(flow.speakers, grades, strict=False):
        rate_all(user, flow.campaign, grade)
    fourth = block_lease(rater=flow.speakers[3], campaign=flow.campaign, now=NOW)
    assert [lease.slot for lease in fourth] == ([4] if is_offered else [])
    assert block_lease(rater=flow.speakers[4], campaign=flow.campaign, now=NOW) == []


def test_with_overlap_two_there_is_no_further_slot_but_a_talk():
    flow = make.flow(speakers=3, count=1, overlap=2)
    rate_all(flow.speakers[0], flow.campaign, 1)
    rate_all(flow.speakers[1], flow.campaign, 4)
    assert block_lease(rater=flow.speakers[2], campaign=flow.campaign, now=NOW) == []
    assert SampleItem.objects.get().needs_talk


# Skip and can't judge ----------------------------------------------------------------------------


def test_skipped_item_goes_to_others_and_is_offered_once_more_at_the_blocks_end():
    flow = make.flow(speakers=2, count=3, overlap=1)
    user, other = flow.speakers
    leases = block_lease(rater=user, campaign=flow.campaign, now=NOW)
    item_skip(rater=user, item_uid=leases[0].item.uid, now=NOW)
    for lease in leases[1:]:
        rate(user, lease)
    offered = skipped_lease(rater=user, campaign=flow.campaign, now=NOW)
    assert [lease.item_id for lease in offered] == [leases[0].item_id]
    assert offered[0].block == 1
    item_skip(rater=user, item_uid=leases[0].item.uid, now=NOW)
    assert skipped_lease(rater=user, campaign=flow.campaign, now=NOW) == []
    assert block_lease(rater=user, campaign=flow.campaign, now=NOW) == []
    assert len(block_lease(rater=other, campaign=flow.campaign, now=NOW)) == 1


def test_skipped_item_is_not_offered_again_once_another_took_the_slot():
    flow = make.flow(speakers=2, count=1, overlap=1)
    user, other = flow.speakers
    lease = block_lease(rater=user, campaign=flow.campaign, now=NOW)[0]
    item_skip(rater=user, item_uid=lease.item.uid, now=NOW)
    assert len(block_lease(rater=other, campaign=flow.campaign, now=NOW)) == 1
    assert skipped_lease(rater=user, campaign=flow.campaign, now=NOW) == []


def test_rated_item_is_not_skipped():
    flow = make.flow(speakers=1)
    lease = block_lease(rater=flow.speakers[0], campaign=flow.campaign, now=NOW)[0]
    rate(flow.speakers[0], lease)
    with pytest.raises(StateError) as refused:
        item_skip(rater=flow.speakers[0], item_uid=lease.item.uid, now=NOW)
    assert refused.value.code == "rating.rated_already"


def test_cannot_judge_sends_the_item_to_others_and_after_three_to_a_talk():
    flow = make.flow(speakers=4, count=1)
    item = flow.items()[0]
    for number, user in enumerate(flow.speakers[:3], start=1):
        block_lease(rater=user, campaign=flow.campaign, now=NOW)
        item_cannot_judge(rater=user, item_uid=item.uid, reason="other", note="A word I do not know.", now=NOW)
        assert SampleItem.objects.get().needs_talk is (number == 3)
        assert block_lease(rater=user, campaign=flow.campaign, now=NOW) == []
    assert block_lease(rater=flow.speakers[3], campaign=flow.campaign, now=NOW) == []


@pytest.mark.parametrize(("reason", "note", "code"), [
    ("", "", "lease.reason_missing"), ("bored", "", "lease.reason_missing"), ("other", " ", "lease.note_missing"),
    ("other", "x" * 2001, "lease.note_too_long"),
])  # fmt: skip
def test_cannot_judge_needs_a_reason(reason, note, code):
    flow = make.flow(speakers=1)
    lease = block_lease(rater=flow.speakers[0], campaign=flow.campaign, now=NOW)[0]
    with pytest.raises(DomainError) as refused:
        item_cannot_judge(rater=flow.speakers[0], item_uid=lease.item.uid, reason=reason, note=note, now=NOW)
    assert refused.value.code == code
    assert Lease.objects.get(pk=lease.pk).status == "held"


def test_item_of_another_is_neither_skipped_nor_judged():
    flow = make.flow(speakers=2)
    lease = block_lease(rater=flow.speakers[0], campaign=flow.campaign, now=NOW)[0]
    for act in (
        lambda: item_skip(rater=flow.speakers[1], item_uid=lease.item.uid, now=NOW),
        lambda: item_cannot_judge(rater=flow.speakers[1], item_uid=lease.item.uid, reason="other_dialect", now=NOW),
    ):
        with pytest.raises(NotVisible):
            act()


# Queries -----------------------------------------------------------------------------------------


def test_queries_of_a_lease_do_not_grow_with_the_campaign(django_assert_max_num_queries):
    small = make.flow(speakers=1, count=10)
    with django_assert_max_num_queries(18) as few:
        block_lease(rater=small.speakers[0], campaign=small.campaign, now=NOW)
    big = make.corpus_version(small.organisation, count=500, corpus_id="unit-big")
    campaign = make.campaign(make.run(big, small.team, slug="unit-big"))
    with django_assert_max_num_queries(18) as many:
        block_lease(rater=small.speakers[0], campaign=campaign, now=NOW)
    assert len(many) <= len(few)
