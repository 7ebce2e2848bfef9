"""Tiers and their bounds. Source: SPEC M-4, LAW-1; 90-harness-facts 3.4, 13.1."""

import pytest

from leaderboard.scoring.tiers import DEFAULT_BOUNDS, Tier, TierBounds, public_tier, reaches_deployable, tier_for


@pytest.mark.parametrize(
    ("composite", "tier"),
    [
        (1.0, Tier.FLUENT),
        (0.95, Tier.FLUENT),
        (0.85, Tier.FLUENT),
        (0.84, Tier.DEPLOYABLE),
        (0.70, Tier.DEPLOYABLE),
        (0.69, Tier.FUNCTIONAL),
        (0.50, Tier.FUNCTIONAL),
        (0.49, Tier.EMERGING),
        (0.30, Tier.EMERGING),
        (0.29, Tier.BASELINE),
        (0.0, Tier.BASELINE),
        (-0.1, Tier.BASELINE),
        (None, Tier.UNSCORED),
    ],
)
def test_each_tier_begins_at_its_bound(composite, tier):
    assert tier_for(composite) is tier


def test_changed_bounds_count():
    stricter = TierBounds(deployable=0.8, fluent=0.9)
    assert tier_for(0.75, stricter) is Tier.FUNCTIONAL
    assert tier_for(0.75) is Tier.DEPLOYABLE


@pytest.mark.parametrize("bounds", [{"emerging": 0.6}, {"fluent": 1.0}, {"emerging": 0.0}, {"deployable": 0.5}])
def test_bounds_that_do_not_rise_are_refused(bounds):
    with pytest.raises(ValueError, match="rise"):
        TierBounds(**bounds)


def test_bounds_survive_json():
    assert TierBounds.from_dict(DEFAULT_BOUNDS.to_dict()) == DEFAULT_BOUNDS


@pytest.mark.parametrize("tier", [Tier.DEPLOYABLE, Tier.FLUENT])
def test_no_public_tier_over_functional_without_a_decision(tier):
    assert public_tier(tier, approved=False) is Tier.FUNCTIONAL
    assert public_tier(tier, approved=True) is tier


@pytest.mark.parametrize("tier", [Tier.UNSCORED, Tier.BASELINE, Tier.EMERGING, Tier.FUNCTIONAL])
def test_lower_tiers_are_shown_as_they_are(tier):
    assert public_tier(tier, approved=False) is tier


def test_reaching_deployable_is_at_the_bound():
    assert reaches_deployable(0.70)
    assert not reaches_deployable(0.6999)
    assert not reaches_deployable(None)
