"""The rating page over HTTP, as a form and as JSON (SPEC V-5, LAW-2, LAW-3, LAW-9)."""

from __future__ import annotations

import json
import re
from uuid import uuid4

import pytest
from allauth.mfa.models import Authenticator
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from champollion.accounts.models import Role, TeamMembership
from review.models import Campaign, HarmFlag, Lease, Rating, RatingVersion, SampleItem
from review.services.assignment import block_lease
from review.services.ratings import rating_submit
from tests.factories import flow as make

pytestmark = pytest.mark.django_db


def address(flow: make.Flow, name: str = "rate") -> str:
    return reverse(f"review:{name}", args=[flow.campaign.uid])


def page(client, flow: make.Flow, **query) -> str:
    response = client.get(address(flow), query, follow=True)
    assert response.status_code == 200
    return response.content.decode()


def begun(client, flow: make.Flow, number: int = 0) -> tuple:
    """Sign a speaker in, open the page, and return the speaker and the first item."""
    user = flow.speakers[number]
    client.force_login(user)
    page(client, flow)
    return user, Lease.objects.filter(rater=user).order_by("place").first().item


def post_json(client, flow: make.Flow, item_, **values):
    body = {"item": str(item_.uid), "key": str(uuid4()), "sequence": 1, **values}
    return client.post(address(flow, "ratings"), json.dumps(body), content_type="application/json")


def post_form(client, flow: make.Flow, item, **values):
    return client.post(address(flow, "ratings"), {"item": str(item.uid), "key": str(uuid4()), **values})


# Who sees it -------------------------------------------------------------------------------------


def test_visitor_is_sent_to_the_sign_in_page(client):
    flow = make.flow(speakers=1)
    response = client.get(address(flow))
    assert response.status_code == 302
    assert response["Location"].endswith(f"?next={address(flow)}")


def test_stranger_draft_and_unknown_campaign_look_alike(client):
    flow = make.flow(speakers=1)
    client.force_login(make.person("stranger", spoken=("en", "cy")))
    assert client.get(address(flow)).status_code == 404
    assert client.get(reverse("review:rate", args=[uuid4()])).status_code == 404
    client.force_login(flow.speakers[0])
    Campaign.objects.update(status="draft")
    assert client.get(address(flow)).status_code == 404


def test_member_without_the_role_is_refused_with_the_reason(client):
    flow = make.flow(speakers=0)
    client.force_login(flow.stewards[0])
    response = client.get(address(flow))
    assert response.status_code == 403
    assert "Speakers of the organisation rate." in response.content.decode()


def test_developer_who_is_a_speaker_is_refused_with_the_reason(client):
    flow = make.flow(speakers=1)
    TeamMembership.objects.create(team=flow.team, user=flow.speakers[0])
    client.force_login(flow.speakers[0])
    response = client.get(address(flow))
    assert response.status_code == 403
    assert "so others rate it" in response.content.decode()
    assert not Lease.objects.exists()


@pytest.mark.parametrize("status", ["suspended", "closed", "decided", "withdrawn"])
def test_campaign_that_is_not_open_says_so(client, status):
    flow = make.flow(speakers=1, status=status)
    client.force_login(flow.speakers[0])
    assert "This campaign is not open" in page(client, flow)
    assert not Lease.objects.exists()


# What it shows -----------------------------------------------------------------------------------


def test_page_shows_source_and_output_with_language_and_direction(client):
    flow = make.flow(speakers=1, target_language="ar", outputs=("نص",) * 12)
    user, item = begun(client, flow)
    html = page(client, flow)
    assert f'<span class="ch-text-body" lang="en" dir="ltr">unit source {item.output.position}</span>' in html
    assert '<span class="ch-text-body" lang="ar" dir="rtl">نص</span>' in html
    assert "Arabic: how good is it?" in html


def test_four_grades_stand_in_one_order_with_word_and_meaning(client):
    flow = make.flow(speakers=1)
    begun(client, flow)
    html = page(client, flow)
    assert re.findall(r'name="grade" value="(\d)" aria-pressed="(\w+)"', html) == [(n, "false") for n in "1234"]
    for words in (
        "Reject",
        "Gist",
        "Acceptable",
        "Excellent",
        "meaning clear, wording wrong",
        "as a person would say it",
    ):
        assert words in html


def test_organisations_own_words_are_shown_in_their_language(client):
    flow = make.flow(speakers=1)
    flow.organisation.grade_words = {"reject": "gwrthod", "4": "rhagorol"}
    flow.organisation.save()
    begun(client, flow)
    html = page(client, flow)
    assert re.search(r'lang="cy"[^>]*>gwrthod<', html)
    assert re.search(r'lang="cy"[^>]*>rhagorol<', html)


def test_page_and_answers_tell_nothing_of_method_model_score_or_others(client):
    flow = make.flow(speakers=2, shows_reference=True)
    other, shared = begun(client, flow, 1)
    rating_submit(rater=other, item_uid=shared.uid, key=uuid4(), grade=1, comment="canary-comment")
    user, item = begun(client, flow)
    run = flow.campaign.run
    answers = [
        client.get(address(flow)),
        post_json(client, flow, item, act="rate", grade=3, wants_reference=True),
        client.get(address(flow), {"item": str(item.uid)}),
        client.get(reverse("review:my_campaigns")),
        post_json(client, flow, item, act="rate", grade="9"),
    ]
    told = "".join(f"{answer.content.decode()} {answer.headers}" for answer in answers)
    method = run.method_version.method
    for secret in (
        method.name, method.slug, run.method_version.model_name, str(run.uid), str(method.uid), flow.team.name,
        str(run.method_version.uid), str(flow.campaign.nomination.uid), "0.8317", "0.83", "deployable",
        flow.campaign.seed, flow.developer.email, "canary-comment", "is_in_look", other.email,
    ):  # fmt: skip
        assert secret not in told, secret


def test_reference_is_nowhere_on_the_page_before_the_save(client):
    flow = make.flow(speakers=1, shows_reference=True)
    user, item = begun(client, flow)
    assert "unit reference" not in page(client, flow)
    assert "unit reference" not in post_json(client, flow, item, act="rate", grade=3).content.decode()
    shown = post_json(client, flow, item, act="rate", grade=3, wants_reference=True, sequence=2).json()
    assert shown["reference"] == f"unit reference {item.output.position}"
    assert f"unit reference {item.output.position}" in page(client, flow, item=str(item.uid))


HOSTILE = "<script>alert('x')</script><img src=x onerror=alert(1)> \u202eabc\u202c \u2066i\u2069 " + "w" * 3000


def test_hostile_texts_are_shown_as_text(client):
    flow = make.flow(speakers=1, sources=(HOSTILE,) * 12, outputs=(HOSTILE,) * 12)
    user, item = begun(client, flow)
    post_json(client, flow, item, act="rate", grade=3, comment=HOSTILE, suggestion=HOSTILE[:2000])
    post_form(client, flow, item, grade="2", comment=HOSTILE[:1000])
    html = page(client, flow, item=str(item.uid))
    assert "<script>alert" not in html
    assert "<img src=x" not in html
    assert "&lt;script&gt;alert(&#x27;x&#x27;)&lt;/script&gt;" in html


def test_note_that_gives_the_reference_away_is_not_shown(client):
    flow = make.flow(speakers=1, fields={"notes": "The reference is a greeting."})
    begun(client, flow)
    assert "The reference is a greeting." not in page(client, flow)


def test_note_that_tells_nothing_is_shown(client):
    flow = make.flow(speakers=1, fields={"notes": "Said on a boat."})
    begun(client, flow)
    assert "Said on a boat." in page(client, flow)


def test_sentences_around_are_shown_for_public_text_only(client):
    public = make.flow(speakers=1)
    begun(client, public)
    assert "Sentences around it" in page(client, public)


def test_sentences_around_a_secret_text_are_not_shown(client):
    flow = make.flow(speakers=1, segment="gold_standard", count=30)
    begun(client, flow)
    html = page(client, flow)
    leased = {lease.item.output.position for lease in Lease.objects.select_related("item__output")}
    shown = {int(number) for number in re.findall(r"unit source (\d+)", html)}
    assert shown == leased
    assert "no-store" in client.get(address(flow))["Cache-Control"]


# Without script ----------------------------------------------------------------------------------


def test_form_saves_and_comes_back_to_the_item_with_its_grade(client):
    flow = make.flow(speakers=1)
    user, item = begun(client, flow)
    response = post_form(client, flow, item, grade="3")
    assert (response.status_code, response["Location"]) == (302, f"{address(flow)}?item={item.uid}")
    html = client.get(response["Location"]).content.decode()
    assert ("3", "true") in re.findall(r'name="grade" value="(\d)" aria-pressed="(\w+)"', html)
    assert "Saved" in html
    assert Rating.objects.get().grade == 3


def test_double_click_on_a_form_is_one_act_and_another_grade_is_another():
    client = Client()
    flow = make.flow(speakers=1)
    user, item = begun(client, flow)
    key = str(uuid4())
    for grade in ("3", "3", "2"):
        post_form(client, flow, item, grade=grade, key=key)
    assert (Rating.objects.get().grade, RatingVersion.objects.count()) == (2, 2)
    post_form(client, flow, item, grade="3", key=key)  # back in the browser, and pressed again
    assert (Rating.objects.get().grade, RatingVersion.objects.count()) == (3, 3)


def test_form_keeps_words_and_tags_with_the_grade(client):
    flow = make.flow(speakers=1)
    user, item = begun(client, flow)
    post_form(client, flow, item, grade="2", tag=["grammar", "spelling"], comment="a comment", mark=["0-4"])
    html = page(client, flow, item=str(item.uid), panel="more")
    assert re.search(r'value="grammar" checked', html)
    assert re.search(r'name="mark" value="0-4" checked', html)
    assert "a comment</textarea>" in html
    assert Rating.objects.get().tags == ["grammar", "spelling"]


def test_undo_skip_cannot_judge_and_harmful_work_without_script(client):
    flow = make.flow(speakers=1)
    user, _item = begun(client, flow)
    first, second, third, fourth = (lease.item for lease in Lease.objects.order_by("place")[:4])
    post_form(client, flow, first, grade="3")
    post_form(client, flow, first, act="undo")
    assert Rating.objects.get().grade is None
    post_form(client, flow, second, act="skip")
    post_form(client, flow, third, act="cannot_judge", reason="not_my_subject")
    post_form(client, flow, fourth, act="harmful", note="It insults.")
    assert [Lease.objects.get(item=one).status for one in (first, second, third, fourth)] == [
        "held", "skipped", "cannot_judge", "harmful",
    ]  # fmt: skip
    assert HarmFlag.objects.get().raised_by == user
    assert "Stewards have been told." in page(client, flow)


@pytest.mark.parametrize(("panel", "words"), [
    ("cannot-judge", "Why can’t you judge this?"), ("harmful", "Only stewards of Unit unit-welsh will see this."),
])  # fmt: skip
def test_panels_open_by_address_without_script(client, panel, words):
    flow = make.flow(speakers=1)
    user, item = begun(client, flow)
    html = page(client, flow, item=str(item.uid), panel=panel)
    assert words in html
    assert re.search(rf'data-panel="{panel}">', html)
    assert re.search(r'data-panel="(?:cannot-judge|harmful)" hidden>', html)


def test_refused_form_says_what_is_wrong(client):
    flow = make.flow(speakers=1)
    user, item = begun(client, flow)
    for values, status, sentence in (
        ({"grade": "9"}, 422, "Choose one of the four grades"),
        ({}, 422, "Choose one of the four grades"),
        ({"grade": "1", "tag": ["other_dialect_or_spelling"]}, 422, "Choose another grade than reject."),
        ({"act": "dance"}, 422, "This page does not know what to do with that."),
        ({"act": "cannot_judge", "reason": "other"}, 422, "Write in a few words why"),
    ):
        response = post_form(client, flow, item, **values)
        assert response.status_code == status
        assert sentence in response.content.decode()
    assert not Rating.objects.exists()


def test_rating_sent_after_the_session_ended_is_saved_after_signing_in(client):
    flow = make.flow(speakers=1, segment="gold_standard")
    user, item = begun(client, flow)
    client.logout()
    response = post_form(client, flow, item, grade="2", comment="canary-comment")
    assert response.status_code == 302
    assert "/account/login/" in response["Location"]
    assert not Rating.objects.exists()
    assert "canary" not in repr(dict(client.session))
    client.force_login(user)
    assert "The rating that you sent before signing in is saved." in page(client, flow)
    assert Rating.objects.get().grade == 2
    assert "kept_rating" not in client.session


def test_rating_kept_for_another_person_is_not_theirs(client):
    flow = make.flow(speakers=2)
    user, item = begun(client, flow)
    client.logout()
    post_form(client, flow, item, grade="2")
    client.force_login(flow.speakers[1])
    assert "it is not yours to rate" in page(client, flow)
    assert not Rating.objects.exists()


def test_rating_kept_on_a_shared_device_is_not_the_next_persons_even_on_an_item_of_both(client):
    flow = make.flow(speakers=2, count=1)
    block_lease(rater=flow.speakers[1], campaign=flow.campaign)
    first, item = begun(client, flow)
    assert f'name="rater" value="{first.uid}"' in page(client, flow)
    client.logout()
    post_form(client, flow, item, grade="2", rater=str(first.uid))
    client.force_login(flow.speakers[1])
    assert "it is not yours to rate" in page(client, flow)
    assert not Rating.objects.exists()


# With script -------------------------------------------------------------------------------------


@pytest.mark.parametrize("values", [{"act": "cannot_judge", "reason": "other"}, {"act": "harmful"}])
def test_note_with_half_a_character_is_kept(client, values):
    flow = make.flow(speakers=1)
    user, item = begun(client, flow)
    assert post_json(client, flow, item, note="half \ud800", **values).status_code == 200


def test_time_larger_than_any_number_with_a_point_is_capped(client):
    flow = make.flow(speakers=1)
    user, item = begun(client, flow)
    assert post_json(client, flow, item, grade=3, focused_seconds=10**400).status_code == 200
    assert Rating.objects.get().focused_seconds == 300


def test_json_is_acknowledged_with_a_server_id(client):
    flow = make.flow(speakers=1)
    user, item = begun(client, flow)
    answer = post_json(client, flow, item, act="rate", grade=4, sequence=17).json()
    assert answer == {
        "item": str(item.uid), "act": "rate", "rating": str(Rating.objects.get().uid), "grade": 4, "sequence": 17,
        "is_current": True, "reference": None,
    }  # fmt: skip


def test_json_sent_twice_gets_the_same_answer(client):
    flow = make.flow(speakers=1)
    user, item = begun(client, flow)
    key = str(uuid4())
    answers = [post_json(client, flow, item, act="rate", grade=4, key=key).json() for _time in range(2)]
    assert answers[0] == answers[1]
    assert RatingVersion.objects.count() == 1


@pytest.mark.parametrize(("values", "status", "code"), [
    ({"grade": "9"}, 422, "rating.grade_unknown"), ({"grade": "3"}, 422, "rating.grade_unknown"),
    ({"grade": None}, 422, "rating.grade_unknown"), ({"grade": [3]}, 422, "rating.grade_unknown"),
    ({}, 422, "rating.grade_unknown"), ({"grade": 3, "key": 7}, 422, "rating.key_missing"),
    ({"grade": 3, "tags": 7}, 422, "rating.tag_unknown"), ({"grade": 3, "comment": 7}, 422, "rating.words_wrong"),
    ({"grade": 3, "item": "x"}, 404, "rating.not_yours"), ({"grade": 3, "item": None}, 404, "rating.not_yours"),
    ({"grade": 3, "item": str(uuid4())}, 404, "rating.not_yours"), ({"act": ["rate"]}, 422, "rating.act_unknown"),
    ({"act": {"rate": 1}}, 422, "rating.act_unknown"), ({"act": "undo"}, 409, "rating.nothing_to_undo"),
    ({"act": "cannot_judge", "reason": 7}, 422, "lease.reason_missing"),
])  # fmt: skip
def test_malformed_json_gets_a_sentence_and_saves_nothing(client, values, status, code):
    flow = make.flow(speakers=1)
    user, item = begun(client, flow)
    response = post_json(client, flow, item, **values)
    assert (response.status_code, response.json()["code"]) == (status, code)
    assert len(response.json()["message"]) > 10
    assert not Rating.objects.exists()


@pytest.mark.parametrize("body", ["{", "[]", "7", "null", '"x"', "[" * 5000, "\xff"])
def test_what_is_no_json_object_is_refused(client, body):
    flow = make.flow(speakers=1)
    begun(client, flow)
    response = client.post(address(flow, "ratings"), body.encode("latin-1"), content_type="application/json")
    assert (response.status_code, response.json()["code"]) == (422, "rating.not_json")


def test_act_that_is_too_long_is_refused(client):
    flow = make.flow(speakers=1)
    user, item = begun(client, flow)
    response = post_json(client, flow, item, grade=3, comment="x" * 100_001)
    assert (response.status_code, response.json()["code"]) == (422, "rating.too_long")


def test_signed_out_script_is_told_and_loses_nothing(client):
    flow = make.flow(speakers=1)
    user, item = begun(client, flow)
    client.logout()
    response = post_json(client, flow, item, grade=3)
    assert (response.status_code, response.json()["code"]) == (401, "signed_out")
    assert "kept_rating" not in client.session


def test_closed_campaign_own_method_and_items_of_others_are_refused_by_direct_post(client):
    flow = make.flow(speakers=2)
    user, item = begun(client, flow)
    client.force_login(flow.speakers[1])
    assert post_json(client, flow, item, grade=3).status_code == 404
    client.force_login(user)
    Campaign.objects.update(status="closed")
    answer = post_json(client, flow, item, grade=3)
    assert (answer.status_code, answer.json()["code"]) == (409, "rating.campaign_closed")
    Campaign.objects.update(status="open")
    TeamMembership.objects.create(team=flow.team, user=user)
    for values in ({"grade": 3}, {"act": "skip"}, {"act": "cannot_judge", "reason": "other", "note": "x"}):
        answer = post_json(client, flow, item, **values)
        assert (answer.status_code, answer.json()["code"]) == (403, "rater.own_method")
    assert not Lease.objects.filter(status__in=["skipped", "cannot_judge"]).exists()
    assert not Rating.objects.exists()


def test_post_without_the_csrf_token_is_refused():
    client = Client(enforce_csrf_checks=True)
    flow = make.flow(speakers=1)
    user, item = begun(client, flow)
    assert post_json(client, flow, item, grade=3).status_code == 403
    assert not Rating.objects.exists()


# Blocks ------------------------------------------------------------------------------------------


def rate_block(client, flow) -> None:
    for lease in Lease.objects.filter(status="held").order_by("place"):
        assert post_json(client, flow, lease.item, act="rate", grade=3).status_code == 200


def test_block_done_then_next_ten_then_all_done(client):
    flow = make.flow(speakers=1, count=12)
    begun(client, flow)
    rate_block(client, flow)
    html = page(client, flow)
    assert "Block done. All 10 saved." in html
    assert "My part: 10 of 12" in html
    assert "Campaign: 27 % rated" in html  # 10 of 36
    response = client.post(address(flow, "block"), follow=True)
    assert "1 of 2" in response.content.decode()
    rate_block(client, flow)
    assert "All done, saved. Your 12 ratings have arrived." in page(client, flow)


def test_skipped_item_comes_once_more_at_the_end_of_the_block(client):
    flow = make.flow(speakers=1, count=3)
    user, item = begun(client, flow)
    post_form(client, flow, item, act="skip")
    rate_block(client, flow)
    html = page(client, flow)
    assert f'data-current="{item.uid}"' in html
    post_form(client, flow, item, act="skip")
    assert "All done, saved. Your 2 ratings have arrived." in page(client, flow)


def test_speaker_for_whom_nothing_is_open_is_told_so(client):
    flow = make.flow(speakers=2, count=1, overlap=1)
    begun(client, flow, 1)
    client.force_login(flow.speakers[0])
    assert "Nothing is open for you in this campaign now." in page(client, flow)


def test_block_is_leased_by_post_only_and_by_those_who_may(client):
    flow = make.flow(speakers=1)
    client.force_login(flow.speakers[0])
    assert client.get(address(flow, "block")).status_code == 405
    assert client.get(address(flow, "ratings")).status_code == 405
    client.force_login(flow.stewards[0])
    assert client.post(address(flow, "block")).status_code == 403
    assert not Lease.objects.exists()


def test_earlier_rating_can_be_opened_and_changed_until_the_campaign_closes(client):
    flow = make.flow(speakers=1, count=12)
    user, item = begun(client, flow)
    rate_block(client, flow)
    client.post(address(flow, "block"))
    html = page(client, flow, item=str(item.uid))
    assert f'data-current="{item.uid}"' in html
    post_form(client, flow, item, grade="1")
    assert Rating.objects.get(item=item).grade == 1


# My campaigns ------------------------------------------------------------------------------------


def test_my_campaigns_name_the_languages_and_not_the_method(client):
    flow = make.flow(speakers=1)
    begun(client, flow)
    html = client.get(reverse("review:my_campaigns")).content.decode()
    assert "English to Welsh" in html
    assert "My part: 0 of 12" in html
    assert address(flow) in html


def test_my_campaigns_say_why_somebody_cannot_rate(client):
    flow = make.flow(speakers=0)
    client.force_login(make.member(flow.organisation, "speaker", Role.SPEAKER, spoken=("en",)))
    html = client.get(reverse("review:my_campaigns")).content.decode()
    assert "This campaign needs speakers of both its languages" in html
    assert address(flow) not in html


def test_my_campaigns_are_empty_with_a_sentence(client):
    organisation = make.organisation()
    client.force_login(make.member(organisation, "speaker", Role.SPEAKER, spoken=("en", "cy")))
    assert "No campaign waits for you." in client.get(reverse("review:my_campaigns")).content.decode()


@pytest.mark.parametrize(("role", "status"), [(Role.SPEAKER, 200), (Role.HELPER, 200), (Role.STEWARD, 403)])
def test_my_campaigns_are_for_speakers_and_helpers(client, role, status):
    client.force_login(make.member(make.organisation(), "member", role))
    assert client.get(reverse("review:my_campaigns")).status_code == status


def test_who_is_no_speaker_is_told_how_one_becomes_one(client):
    client.force_login(make.member(make.organisation(), "member", Role.STEWARD))
    html = client.get(reverse("review:my_campaigns")).content.decode()
    assert "You are not a speaker of an organisation here yet." in html
    assert reverse("pages:guide", args=["speakers"]) in html


# Queries -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 50, 500])
def test_page_takes_at_most_ten_queries_and_saving_twelve(client, count, django_assert_max_num_queries):
    flow = make.flow(speakers=1, count=count)
    user, item = begun(client, flow)
    with django_assert_max_num_queries(10):
        assert client.get(address(flow)).status_code == 200
    with django_assert_max_num_queries(12):
        assert post_json(client, flow, item, act="rate", grade=3).status_code == 200
    with django_assert_max_num_queries(12):
        assert post_form(client, flow, item, grade="2").status_code == 302
    with django_assert_max_num_queries(12):
        assert post_json(client, flow, item, act="undo", sequence=10**15).status_code == 200


@pytest.mark.parametrize("done", [0, 1, 50, 500])
def test_queries_do_not_grow_with_items_done(client, done, django_assert_max_num_queries):
    flow = make.flow(speakers=1, count=done + 20)
    user = flow.speakers[0]
    items = flow.items()[:done]
    leases = Lease.objects.bulk_create(
        [
            Lease(item=i, rater=user, slot=1, status="rated", block=n // 10 + 1, place=n + 1, expires_at=timezone.now())
            for n, i in enumerate(items)
        ]
    )
    Rating.objects.bulk_create(
        [Rating(item=le.item, rater=user, lease=le, grade=3, first_grade=3, rank=1) for le in leases]
    )
    block_lease(rater=user, campaign=flow.campaign)
    client.force_login(user)
    with django_assert_max_num_queries(10):
        html = client.get(address(flow)).content.decode()
    assert f"My part: {done} of {done + 20}" in html
    item = Lease.objects.filter(status="held").order_by("place").first().item
    with django_assert_max_num_queries(12):
        assert post_json(client, flow, item, act="rate", grade=3).status_code == 200


@pytest.mark.parametrize("is_steward", [False, True])
def test_second_factor_of_a_real_installation_fits_into_the_same_numbers(
    client, settings, is_steward, django_assert_max_num_queries
):
    settings.SECOND_FACTOR_REQUIRED = True
    flow = make.flow(speakers=3, count=1)
    for user, grade in zip(flow.speakers, (3, 2, 3), strict=True):
        item = block_lease(rater=user, campaign=flow.campaign)[0].item
        rating_submit(rater=user, item_uid=item.uid, key=uuid4(), grade=grade)
    fourth = flow.speaker("fourth", *([Role.STEWARD] if is_steward else []))
    Authenticator.objects.create(user=fourth, type=Authenticator.Type.TOTP, data={"secret": "unit"})
    block_lease(rater=fourth, campaign=flow.campaign)
    client.force_login(fourth)
    with django_assert_max_num_queries(10):
        assert client.get(address(flow)).status_code == 200
    # The rating that makes a tie marks the item for a talk as well; a steward's second factor costs one query.
    with django_assert_max_num_queries(12 + is_steward):
        assert post_json(client, flow, item, act="rate", grade=2).status_code == 200
    assert SampleItem.objects.get().needs_talk


def test_queries_of_my_campaigns_do_not_grow_with_campaigns(client, django_assert_num_queries):
    flow = make.flow(speakers=1)
    client.force_login(flow.speakers[0])
    with CaptureQueriesContext(connection) as one:
        client.get(reverse("review:my_campaigns"))
    for number in range(2, 6):
        version = make.corpus_version(flow.organisation, count=3, corpus_id=f"unit-{number}")
        make.campaign(make.run(version, flow.team, slug=f"unit-{number}"))
    with django_assert_num_queries(len(one)):
        assert client.get(reverse("review:my_campaigns")).content.decode().count("English to Welsh") >= 5
