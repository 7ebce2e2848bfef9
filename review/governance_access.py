"""Which nominations, campaigns, decisions, flags and transfers a person may open (SPEC S-1, I-3).

Strangers to the organisation learn nothing: for them the object does not exist. Members without the right are told why.
"""

from typing import Any
from uuid import UUID

from django.db.models import Model, QuerySet
from django.utils.translation import gettext as _

from champollion.accounts.models import Organisation
from champollion.accounts.permissions import organisations_with, require
from champollion.common.errors import NotVisible, StateError
from leaderboard.models import Run
from review.analysis import has_closed_figures
from review.models import Campaign, Decision, HarmFlag, Nomination, SampleItem, Transfer

RUN = ("run__method_version__method__team", "run__corpus_version__corpus__organisation", "run__score_set")


def nomination_for(user: Any, uid: UUID, right: str) -> Nomination:
    """Return a nomination of an organisation in which the person has the right.

    Raises:
        NotVisible: unknown, or of an organisation that the person does not belong to.
        AccessDenied: a member without the right.
    """
    nomination = _get(Nomination.objects.select_related(*RUN), uid)
    require(user, right, nomination.run.corpus_version.corpus.organisation)
    return nomination


def run_for(user: Any, uid: UUID, right: str) -> Run:
    """Return a run on a corpus of an organisation in which the person has the right; raises as ``nomination_for``."""
    run = _get(Run.objects.select_related(*(name.removeprefix("run__") for name in RUN)), uid)
    if run.corpus_version is None:
        raise _unseen()
    require(user, right, run.corpus_version.corpus.organisation)
    return run


def campaign_for(user: Any, uid: UUID, right: str) -> Campaign:
    """Return a campaign of an organisation in which the person has the right; raises as ``nomination_for``."""
    related = ("organisation", "nomination", "opened_by", *RUN)
    campaign = _get(Campaign.objects.select_related(*related), uid)
    require(user, right, campaign.organisation)
    return campaign


def decision_for(user: Any, uid: UUID, right: str) -> Decision:
    """Return a decision of an organisation in which the person has the right; raises as ``nomination_for``."""
    related = ("campaign__organisation", "campaign__nomination", "proposed_by", *(f"campaign__{name}" for name in RUN))
    decision = _get(Decision.objects.select_related(*related), uid)
    require(user, right, decision.campaign.organisation)
    return decision


def harm_flag_for(user: Any, uid: UUID) -> HarmFlag:
    """Return a harm flag for a steward of its organisation; raises as ``nomination_for``. Source: SPEC V-5."""
    related = ("item__campaign__organisation", "item__output__entry", *(f"item__campaign__{name}" for name in RUN))
    flag = _get(HarmFlag.objects.select_related(*related), uid)
    require(user, "harm.judge", flag.item.campaign.organisation)
    return flag


def transfer_for(user: Any, uid: UUID) -> Transfer:
    """Return a transfer for a steward of its organisation; raises as ``nomination_for``."""
    related = (
        "method_version__method__team",
        "promotion__corpus_version__corpus",
        "promotion__decision__campaign__organisation",
    )
    transfer = _get(Transfer.objects.select_related(*related), uid)
    require(user, "transfer.step", transfer.promotion.decision.campaign.organisation)
    return transfer


def item_for(campaign: Campaign, uid: UUID) -> SampleItem:
    """Return an item of a campaign that the caller may read.

    Raises:
        NotVisible: no such item in this campaign.
    """
    item = SampleItem.objects.filter(campaign=campaign, uid=uid).select_related("output__entry").first()
    if item is None:
        raise _unseen()
    return item


def organisations_for(user: Any, right: str) -> QuerySet[Organisation]:
    """Return the organisations in which a person has a right by role."""
    return Organisation.objects.filter(pk__in=organisations_with(user, right)).order_by("name")


def report_visible_require(campaign: Campaign) -> None:
    """Refuse to show figures before the close: estimates are hidden from everyone (SPEC V-8, LAW-9).

    Raises:
        StateError: the campaign is not closed, or open again for its extension.
    """
    if has_closed_figures(campaign):
        return
    raise StateError("report.hidden", _("Results stay hidden until the campaign closes, so that nobody is influenced."))


def _get(objects: QuerySet[Any], uid: UUID) -> Any:
    found: Model | None = objects.filter(uid=uid).first()
    if found is None:
        raise _unseen()
    return found


def _unseen() -> NotVisible:
    return NotVisible("not_visible", _("There is no such thing, or it is not yours to see."))
