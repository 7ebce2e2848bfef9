"""What a decision rests on, read from the campaign: its figures now, its frozen evidence, its organisation (LAW-7)."""

from typing import Any

from champollion.accounts import roles
from corpora.constants import Segment
from review.analysis import Figures, campaign_figures
from review.decision_rules import Ground
from review.models import Campaign


def ground_read(campaign: Campaign) -> Ground:
    """Return the ground of a decision on a closed campaign.

    The outcome is computed from the ratings, with the harm flags as they stand now: a flag judged after the close
    counts (SPEC V-8). The caller holds the campaign's lock where it will write.

    Raises:
        StateError: the campaign's results are hidden.
    """
    return ground_of(campaign, campaign_figures(campaign))


def ground_of(campaign: Campaign, figures: Figures) -> Ground:
    """Return the ground of a decision, from figures that were computed already."""
    organisation = campaign.organisation
    return Ground(
        outcome=figures.verdict.outcome.value,
        is_complete=figures.is_complete,
        missing_count=figures.missing_count,
        is_extension_offered=figures.verdict.is_extension_offered,
        harm_open=figures.harm_open,
        harm_confirmed=figures.harm_confirmed,
        evidence_sha256=campaign.evidence_sha256,
        steward_count=len(roles.stewards_of(organisation)),
        quorum=organisation.quorum,
        asks_for_transfer=campaign.run.segment == Segment.GOLD_STANDARD,
    )


def human_figures(campaign: Campaign) -> dict[str, Any]:
    """Return what the board shows of the people's side: share, low, high, rating_count, verdict, is_generated."""
    return campaign_figures(campaign).human() | {"is_generated": campaign.has_generated_ratings}
