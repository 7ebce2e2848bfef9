"""The acceptance policies that a campaign may choose (SPEC V-8)."""

from champollion.accounts.models import Organisation
from review.models import AcceptancePolicy
from review.policy import COMMUNITY_1, PRESETS

DEFAULT = COMMUNITY_1.name


def policy_presets() -> list[AcceptancePolicy]:
    """Return the presets, stored if they are not yet."""
    return [policy_preset(name) for name in PRESETS]


def policy_preset(name: str) -> AcceptancePolicy:
    """Return a preset by its name, stored if it is not yet.

    Raises:
        KeyError: there is no such preset.
    """
    preset = PRESETS[name]
    policy, _made = AcceptancePolicy.objects.get_or_create(
        organisation=None, name=preset.name, version=preset.version, defaults={"numbers": preset.to_dict()}
    )
    return policy


def policies_for(organisation: Organisation) -> list[AcceptancePolicy]:
    """Return what an organisation may choose from: the presets, then its own, the newest version of each."""
    own = AcceptancePolicy.objects.filter(organisation=organisation).order_by("name", "version")
    return policy_presets() + list({policy.name: policy for policy in own}.values())
