"""Where this app needs a person: outputs to rate, drafts to open, reports to decide on (design 4.1).

Imported when the pages start. A rater's row names the languages alone (LAW-9).
"""

from typing import Any

from django.db.models import Exists, OuterRef, QuerySet, Subquery
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from champollion.accounts.permissions import organisations_with
from champollion.common.needs import Need, register, register_count
from champollion.common.writing import name_in
from corpora.models import Corpus
from review.access import campaigns_with_texts, items_open_to
from review.conflicts import conflict_facts, rater_refusal
from review.desk import waiting_count
from review.models import Campaign, Decision, HarmFlag, Nomination
from review.services.samples import corpus_of

ROWS_AT_MOST = 5


@register
def items_to_rate(user: Any) -> list[Need]:
    """Return a row for each open campaign in which a speaker has items to rate."""
    return [_rating_need(user, campaign) for campaign in _campaigns_rated_by(user)[:ROWS_AT_MOST]]


@register
def campaigns_to_decide(user: Any) -> list[Need]:
    """Return a row for each closed campaign that waits for this steward's proposal or signature."""
    proposed = Decision.objects.filter(campaign=OuterRef("pk"), status=Decision.Status.PROPOSED)
    closed = (
        _campaigns(user, "decision.sign", Campaign.Status.CLOSED)
        .exclude(Exists(proposed.filter(signatures__steward=user)))
        .annotate(proposal=Subquery(proposed.values("uid")[:1]))
        .order_by("closed_at")
    )
    return [_decision_need(campaign) for campaign in closed[:ROWS_AT_MOST]]


@register
def flags_to_judge(user: Any) -> list[Need]:
    """Return a row for each harm flag on which this steward has said nothing yet; for stewards alone (SPEC V-5)."""
    flags = (
        HarmFlag.objects.filter(
            item__campaign__organisation__in=organisations_with(user, "harm.judge"), status=HarmFlag.Status.OPEN
        )
        .exclude(opinions__steward=user)
        .select_related("item__campaign__organisation")
        .order_by("created_at")
    )
    return [
        Need(
            what=_("Judge a harm flag"),
            for_whom=flag.item.campaign.organisation.name,
            how_long=_since(flag.created_at),
            url=f"/governance/harm/{flag.uid}/",
            button=_("Look"),
        )
        for flag in flags[:ROWS_AT_MOST]
    ]


@register
def drafts_to_open(user: Any) -> list[Need]:
    """Return a row for each draft campaign that a steward may check and open."""
    drafts = _campaigns(user, "campaign.open", Campaign.Status.DRAFT).order_by("created_at")
    return [
        Need(
            what=_("Check and open a campaign: %(language)s") % {"language": _target(corpus_of(campaign.run))},
            for_whom=campaign.organisation.name,
            how_long=_since(campaign.created_at),
            url=f"/governance/campaigns/{campaign.uid}/",
            button=_("Check"),
        )
        for campaign in drafts[:ROWS_AT_MOST]
    ]


@register
def candidates_to_nominate(user: Any) -> list[Need]:
    """Return a row for each candidate that a steward may nominate."""
    candidates = (
        Nomination.objects.filter(
            status=Nomination.Status.CANDIDATE,
            corpus_version__corpus__organisation__in=organisations_with(user, "nomination.make"),
        )
        .select_related("corpus_version__corpus__organisation")
        .order_by("created_at")
    )
    return [
        Need(
            what=_("Nominate a candidate: %(language)s") % {"language": _target(nomination.corpus_version.corpus)},
            for_whom=nomination.corpus_version.corpus.organisation.name,
            how_long=_since(nomination.created_at),
            url=f"/governance/nominations/{nomination.uid}/",
            button=_("Look"),
        )
        for nomination in candidates[:ROWS_AT_MOST]
    ]


def campaigns_to_rate_count(user: Any) -> int:
    """Return in how many open campaigns a speaker has items to rate: the number beside Review in the top bar."""
    return len(_campaigns_rated_by(user))


register_count("review", campaigns_to_rate_count)
register_count("governance", waiting_count)


def _campaigns_rated_by(user: Any) -> list[Campaign]:
    """Return the open campaigns in which items wait for a person who may rate them, the oldest first. One query.

    Every page of a speaker asks for them, so it is one query, and the languages once a request.
    """
    organisations = organisations_with(user, "review.rate")
    if not organisations:
        return []
    running = Campaign.objects.filter(organisation__in=organisations, status=Campaign.Status.OPEN)
    waiting = items_open_to(user, campaigns=running, now=timezone.now()).filter(campaign=OuterRef("pk"))
    rows = (
        campaigns_with_texts()
        .filter(Exists(waiting), organisation__in=organisations, status=Campaign.Status.OPEN)
        .annotate(**conflict_facts(user))
        .defer("plan", "evidence")
        .order_by("opened_at", "pk")
    )
    return [campaign for campaign in rows if rater_refusal(user, campaign) is None]


def _rating_need(user: Any, campaign: Campaign) -> Need:
    count = items_open_to(user, campaigns=[campaign], now=timezone.now()).count()
    return Need(
        what=_("Rate %(language)s outputs") % {"language": _target(corpus_of(campaign.run))},
        for_whom=campaign.organisation.name,
        how_long=ngettext("%(count)s item waits", "%(count)s items wait", count) % {"count": count},
        url=f"/review/{campaign.uid}/rate/",
        button=_("Rate"),
    )


def _decision_need(campaign: Any) -> Need:
    language = {"language": _target(corpus_of(campaign.run))}
    if campaign.proposal:
        what = _("Confirm a decision, or decline it: %(language)s") % language
        url = f"/governance/decisions/{campaign.proposal}/"
    else:
        what = _("Read the report and decide: %(language)s") % language
        url = f"/governance/campaigns/{campaign.uid}/report/"
    return Need(what, campaign.organisation.name, _since(campaign.closed_at), url, _("Read"))


def _campaigns(user: Any, right: str, status: str) -> QuerySet[Campaign]:
    return (
        Campaign.objects.filter(organisation__in=organisations_with(user, right), status=status)
        .select_related("organisation", "run__corpus_version__corpus")
        .defer("plan", "evidence")
    )


def _target(corpus: Corpus) -> str:
    return name_in(corpus.target_language, get_language() or "en")


def _since(moment: Any) -> str:
    return _("waits since %(day)s") % {"day": date_format(timezone.localtime(moment))} if moment else ""
