"""The page of a campaign while it runs: progress, plan and speakers, without any estimate (design 4.5, SPEC V-8).

The number of queries does not grow with items or ratings.
"""

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q
from django.utils.translation import gettext as _

from champollion.accounts.models import User
from champollion.accounts.permissions import may
from review.analysis import look_of, look_visible, ratings_read
from review.models import Campaign, HarmFlag, Lease, SampleItem
from review.report_texts import stratum_label
from review.sampling import SHOWN_STRATA
from review.verdicts import item_verdict


@dataclass(frozen=True)
class StratumProgress:
    """One row of the drawn table: items with all the ratings they need, items that somebody holds now, all items."""

    label: str
    name: str
    done: int
    leased: int
    total: int


@dataclass(frozen=True)
class SpeakerCount:
    """How many items a speaker rated; in the order of names, never of counts."""

    name: str
    count: int


@dataclass(frozen=True)
class CampaignPage:
    """What stewards and coordinators see of a campaign; nothing here says how any output was rated."""

    strata: list[StratumProgress]
    done: int
    leased: int
    total: int
    look_done: int
    look_total: int
    speakers: list[SpeakerCount]
    talks: list[SampleItem]
    flags: list[HarmFlag]
    no_output_count: int
    look_ends: bool
    look_outcome: str
    acts: list[tuple[str, str]]

    @property
    def is_rated(self) -> bool:
        return self.total > 0 and self.done == self.total


def campaign_page(campaign: Campaign, *, reader: Any) -> CampaignPage:
    """Return the page of a campaign for a steward or coordinator; harm flags for stewards alone (SPEC V-5)."""
    items, done = list(_items(campaign)), _done(campaign)
    shown = [item for item in items if _is_in_play(campaign, item)]
    strata = [_progress(name, shown, done) for name in SHOWN_STRATA if any(i.stratum == name for i in shown)]
    look = [item for item in shown if item.is_in_look]
    is_steward = may(reader, "harm.judge", campaign.organisation)
    return CampaignPage(
        strata=strata,
        done=sum(row.done for row in strata),
        leased=sum(row.leased for row in strata),
        total=len(shown),
        look_done=sum(str(item.uid) in done for item in look),
        look_total=len(look),
        speakers=_speakers(campaign),
        talks=[item for item in shown if item.needs_talk and not item.talk_count],
        flags=list(_flags(campaign)) if is_steward else [],
        no_output_count=sum(item.kind == SampleItem.Kind.UNUSABLE for item in items),
        look_ends=bool(look_of(campaign).get("verdict", {}).get("is_final")) and not campaign.is_extended,
        look_outcome=_look_outcome(campaign, reader),
        acts=_acts(campaign, reader),
    )


def _items(campaign: Campaign) -> Any:
    held = Count("leases", filter=Q(leases__status=Lease.Status.HELD), distinct=True)
    return (
        SampleItem.objects.filter(campaign=campaign)
        .annotate(held_count=held, talk_count=Count("talk", distinct=True))
        .order_by("stratum", "place")
    )


def _is_in_play(campaign: Campaign, item: SampleItem) -> bool:
    return item.kind == SampleItem.Kind.SAMPLE or (campaign.is_extended and item.kind == SampleItem.Kind.EXTENSION)


def _done(campaign: Campaign) -> frozenset[str]:
    """Return the items in play that have a verdict; an item whose speakers are split waits for a fourth (SPEC V-7)."""
    items = ratings_read(campaign).items
    verdicts = {item.item_id: item_verdict(item.ratings, overlap=campaign.overlap, talk=item.talk) for item in items}
    return frozenset(item_id for item_id, verdict in verdicts.items() if verdict.grade is not None)


def _progress(stratum: str, shown: list[Any], done: frozenset[str]) -> StratumProgress:
    items = [item for item in shown if item.stratum == stratum]
    waiting = [item for item in items if str(item.uid) not in done]
    leased = sum(bool(item.held_count) for item in waiting)
    return StratumProgress(*stratum_label(stratum), len(items) - len(waiting), leased, len(items))


def _speakers(campaign: Campaign) -> list[SpeakerCount]:
    counted = Q(ratings__item__campaign=campaign, ratings__first_grade__isnull=False)
    people = User.objects.filter(counted).annotate(rating_count=Count("ratings", filter=counted))
    counts = [SpeakerCount(person.display_name, person.rating_count) for person in people]
    return sorted(counts, key=lambda speaker: speaker.name)


def _flags(campaign: Campaign) -> Any:
    return HarmFlag.objects.filter(item__campaign=campaign).order_by("created_at")


def _look_outcome(campaign: Campaign, reader: Any) -> str:
    """Return what the look found where it ended the campaign and the reader may know; empty otherwise."""
    verdict = look_of(campaign).get("verdict", {})
    if not verdict.get("is_final") or not look_visible(campaign, reader):
        return ""
    return str(verdict.get("outcome", ""))


def _acts(campaign: Campaign, reader: Any) -> list[tuple[str, str]]:
    """Return the acts that the campaign's state and the reader's roles allow: (act, word on the button)."""
    status = Campaign.Status
    acts = {
        status.DRAFT: [("open", _("Open"), "campaign.open"), ("discard", _("Discard the draft"), "campaign.open")],
        status.OPEN: [
            ("close", _("Close"), "campaign.run"),
            ("suspend", _("Suspend"), "campaign.run"),
            ("withdraw", _("Withdraw"), "campaign.open"),
        ],
        status.SUSPENDED: [("resume", _("Let it go on"), "campaign.run"), ("withdraw", _("Withdraw"), "campaign.open")],
    }
    allowed = acts.get(status(campaign.status), [])
    return [(act, str(word)) for act, word, right in allowed if may(reader, right, campaign.organisation)]
