"""The acts on a campaign: what each needs, who may, and what it leaves behind (SPEC V-2, V-8, LAW-4, LAW-6, LAW-10)."""

import pytest
from django.db import DatabaseError, connection, transaction

from champollion.accounts.models import Role
from champollion.accounts.services import organisations as acts
from champollion.audit.models import AuditEvent
from champollion.common.canonical import canonical_sha256
from champollion.common.errors import AccessDenied, DomainError, NotVisible, StateError
from leaderboard.models import Run, RunOutput, Standing
from review.models import AcceptancePolicy, Campaign, HarmFlag, Nomination
from review.policy import PRESETS
from review.services.campaigns import (
    campaign_close,
    campaign_configure,
    campaign_discard,
    campaign_draft,
    campaign_extend,
    campaign_open,
    campaign_resume,
    campaign_suspend,
    campaign_withdraw,
    evidence_freeze,
    look_take,
    looks_take,
)
from review.services.nominations import nomination_make, run_consider
from review.services.policies import policies_for, policy_preset, policy_presets

from .reviewed_runs import NOW, method_make, rate, rate_all, run_make, stage_make

pytestmark = pytest.mark.django_db
EXCELLENT, ACCEPTABLE, GIST, REJECT = 4, 3, 2, 1


@pytest.fixture
def stage():
    return stage_make(sizes={2: 20, 3: 20})


@pytest.fixture
def large():
    """150 entries: a sample of 100 with a look of 60 and an extension of 40."""
    return stage_make()


def nominate(stage, **run) -> Nomination:
    nomination = run_consider(run_make(stage, **{"composite": 0.80, **run}))
    if nomination.status == "candidate":
        nomination = nomination_make(actor=stage.stewards[0], nomination=nomination)
    return nomination


def draft(stage, **run) -> Campaign:
    return campaign_draft(nomination=nominate(stage, **run))


def opened(stage, **run) -> Campaign:
    return campaign_open(actor=stage.stewards[0], campaign=draft(stage, **run), now=NOW)


def rated(stage, campaign: Campaign, grade=EXCELLENT, **items) -> None:
    """Let three speakers say the same of every item of the sample."""
    chosen = campaign.items.filter(**{"kind": "sample", **items})
    rate_all(list(chosen), stage.speakers[:3], lambda _item, _rater: grade)


def closed(stage, grade=EXCELLENT) -> Campaign:
    campaign = opened(stage)
    rated(stage, campaign, grade)
    return campaign_close(actor=stage.stewards[0], campaign=campaign, now=NOW)


def claim_of(campaign: Campaign) -> str:
    return Standing.objects.get(run=campaign.run).claim


# Drafts


def test_draft_has_its_plan_seed_policy_and_items(stage):
    campaign = draft(stage)

    assert (campaign.status, campaign.overlap, campaign.policy_name, campaign.policy_version) == (
        "draft", 3, "community-1", 1,
    )  # fmt: skip
    assert (campaign.plan_sha256, campaign.opened_at) == ("", None)
    assert campaign.plan["policy"] == PRESETS["community-1"].to_dict() == campaign.policy
    assert (campaign.plan["composite"], campaign.plan["bound"], campaign.plan["overlap"]) == (0.80, 0.70, 3)
    assert campaign.items.count() == 40
    assert AuditEvent.objects.get(act="campaign.drafted").details["seed"] == campaign.seed


def test_second_draft_is_the_first(stage):
    nomination = nominate(stage)
    first = campaign_draft(nomination=nomination)

    assert campaign_draft(nomination=nomination) == first
    assert AuditEvent.objects.filter(act="campaign.drafted").count() == 1


def test_candidate_gets_no_campaign(stage):
    with pytest.raises(StateError) as refused:
        campaign_draft(nomination=run_consider(run_make(stage)))
    assert refused.value.code == "campaign.not_nominated"


def test_withdrawn_run_gets_no_campaign(stage):
    nomination = nominate(stage)
    Run.objects.filter(pk=nomination.run.pk).update(status="withdrawn")

    with pytest.raises(StateError):
        campaign_draft(nomination=nomination)


def test_discarded_draft_drawn_again_has_the_same_seed_and_sample(large):
    first = draft(large)
    campaign_discard(actor=large.stewards[0], campaign=first, reason="the size was wrong", now=NOW)

    again = campaign_draft(nomination=first.nomination, actor=large.stewards[0])

    assert again != first
    assert again.seed == first.seed
    assert again.plan == first.plan

    def places(campaign):
        return set(campaign.items.values_list("output", "kind", "stratum", "place", "is_in_look"))

    assert places(again) == places(first)
    first.refresh_from_db()
    assert (first.status, first.over_at, first.nomination.status) == ("withdrawn", NOW, "nominated")
    assert AuditEvent.objects.get(act="campaign.discarded").reason == "the size was wrong"


def test_open_campaign_is_not_discarded(stage):
    with pytest.raises(StateError):
        campaign_discard(actor=stage.stewards[0], campaign=opened(stage))


def test_organisation_may_open_its_drafts_by_itself(stage):
    stage.organisation.opens_campaigns_automatically = True
    stage.organisation.save(update_fields=["opens_campaigns_automatically"])

    campaign = draft(stage)

    assert (campaign.status, campaign.opened_by) == ("open", None)
    assert campaign.plan_sha256 == canonical_sha256(campaign.plan)


# Changing a draft


def test_size_is_raised_by_the_same_seed_and_keeps_what_was_drawn(large):
    campaign = draft(large)
    before = set(campaign.items.filter(kind="sample").values_list("output", flat=True))

    changed = campaign_configure(actor=large.stewards[0], campaign=campaign, size=120)

    assert (changed.chosen_size, changed.plan["size"], changed.seed) == (120, 120, campaign.seed)
    assert before < set(changed.items.filter(kind="sample").values_list("output", flat=True))
    assert changed.items.filter(kind="extension").count() == 30
    assert AuditEvent.objects.filter(act="campaign.configured").count() == 1


@pytest.mark.parametrize("size", [0, 99, 151])
def test_size_is_never_lowered_nor_over_what_there_is(large, size):
    campaign = draft(large)

    with pytest.raises(DomainError) as refused:
        campaign_configure(actor=large.stewards[0], campaign=campaign, size=size)
    assert refused.value.code == "campaign.size_range"
    assert Campaign.objects.get(pk=campaign.pk).plan["size"] == 100


def test_overlap_policy_and_reference_are_chosen_before_opening(large):
    campaign = draft(large)

    changed = campaign_configure(
        actor=large.stewards[0], campaign=campaign, overlap=2, policy=policy_preset("two-speakers-70"),
        shows_reference=True,
    )  # fmt: skip

    stored = Campaign.objects.get(pk=changed.pk)
    assert (stored.overlap, stored.policy_name, stored.shows_reference) == (2, "two-speakers-70", True)
    assert (stored.plan["overlap"], stored.plan["look_size"], stored.plan["extension_size"]) == (2, 0, 0)
    assert stored.plan["policy"]["rule"] == "points"
    assert not stored.items.filter(kind="extension").exists()


@pytest.mark.parametrize("overlap", [0, 4])
def test_overlap_is_one_to_three(stage, overlap):
    with pytest.raises(DomainError):
        campaign_configure(actor=stage.stewards[0], campaign=draft(stage), overlap=overlap)


def test_policy_of_another_organisation_cannot_be_chosen(stage):
    other = stage_make(slug="other", sizes={2: 1})
    numbers = PRESETS["community-1"].to_dict() | {"name": "theirs"}
    theirs = AcceptancePolicy.objects.create(organisation=other.organisation, name="theirs", numbers=numbers)
    own = AcceptancePolicy.objects.create(organisation=stage.organisation, name="ours", numbers=numbers)
    campaign = draft(stage)

    with pytest.raises(DomainError):
        campaign_configure(actor=stage.stewards[0], campaign=campaign, policy=theirs)
    assert campaign_configure(actor=stage.stewards[0], campaign=campaign, policy=own).policy_name == "ours"
    assert [policy.name for policy in policies_for(stage.organisation)] == ["community-1", "two-speakers-70", "ours"]


def test_open_campaign_is_not_changed(stage):
    campaign = opened(stage)

    with pytest.raises(StateError) as refused:
        campaign_configure(actor=stage.stewards[0], campaign=campaign, overlap=2)
    assert refused.value.code == "campaign.no_draft"


def test_presets_are_stored_with_the_numbers_of_the_code(db):
    assert {policy.name: policy.numbers for policy in policy_presets()} == {
        name: policy.to_dict() for name, policy in PRESETS.items()
    }
    assert AcceptancePolicy.objects.filter(organisation=None).count() == 2


# Opening


def test_opening_freezes_the_plan_and_writes_its_hash(stage):
    campaign = opened(stage)

    stored = Campaign.objects.get(pk=campaign.pk)
    assert (stored.status, stored.opened_at, stored.opened_by) == ("open", NOW, stage.stewards[0])
    assert stored.plan_sha256 == canonical_sha256(stored.plan)
    event = AuditEvent.objects.get(act="campaign.opened")
    assert event.details["plan_sha256"] == stored.plan_sha256
    assert event.details["seed"] == stored.seed
    assert claim_of(campaign) == "in_review"


def test_campaign_is_opened_once(stage):
    campaign = opened(stage)

    with pytest.raises(StateError):
        campaign_open(actor=stage.stewards[1], campaign=campaign)


def test_nobody_but_a_steward_opens(stage):
    campaign = draft(stage)
    other = stage_make(slug="other", sizes={2: 1})

    for member in (stage.coordinator, stage.speakers[0]):
        with pytest.raises(AccessDenied):
            campaign_open(actor=member, campaign=campaign)
    for stranger in (other.stewards[0], stage.developer):
        with pytest.raises(NotVisible):
            campaign_open(actor=stranger, campaign=campaign)


def test_steward_who_developed_the_method_does_not_open(stage):
    campaign = draft(stage)
    acts.role_give(actor=None, organisation=stage.organisation, user=stage.developer, role=Role.STEWARD)

    with pytest.raises(AccessDenied) as refused:
        campaign_open(actor=stage.developer, campaign=campaign)
    assert refused.value.code == "campaign.own_method"


def test_steward_who_uploaded_the_organisations_own_run_may_open():
    stage = stage_make(segment="gold_standard", sizes={2: 40})

    assert opened(stage).run.submitted_by == stage.stewards[0]


def test_sample_that_is_not_the_plans_does_not_open(stage):
    campaign = draft(stage)
    RunOutput.objects.filter(run=campaign.run, position=0).update(text="changed since")

    with pytest.raises(StateError) as refused:
        campaign_open(actor=stage.stewards[0], campaign=campaign)
    assert refused.value.code == "campaign.sample_differs"
    assert Campaign.objects.get(pk=campaign.pk).status == "draft"


FROZEN = {
    "plan": {},
    "plan_sha256": "0" * 64,
    "seed": "0" * 64,
    "policy": {},
    "policy_name": "another",
    "policy_version": 2,
    "overlap": 1,
    "chosen_size": 500,
    "shows_reference": True,
    "has_calibration": True,
}


@pytest.mark.sqlite
@pytest.mark.parametrize("column", FROZEN)
def test_database_refuses_a_change_of_the_plan_after_the_opening(stage, column):
    campaign = opened(stage)

    with pytest.raises(DatabaseError, match="plan of a campaign does not change"), transaction.atomic():
        Campaign.objects.filter(pk=campaign.pk).update(**{column: FROZEN[column]})
    assert Campaign.objects.get(pk=campaign.pk).plan_sha256 == canonical_sha256(campaign.plan)


@pytest.mark.sqlite
def test_database_lets_a_draft_and_the_other_columns_change(stage):
    campaign = draft(stage)
    Campaign.objects.filter(pk=campaign.pk).update(plan={}, overlap=2)
    other = opened(stage, version=method_make(stage, name="other"))
    Campaign.objects.filter(pk=other.pk).update(has_generated_ratings=True, status="suspended")

    assert Campaign.objects.get(pk=campaign.pk).overlap == 2
    assert Campaign.objects.get(pk=other.pk).status == "suspended"
    assert connection.vendor in ("sqlite", "postgresql")


# Suspended and resumed


def test_coordinator_suspends_with_a_reason_and_resumes(stage):
    campaign = opened(stage)

    campaign_suspend(actor=stage.coordinator, campaign=campaign, reason=" the office is closed ")
    assert Campaign.objects.get(pk=campaign.pk).status == "suspended"
    assert AuditEvent.objects.get(act="campaign.suspended").reason == "the office is closed"

    campaign_resume(actor=stage.coordinator, campaign=campaign)
    assert Campaign.objects.get(pk=campaign.pk).status == "open"


def test_suspension_without_a_reason_is_refused(stage):
    with pytest.raises(DomainError):
        campaign_suspend(actor=stage.coordinator, campaign=opened(stage), reason="  ")


def test_only_what_is_suspended_resumes(stage):
    with pytest.raises(StateError):
        campaign_resume(actor=stage.coordinator, campaign=closed(stage))


def test_speaker_neither_suspends_nor_closes(stage):
    campaign = opened(stage)

    with pytest.raises(AccessDenied):
        campaign_suspend(actor=stage.speakers[0], campaign=campaign, reason="why not")
    with pytest.raises(AccessDenied):
        campaign_close(actor=stage.speakers[0], campaign=campaign, reason="why not")


# Closed


def test_coordinator_closes_a_complete_campaign_and_the_evidence_is_frozen(stage):
    campaign = opened(stage)
    rated(stage, campaign)

    campaign_close(actor=stage.coordinator, campaign=campaign, now=NOW)

    stored = Campaign.objects.get(pk=campaign.pk)
    assert (stored.status, stored.closed_at) == ("closed", NOW)
    assert stored.evidence_sha256 == canonical_sha256(stored.evidence)
    assert stored.evidence["verdict"]["outcome"] == "meets"
    assert stored.evidence["plan_sha256"] == stored.plan_sha256
    assert stored.evidence["settled_by"] == "complete"
    event = AuditEvent.objects.get(act="campaign.closed")
    assert event.details["evidence_sha256"] == stored.evidence_sha256
    assert event.details["missing_count"] == 0


def test_incomplete_campaign_is_closed_by_a_steward_alone_and_with_a_reason(stage):
    campaign = opened(stage)

    with pytest.raises(StateError) as refused:
        campaign_close(actor=stage.coordinator, campaign=campaign, reason="nobody comes")
    assert refused.value.code == "campaign.incomplete"
    with pytest.raises(DomainError) as unexplained:
        campaign_close(actor=stage.stewards[0], campaign=campaign)
    assert unexplained.value.code == "campaign.reason_missing"

    campaign_close(actor=stage.stewards[0], campaign=campaign, reason="nobody comes")
    event = AuditEvent.objects.get(act="campaign.closed")
    assert (event.reason, event.details["settled_by"]) == ("nobody comes", "incomplete")
    assert Campaign.objects.get(pk=campaign.pk).evidence["settled_by"] == ""


def test_campaign_that_no_missing_verdict_can_change_is_closed_without_a_reason(stage):
    campaign = opened(stage)
    items = list(campaign.items.order_by("place", "pk"))
    rate_all(items[:30], stage.speakers[:3], lambda _item, _rater: REJECT)

    campaign_close(actor=stage.coordinator, campaign=campaign)

    stored = Campaign.objects.get(pk=campaign.pk)
    assert stored.evidence["settled_by"] == "early"
    assert stored.evidence["verdict"]["outcome"] == "does_not_meet"
    assert stored.evidence["verdict"]["is_early"]


def test_suspended_campaign_is_not_closed(stage):
    campaign = opened(stage)
    rated(stage, campaign)
    campaign_suspend(actor=stage.coordinator, campaign=campaign, reason="a question")

    with pytest.raises(StateError):
        campaign_close(actor=stage.coordinator, campaign=campaign)


def test_evidence_is_frozen_again_after_a_harm_flag_was_judged(stage):
    campaign = opened(stage)
    rated(stage, campaign)
    flag = HarmFlag.objects.create(item=campaign.items.first(), raised_by=stage.speakers[0])
    before = campaign_close(actor=stage.stewards[0], campaign=campaign).evidence
    assert before["verdict"]["outcome"] == "held"

    HarmFlag.objects.filter(pk=flag.pk).update(status="dismissed")
    digest = evidence_freeze(campaign)

    stored = Campaign.objects.get(pk=campaign.pk)
    assert stored.evidence["verdict"]["outcome"] == "meets"
    assert digest == stored.evidence_sha256 == canonical_sha256(stored.evidence)
    assert digest == evidence_freeze(campaign)


def test_open_campaign_has_no_evidence_to_freeze(stage):
    with pytest.raises(StateError):
        evidence_freeze(opened(stage))


# The look


def test_look_is_taken_once_when_its_items_are_finished(large):
    campaign = opened(large)
    assert not look_take(campaign=campaign)

    rated(large, campaign, is_in_look=True)
    assert looks_take(now=NOW) == 1
    assert looks_take(now=NOW) == 0

    look = Campaign.objects.get(pk=campaign.pk).evidence["look"]
    assert (look["verdict"]["stage"], look["verdict"]["outcome"]) == ("look", "meets")
    event = AuditEvent.objects.get(act="campaign.look_taken")
    assert event.details["look_sha256"] == canonical_sha256(look)
    assert "outcome" not in str(event.details)


def test_look_that_settles_the_campaign_lets_it_close_unfinished(large):
    campaign = opened(large)
    rated(large, campaign, is_in_look=True)
    look_take(campaign=campaign)

    campaign_close(actor=large.coordinator, campaign=campaign)

    stored = Campaign.objects.get(pk=campaign.pk)
    assert stored.evidence["settled_by"] == "look"
    assert stored.evidence["analysis"]["usable"]["shown"] == 60
    assert stored.evidence["look"]["verdict"]["is_final"]


def test_look_that_was_not_taken_settles_nothing(large):
    campaign = opened(large)
    rated(large, campaign, is_in_look=True)

    with pytest.raises(StateError):
        campaign_close(actor=large.coordinator, campaign=campaign)


def test_look_that_is_not_clear_does_not_settle_the_campaign(large):
    campaign = opened(large)
    look = list(campaign.items.filter(is_in_look=True).order_by("stratum", "place"))
    rate_all(look, large.speakers[:3], lambda item, _rater: GIST if item.place % 4 == 0 else EXCELLENT)

    assert look_take(campaign=campaign)
    assert not Campaign.objects.get(pk=campaign.pk).evidence["look"]["verdict"]["is_final"]
    with pytest.raises(StateError):
        campaign_close(actor=large.coordinator, campaign=campaign)


def test_census_has_no_look(stage):
    campaign = opened(stage)
    rated(stage, campaign)

    assert not look_take(campaign=campaign)
    assert looks_take() == 0


# The extension


def unclear(stage) -> Campaign:
    """Close a campaign that is not clear yet: 72 of 100 usable, the others gist."""
    campaign = opened(stage)
    items = list(campaign.items.filter(kind="sample").order_by("place", "stratum"))
    bad = {item.pk for item in items[::3][:28]}
    rate_all(items, stage.speakers[:3], lambda item, _rater: GIST if item.pk in bad else ACCEPTABLE)
    return campaign_close(actor=stage.stewards[0], campaign=campaign)


def test_campaign_that_is_not_clear_yet_is_extended_once(large):
    campaign = unclear(large)
    assert campaign.evidence["verdict"]["outcome"] == "not_clear_yet"

    campaign_extend(actor=large.stewards[0], campaign=campaign, reason="let us be sure")

    stored = Campaign.objects.get(pk=campaign.pk)
    assert (stored.status, stored.is_extended, stored.closed_at) == ("open", True, None)
    assert AuditEvent.objects.get(act="campaign.extended").details["extension_size"] == 40

    rated(large, stored, ACCEPTABLE, kind="extension")
    campaign_close(actor=large.stewards[0], campaign=stored)
    stored.refresh_from_db()
    assert stored.evidence["analysis"]["usable"]["shown"] == 140
    assert stored.evidence["verdict"]["stage"] == "extended"
    with pytest.raises(StateError):
        campaign_extend(actor=large.stewards[0], campaign=stored)


def test_clear_campaign_is_not_extended(large):
    with pytest.raises(StateError) as refused:
        campaign_extend(actor=large.stewards[0], campaign=closed(large))
    assert refused.value.code == "campaign.no_extension"


def test_open_campaign_is_not_extended(large):
    with pytest.raises(StateError):
        campaign_extend(actor=large.stewards[0], campaign=opened(large))


def test_coordinator_does_not_extend(large):
    with pytest.raises(AccessDenied):
        campaign_extend(actor=large.coordinator, campaign=unclear(large))


# Withdrawn


@pytest.mark.parametrize("make", [draft, opened, closed], ids=["draft", "open", "closed"])
def test_steward_withdraws_with_a_reason_and_the_nomination_ends(stage, make):
    campaign = make(stage)

    campaign_withdraw(actor=stage.stewards[0], campaign=campaign, reason="sent back", now=NOW)

    stored = Campaign.objects.get(pk=campaign.pk)
    assert (stored.status, stored.over_at, stored.nomination.status) == ("withdrawn", NOW, "closed")
    assert not stored.is_under_way
    assert claim_of(campaign) == ""
    assert AuditEvent.objects.get(act="campaign.withdrawn").reason == "sent back"
    with pytest.raises(StateError):
        campaign_draft(nomination=stored.nomination)


def test_withdrawal_needs_a_reason_and_a_steward(stage):
    campaign = opened(stage)

    with pytest.raises(DomainError):
        campaign_withdraw(actor=stage.stewards[0], campaign=campaign, reason="")
    with pytest.raises(AccessDenied):
        campaign_withdraw(actor=stage.coordinator, campaign=campaign, reason="I would like to")
    assert Campaign.objects.get(pk=campaign.pk).status == "open"


def test_ratings_of_a_withdrawn_campaign_are_kept(stage):
    campaign = opened(stage)
    rating = rate(campaign.items.first(), stage.speakers[0], EXCELLENT, rank=1)

    campaign_withdraw(actor=stage.stewards[0], campaign=campaign, reason="sent back")

    rating.refresh_from_db()
    assert rating.grade == EXCELLENT


def test_withdrawn_campaign_is_over_for_good(stage):
    campaign = campaign_withdraw(actor=stage.stewards[0], campaign=opened(stage), reason="sent back")

    with pytest.raises(StateError):
        campaign_withdraw(actor=stage.stewards[0], campaign=campaign, reason="again")
    with pytest.raises(StateError):
        campaign_suspend(actor=stage.stewards[0], campaign=campaign, reason="again")
