"""What a rater may reach: campaigns, items open to them, and the texts of an item that is leased to them.

The stewards' side asks ``accounts.permissions`` itself; here is the raters' side alone (LAW-2, LAW-9, SPEC V-4).
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from champollion.accounts.permissions import require
from champollion.common.errors import NotVisible, StateError
from corpora import vault
from corpora.access import open_entry
from review.anchors import entry_of, version_of
from review.conflicts import conflict_facts, rater_require
from review.grades import Grade
from review.models import Campaign, Lease, Rating, SampleItem
from review.models.rating import LeaseStatus

#: A skipped item is offered once more (SPEC V-5).
SKIPS_AT_MOST = 2


def campaign_for_rater(user: Any, uid: UUID) -> Campaign:
    """Return a campaign for whoever may rate in it, open or not; one query, and two for the person's rights.

    Raises:
        NotVisible: no such campaign, a draft, or a stranger to its organisation.
        AccessDenied: a member who may not rate here; the sentence says why.
    """
    found = (
        campaigns_with_texts().annotate(**conflict_facts(user)).filter(uid=uid).exclude(status=Campaign.Status.DRAFT)
    )
    campaign = found.first()
    if campaign is None:
        raise NotVisible("campaign.not_visible", _("There is no such campaign, or it is not yours to see."))
    require(user, "review.rate", campaign.organisation)
    rater_require(user, campaign)
    return campaign


def campaigns_with_texts() -> QuerySet[Campaign]:
    """Return campaigns with what is needed to open their texts, in one query."""
    rows = Campaign.objects.select_related("organisation", "run__corpus_version__corpus")
    return rows.defer("plan", "evidence")  # large, and nobody who rates needs them


def campaign_open_require(campaign: Campaign) -> None:
    """Refuse work on a campaign that is not open; the sentence names its state.

    Raises:
        StateError: ``rating.campaign_closed`` and the like.
    """
    if campaign.status == Campaign.Status.OPEN:
        return
    sentences = {
        Campaign.Status.DRAFT: _("This campaign is not open yet."),
        Campaign.Status.SUSPENDED: _("This campaign is suspended. What you saved is kept; it may go on later."),
        Campaign.Status.CLOSED: _("This campaign is closed. What you saved before has arrived and counts."),
        Campaign.Status.DECIDED: _("This campaign is decided. What you saved before has arrived and counts."),
        Campaign.Status.WITHDRAWN: _("This campaign was withdrawn."),
    }
    status = Campaign.Status(campaign.status)
    raise StateError(f"rating.campaign_{status}", sentences[status], state=str(status))


def items_open_to(
    rater: Any, *, campaigns: Iterable[Campaign] | QuerySet[Campaign], now: datetime
) -> QuerySet[SampleItem]:
    """Return the items that a rater could be given now: a slot is free, and they have not dealt with the item.

    The fourth slot is free where three ratings lie on both sides of the usable line (SPEC V-7). Left out are items that
    went to a talk, and those held back by a harm flag.
    """
    return items_planned(campaigns).annotate(**slot_counts(now=now)).filter(is_open_to(rater))


def items_planned(campaigns: Iterable[Campaign] | QuerySet[Campaign]) -> QuerySet[SampleItem]:
    """Return the items that the plan has rated: the sample, and the extension where it was taken."""
    planned = Q(kind=SampleItem.Kind.SAMPLE) | Q(kind=SampleItem.Kind.EXTENSION, campaign__is_extended=True)
    return SampleItem.objects.filter(planned, campaign__in=campaigns)


def slot_counts(*, now: datetime) -> dict[str, Any]:
    """Return annotations of an item: slots in use, ratings that count, and usable ones among them."""
    in_use = Lease.objects.filter(item=OuterRef("pk")).filter(
        Q(status=LeaseStatus.RATED) | Q(status=LeaseStatus.HELD, expires_at__gt=now)
    )
    given = Rating.objects.filter(item=OuterRef("pk"), first_grade__isnull=False)
    return {
        "taken": _count(in_use),
        "given": _count(given),
        "given_usable": _count(given.filter(first_grade__gte=Grade.ACCEPTABLE)),
    }


def is_open_to(rater: Any) -> Q:
    """Return the condition, on items with ``slot_counts``, that one could be given to a rater."""
    dealt_with = Lease.objects.filter(rater=rater, item=OuterRef("pk")).filter(
        Q(status__in=[LeaseStatus.HELD, LeaseStatus.RATED, LeaseStatus.CANNOT_JUDGE, LeaseStatus.HARMFUL])
        | Q(status=LeaseStatus.SKIPPED, skip_count__gte=SKIPS_AT_MOST)
    )
    is_split = Q(campaign__overlap=3, taken=3, given=3, given_usable__in=(1, 2))
    is_in_pool = Q(needs_talk=False, is_held_back=False, talk__isnull=True)
    return is_in_pool & (Q(taken__lt=F("campaign__overlap")) | is_split) & ~Q(Exists(dealt_with))


def item_texts(item: SampleItem, campaign: Campaign) -> tuple[str, str, str, dict[str, Any]]:
    """Open an item for the rater to whom it is leased: source, output, reference, the entry's other fields."""
    corpus = version_of(campaign.run).corpus
    entry = open_entry(entry_of(item), corpus)
    return entry.source, output_text(item, campaign), entry.reference, entry.fields


def output_text(item: SampleItem, campaign: Campaign) -> str:
    """Return what the method wrote for an item."""
    sealed = item.output.sealed
    if sealed is None:
        return item.output.text
    return str(vault.unseal(version_of(campaign.run).corpus, sealed)["text"])


def words_seal(campaign: Campaign, words: dict[str, Any]) -> bytes | None:
    """Seal what a person wrote about an item; nothing written is None."""
    return vault.seal(version_of(campaign.run).corpus, words) if any(words.values()) else None


def words_open(campaign: Campaign, sealed: bytes | memoryview | None) -> dict[str, Any]:
    """Return what ``words_seal`` was given, {} for nothing."""
    return vault.unseal(version_of(campaign.run).corpus, sealed) if sealed is not None else {}


def _count(rows: QuerySet[Any]) -> Coalesce:
    return Coalesce(Subquery(rows.values("item").annotate(n=Count("pk")).values("n")), 0)
