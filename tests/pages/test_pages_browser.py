"""Home, help and the style page in a browser: axe, the policy header, narrow and enlarged windows, keys, no script."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from champollion.pages.guides import GUIDES

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ADDRESSES = ("/", "/help/", "/help/style/", *(f"/help/{guide.slug}/" for guide in GUIDES), "/nothing-here/")
RULES = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]}}


def overflow(page: Page) -> int:
    return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(live_server, page, scheme):
    page.emulate_media(color_scheme=scheme)
    found = []
    for address in ADDRESSES:
        page.goto(live_server.url + address)
        found += [
            (address, one["id"], one["nodes"][0]["html"])
            for one in Axe().run(page, options=RULES).response["violations"]
        ]
    assert found == []


def test_the_policy_refuses_nothing_that_the_pages_ask_for(live_server, page):
    messages = []
    page.on("console", lambda message: messages.append(message.text))
    page.on("pageerror", lambda error: messages.append(str(error)))
    hosts = set()
    page.on("request", lambda request: hosts.add(request.url.split("/")[2]))
    for address in ADDRESSES[:-1]:
        page.goto(live_server.url + address, wait_until="load")
    assert messages == []
    assert hosts == {live_server.url.split("/")[2]}


@pytest.mark.parametrize("width", [320, 360, 768, 1280])
def test_nothing_scrolls_sideways(live_server, page, width):
    page.set_viewport_size({"width": width, "height": 640})
    wide = []
    for address in ADDRESSES:
        page.goto(live_server.url + address)
        if overflow(page) > 0:
            wide.append(address)
    assert wide == []


def test_the_first_key_leads_past_the_bar_to_the_content(live_server, page):
    page.goto(live_server.url + "/help/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "ch-skip ch-unseen"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"


def test_focus_is_always_seen(live_server, page):
    page.goto(live_server.url + "/help/style/")
    for _step in range(12):
        page.keyboard.press("Tab")
        outline = page.evaluate("(s => s.outlineStyle + s.outlineWidth)(getComputedStyle(document.activeElement))")
        assert outline == "solid3px"


def test_targets_are_at_least_44_high_but_for_links_in_text(live_server, page):
    page.set_viewport_size({"width": 360, "height": 640})
    page.goto(live_server.url + "/help/style/")
    small = page.evaluate(
        """() => [...document.querySelectorAll(
              '.ch-button, .ch-grade, .ch-act, .ch-nav-link, .ch-tab, select, .ch-menu summary')]
            .filter(e => e.checkVisibility() && e.getBoundingClientRect().height < 43.9).map(e => e.className)"""
    )
    assert small == []


def test_the_menu_opens_without_script_and_closes_on_escape_with_it(live_server, browser):
    for script in (False, True):
        context = browser.new_context(viewport={"width": 360, "height": 640}, java_script_enabled=script)
        page = context.new_page()
        page.goto(live_server.url + "/")
        page.get_by_text("Menu", exact=True).click()
        assert page.get_by_role("link", name="Help").first.is_visible()
        if script:
            page.keyboard.press("Escape")
            assert not page.get_by_role("navigation", name="Main").is_visible()
        context.close()


def test_theme_and_text_size_work_without_script(live_server, browser):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(live_server.url + "/help/")
    page.get_by_role("button", name="Dark").click()
    assert page.url == live_server.url + "/help/"
    assert page.locator("html").get_attribute("data-theme") == "dark"
    page.get_by_role("button", name="Larger").click()
    assert page.locator("html").get_attribute("data-text-size") == "larger"
    context.close()


def test_a_larger_text_size_enlarges_corpus_text_alone(live_server, page):
    def sizes():
        page.goto(live_server.url + "/help/style/")
        return page.evaluate(
            "['.ch-text-body', 'h1'].map(q => parseFloat(getComputedStyle(document.querySelector(q)).fontSize))"
        )

    before = sizes()
    page.get_by_role("button", name="Largest").click()
    after = sizes()
    assert after[0] == pytest.approx(1.6 * before[0])
    assert after[1] == before[1]


def test_reduced_motion_moves_nothing(live_server, page):
    page.emulate_media(reduced_motion="reduce")
    page.goto(live_server.url + "/help/style/")
    assert page.evaluate("getComputedStyle(document.querySelector('.ch-button')).transitionDuration").startswith("0s")


def test_copy_gives_the_whole_of_a_short_hash(live_server, browser):
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(live_server.url + "/help/style/")
    page.locator(".ch-hash summary").first.click()
    page.locator("[data-copy]").first.click()
    page.wait_for_function("document.getElementById('status').textContent !== ''")
    assert len(page.evaluate("navigator.clipboard.readText()")) == 64
    context.close()


def test_right_to_left_overflows_nowhere_and_mirrors_the_bars(live_server, page):
    page.set_viewport_size({"width": 360, "height": 640})
    page.goto(live_server.url + "/help/style/")
    page.evaluate("document.documentElement.dir = 'rtl'")
    assert overflow(page) == 0
    assert page.evaluate("getComputedStyle(document.querySelector('.ch-bar')).transform") == "matrix(-1, 0, 0, 1, 0, 0)"
    assert page.evaluate("getComputedStyle(document.querySelector('.ch-glyph')).transform") == "none"
