"""Saving a rating: once, never lost, every version kept (LAW-3, LAW-10, SPEC V-5)."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest

from champollion.accounts.models import TeamMembership
from champollion.common.errors import AccessDenied, ConflictError, DomainError, NotVisible
from corpora import vault
from review.access import words_open
from review.models import Campaign, Lease, Rating, RatingVersion, SampleItem
from review.services.assignment import block_lease, item_cannot_judge, item_skip
from review.services.ratings import rating_submit
from tests.factories import flow as make
from tests.factories.flow import NOW

pytestmark = pytest.mark.django_db

HALF_HOUR = timedelta(minutes=30)


def leased(flow: make.Flow, number: int = 0) -> tuple:
    """Return a speaker and the first item leased to them."""
    user = flow.speakers[number]
    return user, block_lease(rater=user, campaign=flow.campaign, now=NOW)[0].item


def submit(user, item, grade=3, *, key=None, now=NOW, **more):
    return rating_submit(rater=user, item_uid=item.uid, key=key or uuid4(), grade=grade, now=now, **more)


def code_of(act) -> str:
    with pytest.raises(DomainError) as refused:
        act()
    return refused.value.code


# Saved once --------------------------------------------------------------------------------------


def test_rating_is_saved_with_its_version_and_takes_the_slot():
    user, item = leased(make.flow(speakers=1))
    saved = submit(user, item, 3, sequence=5, tags=["grammar"], comment="one word")
    rating = Rating.objects.get()
    assert (rating.grade, rating.first_grade, rating.rank, rating.sequence) == (3, 3, 1, 5)
    assert rating.tags == ["grammar"]
    assert words_open(item.campaign, rating.sealed_words) == {"comment": "one word", "suggestion": "", "marks": []}
    version = RatingVersion.objects.get()
    assert (version.grade, version.sequence, version.is_current, version.is_after_reference) == (3, 5, True, False)
    assert Lease.objects.get(item=item).status == "rated"
    assert saved.is_current and not saved.is_repeat and saved.reference is None


def test_same_key_twice_is_one_version():
    user, item = leased(make.flow(speakers=1))
    key = uuid4()
    submit(user, item, 3, key=key, focused_seconds=4)
    again = submit(user, item, 3, key=key, focused_seconds=4)
    assert again.is_repeat
    assert RatingVersion.objects.count() == 1
    assert Rating.objects.get().focused_seconds == 4


def test_key_of_another_rating_is_refused():
    flow = make.flow(speakers=2, count=1)
    key = uuid4()
    submit(*leased(flow, 0), key=key)
    user, item = leased(flow, 1)
    with pytest.raises(ConflictError) as refused:
        submit(user, item, key=key)
    assert refused.value.code == "rating.key_taken"
    assert Rating.objects.count() == 1


def test_changed_grade_keeps_every_version():
    user, item = leased(make.flow(speakers=1))
    for grade in (2, 4, 3):
        submit(user, item, grade)
    assert Rating.objects.get().grade == 3
    assert list(RatingVersion.objects.order_by("pk").values_list("grade", flat=True)) == [2, 4, 3]


def test_highest_sequence_wins_whatever_arrives_last():
    user, item = leased(make.flow(speakers=1))
    submit(user, item, 4, sequence=200)
    late = submit(user, item, 1, sequence=100)
    assert not late.is_current
    assert Rating.objects.get().grade == 4
    assert list(RatingVersion.objects.order_by("pk").values_list("grade", "is_current")) == [(4, True), (1, False)]


def test_changed_from_two_tabs_the_later_act_wins_and_both_are_kept():
    user, item = leased(make.flow(speakers=1))
    tab_one, tab_two = 1_000_000, 1_000_700  # milliseconds of one device's clock
    submit(user, item, 2, sequence=tab_two)
    submit(user, item, 4, sequence=tab_one)
    assert Rating.objects.get().grade == 2
    submit(user, item, 3, sequence=tab_one + 5000)
    assert Rating.objects.get().grade == 3
    assert RatingVersion.objects.count() == 3


def test_of_equal_sequences_the_later_to_arrive_wins():
    user, item = leased(make.flow(speakers=1))
    submit(user, item, 2, sequence=7)
    submit(user, item, 3, sequence=7)
    assert Rating.objects.get().grade == 3


def test_act_without_sequence_comes_after_all_that_is_known():
    user, item = leased(make.flow(speakers=1))
    ahead = int((NOW + timedelta(days=400)).timestamp() * 1000)  # a device whose clock is wrong
    submit(user, item, 1, sequence=ahead)
    submit(user, item, 4)
    assert (Rating.objects.get().grade, Rating.objects.get().sequence) == (4, ahead + 1)


# Taken back --------------------------------------------------------------------------------------


def test_undo_takes_the_rating_back_and_opens_the_item_again():
    user, item = leased(make.flow(speakers=1))
    submit(user, item, 1)
    submit(user, item, None)
    rating, lease = Rating.objects.get(), Lease.objects.get(item=item)
    assert (rating.grade, rating.first_grade) == (None, None)
    assert (lease.status, lease.expires_at) == ("held", NOW + HALF_HOUR)
    submit(user, item, 4)
    assert (Rating.objects.get().grade, Lease.objects.get(item=item).status) == (4, "rated")
    assert RatingVersion.objects.count() == 3


def test_there_is_nothing_to_take_back_before_a_rating():
    user, item = leased(make.flow(speakers=1))
    assert code_of(lambda: submit(user, item, None)) == "rating.nothing_to_undo"
    assert not Rating.objects.exists()


def test_rating_given_anew_after_an_undo_counts_as_arriving_then():
    flow = make.flow(speakers=2, count=1)
    (first, item), (second, _item) = leased(flow, 0), leased(flow, 1)
    submit(first, item, 2)
    submit(first, item, None)
    submit(second, item, 3)
    submit(first, item, 4)
    assert dict(Rating.objects.values_list("rater__name", "rank")) == {"speaker-2": 1, "speaker-1": 2}


# Leases and campaigns ----------------------------------------------------------------------------


def test_lease_that_ran_out_is_renewed_silently_while_the_slot_is_free():
    user, item = leased(make.flow(speakers=1))
    submit(user, item, 3, now=NOW + timedelta(hours=5))
    assert Rating.objects.get().grade == 3


@pytest.mark.parametrize("status", ["expired", "skipped"])
def test_slot_given_back_is_taken_again_while_it_is_free(status):
    user, item = leased(make.flow(speakers=1))
    Lease.objects.update(status=status)
    submit(user, item, 3)
    assert Lease.objects.get(item=item).status == "rated"


def test_lease_is_over_once_another_speaker_has_the_slot():
    flow = make.flow(speakers=2, count=1, overlap=1)
    user, item = leased(flow, 0)
    later = NOW + HALF_HOUR
    block_lease(rater=flow.speakers[1], campaign=flow.campaign, now=later)
    assert code_of(lambda: submit(user, item, 3, comment="mine", now=later)) == "rating.lease_over"
    assert not Rating.objects.exists()
    submit(flow.speakers[1], item, 2, now=later)
    assert Rating.objects.get().rater == flow.speakers[1]


def test_regained_slot_is_another_one_if_the_first_is_taken():
    flow = make.flow(speakers=2, count=1, overlap=2)
    user, item = leased(flow, 0)
    later = NOW + HALF_HOUR
    assert block_lease(rater=flow.speakers[1], campaign=flow.campaign, now=later)[0].slot == 1
    submit(user, item, 3, now=later)
    assert Lease.objects.get(rater=user).slot == 2


def test_item_put_aside_is_not_rated_from_another_tab():
    user, item = leased(make.flow(speakers=1))
    item_cannot_judge(rater=user, item_uid=item.uid, reason="source_unclear", now=NOW)
    assert code_of(lambda: submit(user, item, 3)) == "rating.item_put_aside"


@pytest.mark.parametrize("status", ["suspended", "closed", "decided", "withdrawn"])
def test_campaign_that_is_not_open_takes_no_rating_and_says_so(status):
    user, item = leased(make.flow(speakers=1))
    submit(user, item, 2)
    Campaign.objects.update(status=status)
    assert code_of(lambda: submit(user, item, 3)) == f"rating.campaign_{status}"
    assert Rating.objects.get().grade == 2


def test_items_of_others_and_unknown_items_look_alike():
    flow = make.flow(speakers=2)
    _user, item = leased(flow, 0)
    with pytest.raises(NotVisible) as other:
        submit(flow.speakers[1], item)
    with pytest.raises(NotVisible) as unknown:
        rating_submit(rater=flow.speakers[1], item_uid=uuid4(), key=uuid4(), grade=3, now=NOW)
    assert (other.value.code, str(other.value)) == (unknown.value.code, str(unknown.value))


def test_item_of_another_campaign_than_the_address_names_is_refused():
    user, item = leased(make.flow(speakers=1))
    with pytest.raises(NotVisible):
        submit(user, item, campaign_uid=uuid4())
    submit(user, item, campaign_uid=item.campaign.uid)
    assert Rating.objects.count() == 1


@pytest.mark.parametrize("has_lease", [True, False])
def test_own_method_is_not_rated_by_direct_post(has_lease):
    flow = make.flow(speakers=1)
    user, item = flow.speakers[0], flow.items()[0]
    if has_lease:
        user, item = leased(flow)
    TeamMembership.objects.create(team=flow.team, user=user)
    with pytest.raises(AccessDenied) as refused:
        submit(user, item)
    assert refused.value.code == "rater.own_method"
    assert not Rating.objects.exists()


def test_whoever_lost_the_role_rates_no_more():
    user, item = leased(make.flow(speakers=1))
    user.memberships.all().delete()
    user.__dict__.pop("_membership_rows", None)
    with pytest.raises(AccessDenied):
        submit(user, item)


# Malformed acts ----------------------------------------------------------------------------------


@pytest.mark.parametrize("grade", ["9", "3", 9, 0, -1, 2.0, True, [3], {"grade": 3}, ""])
def test_grade_that_is_none_of_the_four_is_refused(grade):
    user, item = leased(make.flow(speakers=1))
    with pytest.raises(DomainError) as refused:
        submit(user, item, grade)
    assert (refused.value.code, refused.value.status) == ("rating.grade_unknown", 422)
    assert str(refused.value) == "Choose one of the four grades: 1, 2, 3 or 4."
    assert not Rating.objects.exists()


@pytest.mark.parametrize(("more", "code"), [
    ({"key": "not a uuid"}, "rating.key_missing"),
    ({"sequence": 0}, "rating.sequence_wrong"), ({"sequence": 2**60}, "rating.sequence_wrong"),
    ({"sequence": "1"}, "rating.sequence_wrong"), ({"sequence": True}, "rating.sequence_wrong"),
    ({"tags": ["funny"]}, "rating.tag_unknown"), ({"tags": "grammar"}, "rating.tag_unknown"),
    ({"tags": [1]}, "rating.tag_unknown"), ({"tags": None}, "rating.tag_unknown"),
    ({"comment": None}, "rating.words_wrong"), ({"comment": "x" * 2001}, "rating.words_too_long"),
    ({"suggestion": ["x"]}, "rating.words_wrong"), ({"suggestion": "x" * 10001}, "rating.words_too_long"),
    ({"marks": [[0, 99]]}, "rating.marks_wrong"), ({"marks": [[3, 3]]}, "rating.marks_wrong"),
    ({"marks": [[-1, 3]]}, "rating.marks_wrong"), ({"marks": [3]}, "rating.marks_wrong"),
    ({"marks": [["0", "3"]]}, "rating.marks_wrong"), ({"marks": [[0, 1]] * 201}, "rating.marks_wrong"),
])  # fmt: skip
def test_malformed_act_is_refused_whole(more, code):
    user, item = leased(make.flow(speakers=1))
    assert code_of(lambda: submit(user, item, 3, **more)) == code
    assert not Rating.objects.exists()


def test_right_in_another_dialect_is_no_reject():
    user, item = leased(make.flow(speakers=1))
    tags = ["other_dialect_or_spelling"]
    assert code_of(lambda: submit(user, item, 1, tags=tags)) == "rating.tag_and_grade"
    assert not Rating.objects.exists()
    submit(user, item, 2, tags=tags)
    assert Rating.objects.get().tags == tags


@pytest.mark.parametrize(("sent", "kept"), [
    (12.5, 12.5), (-3, 0), (1e9, 300), (float("nan"), 0), (float("inf"), 0), ("12", 0), (None, 0), (True, 0),
    (10**400, 300), (-(10**400), 0),
])  # fmt: skip
def test_time_of_an_act_is_capped(sent, kept):
    user, item = leased(make.flow(speakers=1))
    submit(user, item, 3, focused_seconds=sent)
    assert Rating.objects.get().focused_seconds == kept


def test_time_of_a_rating_adds_up_and_is_capped():
    user, item = leased(make.flow(speakers=1))
    for _act in range(7):
        submit(user, item, 3, focused_seconds=300)
    assert Rating.objects.get().focused_seconds == 1800


HOSTILE = "<script>alert(1)</script> \u202etxt\u202c \x00 \u2066x \ud800 ' ; -- {{ x }}"


def test_hostile_words_are_kept_as_words():
    user, item = leased(make.flow(speakers=1))
    submit(user, item, 3, comment=HOSTILE, suggestion=HOSTILE)
    words = words_open(item.campaign, Rating.objects.get().sealed_words)
    assert words["comment"] == words["suggestion"] == HOSTILE.replace("\ud800", "?")


def test_words_about_a_secret_item_lie_sealed_only():
    flow = make.flow(speakers=1, segment="gold_standard")
    user, item = leased(flow)
    submit(user, item, 3, comment="canary-comment", suggestion="canary-suggestion", marks=[[0, 4]])
    for row in (Rating.objects.get(), RatingVersion.objects.get()):
        assert vault.unseal(flow.campaign.run.corpus_version.corpus, row.sealed_words)["marks"] == [[0, 4]]
        plain = {f.name: getattr(row, f.name) for f in row._meta.concrete_fields if f.name != "sealed_words"}
        assert "canary" not in repr(plain)


# The reference -----------------------------------------------------------------------------------


def test_reference_is_shown_after_the_save_if_the_plan_allows_and_it_is_asked_for():
    user, item = leased(make.flow(speakers=1, shows_reference=True))
    assert submit(user, item, 2).reference is None
    shown = submit(user, item, 2, wants_reference=True)
    assert shown.reference == f"unit reference {item.output.position}"
    assert Rating.objects.get().reference_shown_at == NOW


def test_reference_stays_hidden_if_the_plan_does_not_show_it():
    user, item = leased(make.flow(speakers=1, shows_reference=False))
    assert submit(user, item, 2, wants_reference=True).reference is None
    assert Rating.objects.get().reference_shown_at is None


def test_after_the_reference_only_the_second_answer_changes():
    user, item = leased(make.flow(speakers=1, shows_reference=True))
    submit(user, item, 2, wants_reference=True)
    submit(user, item, 4)
    rating = Rating.objects.get()
    assert (rating.first_grade, rating.grade) == (2, 4)
    assert list(RatingVersion.objects.order_by("pk").values_list("is_after_reference", flat=True)) == [False, True]
    submit(user, item, None)
    rating.refresh_from_db()
    assert (rating.first_grade, rating.grade) == (2, 2)
    assert Lease.objects.get(item=item).status == "rated"


def test_second_answer_does_not_ask_for_a_fourth_speaker_or_a_talk():
    flow = make.flow(speakers=2, count=1, overlap=2, shows_reference=True)
    (first, item), (second, _item) = leased(flow, 0), leased(flow, 1)
    submit(first, item, 3)
    submit(second, item, 4, wants_reference=True)
    submit(second, item, 1)
    assert not SampleItem.objects.get().needs_talk


# Talks -------------------------------------------------------------------------------------------


def test_two_against_two_goes_to_a_talk_and_comes_back_when_a_rating_changes():
    flow = make.flow(speakers=4, count=1)
    item = flow.items()[0]
    for user, grade in zip(flow.speakers, (3, 2, 3, 2), strict=True):
        block_lease(rater=user, campaign=flow.campaign, now=NOW)
        submit(user, item, grade)
    assert SampleItem.objects.get().needs_talk
    submit(flow.speakers[3], item, 3)
    assert not SampleItem.objects.get().needs_talk


def test_item_that_three_could_not_judge_stays_with_the_talk():
    flow = make.flow(speakers=4, count=1)
    item = flow.items()[0]
    rater, *others = flow.speakers
    block_lease(rater=rater, campaign=flow.campaign, now=NOW)
    for user in others:
        block_lease(rater=user, campaign=flow.campaign, now=NOW) or Lease.objects.filter(rater=user)
        if Lease.objects.filter(rater=user).exists():
            item_cannot_judge(rater=user, item_uid=item.uid, reason="not_my_subject", now=NOW)
    assert SampleItem.objects.get().needs_talk
    submit(rater, item, 3)
    assert SampleItem.objects.get().needs_talk


def test_skipping_frees_the_slot_for_the_one_who_waits():
    flow = make.flow(speakers=2, count=1, overlap=1)
    user, item = leased(flow)
    item_skip(rater=user, item_uid=item.uid, now=NOW)
    other, same = leased(flow, 1)
    assert same == item
    submit(other, same)
    assert code_of(lambda: submit(user, item, 3)) == "rating.lease_over"


# Queries -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("rated_before", [0, 1, 50, 500])
def test_saving_takes_at_most_twelve_queries_whatever_was_rated(rated_before, django_assert_max_num_queries):
    flow = make.flow(speakers=1, count=rated_before + 1)
    user = flow.speakers[0]
    for _block in range(-(-rated_before // 10)):
        for lease in block_lease(rater=user, campaign=flow.campaign, now=NOW)[:10]:
            if Rating.objects.count() < rated_before:
                submit(user, lease.item, 3)
    item = Lease.objects.filter(status="held").first() or block_lease(rater=user, campaign=flow.campaign, now=NOW)[0]
    user = type(user).objects.get(pk=user.pk)
    key = uuid4()
    with django_assert_max_num_queries(10):  # session and user of the request make two more
        submit(user, item.item, 3, key=key)
    fresh = type(user).objects.get(pk=user.pk)
    with django_assert_max_num_queries(10):
        submit(fresh, item.item, 2)


def test_fourth_rating_that_ends_in_a_talk_takes_no_more_than_ten_queries_of_its_own(django_assert_max_num_queries):
    flow = make.flow(speakers=4, count=1)
    item = flow.items()[0]
    for user, grade in zip(flow.speakers[:3], (3, 2, 3), strict=True):
        block_lease(rater=user, campaign=flow.campaign, now=NOW)
        submit(user, item, grade)
    block_lease(rater=flow.speakers[3], campaign=flow.campaign, now=NOW)
    user = type(flow.speakers[3]).objects.get(pk=flow.speakers[3].pk)
    with django_assert_max_num_queries(10):
        submit(user, item, 2)
    assert SampleItem.objects.get().needs_talk
