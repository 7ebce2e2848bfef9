"""Reading a campaign under lock, and who may act on it: what every act of a campaign begins with."""

from typing import Any

from django.utils.translation import gettext as _

from champollion.accounts.permissions import require
from champollion.common.errors import AccessDenied, DomainError
from review.models import Campaign, Nomination
from review.services.decision_people import is_own_method

NOMINATION_RELATED = (
    "run__method_version__method__team",
    "run__corpus_version__corpus__organisation",
    "method_version__method",
    "corpus_version__corpus__organisation",
)
CAMPAIGN_RELATED = (
    "organisation",
    "run__method_version__method__team",
    "run__corpus_version__corpus__organisation",
    *(f"nomination__{name}" for name in NOMINATION_RELATED),
)


def nomination_locked(nomination: Nomination) -> Nomination:
    """Lock a nomination until the transaction ends, and return it as it now is."""
    Nomination.objects.select_for_update(no_key=True).get(pk=nomination.pk)
    return Nomination.objects.select_related(*NOMINATION_RELATED).get(pk=nomination.pk)


def campaign_locked(campaign: Campaign) -> Campaign:
    """Lock nomination and campaign, in this order, and return the campaign as it now is."""
    Nomination.objects.select_for_update(no_key=True).get(pk=campaign.nomination_id)
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    return Campaign.objects.select_related(*CAMPAIGN_RELATED).get(pk=campaign.pk)


def actor_require(actor: Any, right: str, campaign: Campaign) -> None:
    """Refuse whoever may not act on a campaign: no right, or the method is their own.

    Raises:
        NotVisible: a stranger to the organisation.
        AccessDenied: a member without the right, or one of the method's makers (LAW-10).
    """
    require(actor, right, campaign.organisation)
    if is_own_method(actor, campaign.run.method_version.method):
        raise AccessDenied(
            "campaign.own_method",
            _("You made or submitted this method, or belong to its team, so others look after its review."),
        )


def reason_require(reason: str) -> str:
    """Return a written reason without space around it.

    Raises:
        DomainError: nothing is written.
    """
    if not reason.strip():
        raise DomainError("campaign.reason_missing", _("Write your reason; it is kept in the audit log."))
    return reason.strip()
