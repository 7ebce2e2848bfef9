"""Which scored run leads to what (SPEC V-1). The positive and the negative case of each rule share their set-up."""

from datetime import UTC, datetime, timedelta

import pytest
from django.core import mail

from champollion.audit.models import AuditEvent
from champollion.common.errors import AccessDenied, NotVisible, StateError
from champollion.common.models import Job
from leaderboard.models import Run, ScoreSet, Standing
from leaderboard.scoring.tiers import TierBounds
from leaderboard.signals import run_scored
from review.models import Decision, Nomination
from review.nomination_rules import cool_down_until, open_caveats
from review.services.campaigns import campaign_draft
from review.services.nominations import (
    DRAFT_TASK,
    attempt_count,
    nomination_make,
    run_consider,
    runs_consider,
    team_cool_down_until,
)

from .reviewed_runs import NOW, method_make, run_make, stage_make

pytestmark = pytest.mark.django_db
SMALL = {2: 4, 3: 4}


@pytest.fixture
def public():
    return stage_make(sizes=SMALL)


@pytest.fixture
def secret():
    return stage_make(slug="aur", segment="gold_standard", sizes=SMALL)


def claim_of(run: Run) -> str:
    return Standing.objects.get(method_version=run.method_version, corpus_version=run.corpus_version).claim


# What leads to a candidate, and what does not


def test_run_that_reaches_the_bound_becomes_a_candidate(public):
    run = run_make(public, composite=0.70)

    nomination = run_consider(run, now=NOW)

    assert (nomination.status, nomination.run, nomination.nonce) == ("candidate", run, "")
    assert (nomination.composite, nomination.tier, nomination.bound) == (0.70, "deployable", 0.70)
    assert nomination.nominated_at is None
    assert claim_of(run) == "candidate"
    assert AuditEvent.objects.filter(act="nomination.candidate", object_id=str(nomination.uid)).count() == 1
    assert not Job.objects.filter(task=DRAFT_TASK).exists()


@pytest.mark.parametrize("composite", [0.6999, 0.0, None])
def test_run_under_the_bound_leads_to_nothing(public, composite):
    assert run_consider(run_make(public, composite=composite), now=NOW) is None
    assert not Nomination.objects.exists()


def test_bound_in_force_at_scoring_counts_and_is_frozen(public):
    strict = TierBounds(deployable=0.80)
    lenient = TierBounds(functional=0.40, deployable=0.60)
    missed = run_make(public, composite=0.78, bounds=strict)
    reached = run_make(public, composite=0.62, bounds=lenient, version=method_make(public, name="other"))

    assert run_consider(missed) is None
    assert run_consider(reached).bound == 0.60


def test_anonymous_run_is_never_put_forward(public):
    assert run_consider(run_make(public, is_anonymous=True)) is None
    assert run_consider(run_make(public)) is not None


@pytest.mark.parametrize("status", ["withdrawn", "claimed", "failed", "received", "scoring"])
def test_only_a_scored_run_is_put_forward(public, status):
    run = run_make(public)
    Run.objects.filter(pk=run.pk).update(status=status)

    assert run_consider(run) is None


def test_run_on_a_withdrawn_corpus_version_is_not_put_forward(public):
    run = run_make(public)
    type(public.version).objects.filter(pk=public.version.pk).update(status="withdrawn")

    assert run_consider(run) is None


def test_caveat_on_five_percent_waits_for_a_steward(public):
    run = run_make(public, caveats=[{"code": "engine_marks", "share": 0.05}])

    assert run_consider(run) is None

    ScoreSet.objects.filter(run=run).update(
        caveats=[{"code": "engine_marks", "share": 0.05, "acknowledged_by": "a steward"}]
    )
    run.refresh_from_db()
    assert run_consider(run) is not None


def test_caveat_under_five_percent_does_not_wait(public):
    assert run_consider(run_make(public, caveats=[{"code": "engine_marks", "share": 0.049}])) is not None


def test_open_caveats_counts_entries_where_no_share_is_given():
    assert open_caveats([{"code": "a", "entry_count": 5}, {"code": "b", "entry_count": 4}], entry_count=100) == ["a"]
    assert open_caveats([], entry_count=0) == []


def test_first_run_that_reaches_the_bound_counts_never_the_best(public):
    version = method_make(public)
    low = run_make(public, version=version, composite=0.65)
    first = run_make(public, version=version, composite=0.72)
    best = run_make(public, version=version, composite=0.90)

    nomination = run_consider(best)

    assert nomination.run == first
    assert run_consider(low) is None
    assert run_consider(first) is None
    assert Nomination.objects.count() == 1


def test_each_version_of_a_method_is_put_forward_once(public):
    first = run_consider(run_make(public))
    second = run_consider(run_make(public))

    assert first.method_version != second.method_version
    assert Nomination.objects.count() == 2


def test_version_is_not_put_forward_again_after_its_nomination_is_closed(public):
    version = method_make(public)
    nomination = run_consider(run_make(public, version=version))
    Nomination.objects.filter(pk=nomination.pk).update(status="closed")

    assert run_consider(run_make(public, version=version, composite=0.95)) is None


# gold_standard


def test_held_method_on_gold_standard_is_nominated_by_itself(secret, django_capture_on_commit_callbacks):
    run = run_make(secret)

    with django_capture_on_commit_callbacks(execute=False):
        nomination = run_consider(run, now=NOW)

    assert (nomination.status, nomination.attempt, nomination.nominated_by) == ("nominated", 1, None)
    assert nomination.nominated_at == NOW
    assert len(bytes.fromhex(nomination.nonce)) == 32
    assert claim_of(run) == "nominated"
    event = AuditEvent.objects.get(act="nomination.opened")
    assert event.details["nonce"] == nomination.nonce
    assert Job.objects.get(task=DRAFT_TASK).arguments == {"nomination": str(nomination.uid)}


def test_run_on_gold_standard_without_a_held_method_is_ranked_and_not_nominated(secret):
    run = run_make(secret, version=method_make(secret, name="elsewhere"))

    assert run_consider(run) is None
    assert Standing.objects.get(run=run).is_ranked


def test_method_held_by_another_organisation_does_not_count(secret):
    other = stage_make(slug="other", sizes=SMALL)
    run = run_make(secret)
    type(run.method_version).objects.filter(pk=run.method_version.pk).update(held_by=other.organisation)

    assert run_consider(run) is None


def test_stewards_and_nobody_else_are_told_and_no_method_is_named(secret, django_capture_on_commit_callbacks):
    run = run_make(secret)
    with django_capture_on_commit_callbacks(execute=True):
        run_consider(run)

    about = [message for message in mail.outbox if message.subject == "A method is nominated"]
    assert sorted(message.to[0] for message in about) == ["steward-1@aur.example", "steward-2@aur.example"]
    assert str(run.method_version) not in about[0].body
    assert "corpus-aur 1.0" in about[0].body


def test_job_drafts_the_campaign(secret, django_capture_on_commit_callbacks):
    run = run_make(secret)
    with django_capture_on_commit_callbacks(execute=True):
        nomination = run_consider(run)

    assert nomination.campaigns.get().status == "draft"
    assert Job.objects.get(task=DRAFT_TASK).status == Job.Status.DONE


# Steward's nomination


def test_steward_nominates_a_candidate(public):
    nomination = run_consider(run_make(public))

    made = nomination_make(actor=public.stewards[0], nomination=nomination, now=NOW)

    assert (made.status, made.nominated_by, made.nominated_at) == ("nominated", public.stewards[0], NOW)
    assert len(made.nonce) == 64
    assert claim_of(made.run) == "nominated"
    assert Job.objects.filter(task=DRAFT_TASK).count() == 1


def test_nobody_but_a_steward_of_the_organisation_nominates(public, secret):
    nomination = run_consider(run_make(public))

    for member in (public.coordinator, public.speakers[0]):
        with pytest.raises(AccessDenied):
            nomination_make(actor=member, nomination=nomination)
    for stranger in (secret.stewards[0], public.developer):
        with pytest.raises(NotVisible):
            nomination_make(actor=stranger, nomination=nomination)
    nomination.refresh_from_db()
    assert nomination.status == "candidate"


def test_steward_does_not_nominate_their_own_method(public):
    run = run_make(public)
    type(run.method_version).objects.filter(pk=run.method_version.pk).update(submitted_by=public.stewards[0])
    nomination = run_consider(run)

    with pytest.raises(AccessDenied) as refused:
        nomination_make(actor=public.stewards[0], nomination=nomination)
    assert refused.value.code == "nomination.own_method"
    assert nomination_make(actor=public.stewards[1], nomination=nomination).status == "nominated"


def test_candidate_is_nominated_once(public):
    nomination = run_consider(run_make(public))
    nomination_make(actor=public.stewards[0], nomination=nomination)

    with pytest.raises(StateError):
        nomination_make(actor=public.stewards[1], nomination=nomination)
    assert AuditEvent.objects.filter(act="nomination.opened").count() == 1


def test_candidate_whose_run_was_withdrawn_is_not_nominated(public):
    nomination = run_consider(run_make(public))
    Run.objects.filter(pk=nomination.run.pk).update(status="withdrawn")

    with pytest.raises(StateError) as refused:
        nomination_make(actor=public.stewards[0], nomination=nomination)
    assert refused.value.code == "nomination.run_gone"


def test_candidate_with_a_later_caveat_is_not_nominated(public):
    nomination = run_consider(run_make(public))
    ScoreSet.objects.filter(run=nomination.run).update(caveats=[{"code": "source_copied", "share": 0.2}])

    with pytest.raises(StateError) as refused:
        nomination_make(actor=public.stewards[0], nomination=nomination)
    assert refused.value.code == "nomination.caveat_open"


# Attempts and cool-down


def test_attempts_count_per_team_and_language_pair_whatever_the_method(public):
    attempts = []
    for name in ("one", "two", "three"):
        nomination = run_consider(run_make(public, version=method_make(public, name=name)))
        attempts.append(nomination_make(actor=public.stewards[0], nomination=nomination).attempt)
    rival = stage_make(slug="rival", sizes=SMALL)

    assert attempts == [1, 2, 3]
    assert attempt_count(team=public.team, corpus=public.corpus) == 3
    assert attempt_count(team=rival.team, corpus=public.corpus) == 0
    assert attempt_count(team=public.team, corpus=rival.corpus) == 0


def test_candidate_that_nobody_nominated_is_no_attempt(public):
    run_consider(run_make(public))

    assert attempt_count(team=public.team, corpus=public.corpus) == 0


def refuse(stage, name: str, at: datetime) -> None:
    nomination = run_consider(run_make(stage, version=method_make(stage, name=name)))
    if nomination.status == "candidate":
        nomination = nomination_make(actor=stage.stewards[0], nomination=nomination, now=at)
    campaign = campaign_draft(nomination=nomination, now=at)
    Decision.objects.create(
        campaign=campaign, kind="refuse", status="carried_out", reason="not yet", proposed_by=stage.stewards[0],
        evidence_sha256="0" * 64, outcome="does_not_meet", carried_out_at=at,
    )  # fmt: skip


def test_three_refusals_in_twelve_months_begin_a_cool_down(public):
    for number in range(3):
        refuse(public, f"refused-{number}", NOW - timedelta(days=30 * (3 - number)))
    candidate = run_consider(run_make(public, version=method_make(public, name="fourth")))
    until = NOW - timedelta(days=30) + timedelta(days=public.organisation.cool_down_days)

    assert team_cool_down_until(team=public.team, corpus=public.corpus) == until
    with pytest.raises(StateError) as refused:
        nomination_make(actor=public.stewards[0], nomination=candidate, now=NOW)
    assert refused.value.code == "nomination.cool_down"
    assert nomination_make(actor=public.stewards[0], nomination=candidate, now=until).attempt == 4


def test_two_refusals_begin_no_cool_down(public):
    for number in range(2):
        refuse(public, f"refused-{number}", NOW)

    assert team_cool_down_until(team=public.team, corpus=public.corpus) is None


def test_cool_down_is_counted_from_the_third_refusal_within_a_year():
    day = datetime(2026, 1, 1, tzinfo=UTC)
    year = timedelta(days=365)

    assert cool_down_until([day, day + year / 2, day + year], days=10) == day + year + timedelta(days=10)
    assert cool_down_until([day, day + year / 2, day + year + timedelta(days=1)], days=10) is None
    assert cool_down_until([day + year, day, day + timedelta(days=1)], days=0) == day + year
    assert cool_down_until([], days=10) is None


def test_run_on_gold_standard_waits_out_the_cool_down_and_is_found_again(secret):
    for number in range(3):
        version = method_make(secret, name=f"refused-{number}", is_held=True)
        nomination = run_consider(run_make(secret, version=version), now=NOW)
        Decision.objects.create(
            campaign=campaign_draft(nomination=nomination), kind="refuse", status="carried_out", reason="not yet",
            proposed_by=secret.stewards[0], evidence_sha256="0" * 64, outcome="does_not_meet", carried_out_at=NOW,
        )  # fmt: skip
    run = run_make(secret, version=method_make(secret, name="fourth", is_held=True))

    assert run_consider(run, now=NOW) is None
    assert runs_consider(now=NOW) == []
    later = NOW + timedelta(days=secret.organisation.cool_down_days)
    assert [one.run for one in runs_consider(now=later)] == [run]


# Signal and sweep


def test_signal_of_a_scored_run_is_heard(public):
    run = run_make(public)

    run_scored.send(sender=Run, run=run)

    assert Nomination.objects.get().run == run


def test_lost_signal_costs_nothing_and_a_second_sweep_changes_nothing(public):
    first = run_make(public)
    second = run_make(public, version=method_make(public, name="other"))
    run_make(public, version=method_make(public, name="low"), composite=0.5)

    assert {nomination.run for nomination in runs_consider()} == {first, second}
    assert runs_consider() == []
