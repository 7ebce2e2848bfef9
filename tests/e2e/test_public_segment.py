"""From an uploaded corpus to a promotion on the development board, all through the pages (SPEC 00, the flow)."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from champollion.accounts.models import User
from review.models import Promotion, Rating, RatingVersion, Transfer

from .by_hand import ByHand, figures_by_hand
from .governing import campaign_close, campaign_open, expect_decided_by_two, nominate
from .handing_in import corpus_upload, expect_composite, run_upload, sign_in
from .people import People, people_of
from .rating import rate_by_keys, rate_over_http
from .reading import board_row, expect_report, expect_whole_chain, sizes_of_corpus
from .reports import CORPUS_ID, CORPUS_VERSION, ENTRY_COUNT, WELSH, corpus_path, report_path
from .site import Site
from .speaking import grades_of, item_places, split_count

pytestmark = [
    pytest.mark.e2e, pytest.mark.browser, pytest.mark.worker, pytest.mark.django_db(transaction=True),
]  # fmt: skip
FLASH, PRO = "Gemini 3.5 Flash, naive", "Gemini 3.1 Pro, naive"


def test_public_segment(site, worker):
    people = people_of("cy")
    corpus_is_uploaded(site, people)
    reports_are_scored(site, people)
    steward, second = (site.enter(one) for one in people.stewards)
    candidates_stand_on_the_board(steward)
    nominate(steward, FLASH)
    campaign = campaign_open(steward, FLASH)
    speakers_rate(site, people, campaign)
    campaign_is_closed_by_the_coordinator(site, people, campaign)
    expected = figures_by_hand(campaign, sizes=sizes_of_corpus())
    expect_report(steward, campaign, expected)
    expect_decided_by_two(steward, second, campaign, method=FLASH)
    promotion_stands_on_its_own_board(site, expected)
    expect_whole_chain(second)


def corpus_is_uploaded(site: Site, people: People) -> None:
    curator = site.enter()
    sign_in(curator, people.curator)
    corpus_upload(curator, corpus_path())
    stored = f"{CORPUS_ID} {CORPUS_VERSION} is stored, with {ENTRY_COUNT} entries."
    expect(curator.get_by_text(stored)).to_be_visible()


def reports_are_scored(site: Site, people: People) -> None:
    """The worker's composites are those that the README of the real reports states."""
    developer = site.enter(people.developer)
    runs = {end: run_upload(developer, report_path(end), method=method) for end, (method, _) in WELSH.items()}
    for end, (_method, composite) in WELSH.items():
        expect_composite(developer, runs[end], composite)


def candidates_stand_on_the_board(page: Page) -> None:
    """Two of four methods reach the bound and are candidates; no public tier says so yet (LAW-1)."""
    for method in (FLASH, PRO):
        row = board_row(page, method, board="Development")
        expect(row.locator(".ch-tier")).to_contain_text("candidate: Deployable")
    for method in ("Mistral Large, naive", "Claude Sonnet 4.6, naive"):
        row = board_row(page, method, board="Development")
        expect(row.locator(".ch-tier")).to_have_text("Functional")
    tiers = page.locator("table.ch-board tbody .ch-tier > span > span:first-child").all_inner_texts()
    assert set(tiers) == {"Functional"}
    page.goto("/governance/")
    expect(page.locator("section[aria-labelledby=candidates] li")).to_have_count(2)


def speakers_rate(site: Site, people: People, campaign: str) -> None:
    """One by keys in the browser, two over HTTP, and a fourth what the three are split about."""
    places = item_places(campaign)
    keys, second, third, fourth = (site.enter(one) for one in people.speakers)
    rate_by_keys(keys, grades_of(1, places))
    expect(keys.get_by_role("heading", name=re.compile("^All done, saved"))).to_contain_text(str(ENTRY_COUNT))
    every_act_is_kept(people.speakers[0])
    assert rate_over_http(second, campaign, grades_of(2, places)) == ENTRY_COUNT
    nothing_is_told(third, campaign)
    assert rate_over_http(third, campaign, grades_of(3, places)) == ENTRY_COUNT
    coordinator = site.enter(people.coordinator)
    coordinator.goto(f"/governance/campaigns/{campaign}/")
    done = f"{ENTRY_COUNT - split_count(places)} of {ENTRY_COUNT} outputs have all their ratings"
    expect(coordinator.get_by_text(done)).to_be_visible()
    assert rate_over_http(fourth, campaign, grades_of(4, places)) == split_count(places) > 8


def every_act_is_kept(speaker: User) -> None:
    """One rating an item; a version each act, those of the one taken back and of the tag and comment too (LAW-3)."""
    ratings = Rating.objects.filter(rater=speaker)
    assert ratings.count() == ENTRY_COUNT
    assert RatingVersion.objects.filter(rating__in=ratings).count() == ENTRY_COUNT + 2 + 2
    assert [rating.tags for rating in ratings if rating.tags] == [["grammar"]]


def nothing_is_told(page: Page, campaign: str) -> None:
    """An item's page names no method, model, score or team (LAW-9)."""
    page.goto(f"/review/{campaign}/rate/")
    expect(page.locator("[data-form]")).to_be_visible()
    for told in ("Gemini", "gemini", "0.796", "0.80", "Test team"):
        assert told not in page.content()


def campaign_is_closed_by_the_coordinator(site: Site, people: People, campaign: str) -> None:
    coordinator = site.enter(people.coordinator)
    campaign_close(coordinator, campaign)
    report = f"/governance/campaigns/{campaign}/report/"
    site.foresee(403, report)
    coordinator.goto(report)
    expect(coordinator.get_by_text("Coordinators see no estimate.")).to_be_visible()


def promotion_stands_on_its_own_board(site: Site, expected: ByHand) -> None:
    visitor = site.enter()
    row = board_row(visitor, FLASH, board="Development")
    expect(row.locator(".ch-tier")).to_have_text("Deployable")
    expect(row.locator(".ch-verification")).to_contain_text("Self-benchmarked")
    expect(row).to_contain_text(f"{expected.rating_count} ratings")
    expect(board_row(visitor, PRO, board="Development").locator(".ch-tier")).to_contain_text("candidate: Deployable")
    visitor.get_by_role("link", name="Official: gold standard").click()
    expect(visitor.get_by_text("No run on the gold standard yet.")).to_be_visible()
    assert Promotion.objects.get().segment == "development"
    assert not Transfer.objects.exists()
