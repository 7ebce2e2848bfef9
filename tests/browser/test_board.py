"""The board and the run's page in a browser: no script needed, keys, a phone, axe, and the wait for a scoring."""

from __future__ import annotations

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from champollion.common.models import Job
from leaderboard.board_columns import COLUMNS
from leaderboard.models import Run
from leaderboard.services import intake
from leaderboard.services.intake import MethodChoice, run_receive
from leaderboard.tasks import score_run
from tests.browser.signing_in import sign_in
from tests.leaderboard.stage import good_outputs, stage_make, table

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PHONE = {"width": 360, "height": 640}
DESK = {"width": 1280, "height": 800}
BOARD = "/leaderboard/en--cy/?segment=development"


@pytest.fixture
def stage():
    """Three methods on the development board."""
    made = stage_make()
    made.version = made.corpus(count=24)
    for name, wrong in (("Best", 0), ("Middle", 6), ("Weak", 18)):
        made.receive(
            table(good_outputs(24, wrong=wrong)),
            name=name,
            version=made.version,
            configuration={"model": f"unit/{name}"},
        )
    return made


@pytest.fixture
def watched(page):
    """A page whose complaints, such as a refused style or script, are collected."""
    page.complaints = []
    page.on("console", lambda said: page.complaints.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    return page


def names(page) -> list[str]:
    return page.locator(".ch-b-method > a").all_inner_texts()


def sideways(page) -> int:
    return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


def addresses(stage) -> list[str]:
    run = Run.objects.first()
    return [
        "/leaderboard/",
        BOARD,
        BOARD + "&domain=ui&sort=-chrf",
        "/leaderboard/en--cy/?segment=gold_standard",
        f"/runs/{run.uid}/",
        f"/runs/{run.uid}/entries/",
        f"/methods/{run.method_version.method.uid}/",
    ]


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["360", "1280"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_and_nothing_scrolls_sideways(watched, live_server, stage, size, theme):
    watched.set_viewport_size(size)
    watched.emulate_media(color_scheme=theme)
    for address in addresses(stage):
        watched.goto(live_server.url + address)
        found = Axe().run(watched)
        assert found.violations_count == 0, f"{address}: {found.generate_report()}"
        assert sideways(watched) <= 0, address
    assert watched.complaints == []


@pytest.mark.parametrize("width", [320, 600, 768, 1000, 1024, 1180, 1280])
def test_no_width_makes_a_page_scroll_sideways_even_with_every_column(watched, live_server, stage, width):
    every = "".join(f"&columns={key}" for key in COLUMNS)
    watched.set_viewport_size({"width": width, "height": 700})
    for address in (*addresses(stage), BOARD + every):
        watched.goto(live_server.url + address)
        assert sideways(watched) <= 0, address
    watched.goto(live_server.url + BOARD + every)
    assert Axe().run(watched).violations_count == 0


def test_the_developer_s_pages_pass_axe_too(watched, live_server, stage):
    sign_in(watched.context, live_server, stage.developer)
    for size in (PHONE, DESK):
        watched.set_viewport_size(size)
        for address in ("/submit/", "/submit/run/"):
            watched.goto(live_server.url + address)
            found = Axe().run(watched)
            assert found.violations_count == 0, f"{address}: {found.generate_report()}"
            assert sideways(watched) <= 0, address
    assert watched.complaints == []


def test_the_board_is_sorted_and_filtered_by_keys_alone(watched, live_server, stage):
    watched.goto(live_server.url + BOARD)
    assert names(watched) == ["Best", "Middle", "Weak"]
    watched.locator("#sort-composite").focus()
    watched.keyboard.press("Enter")
    watched.wait_for_url(re.compile("sort=composite"))
    assert names(watched) == ["Weak", "Middle", "Best"]
    expect(watched.locator("th[aria-sort=ascending]")).to_have_text("Composite")
    watched.get_by_text("Filter", exact=True).focus()
    watched.keyboard.press("Enter")
    watched.get_by_label("Domain").select_option("ui")
    watched.locator("details[open]").get_by_role("button", name="Show").press("Enter")
    watched.wait_for_url(re.compile("domain=ui"))
    chip = watched.locator("a.ch-chip")
    expect(chip).to_contain_text("Domain: interfaces, 12 entries")
    assert "sort=composite" in watched.url
    chip.press("Enter")
    expect(watched.locator("a.ch-chip")).to_have_count(0)


def test_columns_are_chosen_and_the_address_shares_the_view(watched, live_server, stage):
    watched.goto(live_server.url + BOARD)
    watched.get_by_text("Columns", exact=True).click()
    watched.get_by_label("Exact match").check()
    watched.get_by_label("Mean latency").uncheck()
    watched.locator("details[open]").get_by_role("button", name="Show").click()
    expect(watched.locator("#sort-exact")).to_be_visible()
    expect(watched.locator("#sort-latency")).to_have_count(0)
    shared = watched.url
    watched.goto("about:blank")
    watched.goto(shared)
    expect(watched.locator("#sort-exact")).to_be_visible()


def test_a_method_s_card_on_a_phone_is_at_most_320_high(watched, live_server, stage):
    watched.set_viewport_size(PHONE)
    watched.goto(live_server.url + BOARD)
    assert watched.locator(".ch-board tbody tr").first.bounding_box()["height"] <= 320


def test_targets_of_the_board_s_tools_are_44_high(watched, live_server, stage):
    watched.set_viewport_size(PHONE)
    watched.goto(live_server.url + BOARD + "&domain=ui")
    for target in watched.locator(".ch-board-tools > details > summary, .ch-board-tools > a, .ch-tab").all():
        assert target.bounding_box()["height"] >= 44


@pytest.mark.parametrize("has_script", [True, False], ids=["script", "no-script"])
def test_a_run_that_is_scored_meanwhile_shows_its_figures(browser, live_server, stage, monkeypatch, has_script):
    monkeypatch.setattr(intake, "run_score_start", lambda run: None)  # no worker is there yet
    choice = MethodChoice(name="Late", team=stage.team, configuration={"model": "unit/late"})
    data = table(good_outputs(24, wrong=3)).encode()
    run = run_receive(actor=stage.developer, data=data, choice=choice, version=stage.version).runs[0]
    context = browser.new_context(java_script_enabled=has_script)
    page = context.new_page()
    page.goto(f"{live_server.url}/runs/{run.uid}/")
    expect(page.get_by_role("heading", name="Waiting for scoring")).to_be_visible()
    job = Job.objects.create(task="leaderboard.score_run", subject=f"run:{run.uid}", arguments={"run": str(run.uid)})
    score_run(job.pk)
    if not has_script:
        page.get_by_role("link", name="Look again").click()
    result = page.get_by_role("heading", name=re.compile("^Composite 0"))
    expect(result).to_be_visible(timeout=8000)
    if has_script:
        expect(result).to_be_focused()
        expect(page.locator("[hx-trigger]")).to_have_count(0)
    context.close()
