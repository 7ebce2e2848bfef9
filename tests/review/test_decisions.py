"""Decisions: who may take which, on what ground, and what each carries out (SPEC V-10, LAW-7, LAW-10)."""

import pytest
from django.core import mail

from champollion.accounts.models import Role
from champollion.accounts.services import organisations as acts
from champollion.audit.models import AuditEvent
from champollion.audit.services import chains_verify
from champollion.common.errors import AccessDenied, ConflictError, DomainError, NotVisible, StateError
from leaderboard.models import Standing
from review.models import Campaign, Decision, HarmFlag, Nomination, Promotion, Signature, Transfer
from review.services.campaigns import campaign_close
from review.services.decisions import decision_propose, decision_sign, decision_take_back
from review.services.harm import harm_judge

from .closed_campaigns import GOLD, SIZES, all_of, closed, closed_with, flagged, in_play, opened, steward_add
from .reviewed_runs import NOW, person, rate, rate_all, stage_make

pytestmark = pytest.mark.django_db


@pytest.fixture
def stage():
    return stage_make(sizes=SIZES)


@pytest.fixture
def gold():
    return stage_make(sizes=SIZES, segment=GOLD)


def propose(stage, campaign, kind="approve", *, by=0, **more) -> Decision:
    values = {"reason": "Read the report.", **more}
    return decision_propose(actor=stage.stewards[by], campaign=campaign, kind=kind, now=NOW, **values)


def sign(stage, decision, *, by=1, confirms=True, reason="") -> Decision:
    return decision_sign(actor=stage.stewards[by], decision=decision, confirms=confirms, reason=reason, now=NOW)


def refused(code, call, error=DomainError):
    with pytest.raises(error) as caught:
        call()
    assert caught.value.code == code


def state_of(campaign) -> str:
    return Campaign.objects.get(pk=campaign.pk).status


# Approving ---------------------------------------------------------------------------------------


def test_an_approval_takes_effect_only_when_a_second_steward_confirms_it(stage):
    campaign = closed(stage)
    decision = propose(stage, campaign)
    assert decision.status == Decision.Status.PROPOSED
    assert state_of(campaign) == Campaign.Status.CLOSED
    assert not Promotion.objects.exists()
    assert Standing.objects.get().approved_tier == ""
    signed = sign(stage, decision)
    assert signed.status == Decision.Status.CARRIED_OUT
    assert state_of(campaign) == Campaign.Status.DECIDED
    assert Nomination.objects.get().status == Nomination.Status.CLOSED
    assert Promotion.objects.get().tier == "deployable"
    assert Standing.objects.get().approved_tier == "deployable"


def test_the_proposer_cannot_confirm_their_own_proposal(stage):
    decision = propose(stage, closed(stage))
    refused("decision.same_steward", lambda: sign(stage, decision, by=0), AccessDenied)
    assert Signature.objects.filter(decision=decision).count() == 1
    assert Decision.objects.get().status == Decision.Status.PROPOSED


def test_a_raised_quorum_asks_for_as_many_stewards(stage):
    stage.organisation.quorum = 3
    stage.organisation.save()
    steward_add(stage, "third")
    decision = propose(stage, closed(stage))
    assert sign(stage, decision, by=1).status == Decision.Status.PROPOSED
    refused("decision.same_steward", lambda: sign(stage, decision, by=1), AccessDenied)
    assert sign(stage, decision, by=2).status == Decision.Status.CARRIED_OUT


def test_what_is_not_confirmed_changes_nothing_and_needs_a_reason(stage):
    campaign = closed(stage)
    decision = propose(stage, campaign)
    refused("decision.reason_missing", lambda: sign(stage, decision, confirms=False))
    declined = sign(stage, decision, confirms=False, reason="I read it otherwise.")
    assert declined.status == Decision.Status.DECLINED
    assert state_of(campaign) == Campaign.Status.CLOSED
    refused("decision.not_waiting", lambda: sign(stage, decision), StateError)
    assert propose(stage, campaign, "refuse", by=1).status == Decision.Status.PROPOSED


def test_one_proposal_waits_at_a_time_and_the_proposer_alone_takes_it_back(stage):
    campaign = closed(stage)
    decision = propose(stage, campaign)
    refused("decision.one_waits", lambda: propose(stage, campaign, "refuse", by=1), ConflictError)
    refused(
        "decision.not_yours",
        lambda: decision_take_back(actor=stage.stewards[1], decision=decision, reason="mine"),
        AccessDenied,
    )
    taken = decision_take_back(actor=stage.stewards[0], decision=decision, reason="A mistake of mine.")
    assert taken.status == Decision.Status.DECLINED
    assert propose(stage, campaign, "refuse").kind == "refuse"


def test_an_approval_on_a_public_segment_leaves_verification_and_starts_no_transfer(stage):
    campaign = closed(stage)
    refused("decision.transfer_not_asked", lambda: propose(stage, campaign, transfer="start"))
    sign(stage, propose(stage, campaign))
    standing = Standing.objects.get()
    assert standing.public_tier == "deployable"
    assert standing.verification_level == "self_benchmarked"
    assert not Transfer.objects.exists()


def test_an_approval_on_gold_standard_raises_verification_and_opens_the_transfer(gold):
    campaign = closed(gold)
    refused("decision.transfer_missing", lambda: propose(gold, campaign))
    sign(gold, propose(gold, campaign, transfer="start"))
    standing = Standing.objects.get()
    assert standing.verification_level == "community_validated"
    assert standing.verified_by == gold.organisation.name
    assert standing.evidence == campaign.evidence_sha256
    assert Transfer.objects.get().status == Transfer.Status.INITIATED


def test_a_waived_transfer_needs_a_reason_and_keeps_it(gold):
    campaign = closed(gold)
    refused("decision.waive_reason_missing", lambda: propose(gold, campaign, transfer="waive", waive_reason="  "))
    sign(gold, propose(gold, campaign, transfer="waive", waive_reason="It is open source already."))
    transfer = Transfer.objects.get()
    assert transfer.status == Transfer.Status.WAIVED
    assert transfer.steps.get().statement == "It is open source already."


def test_the_board_shows_what_people_said(stage):
    campaign = closed(stage)
    sign(stage, propose(stage, campaign))
    standing = Standing.objects.get()
    assert standing.human_share == 1.0
    assert standing.human_high == 1.0
    assert standing.human_rating_count == 3 * 40
    assert standing.human_verdict == "meets"
    assert not standing.is_override
    assert not standing.has_one_signature
    assert not standing.has_generated_ratings


def test_the_board_says_that_ratings_were_generated(stage, client):
    campaign = closed(stage)
    Campaign.objects.filter(pk=campaign.pk).update(has_generated_ratings=True)
    sign(stage, propose(stage, campaign))
    standing = Standing.objects.get()
    assert standing.has_generated_ratings
    pair = standing.corpus_version.corpus.pair
    assert "generated ratings" in client.get(f"/leaderboard/{pair}/", {"segment": standing.segment}).content.decode()
    assert client.get(f"/leaderboard/rows/{standing.uid}.json").json()["people"]["is_generated"] is True


def test_the_acts_of_an_approval_stand_in_a_whole_chain(gold):
    sign(gold, propose(gold, closed(gold), transfer="start"))
    acts_written = list(
        AuditEvent.objects.filter(chain=f"organisation:{gold.organisation.slug}").values_list("act", flat=True)
    )
    for act in (
        "decision.proposed", "decision.signed", "decision.carried_out", "promotion.made", "verification.changed",
        "transfer.initiated",
    ):  # fmt: skip
        assert acts_written.count(act) == 1, act
    assert chains_verify()[2] == []


# Who decides -------------------------------------------------------------------------------------


def test_only_stewards_of_the_organisation_decide(stage):
    campaign = closed(stage)
    other = stage_make(slug="kernewek", sizes={1: 40})
    for actor, error in [
        (stage.coordinator, AccessDenied),
        (stage.speakers[0], AccessDenied),
        (stage.developer, NotVisible),
        (other.stewards[0], NotVisible),
        (person("visitor@example.org"), NotVisible),
    ]:
        with pytest.raises(error):
            decision_propose(actor=actor, campaign=campaign, kind="refuse", reason="no")
    decision = propose(stage, campaign)
    with pytest.raises(NotVisible):
        decision_sign(actor=other.stewards[0], decision=decision, confirms=True)
    assert Decision.objects.get().status == Decision.Status.PROPOSED


def test_nobody_decides_on_their_own_method(stage):
    campaign = closed(stage)
    acts.role_give(actor=None, organisation=stage.organisation, user=stage.developer, role=Role.STEWARD)
    refused(
        "decision.own_method",
        lambda: decision_propose(actor=stage.developer, campaign=campaign, kind="approve", reason="mine"),
        AccessDenied,
    )
    decision = propose(stage, campaign)
    refused(
        "decision.own_method",
        lambda: decision_sign(actor=stage.developer, decision=decision, confirms=True),
        AccessDenied,
    )


def test_whoever_submitted_a_run_of_the_method_does_not_decide(stage):
    campaign = closed(stage)
    submitter = steward_add(stage, "submitter")
    campaign.run.__class__.objects.filter(pk=campaign.run_id).update(submitted_by=submitter)
    refused(
        "decision.own_method",
        lambda: decision_propose(actor=submitter, campaign=campaign, kind="refuse", reason="no"),
        AccessDenied,
    )


def test_uploading_the_organisations_own_run_is_no_submission(gold):
    campaign = closed(gold)
    assert campaign.run.submitted_by == gold.stewards[0]
    assert propose(gold, campaign, transfer="start").proposed_by == gold.stewards[0]


def test_a_steward_who_rated_is_marked_and_one_signatory_did_not_rate(stage):
    campaign = opened(stage)
    for steward in stage.stewards:
        acts.role_give(actor=None, organisation=stage.organisation, user=steward, role=Role.SPEAKER)
    rate_all(in_play(campaign), [*stage.stewards, stage.speakers[0]], all_of(4))
    campaign = campaign_close(actor=stage.stewards[0], campaign=campaign)
    decision = propose(stage, campaign)
    assert decision.signatures.get().has_rated
    refused("decision.all_signatories_rated", lambda: sign(stage, decision), AccessDenied)
    steward_add(stage, "third")
    assert sign(stage, decision, by=2).status == Decision.Status.CARRIED_OUT
    assert sorted(decision.signatures.values_list("has_rated", flat=True)) == [False, True]


# The ground --------------------------------------------------------------------------------------


def test_a_campaign_that_is_not_closed_is_not_decided(stage):
    campaign = opened(stage)
    rate_all(in_play(campaign), stage.speakers[:3], all_of(4))
    refused("decision.campaign_not_closed", lambda: propose(stage, campaign), StateError)


def incomplete(stage):
    campaign = opened(stage)
    rate_all(in_play(campaign)[:20], stage.speakers[:3], lambda item, number: 4 if item.pk % 4 else 2)
    return campaign_close(actor=stage.stewards[0], campaign=campaign, reason="Nobody is left to rate.")


def test_an_incomplete_campaign_may_be_refused(stage):
    campaign = incomplete(stage)
    sign(stage, propose(stage, campaign, "refuse"))
    assert state_of(campaign) == Campaign.Status.DECIDED


def test_an_incomplete_campaign_is_approved_by_an_override_alone(stage):
    campaign = incomplete(stage)
    refused("decision.override_reason_missing", lambda: propose(stage, campaign, "approve"), DomainError)
    decision = propose(stage, campaign, "approve", override_reason="The council needs an answer now.")
    assert decision.is_override


def test_a_campaign_that_early_stopping_settled_may_be_refused(stage):
    campaign = opened(stage)
    rate_all(in_play(campaign)[:30], stage.speakers[:3], all_of(1))
    campaign = campaign_close(actor=stage.stewards[0], campaign=campaign)
    sign(stage, propose(stage, campaign, "refuse"))
    assert state_of(campaign) == Campaign.Status.DECIDED


@pytest.mark.parametrize("kind", ["approve", "refuse", "more", "send_back"])
def test_every_decision_needs_a_written_reason(stage, kind):
    campaign = closed(stage)
    refused("decision.reason_missing", lambda: propose(stage, campaign, kind, reason=" \n"))


def test_an_unknown_kind_is_refused(stage):
    campaign = closed(stage)
    refused("decision.kind_unknown", lambda: propose(stage, campaign, "promote"))


# Overrides ---------------------------------------------------------------------------------------


def test_an_approval_against_the_policy_is_an_override_with_its_own_reason(stage):
    campaign = closed_with(stage, 16)
    refused("decision.override_reason_missing", lambda: propose(stage, campaign))
    decision = propose(stage, campaign, override_reason="Rule one; the language has nothing better.")
    assert decision.is_override
    assert decision.outcome == "does_not_meet"
    sign(stage, decision)
    assert Standing.objects.get().is_override
    promoted = AuditEvent.objects.get(act="promotion.made")
    assert promoted.details["is_override"] is True


def test_an_approval_that_meets_the_policy_is_no_override_whatever_is_written(stage):
    decision = propose(stage, closed(stage), override_reason="none needed")
    assert not decision.is_override
    assert decision.override_reason == ""


def test_after_an_override_a_transfer_starts_only_with_the_developers_written_agreement(gold):
    campaign = closed_with(gold, 16)
    why = {"override_reason": "Nothing better exists."}
    refused("decision.developer_agreement_missing", lambda: propose(gold, campaign, transfer="start", **why))
    agreed = "The developer agreed by letter of 12 November."
    sign(gold, propose(gold, campaign, transfer="start", developer_agreement=agreed, **why))
    assert Transfer.objects.get().steps.get().statement == agreed


def test_an_override_may_waive_the_transfer_without_an_agreement(gold):
    campaign = closed_with(gold, 16)
    decision = propose(gold, campaign, override_reason="So be it.", transfer="waive", waive_reason="No letter.")
    sign(gold, decision)
    assert Transfer.objects.get().status == Transfer.Status.WAIVED


# Harm --------------------------------------------------------------------------------------------


def test_an_open_harm_flag_means_that_the_policy_is_not_met(stage):
    campaign = closed(stage)
    flagged(campaign, stage)
    refused("decision.override_reason_missing", lambda: propose(stage, campaign))
    assert propose(stage, campaign, override_reason="Nobody can judge it now.").outcome == "held"


def test_a_dismissed_harm_flag_does_not_stand_in_the_way(stage):
    campaign = closed(stage)
    flag = flagged(campaign, stage)
    before = campaign.evidence_sha256
    for steward in stage.stewards:
        harm_judge(actor=steward, flag=flag, confirms=False, reason="A place name.")
    decision = propose(stage, campaign)
    assert decision.outcome == "meets"
    assert decision.evidence_sha256 == Campaign.objects.get().evidence_sha256
    assert sign(stage, decision).status == Decision.Status.CARRIED_OUT
    assert before


def test_a_confirmed_harm_flag_cannot_be_overridden(stage):
    campaign = closed(stage)
    flag = flagged(campaign, stage)
    for steward in stage.stewards:
        harm_judge(actor=steward, flag=flag, confirms=True, reason="It insults a people.")
    refused("decision.harm_confirmed", lambda: propose(stage, campaign), StateError)
    refused("decision.harm_confirmed", lambda: propose(stage, campaign, override_reason="all the same"), StateError)
    sign(stage, propose(stage, campaign, "refuse"))
    assert not Promotion.objects.exists()


def test_a_flag_confirmed_after_the_proposal_stops_the_confirmation(stage):
    campaign = closed(stage)
    flagged(campaign, stage)
    decision = propose(stage, campaign, override_reason="Waits too long.")
    HarmFlag.objects.update(status=HarmFlag.Status.CONFIRMED)
    refused("decision.harm_confirmed", lambda: sign(stage, decision), StateError)
    assert state_of(campaign) == Campaign.Status.CLOSED


def test_what_was_proposed_on_other_findings_is_not_confirmed(stage):
    campaign = closed(stage)
    flagged(campaign, stage)
    decision = propose(stage, campaign, override_reason="Waits too long.")
    HarmFlag.objects.update(status=HarmFlag.Status.DISMISSED)
    refused("decision.ground_changed", lambda: sign(stage, decision), StateError)


# One steward -------------------------------------------------------------------------------------


def test_with_one_steward_an_approval_that_meets_stands_marked_one_signature():
    stage = stage_make(sizes=SIZES, steward_count=1)
    decision = propose(stage, closed(stage))
    assert decision.status == Decision.Status.CARRIED_OUT
    assert decision.has_one_signature
    assert Standing.objects.get().has_one_signature
    assert AuditEvent.objects.get(act="decision.carried_out").details["one_signature"] is True


def test_with_one_steward_an_override_is_impossible():
    stage = stage_make(sizes=SIZES, steward_count=1)
    campaign = closed_with(stage, 16)
    refused("decision.override_needs_two", lambda: propose(stage, campaign, override_reason="why not"), StateError)
    assert propose(stage, campaign, "refuse").status == Decision.Status.CARRIED_OUT


def test_with_one_steward_a_transfer_can_start_but_not_be_waived():
    gold = stage_make(sizes=SIZES, segment=GOLD, steward_count=1)
    campaign = closed(gold)
    refused(
        "decision.waiver_needs_two", lambda: propose(gold, campaign, transfer="waive", waive_reason="no"), StateError
    )
    propose(gold, campaign, transfer="start")
    assert Transfer.objects.get().status == Transfer.Status.INITIATED


def test_the_only_steward_who_rated_cannot_decide_alone():
    stage = stage_make(sizes=SIZES, steward_count=1)
    acts.role_give(actor=None, organisation=stage.organisation, user=stage.stewards[0], role=Role.SPEAKER)
    campaign = closed(stage, raters=[stage.stewards[0], *stage.speakers])
    refused("decision.all_signatories_rated", lambda: propose(stage, campaign), AccessDenied)


# Refusing, more, sending back --------------------------------------------------------------------


def test_a_refusal_ends_campaign_and_nomination_and_promotes_nothing(stage):
    campaign = closed_with(stage, 16)
    sign(stage, propose(stage, campaign, "refuse"))
    standing = Standing.objects.get()
    assert state_of(campaign) == Campaign.Status.DECIDED
    assert Nomination.objects.get().status == Nomination.Status.CLOSED
    assert (standing.public_tier, standing.approved_tier, standing.claim) == ("functional", "", "")
    assert standing.human_share == pytest.approx(0.4)
    assert not Promotion.objects.exists()


def test_more_ratings_open_the_plans_extension_once_and_hide_the_results():
    stage = stage_make()
    campaign = opened(stage)
    items = in_play(campaign)
    rate_all(items, stage.speakers[:3], lambda item, number: 4 if item.place % 4 else 2)
    campaign = campaign_close(actor=stage.stewards[0], campaign=campaign)
    sign(stage, propose(stage, campaign, "more"))
    campaign.refresh_from_db()
    assert (campaign.status, campaign.is_extended) == (Campaign.Status.OPEN, True)
    assert Nomination.objects.get().status == Nomination.Status.NOMINATED
    refused("decision.campaign_not_closed", lambda: propose(stage, campaign, "more"), StateError)
    added = [item for item in in_play(campaign) if item.pk not in {one.pk for one in items}]
    assert len(added) == 40
    rate_all(added, stage.speakers[:3], lambda item, number: 4 if item.place % 4 else 2)
    campaign = campaign_close(actor=stage.stewards[0], campaign=campaign)
    refused("decision.no_extension", lambda: propose(stage, campaign, "more"), StateError)
    sign(stage, propose(stage, campaign, "refuse"))
    assert state_of(campaign) == Campaign.Status.DECIDED


def test_more_ratings_are_not_offered_where_the_policy_is_met(stage):
    campaign = closed(stage)
    refused("decision.no_extension", lambda: propose(stage, campaign, "more"), StateError)


def test_sending_back_withdraws_the_campaign_and_tells_the_developer_why(stage, django_capture_on_commit_callbacks):
    campaign = closed(stage)
    decision = propose(stage, campaign, "send_back", reason="The outputs lack capitals.")
    mail.outbox.clear()
    with django_capture_on_commit_callbacks(execute=True):
        sign(stage, decision)
    assert state_of(campaign) == Campaign.Status.WITHDRAWN
    assert Nomination.objects.get().status == Nomination.Status.CLOSED
    told = [message for message in mail.outbox if message.to == [stage.developer.email]]
    assert len(told) == 1
    assert "The outputs lack capitals." in told[0].body


# Notices and secret text -------------------------------------------------------------------------


def test_a_proposal_is_announced_to_the_other_stewards_after_the_commit(stage, django_capture_on_commit_callbacks):
    campaign = closed(stage)
    mail.outbox.clear()
    with django_capture_on_commit_callbacks(execute=True):
        propose(stage, campaign)
        assert mail.outbox == []
    assert [message.to for message in mail.outbox] == [[stage.stewards[1].email]]


def test_a_reason_that_quotes_secret_text_is_refused(gold):
    campaign = closed(gold)
    number = next(n for n in (gold.entries.index(item.output.entry) for item in in_play(campaign)) if n >= 10)
    quotes = f"They should have written “Reference   {number}”, and did not."
    refused("reason.quotes_secret_text", lambda: propose(gold, campaign, transfer="start", reason=quotes))
    assert not AuditEvent.objects.filter(act="decision.proposed").exists()


def test_a_reason_may_quote_a_public_segment(stage):
    campaign = closed(stage)
    assert propose(stage, campaign, reason="They wrote “reference 10” well.").reason


def test_a_failing_step_leaves_nothing_half_done(gold):
    campaign = closed(gold)
    decision = propose(gold, campaign, transfer="start")
    Standing.objects.all().delete()
    with pytest.raises(Standing.DoesNotExist):
        sign(gold, decision)
    assert Decision.objects.get().status == Decision.Status.PROPOSED
    assert state_of(campaign) == Campaign.Status.CLOSED
    assert not Promotion.objects.exists()
    assert Signature.objects.count() == 1


def test_a_rating_row_of_another_campaign_does_not_mark_a_steward(stage):
    campaign = closed(stage)
    other = stage_make(slug="kernewek", sizes={1: 40})
    elsewhere = opened(other)
    rate(in_play(elsewhere)[0], stage.stewards[0], 4, rank=1)
    assert not propose(stage, campaign).signatures.get().has_rated
