"""Campaigns that were rated and closed, for tests of decisions, reports and pages."""

from __future__ import annotations

from collections.abc import Callable

from champollion.accounts.models import Role
from champollion.accounts.services import organisations as acts
from review.models import Campaign, HarmFlag, Nomination, SampleItem
from review.services.campaigns import campaign_close, campaign_draft, campaign_open
from review.services.nominations import nomination_make, run_consider

from .reviewed_runs import NOW, Stage, person, rate_all, run_make, stage_make

GOLD, PUBLIC = "gold_standard", "development"
SIZES = {2: 20, 3: 20}


def nominated(stage: Stage, **run) -> Nomination:
    nomination = run_consider(run_make(stage, **{"composite": 0.80, **run}))
    if nomination.status == Nomination.Status.CANDIDATE:
        nomination = nomination_make(actor=stage.stewards[0], nomination=nomination)
    return nomination


def opened(stage: Stage, **run) -> Campaign:
    return campaign_open(actor=stage.stewards[0], campaign=campaign_draft(nomination=nominated(stage, **run)), now=NOW)


def in_play(campaign: Campaign) -> list[SampleItem]:
    kinds = [SampleItem.Kind.SAMPLE] + ([SampleItem.Kind.EXTENSION] if campaign.is_extended else [])
    return list(campaign.items.filter(kind__in=kinds).order_by("stratum", "place"))


def all_of(grade: int) -> Callable[[SampleItem, int], int]:
    return lambda item, number: grade


def share_usable(campaign: Campaign, usable: int, *, good: int = 4, bad: int = 2) -> Callable[[SampleItem, int], int]:
    """Return grades that make exactly `usable` items of the campaign usable, spread evenly over the strata's order."""
    items = in_play(campaign)
    chosen = {items[round(i * len(items) / usable)].pk for i in range(usable)} if usable else set()
    return lambda item, number: good if item.pk in chosen else bad


def closed(stage: Stage | None = None, *, grade_of=None, raters=None, reason: str = "", **run) -> Campaign:
    """Open a campaign, let three speakers rate every item, and close it."""
    stage = stage or stage_make(sizes=SIZES)
    campaign = opened(stage, **run)
    rate_all(in_play(campaign), (raters or stage.speakers)[:3], grade_of or all_of(4))
    return campaign_close(actor=stage.stewards[0], campaign=campaign, reason=reason, now=NOW)


def closed_with(stage: Stage, usable: int, **options) -> Campaign:
    """Close a campaign in which exactly `usable` items came out usable, the others as gist (or as `bad`)."""
    campaign = opened(stage)
    grade_of = share_usable(campaign, usable, **options)
    rate_all(in_play(campaign), stage.speakers[:3], grade_of)
    return campaign_close(actor=stage.stewards[0], campaign=campaign, now=NOW)


def flagged(campaign: Campaign, stage: Stage, status: str = HarmFlag.Status.OPEN) -> HarmFlag:
    """Raise a flag as a row: the page takes none once the campaign is closed."""
    return HarmFlag.objects.create(item=in_play(campaign)[0], raised_by=stage.speakers[0], status=status)


def steward_add(stage: Stage, name: str):
    steward = person(f"{name}@{stage.organisation.slug}.example")
    acts.role_give(actor=None, organisation=stage.organisation, user=steward, role=Role.STEWARD)
    stage.stewards.append(steward)
    return steward
