"""Who may decide on a campaign: stewards, never on their own method, not all of them raters (LAW-10, V-4, V-10)."""

from typing import Any

from django.utils.translation import gettext as _

from champollion.accounts import roles
from champollion.accounts.permissions import require
from champollion.common.errors import AccessDenied
from leaderboard.models import Method, MethodVersion, Run
from review.models import Campaign, Rating


def decider_require(actor: Any, campaign: Campaign) -> None:
    """Refuse whoever may not decide on a campaign.

    Raises:
        NotVisible: a stranger to the organisation.
        AccessDenied: a member who is no steward, or who made or submitted the method.
    """
    require(actor, "decision.sign", campaign.organisation)
    if is_own_method(actor, campaign.run.method_version.method):
        raise AccessDenied(
            "decision.own_method",
            _("You made or submitted this method, or belong to its team, so others decide on it."),
        )


def is_own_method(user: Any, method: Method) -> bool:
    """Whether a person developed or submitted a method: any version of it, by card or bundle.

    Uploading the organisation's own run is no submission. Source: LAW-10.
    """
    if method.team_id in roles.team_ids(user):
        return True
    if MethodVersion.objects.filter(method=method, submitted_by=user).exists():
        return True
    return Run.objects.filter(method_version__method=method, submitted_by=user, is_organisation_run=False).exists()


def has_rated(user: Any, campaign: Campaign) -> bool:
    """Whether a person rated in a campaign; it is said beside the signature."""
    return Rating.objects.filter(item__campaign=campaign, rater=user).exists()


def unrated_signatory_require(*, has_unrated: bool) -> None:
    """Refuse the last signature if everybody who signs rated in the campaign.

    Raises:
        AccessDenied: nobody among the signatories stayed out of the rating.

    Source: SPEC V-4.
    """
    if not has_unrated:
        raise AccessDenied(
            "decision.all_signatories_rated",
            _("All who would sign rated in this campaign. At least one steward who did not rate must sign."),
        )
