"""LAW-1 No claim without people: above Functional only by an approved decision on this version and segment."""

import pytest
from django.db import IntegrityError, transaction

from leaderboard.models import Standing
from leaderboard.scoring.tiers import Tier, public_tier

pytestmark = pytest.mark.django_db


def test_an_approved_decision_makes_the_tier_public(world):
    standing = Standing.objects.get(run=world.decided_run)
    assert standing.approved_tier == standing.public_tier == standing.score_tier in ("deployable", "fluent")
    assert standing.verification_level == "community_validated" and standing.is_override


@pytest.mark.parametrize(("name", "claim"), [("open_run", "in_review"), ("public_run", "nominated")])
def test_a_higher_score_without_a_decision_is_a_claim_never_a_tier(name, claim, world, client):
    run = getattr(world, name)
    standing = Standing.objects.get(run=run)
    assert standing.score_tier in ("deployable", "fluent") and standing.composite >= 0.70
    assert (standing.public_tier, standing.claim, standing.approved_tier) == ("functional", claim, "")
    rows = client.get("/api/v1/leaderboard/", {"segment": run.segment}).json()["results"]
    assert [row["public_tier"] for row in rows if row["run"] == str(run.uid)] == ["functional"]


@pytest.mark.parametrize("tier", ["deployable", "fluent"])
def test_the_database_refuses_a_tier_without_people(tier, world):
    standing = Standing.objects.get(run=world.open_run)
    with pytest.raises(IntegrityError), transaction.atomic():
        Standing.objects.filter(pk=standing.pk).update(public_tier=tier)


def test_a_decision_on_one_segment_says_nothing_of_another(world):
    assert Standing.objects.get(run=world.public_run).approved_tier == ""


def test_the_cap_is_functional_and_lower_tiers_are_shown_as_they_are():
    assert {tier: public_tier(tier, approved=False) for tier in Tier} == {
        Tier.BASELINE: Tier.BASELINE, Tier.EMERGING: Tier.EMERGING, Tier.FUNCTIONAL: Tier.FUNCTIONAL,
        Tier.DEPLOYABLE: Tier.FUNCTIONAL, Tier.FLUENT: Tier.FUNCTIONAL,
        **({Tier.UNSCORED: Tier.UNSCORED} if hasattr(Tier, "UNSCORED") else {}),
    }  # fmt: skip
