"""Acceptance policies: the numbers by which a campaign is judged, versioned, and the two presets.

Pure. How the numbers are applied stands in `review.judging`. A policy is frozen in the campaign's plan by `to_dict` and
read back by `policy_from_dict`; an organisation's own numbers are a new name or a higher version.

Source: SPEC V-8.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, ClassVar

from review.sampling import DESCRIPTIVE_BELOW, EXTENSION_SIZE, LOOK_SIZE


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundsPolicy:
    """Judge by one-sided bounds of the usable and the reject share.

    Args:
        name: of the policy, such as "community-1".
        version: 1 or more.
        usable_share: the lower bound of usable must reach it, 0-1.
        reject_share: the upper bound of reject may reach it, 0-1.
        level: one-sided, of both bounds at the close and after the extension.
        look_meets_level, look_fails_level: one-sided, of the bounds at the look.
        look_size: items of the look, 0 for none.
        extension_size: items that may be added once, 0 for none.
        stratum_share: no stratum's upper bound of usable may be under it, 0-1.
        stratum_minimum: strata of fewer items are not looked at.
        stratum_level: one-sided, of that bound.
        agreement_share: the upper bound of pairwise agreement may not be under it, 0-1.
        agreement_level: one-sided, of that bound; the caller computes it.
        item_minimum: with fewer shown items the result only describes.
        rater_minimum: with a smaller overlap the result only describes.
    """

    RULE: ClassVar[str] = "bounds"

    name: str
    version: int = 1
    usable_share: float = 0.70
    reject_share: float = 0.15
    level: float = 0.97
    look_meets_level: float = 0.995
    look_fails_level: float = 0.95
    look_size: int = LOOK_SIZE
    extension_size: int = EXTENSION_SIZE
    stratum_share: float = 0.50
    stratum_minimum: int = 8
    stratum_level: float = 0.95
    agreement_share: float = 0.75
    agreement_level: float = 0.95
    item_minimum: int = DESCRIPTIVE_BELOW
    rater_minimum: int = 2

    def __post_init__(self) -> None:
        """Raise ValueError for a number out of its range."""
        _check_numbers(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the policy as JSON values for the plan."""
        return {"rule": self.RULE, **asdict(self)}


@dataclass(frozen=True, slots=True, kw_only=True)
class PointsPolicy:
    """Judge by the plain share of entries that pass with all their raters: the prize rule, without error bound.

    With exactly 30 entries a true 60 % passes 70 % about 1 time in 6 even with perfect raters; the page says so.

    Args:
        name: of the policy, such as "two-speakers-70".
        version: 1 or more.
        pass_share: share of entries that must pass, weighted by stratum, 0-1.
        strata: the strata that count.
        item_minimum: entries of these strata that must be rated.
        rater_minimum: ratings each of them needs.
    """

    RULE: ClassVar[str] = "points"

    name: str
    version: int = 1
    pass_share: float = 0.70
    strata: tuple[str, ...] = ("2", "3", "4", "5")
    item_minimum: int = 30
    rater_minimum: int = 2

    def __post_init__(self) -> None:
        """Raise ValueError for a number out of its range or a policy without strata."""
        _check_numbers(self)
        if not self.strata:
            raise ValueError("a policy needs at least one stratum")

    @property
    def look_size(self) -> int:
        """Return 0: the rule has no look."""
        return 0

    @property
    def extension_size(self) -> int:
        """Return 0: the rule has no extension."""
        return 0

    def to_dict(self) -> dict[str, Any]:
        """Return the policy as JSON values for the plan."""
        return {"rule": self.RULE, **asdict(self), "strata": list(self.strata)}


Policy = BoundsPolicy | PointsPolicy


def policy_from_dict(values: Mapping[str, Any]) -> Policy:
    """Read a policy back from a plan, or an organisation's own numbers from a form.

    Args:
        values: what `to_dict` returned. A number that is left out takes the preset's value.

    Raises:
        ValueError: unknown rule, unknown field, no name, or a number out of its range.
    """
    kinds: dict[str, type[BoundsPolicy] | type[PointsPolicy]] = {
        BoundsPolicy.RULE: BoundsPolicy,
        PointsPolicy.RULE: PointsPolicy,
    }
    kind = kinds.get(values.get("rule", ""))
    if kind is None:
        raise ValueError(f"unknown rule of acceptance: {values.get('rule')!r}")
    numbers = {field: value for field, value in values.items() if field != "rule"}
    unknown = set(numbers) - {field.name for field in fields(kind)}
    if unknown:
        raise ValueError(f"unknown fields in the policy: {', '.join(sorted(unknown))}")
    if "strata" in numbers:
        numbers["strata"] = tuple(numbers["strata"])
    return kind(**({"name": ""} | numbers))


def _check_numbers(policy: Policy) -> None:
    """Shares lie in 0-1, levels strictly between ½ and 1, counts are whole and not negative."""
    if not policy.name:
        raise ValueError("a policy needs a name")
    for field, value in asdict(policy).items():
        if field.endswith("_share") and not _is_number(value, 0.0, 1.0):
            raise ValueError(f"{field} must be 0 to 1")
        if field.endswith("level") and not (_is_number(value, 0.5, 1.0) and 0.5 < value < 1):
            raise ValueError(f"{field} must be between 0.5 and 1")
        if field.endswith(("_size", "_minimum", "version")) and not (_is_whole(value) and value >= 0):
            raise ValueError(f"{field} must be a whole number, 0 or more")
    if policy.version < 1:
        raise ValueError("version must be 1 or more")


def _is_number(value: Any, low: float, high: float) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


# Last, for a policy checks its numbers when it is made.
COMMUNITY_1 = BoundsPolicy(name="community-1")
TWO_SPEAKERS_70 = PointsPolicy(name="two-speakers-70")
PRESETS: dict[str, Policy] = {policy.name: policy for policy in (COMMUNITY_1, TWO_SPEAKERS_70)}
