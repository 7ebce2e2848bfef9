"""LAW-10 No one judges their own work, and whoever could read the test does not sit it."""

import pytest

from champollion.accounts.services import organisations as acts
from champollion.common.errors import AccessDenied
from corpora.access import read_entries
from leaderboard.services.intake import MethodChoice, run_receive
from review.services.assignment import block_lease
from review.services.decisions import decision_check
from tests.review.closed_campaigns import SIZES, closed
from tests.review.reviewed_runs import stage_make
from tests.security.world import outputs_table

pytestmark = pytest.mark.django_db


def fresh(person):
    """Read a person anew, without the roles that were remembered."""
    return type(person).objects.get(pk=person.pk)


def test_a_speaker_rates_and_the_developer_who_is_a_speaker_does_not(world):
    developer = fresh(world.person("developer"))
    acts.role_give(actor=None, organisation=world.own, user=developer, role="speaker")
    acts.languages_speak(user=developer, tags=["en", "cy"])
    with pytest.raises(AccessDenied) as refusal:
        block_lease(rater=developer, campaign=world.open)
    assert refusal.value.code.startswith("rater.")
    assert block_lease(rater=world.person("speaker"), campaign=world.open)


def test_a_declared_relative_of_the_developer_does_not_rate(world):
    rater = fresh(world.raters[0])
    acts.relation_declare(actor=rater, person=rater, relative=world.person("developer"))
    with pytest.raises(AccessDenied):
        block_lease(rater=rater, campaign=world.open)


def test_a_steward_of_the_team_does_not_decide_and_another_does():
    stage = stage_make(sizes=SIZES)
    campaign = closed(stage)
    acts.role_give(actor=None, organisation=stage.organisation, user=stage.developer, role="steward")
    with pytest.raises(AccessDenied):
        decision_check(actor=fresh(stage.developer), campaign=campaign, kind="approve", reason="It is mine.")
    proposal, _ground = decision_check(actor=stage.stewards[0], campaign=campaign, kind="approve", reason="It is good.")
    assert proposal.kind == "approve"


def hand_in(world, person, team):
    return run_receive(
        actor=person,
        data=outputs_table("dev", "cy", mark=f"of {person.pk}"),
        choice=MethodChoice(name=f"Of {person.pk}", team=team, configuration={"model": "m"}),
        version=world.version,
    )


def test_whoever_was_shown_an_item_cannot_hand_in_a_run(world):
    """The refusal names the read: when, and which record it is."""
    rater = fresh(world.raters[0])
    acts.installation_role_give(actor=None, user=rater, kind="developer")
    team = acts.team_create(name="Rater's team", slug="raters-team", members=[rater])
    with pytest.raises(AccessDenied) as refusal:
        hand_in(world, fresh(rater), team)
    assert refusal.value.code == "run.uploader_read_secret"
    assert "own-en-cy" in str(refusal.value) and "record" in str(refusal.value)


def test_whoever_may_read_the_secret_text_cannot_hand_in_a_run(world):
    curator = fresh(world.person("curator"))
    acts.installation_role_give(actor=None, user=curator, kind="developer")
    team = acts.team_create(name="Curator's team", slug="curators-team", members=[curator])
    with pytest.raises(AccessDenied) as refusal:
        hand_in(world, fresh(curator), team)
    assert refusal.value.code == "run.uploader_read_secret" and "right to read" in str(refusal.value)


def test_a_stranger_to_the_secret_text_hands_in(world):
    developer = fresh(world.person("developer", "other"))
    assert hand_in(world, developer, world.other_team).runs[0].submitted_by == developer


def test_a_read_by_a_former_member_counts_too(world):
    helper = fresh(world.person("helper"))
    acts.installation_role_give(actor=None, user=helper, kind="developer")
    team = acts.team_create(name="Helper's team", slug="helpers-team", members=[helper])
    acts.role_give(actor=None, organisation=world.own, user=helper, role="curator")
    read_entries([world.marked_entry], version=world.version, reader=fresh(helper), purpose="a look")
    acts.role_take(actor=None, organisation=world.own, user=helper, role="curator")
    with pytest.raises(AccessDenied):
        hand_in(world, fresh(helper), team)


@pytest.mark.parametrize("role", ["steward", "curator"])
def test_a_developer_with_a_run_is_given_no_role_that_reads_the_secret_text(role, world):
    developer = fresh(world.person("developer"))
    with pytest.raises(AccessDenied) as refusal:
        acts.role_give(actor=world.person("steward"), organisation=world.own, user=developer, role=role)
    assert refusal.value.code == "role.own_work"
    assert not developer.memberships.exists()
    acts.role_give(actor=None, organisation=world.other, user=developer, role=role)
    acts.role_give(actor=None, organisation=world.own, user=developer, role="helper")
    assert developer.memberships.count() == 2


def test_uploading_the_organisations_own_run_is_no_submission(world):
    assert world.decided_run.is_organisation_run
    assert world.decided_run.method_version.submitted_by is None
    assert block_lease(rater=world.person("speaker"), campaign=world.open)
