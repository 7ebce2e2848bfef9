"""A campaign withdrawn by one steward, as long as nobody has seen its results (SPEC V-2, V-10)."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from champollion.common.errors import StateError
from review.models import Campaign
from review.services.campaign_locks import campaign_locked
from review.services.campaigns import campaign_withdraw


@transaction.atomic
def unseen_campaign_withdraw(*, actor: Any, campaign: Campaign, reason: str, now: datetime | None = None) -> Campaign:
    """Withdraw a campaign whose results are still hidden. Locks it; writes ``campaign.withdrawn``.

    After the close its end is a decision like any other, with a second steward: "send back".

    Raises:
        StateError: it is closed or over.

    And what ``campaign_withdraw`` raises.
    """
    campaign = campaign_locked(campaign)
    if campaign.status == Campaign.Status.CLOSED:
        raise StateError(
            "campaign.closed_is_sent_back",
            _("A closed campaign is ended by a decision that a second steward confirms: send it back."),
        )
    return campaign_withdraw(actor=actor, campaign=campaign, reason=reason, now=now)
