"""The pages of stewards and coordinators: who sees which, what they never say, and the whole way by form posts."""

import re

import pytest
from django.db import connection
from django.urls import reverse

from champollion.accounts.models import Role
from champollion.accounts.services import organisations as acts
from champollion.audit import triggers
from champollion.audit.models import AuditEvent
from corpora.models import Entry
from review.desk import waiting_count
from review.models import Campaign, Decision, HarmFlag, Nomination, Promotion, SampleItem, Talk, Transfer
from review.services.campaigns import campaign_close, campaign_draft
from review.services.decisions import decision_propose, decision_sign
from review.services.nominations import run_consider

from .closed_campaigns import GOLD, SIZES, all_of, closed, closed_with, flagged, in_play, nominated, opened
from .reviewed_runs import person, rate_all, run_make, stage_make

pytestmark = pytest.mark.django_db


@pytest.fixture
def stage():
    return stage_make(sizes=SIZES)


@pytest.fixture
def gold():
    return stage_make(sizes=SIZES, segment=GOLD)


def at(name, *args) -> str:
    return reverse(f"review:{name}", args=[getattr(one, "uid", one) for one in args])


def text_of(response) -> str:
    """Return what a page says, without mark-up."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


def everything(stage):
    """Make one of each thing that has a page: returns its addresses by name."""
    campaign = closed(stage, reason="")
    flag = flagged(campaign, stage, HarmFlag.Status.DISMISSED)
    asked = {"kind": "approve", "reason": "r", "transfer": "start"}
    decision = decision_propose(actor=stage.stewards[0], campaign=campaign, **asked)
    decision_sign(actor=stage.stewards[1], decision=decision, confirms=True)
    return {
        "nomination": at("nomination", campaign.nomination),
        "campaign": at("campaign", campaign),
        "report": at("report", campaign),
        "report_sentences": at("report_sentences", campaign),
        "decision": at("decision", decision),
        "harm": at("harm", flag),
        "transfer": at("transfer", Transfer.objects.get()),
    }


# Who sees what -----------------------------------------------------------------------------------


def test_stewards_open_every_page_strangers_none_and_visitors_sign_in(gold, client):
    pages = everything(gold)
    stranger = stage_make(slug="kernewek", sizes={1: 2}).stewards[0]
    for name, address in pages.items():
        client.force_login(gold.stewards[0])
        assert client.get(address).status_code == 200, name
        client.force_login(stranger)
        assert client.get(address).status_code == 404, name
        client.force_login(gold.developer)
        assert client.get(address).status_code == 404, name
        client.logout()
        assert client.get(address).status_code == 302, name


def test_coordinators_see_campaigns_and_no_estimate(gold, client):
    pages = everything(gold)
    client.force_login(gold.coordinator)
    codes = {name: client.get(address).status_code for name, address in pages.items()}
    assert codes == {
        "nomination": 403, "campaign": 200, "report": 403, "report_sentences": 403, "decision": 403, "harm": 403,
        "transfer": 403,
    }  # fmt: skip
    assert client.get(at("governance")).status_code == 200
    assert client.get(at("audit")).status_code == 403
    said = text_of(client.get(pages["report"]))
    assert "Coordinators see no estimate." in said


def test_speakers_and_developers_have_no_desk(stage, client):
    for user in (stage.speakers[0], stage.developer):
        client.force_login(user)
        assert client.get(at("governance")).status_code == 403


def test_members_without_the_right_are_told_why_and_an_unknown_id_is_404(stage, client):
    campaign = closed(stage)
    client.force_login(stage.speakers[0])
    response = client.get(at("decide", campaign))
    assert response.status_code == 403
    assert "Stewards decide." in text_of(response)
    client.force_login(stage.stewards[0])
    assert client.get(at("campaign", "00000000-0000-4000-8000-000000000000")).status_code == 404


@pytest.mark.parametrize("who", ["coordinator", "speaker", "developer", "other", "visitor"])
def test_a_direct_post_by_anybody_else_changes_nothing(stage, client, who):
    campaign = closed(stage)
    decision = decision_propose(actor=stage.stewards[0], campaign=campaign, kind="refuse", reason="r")
    other = stage_make(slug="kernewek", sizes={1: 2})
    people = {
        "coordinator": stage.coordinator, "speaker": stage.speakers[0], "developer": stage.developer,
        "other": other.stewards[0], "visitor": person("visitor@example.org"),
    }  # fmt: skip
    client.force_login(people[who])
    member = who in ("coordinator", "speaker")
    for address, data in [
        (at("decide", campaign), {"kind": "approve", "reason": "r", "step": "send"}),
        (at("decision", decision), {"confirms": "yes", "reason": ""}),
        (at("decision_take_back", decision), {"back-reason": "r"}),
        (f"{at('campaign', campaign)}withdraw/", {"reason": "r"}),
    ]:
        assert client.post(address, data).status_code == (403 if member else 404), address
    assert Campaign.objects.get(pk=campaign.pk).status == Campaign.Status.CLOSED
    assert Decision.objects.get().status == Decision.Status.PROPOSED


def test_a_developer_who_became_steward_cannot_post_a_decision(stage, client):
    campaign = closed(stage)
    acts.role_give(actor=None, organisation=stage.organisation, user=stage.developer, role=Role.STEWARD)
    client.force_login(stage.developer)
    response = client.post(at("decide", campaign), {"kind": "approve", "reason": "mine", "step": "send"})
    assert response.status_code == 403
    assert not Decision.objects.exists()
    assert "Decide</a>" not in client.get(at("report", campaign)).content.decode()


# Before the close --------------------------------------------------------------------------------


def test_no_page_tells_a_figure_before_the_close_and_the_report_says_why(stage, client):
    campaign = opened(stage)
    rate_all(in_play(campaign)[:30], stage.speakers[:3], all_of(1))
    for user in (stage.stewards[0], stage.coordinator):
        client.force_login(user)
        said = text_of(client.get(at("campaign", campaign)))
        assert "Results stay hidden until the campaign closes" in said
        assert "30 of 40 outputs have all their ratings" in said
        assert "usable" not in said
        assert "reject" not in said.lower()
    client.force_login(stage.stewards[0])
    response = client.get(at("report", campaign))
    assert response.status_code == 409
    assert "Results stay hidden until the campaign closes" in text_of(response)
    assert client.get(at("report_sentences", campaign)).status_code == 409
    assert client.get(at("decide", campaign)).status_code == 409


def test_harm_flags_are_shown_to_stewards_alone(stage, client):
    campaign = opened(stage)
    flag = flagged(campaign, stage)
    client.force_login(stage.coordinator)
    assert "Harm flag" not in text_of(client.get(at("campaign", campaign)))
    assert "Harm flag" not in text_of(client.get(at("governance")))
    client.force_login(stage.stewards[0])
    assert at("harm", flag) in client.get(at("campaign", campaign)).content.decode()
    assert at("harm", flag) in client.get(at("governance")).content.decode()


# The whole way -----------------------------------------------------------------------------------


def test_from_candidate_to_promotion_by_form_posts(stage, client):
    candidate = run_consider(run_make(stage, composite=0.8))
    client.force_login(stage.stewards[0])
    assert at("nomination", candidate) in client.get(at("governance")).content.decode()
    assert client.post(at("nominate", candidate)).status_code == 302
    candidate.refresh_from_db()
    assert candidate.status == Nomination.Status.NOMINATED
    if not Campaign.objects.exists():
        client.post(at("nomination_draft", candidate))
    campaign = Campaign.objects.get()
    page = client.get(f"{at('campaign', campaign)}open/")
    assert "The plan is frozen" in text_of(page)
    client.post(f"{at('campaign', campaign)}open/")
    client.post(f"{at('campaign', campaign)}suspend/", {"reason": "A holiday."})
    client.post(f"{at('campaign', campaign)}resume/")
    rate_all(in_play(campaign), stage.speakers[:3], all_of(4))
    client.force_login(stage.coordinator)
    assert client.post(f"{at('campaign', campaign)}close/", {"reason": ""}).status_code == 302
    client.force_login(stage.stewards[0])
    asked = {"kind": "approve", "reason": "It reads like ours."}
    confirm = client.post(at("decide", campaign), asked)
    assert "What will happen" in text_of(confirm)
    assert not Decision.objects.exists()
    assert client.post(at("decide", campaign), {**asked, "step": "send"}).status_code == 302
    decision = Decision.objects.get()
    assert client.post(at("decision", decision), {"confirms": "yes"}).status_code == 403
    client.force_login(stage.stewards[1])
    assert client.post(at("decision", decision), {"confirms": "yes"}).status_code == 302
    assert Promotion.objects.get().decision == decision
    assert "Carried out" in text_of(client.get(at("decision", decision)))


def test_the_form_of_gold_standard_asks_for_tier_and_transfer(gold, client):
    campaign = closed(gold)
    client.force_login(gold.stewards[0])
    said = text_of(client.get(at("decide", campaign)))
    assert "Deployable on this corpus version" in said
    assert "The ownership transfer, if you approve" in said
    response = client.post(at("decide", campaign), {"kind": "approve", "reason": "r"})
    assert response.status_code == 422
    assert "Say whether the ownership transfer starts or is waived." in text_of(response)
    client.post(at("decide", campaign), {"kind": "approve", "reason": "r", "transfer": "start", "step": "send"})
    decision = Decision.objects.get()
    client.force_login(gold.stewards[1])
    client.post(at("decision", decision), {"confirms": "yes"})
    said = text_of(client.get(at("transfer", Transfer.objects.get())))
    assert "The developer keeps" in said
    assert "The organisation gets" in said
    assert "developer told" in said


def test_an_override_opens_its_own_block_and_a_missing_reason_is_named(stage, client):
    campaign = closed_with(stage, 16)
    client.force_login(stage.stewards[0])
    assert "is an override" in text_of(client.get(at("decide", campaign)))
    response = client.post(at("decide", campaign), {"kind": "approve", "reason": "r"})
    assert response.status_code == 422
    assert "Say which rule you set aside" in text_of(response)
    confirm = client.post(at("decide", campaign), {"kind": "approve", "reason": "r", "override_reason": "Rule one."})
    assert "marked as an override" in text_of(confirm)


def test_choices_that_the_findings_do_not_allow_are_not_offered(stage, client):
    campaign = closed(stage)
    flagged(campaign, stage, HarmFlag.Status.CONFIRMED)
    client.force_login(stage.stewards[0])
    said = text_of(client.get(at("decide", campaign)))
    assert "This method version cannot be approved" in said
    assert client.post(at("decide", campaign), {"kind": "approve", "reason": "r", "step": "send"}).status_code == 422
    assert not Decision.objects.exists()


def test_a_draft_is_changed_by_form_and_frozen_when_open(stage, client):
    campaign = campaign_draft(nomination=nominated(stage))
    client.force_login(stage.stewards[0])
    page = client.get(at("campaign_settings", campaign))
    policy = re.search(r'name="policy" value="([^"]+)"', page.content.decode()).group(1)
    values = {"overlap": "2", "policy": policy, "size": ""}
    assert client.post(at("campaign_settings", campaign), values).status_code == 302
    campaign.refresh_from_db()
    assert campaign.overlap == 2
    client.post(f"{at('campaign', campaign)}open/")
    assert client.post(at("campaign_settings", campaign), values).status_code == 422


def test_stewards_judge_a_harm_flag_by_form(stage, client):
    campaign = closed(stage)
    flag = flagged(campaign, stage)
    for steward in stage.stewards:
        client.force_login(steward)
        assert client.post(at("harm", flag), {"confirms": "no", "reason": "A name."}).status_code == 302
    flag.refresh_from_db()
    assert flag.status == HarmFlag.Status.DISMISSED


def test_a_coordinator_records_a_talk_without_reading_secret_text(gold, client):
    campaign = opened(gold)
    item = in_play(campaign)[0]
    SampleItem.objects.filter(pk=item.pk).update(needs_talk=True)
    client.force_login(gold.coordinator)
    page = client.get(at("talk", campaign, item))
    assert page.status_code == 200
    assert "output " not in text_of(page).replace(f"output {str(item.uid)[:8]}", "").lower().replace("the output", "")
    assert not AuditEvent.objects.filter(act="secret.read").exists()
    first, second = gold.speakers[:2]
    values = {"first_speaker": first.uid, "second_speaker": second.uid, "grade": "3", "reason": "Both find it clear."}
    response = client.post(at("talk", campaign, item), values)
    assert response.status_code == 302, text_of(response)
    assert Talk.objects.get().grade == 3


def test_secret_text_is_on_the_pages_of_those_who_may_read_it_alone(gold, client):
    campaign = closed(gold)
    secret = [f"output {n}" for n in range(40)] + [f"source {n}" for n in range(40)]
    curator = person("curator@cymraeg.example")
    acts.role_give(actor=None, organisation=gold.organisation, user=curator, role=Role.CURATOR)
    for user, sees in [(gold.stewards[0], True), (curator, True)]:
        client.force_login(user)
        content = client.get(at("report", campaign)).content.decode()
        assert any(f">{text}<" in content for text in secret) == sees
    for address in (at("campaign", campaign), at("decide", campaign), at("audit"), at("governance")):
        client.force_login(gold.stewards[0])
        content = client.get(address).content.decode()
        assert not any(f">{text}<" in content for text in secret), address


def test_hostile_text_is_shown_and_does_nothing(stage, client):
    campaign = closed(stage)
    output = in_play(campaign)[0].output
    for one in campaign.run.outputs.all():
        one.text = "<script>alert(1)</script> a\u202eb"
        one.save()
    client.force_login(stage.stewards[0])
    content = client.get(at("report", campaign)).content.decode()
    assert "<script>alert" not in content
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in content
    assert "\u202e" not in content
    assert output.run_id == campaign.run_id


# Desk, audit log, cost ---------------------------------------------------------------------------


def test_the_desk_shows_five_rows_and_then_all(client):
    stage = stage_make(sizes={1: 2})
    for _number in range(7):
        run_consider(run_make(stage, composite=0.8))
    client.force_login(stage.stewards[0])
    said = client.get(at("governance"))
    assert "All 7" in text_of(said)
    assert said.content.decode().count("/governance/nominations/") == 5
    whole = client.get(at("governance"), {"all": "candidates"})
    assert whole.content.decode().count("/governance/nominations/") == 7


def test_an_empty_desk_says_so(client):
    client.force_login(stage_make(sizes={1: 2}).stewards[0])
    said = text_of(client.get(at("governance")))
    assert "No decision waits." in said
    assert "No campaign is open." in said


def test_only_sections_with_something_have_a_heading_and_one_button_is_filled(client):
    stage = stage_make(sizes={1: 2})
    for _number in range(2):
        run_consider(run_make(stage, composite=0.8))
    client.force_login(stage.stewards[0])
    html = client.get(at("governance")).content.decode()
    assert [re.sub(r"<.*?>", "", one) for one in re.findall(r"<h2[^>]*>(.*?)</h2>", html)] == [
        "Candidates (2)",
        "Audit log",
        "Metrics and people",
    ]
    assert html.count("ch-button-main") == 1


def test_the_desk_costs_the_same_for_five_rows_and_for_more(client, django_assert_max_num_queries):
    counts = []
    for number in (5, 7):
        stage = stage_make(slug=f"place-{number}", sizes={1: 30})
        for _row in range(number):
            closed(stage)
        client.force_login(stage.stewards[0])
        with django_assert_max_num_queries(60) as captured:
            client.get(at("governance"))
        counts.append(len(captured))
    assert counts[0] == counts[1]


def test_the_campaign_page_costs_the_same_for_few_items_and_many(client, django_assert_max_num_queries):
    counts = []
    for slug, sizes in (("few", {1: 2}), ("many", {1: 100, 2: 100})):
        stage = stage_make(slug=slug, sizes=sizes)
        campaign = opened(stage)
        rate_all(in_play(campaign), stage.speakers[:3], all_of(3))
        client.force_login(stage.stewards[0])
        with django_assert_max_num_queries(60) as captured:
            client.get(at("campaign", campaign))
        counts.append(len(captured))
    assert counts[0] == counts[1]


def test_the_audit_log_filters_pages_and_names_a_broken_record(stage, client, settings):
    campaign = closed(stage)
    client.force_login(stage.stewards[0])
    said = text_of(client.get(at("audit"), {"act": "campaign.opened"}))
    assert "campaign opened, plan frozen" in said
    assert "1 record" in said
    assert f"campaign {str(campaign.uid)[:8]}" in said
    assert "review.Campaign" not in said
    assert "No record matches." in text_of(client.get(at("audit"), {"who": "nobody at all"}))
    assert str(campaign.uid)[:8] in text_of(client.get(at("audit"), {"thing": str(campaign.uid)[:8]}))
    assert client.get(at("audit"), {"since": "0001-01-01", "until": "9999-12-31"}).status_code == 200
    client.post(at("audit_verify"), {"chain": stage.organisation.slug})
    assert "verified" in text_of(client.get(at("audit")))
    assert AuditEvent.objects.filter(act="audit.verified").count() == 1


def test_another_organisations_chain_is_not_there(stage, client):
    other = stage_make(slug="kernewek", sizes={1: 2})
    client.force_login(other.stewards[0])
    assert client.get(at("audit"), {"chain": stage.organisation.slug}).status_code == 404
    assert client.post(at("audit_verify"), {"chain": stage.organisation.slug}).status_code == 404
    assert client.get(at("audit"), {"chain": "installation"}).status_code == 404


def test_the_chosen_entries_of_a_closed_campaign_stay_where_they_are(stage, client):
    campaign = closed(stage)
    before = list(Entry.objects.values_list("pk", "source"))
    client.force_login(stage.stewards[0])
    client.get(at("report", campaign))
    assert list(Entry.objects.values_list("pk", "source")) == before


def test_a_refused_close_is_shown_beside_the_form(stage, client):
    campaign = opened(stage)
    client.force_login(stage.stewards[0])
    response = client.post(f"{at('campaign', campaign)}close/", {"reason": ""})
    assert response.status_code == 422
    assert "Write your reason" in text_of(response)
    client.force_login(stage.coordinator)
    assert "Only a steward closes" in text_of(client.post(f"{at('campaign', campaign)}close/", {"reason": "x"}))
    campaign_close(actor=stage.stewards[0], campaign=campaign, reason="Enough.")


def test_a_record_changed_behind_the_logs_back_is_named_in_a_danger_band(stage, client):
    campaign = closed(stage)
    record = AuditEvent.objects.get(act="campaign.opened")
    with connection.schema_editor() as editor:
        triggers.drop(None, editor)
        AuditEvent.objects.filter(pk=record.pk).update(reason="another reason")
        triggers.create(None, editor)
    client.force_login(stage.stewards[0])
    client.post(at("audit_verify"), {"chain": stage.organisation.slug})
    content = client.get(at("audit")).content.decode()
    assert "ch-band-danger" in content
    assert f"record {record.sequence}: the record was changed" in content
    assert campaign.uid


def test_a_steward_is_told_what_waits_and_nobody_else_is(stage, client):
    campaign = closed(stage)
    flag = flagged(campaign, stage)
    assert [waiting_count(user) for user in (stage.stewards[0], stage.coordinator, stage.speakers[0])] == [2, 0, 0]
    client.force_login(stage.stewards[0])
    home = client.get("/").content.decode()
    assert at("harm", flag) in home
    assert at("report", campaign) in home
    client.force_login(stage.coordinator)
    assert at("harm", flag) not in client.get("/").content.decode()


def test_one_steward_withdraws_a_running_campaign_and_never_a_closed_one(stage, client):
    campaign = closed(stage)
    client.force_login(stage.stewards[0])
    page = f"{at('campaign', campaign)}withdraw/"
    assert page not in client.get(at("campaign", campaign)).content.decode()
    response = client.post(page, {"reason": "I do not like it."})
    assert response.status_code == 422
    assert "send it back" in text_of(response)
    assert Campaign.objects.get().status == Campaign.Status.CLOSED
    running = opened(stage)
    assert client.post(f"{at('campaign', running)}withdraw/", {"reason": "Wrong outputs."}).status_code == 302
    assert Campaign.objects.get(pk=running.pk).status == Campaign.Status.WITHDRAWN
