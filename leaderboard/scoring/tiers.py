"""Quality tiers: names for ranges of the composite. Source: SPEC M-4, LAW-1; 90-harness-facts 3.4."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise


class Tier(StrEnum):
    """What an automated score means, from low to high; `UNSCORED` where there is no composite."""

    UNSCORED = "unscored"
    BASELINE = "baseline"
    EMERGING = "emerging"
    FUNCTIONAL = "functional"
    DEPLOYABLE = "deployable"
    FLUENT = "fluent"


@dataclass(frozen=True)
class TierBounds:
    """The composite from which each tier begins, 0-1, rising. May be set per target language (M-3, M-4)."""

    emerging: float = 0.30
    functional: float = 0.50
    deployable: float = 0.70
    fluent: float = 0.85

    def __post_init__(self) -> None:
        """Raise ValueError where the bounds do not rise within 0-1."""
        rising = (0.0, self.emerging, self.functional, self.deployable, self.fluent, 1.0)
        if any(low >= high for low, high in pairwise(rising)):
            raise ValueError("Tier bounds must rise from emerging to fluent, between 0 and 1.")

    def to_dict(self) -> dict[str, float]:
        """Return a JSON-serialisable form."""
        return dict(vars(self))

    @classmethod
    def from_dict(cls, data: Mapping[str, float]) -> "TierBounds":
        """Read what `to_dict` wrote. Raises ValueError where the bounds do not rise."""
        return cls(**data)


DEFAULT_BOUNDS = TierBounds()


def tier_for(composite: float | None, bounds: TierBounds = DEFAULT_BOUNDS) -> Tier:
    """Return the tier of a rounded composite; negatives are baseline, None is unscored."""
    if composite is None:
        return Tier.UNSCORED
    for tier in (Tier.FLUENT, Tier.DEPLOYABLE, Tier.FUNCTIONAL, Tier.EMERGING):
        if composite >= getattr(bounds, tier.value):
            return tier
    return Tier.BASELINE


def public_tier(tier: Tier, *, approved: bool) -> Tier:
    """Return the tier that may be shown: never over functional without an approved decision. Source: SPEC LAW-1."""
    return Tier.FUNCTIONAL if not approved and tier in (Tier.DEPLOYABLE, Tier.FLUENT) else tier


def reaches_deployable(composite: float | None, bounds: TierBounds = DEFAULT_BOUNDS) -> bool:
    """Say whether a run may become candidate or nomination by its score. Source: SPEC M-4, V-1."""
    return composite is not None and composite >= bounds.deployable
