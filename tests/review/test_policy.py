"""Acceptance policies as numbers: presets, round trip, refusals (V-8)."""

import json

import pytest

from review.policy import COMMUNITY_1, PRESETS, TWO_SPEAKERS_70, BoundsPolicy, policy_from_dict


def test_community_1_has_the_numbers_of_the_specification() -> None:
    assert (COMMUNITY_1.usable_share, COMMUNITY_1.reject_share, COMMUNITY_1.level) == (0.70, 0.15, 0.97)
    assert (COMMUNITY_1.look_size, COMMUNITY_1.look_meets_level, COMMUNITY_1.look_fails_level) == (60, 0.995, 0.95)
    assert (COMMUNITY_1.stratum_share, COMMUNITY_1.stratum_minimum, COMMUNITY_1.stratum_level) == (0.50, 8, 0.95)
    assert (COMMUNITY_1.agreement_share, COMMUNITY_1.agreement_level) == (0.75, 0.95)
    assert (COMMUNITY_1.extension_size, COMMUNITY_1.item_minimum) == (40, 30)


def test_two_speakers_70_has_the_numbers_of_the_prize_rule() -> None:
    assert (TWO_SPEAKERS_70.pass_share, TWO_SPEAKERS_70.item_minimum, TWO_SPEAKERS_70.rater_minimum) == (0.70, 30, 2)
    assert TWO_SPEAKERS_70.strata == ("2", "3", "4", "5")
    assert TWO_SPEAKERS_70.look_size == TWO_SPEAKERS_70.extension_size == 0


@pytest.mark.parametrize("name", list(PRESETS))
def test_policy_comes_back_from_json(name: str) -> None:
    policy = PRESETS[name]
    assert policy.name == name
    assert policy_from_dict(json.loads(json.dumps(policy.to_dict()))) == policy


def test_own_numbers_take_the_presets_for_the_rest() -> None:
    policy = policy_from_dict({"rule": "bounds", "name": "stricter", "version": 2, "usable_share": 0.8})
    assert policy == BoundsPolicy(name="stricter", version=2, usable_share=0.8)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"name": "x"}, "unknown rule"),
        ({"rule": "mean", "name": "x"}, "unknown rule"),
        ({"rule": "bounds"}, "needs a name"),
        ({"rule": "bounds", "name": "x", "usable": 0.7}, "unknown fields in the policy: usable"),
        ({"rule": "bounds", "name": "x", "usable_share": 70}, "usable_share must be 0 to 1"),
        ({"rule": "bounds", "name": "x", "usable_share": float("nan")}, "usable_share must be 0 to 1"),
        ({"rule": "bounds", "name": "x", "usable_share": "0.7"}, "usable_share must be 0 to 1"),
        ({"rule": "bounds", "name": "x", "level": 1}, "level must be between"),
        ({"rule": "bounds", "name": "x", "stratum_level": 0.5}, "stratum_level must be between"),
        ({"rule": "bounds", "name": "x", "look_size": 1.5}, "look_size must be a whole number"),
        ({"rule": "bounds", "name": "x", "item_minimum": -1}, "item_minimum must be a whole number"),
        ({"rule": "bounds", "name": "x", "extension_size": True}, "extension_size must be a whole number"),
        ({"rule": "bounds", "name": "x", "version": 0}, "version must be 1 or more"),
        ({"rule": "points", "name": "x", "strata": []}, "at least one stratum"),
        ({"rule": "points", "name": "x", "usable_share": 0.7}, "unknown fields"),
    ],
)
def test_impossible_policies_are_refused(values: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        policy_from_dict(values)
