"""The rating page in a browser: keys, saving, and everything that can go wrong between a phone and the server."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse
from playwright.sync_api import expect

from review.models import Campaign, HarmFlag, Lease, Rating, RatingVersion
from review.services.assignment import block_lease
from tests.browser.signing_in import sign_in, sign_out
from tests.factories import flow as make

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PHONE = {"width": 360, "height": 640}
DESK = {"width": 1280, "height": 800}
SOURCE = "All students have to learn French. This is the law."
OUTPUT = "Rhaid i bob myfyriwr ddysgu Ffrangeg. Dyma'r gyfraith."


class Rater:
    """A speaker at the rating page of a campaign."""

    def __init__(self, page, live_server, flow: make.Flow, number: int = 0) -> None:
        self.page, self.live_server, self.flow = page, live_server, flow
        self.user = flow.speakers[number]
        self.url = live_server.url + reverse("review:rate", args=[flow.campaign.uid])
        self.ratings_url = live_server.url + reverse("review:ratings", args=[flow.campaign.uid])
        self.complaints: list[str] = []
        page.on("console", lambda said: self.complaints.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        sign_in(page.context, live_server, self.user)
        page.goto(self.url)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def saved(self, page=None) -> None:
        """Wait until everything is acknowledged, and the page says so."""
        shown = page or self.page
        expect(shown.locator("[data-rate]")).to_have_attribute("data-waiting", "0")
        expect(shown.locator("[data-save-words]")).to_have_text(re.compile("^(Saved|All saved)$"))

    def says(self, words: str) -> None:
        expect(self.page.locator("#status")).to_have_text(words)

    def count(self, words: str) -> None:
        expect(self.page.locator("[data-count]")).to_have_text(words)

    def item(self) -> str:
        return self.page.locator("form[data-form] [data-item-field]").input_value()

    def stored(self, kind: str = "localStorage") -> str:
        return self.page.evaluate(f"() => JSON.stringify(Object.entries(window.{kind}))")


@pytest.fixture
def rater(page, live_server, request):
    """Return a function that opens the page for a speaker of a new campaign."""

    def begin(*, viewport=PHONE, **more) -> Rater:
        page.set_viewport_size(viewport)
        texts = {"sources": (SOURCE,) * 12, "outputs": (OUTPUT,) * 12}
        return Rater(page, live_server, make.flow(speakers=2, **{**texts, **more}))

    return begin


def grades() -> list[int | None]:
    return list(Rating.objects.order_by("pk").values_list("grade", flat=True))


# Keys and clicks ---------------------------------------------------------------------------------


def test_a_block_is_rated_by_keys_alone(rater):
    one = rater(count=3, viewport=DESK)
    for place, key in enumerate("134", start=1):
        one.count(f"{place} of 3")
        one.press(key)
        one.saved()
        one.press("Enter")
    expect(one.page.get_by_role("heading", level=1)).to_have_text("All done, saved. Your 3 ratings have arrived.")
    assert grades() == [1, 3, 4]
    assert one.complaints == []


def test_a_grade_is_pressed_saved_at_once_and_can_be_changed(rater):
    one = rater()
    one.page.get_by_role("button", name="Gist").click()
    one.saved()
    expect(one.page.get_by_role("button", name="Gist")).to_have_attribute("aria-pressed", "true")
    one.page.get_by_role("button", name="Excellent").click()
    expect(one.page.get_by_role("button", name="Excellent")).to_have_attribute("aria-pressed", "true")
    expect(one.page.get_by_role("button", name="Gist")).to_have_attribute("aria-pressed", "false")
    one.saved()
    expect(one.page.get_by_text("Next", exact=True)).to_be_visible()
    one.page.reload()
    assert grades() == [4]
    assert RatingVersion.objects.count() == 2


def test_enter_without_a_grade_asks_for_one(rater):
    one = rater()
    one.page.locator("main").focus()
    one.press("Enter")
    one.says("Choose a grade first, or skip.")
    one.count("1 of 10")


def test_focus_goes_to_the_heading_of_the_next_item(rater):
    one = rater()
    one.press("3", "Enter")
    expect(one.page.locator("#item-heading")).to_be_focused()
    expect(one.page.locator("#item-heading")).to_have_text("Item 2 of 10")


def test_undo_opens_the_item_again_and_on_a_fresh_item_goes_back(rater):
    one = rater()
    first = one.item()
    one.press("2", "Enter")
    one.count("2 of 10")
    one.press("u")
    one.count("1 of 10")
    assert one.item() == first
    expect(one.page.get_by_role("button", name="Gist")).to_have_attribute("aria-pressed", "true")
    one.press("u")
    expect(one.page.get_by_role("button", name="Gist")).to_have_attribute("aria-pressed", "false")
    one.saved()
    assert grades() == [None]
    assert Lease.objects.get(item__uid=first).status == "held"


def test_item_before_leads_back_and_the_count_of_my_part_goes_on(rater):
    one = rater()
    expect(one.page.get_by_text("Item before")).to_be_hidden()
    one.press("2", "Enter", "3", "Enter")
    one.saved()
    expect(one.page.locator("[data-part]")).to_have_text("My part: 2 of 12")
    one.page.get_by_text("Item before").click()
    one.count("2 of 10")
    expect(one.page.get_by_text("Item before")).to_be_hidden()


def test_skip_shows_the_next_item_and_offers_the_skipped_one_at_the_end(rater):
    one = rater(count=2)
    first = one.item()
    one.press("s")
    one.count("2 of 2")
    one.press("3", "Enter")
    expect(one.page.locator("form[data-form] [data-item-field]")).to_have_value(first)
    one.press("4", "Enter")
    expect(one.page.get_by_role("heading", level=1)).to_contain_text("Your 2 ratings have arrived.")
    assert sorted(grades()) == [3, 4]


def test_cannot_judge_asks_why(rater):
    one = rater()
    first = one.item()
    one.press("j")
    expect(one.page.locator("#cannot-judge-heading")).to_be_focused()
    expect(one.page.get_by_role("button", name="Excellent")).to_be_hidden()
    one.page.get_by_label("Another dialect than mine").check()
    one.page.locator("[data-panel=cannot-judge]").get_by_role("button", name="Save").click()
    one.count("2 of 10")
    one.saved()
    lease = Lease.objects.get(item__uid=first)
    assert (lease.status, lease.cannot_judge_reason) == ("cannot_judge", "other_dialect")


def test_harm_is_never_flagged_by_a_key_alone(rater):
    one = rater()
    first = one.item()
    one.press("h")
    expect(one.page.locator("#harmful-heading")).to_have_text("Only stewards of Unit unit-welsh will see this.")
    one.press("1", "Enter", "h")
    assert not HarmFlag.objects.exists() and not Rating.objects.exists()
    one.page.get_by_label("What is harmful?").fill("It insults.")
    one.page.get_by_role("button", name="Send to stewards").click()
    one.count("2 of 10")
    one.saved()
    assert str(HarmFlag.objects.get().item.uid) == first


def test_keys_do_nothing_while_somebody_types_and_can_be_switched_off(rater):
    one = rater(viewport=DESK)
    one.press("3", "t")
    one.page.get_by_label("Comment").fill("")
    one.page.get_by_label("Comment").press_sequentially("12 us")
    one.saved()
    assert grades() == [3]
    one.page.locator(".ch-rate-options > summary").click()
    one.page.get_by_label("Keys on").uncheck()
    one.page.locator(".ch-rate-options > summary").click()
    one.page.locator("main").focus()
    one.press("1")
    expect(one.page.get_by_role("button", name="Acceptable")).to_have_attribute("aria-pressed", "true")
    one.saved()


def test_say_more_keeps_tags_words_comment_and_suggestion(rater):
    one = rater(viewport=DESK)
    one.press("2", "t")
    one.page.get_by_label("Grammar").check()
    one.page.get_by_label("ddysgu", exact=True).check(force=True)
    one.page.get_by_label("Comment").fill("The verb.")
    one.page.get_by_label("How you would say it").fill("Rhaid dysgu.")
    expect(one.page.get_by_label("How you would say it")).to_have_attribute("lang", "cy")
    one.page.locator("[data-save-more]").click()
    one.saved()
    one.page.goto(f"{one.url}?item={one.item()}&panel=more")
    expect(one.page.get_by_label("Grammar")).to_be_checked()
    expect(one.page.get_by_label("ddysgu", exact=True)).to_be_checked()
    expect(one.page.get_by_label("Comment")).to_have_value("The verb.")
    expect(one.page.get_by_label("How you would say it")).to_have_value("Rhaid dysgu.")
    assert grades() == [2]


def test_right_in_another_dialect_asks_for_another_grade_than_reject(rater):
    one = rater(viewport=DESK)
    one.press("2", "t")
    one.page.get_by_label("Right, but another dialect or spelling").check()
    one.saved()
    one.page.get_by_role("button", name="Reject").click()
    expect(one.page.locator("[data-tag-note]")).to_be_visible()
    expect(one.page.get_by_role("button", name="Gist")).to_have_attribute("aria-pressed", "true")
    assert grades() == [2]


def test_reference_appears_after_the_save_and_only_the_second_answer_changes(rater):
    one = rater(shows_reference=True, references=("Mae'n rhaid i'r holl fyfyrwyr.",) * 12)
    expect(one.page.get_by_text("Mae'n rhaid i'r holl fyfyrwyr.")).to_have_count(0)
    one.press("2")
    expect(one.page.get_by_text("Mae'n rhaid i'r holl fyfyrwyr.")).to_be_visible()
    expect(one.page.get_by_role("button", name="Reject")).to_be_hidden()  # the dock folds to glyph, word and Change
    one.page.get_by_text("Change", exact=True).click()
    one.page.get_by_role("button", name="Acceptable").click()
    one.saved()
    one.page.reload()
    assert Rating.objects.values_list("first_grade", "grade").get() == (2, 3)


def test_going_on_by_itself_is_off_until_it_is_switched_on(rater):
    one = rater()
    one.press("3")
    one.saved()
    one.count("1 of 10")
    one.page.locator(".ch-rate-options > summary").click()
    one.page.get_by_label("Go on by itself after a grade").check()
    one.page.locator(".ch-rate-options > summary").click()
    one.page.get_by_role("button", name="Excellent").click()
    one.count("2 of 10")


# What can go wrong -------------------------------------------------------------------------------


def test_lost_network_keeps_ratings_on_the_phone_and_sends_them_once(rater):
    one = rater()
    one.page.context.set_offline(True)
    one.press("3")
    expect(one.page.locator("[data-save-words]")).to_have_text("1 kept on this phone")
    expect(one.page.locator("[data-strip]")).to_contain_text("No connection. Go on")
    one.press("Enter", "4", "Enter", "1")
    expect(one.page.locator("[data-save-words]")).to_have_text("3 kept on this phone")
    assert grades() == []
    one.page.context.set_offline(False)
    one.saved()
    expect(one.page.locator("[data-strip]")).to_be_hidden()
    assert grades() == [3, 4, 1]
    assert RatingVersion.objects.count() == 3
    assert one.stored().count("ch-rate:") == 0


def test_lost_answer_is_asked_for_again_and_counts_once(rater):
    one = rater()

    def reach_and_lose(route):
        route.fetch()
        route.abort()

    one.page.route(one.ratings_url, reach_and_lose, times=1)
    one.press("3")
    one.saved()
    assert grades() == [3]
    assert RatingVersion.objects.count() == 1


def test_server_that_fails_is_asked_again(rater):
    one = rater()
    one.page.route(one.ratings_url, lambda route: route.fulfill(status=502, body="bad gateway"), times=2)
    one.press("3")
    one.saved()
    assert grades() == [3]


def test_closed_tab_loses_nothing(rater):
    one = rater()
    context = one.page.context
    context.set_offline(True)
    one.press("4")
    expect(one.page.locator("[data-save-words]")).to_have_text("1 kept on this phone")
    other = context.new_page()
    one.page.close()
    context.set_offline(False)
    other.goto(one.url)
    one.saved(other)
    expect(other.locator("[data-count]")).to_have_text("2 of 10")
    assert grades() == [4]


def test_ended_session_asks_to_sign_in_and_then_sends(rater):
    one = rater()
    sign_out(one.page.context)
    one.press("2", "Enter")
    expect(one.page.locator("[data-sign-in]")).to_have_text("Sign in to send 1")
    one.press("3")
    expect(one.page.locator("[data-sign-in]")).to_have_text("Sign in to send 2")
    assert grades() == []
    sign_in(one.page.context, one.live_server, one.user)
    one.page.evaluate("() => window.dispatchEvent(new Event('focus'))")
    one.saved()
    assert grades() == [2, 3]


def test_words_about_secret_text_are_never_stored_on_the_device(rater):
    one = rater(segment="gold_standard")
    one.press("2")
    one.saved()
    one.page.context.set_offline(True)
    one.press("t")
    one.page.get_by_label("Comment").fill("canary-comment")
    one.page.get_by_label("Comment").blur()
    expect(one.page.locator("[data-save-words]")).to_have_text("1 kept on this phone")
    stored = one.stored("localStorage") + one.stored("sessionStorage")
    assert "ch-rate:" in one.stored("sessionStorage") and "ch-rate:" not in one.stored("localStorage")
    assert "canary" not in stored and "myfyriwr" not in stored and "students" not in stored
    one.page.context.set_offline(False)
    one.saved()
    assert RatingVersion.objects.count() == 2


def test_two_tabs_the_later_act_wins_and_both_are_kept(rater):
    one = rater()
    second = one.page.context.new_page()
    second.goto(one.url)
    one.page.get_by_role("button", name="Gist").click()
    one.saved()
    second.get_by_role("button", name="Excellent").click()
    one.saved(second)
    assert grades() == [4]
    assert list(RatingVersion.objects.order_by("pk").values_list("grade", flat=True)) == [2, 4]


def test_double_click_makes_one_rating(rater):
    one = rater()
    one.page.get_by_role("button", name="Acceptable").dblclick()
    one.saved()
    one.page.reload()
    assert grades() == [3]


def test_closed_campaign_keeps_what_was_written_in_sight(rater):
    one = rater()
    one.press("3", "t")
    one.saved()
    Campaign.objects.update(status="closed")
    one.page.get_by_label("Comment").fill("my own words")
    one.page.locator("[data-save-more]").click()
    expect(one.page.locator("[data-save-words]")).to_have_text("1 not saved")
    expect(one.page.locator("[data-refused-words]")).to_have_text(
        "This campaign is closed. What you saved before has arrived and counts."
    )
    expect(one.page.locator("[data-refused-kept]")).to_have_text("my own words")


def test_item_that_went_to_another_speaker_is_named_and_the_next_one_shown(rater):
    one = rater(overlap=1, count=2)
    first = one.item()
    Lease.objects.update(expires_at=one.flow.campaign.opened_at)
    block_lease(rater=one.flow.speakers[1], campaign=one.flow.campaign)
    one.press("3")
    expect(one.page.locator("[data-save-words]")).to_have_text("Saved elsewhere")
    expect(one.page.locator("[data-refused-words]")).to_contain_text("This item went to another speaker.")
    assert one.item() != first
    assert grades() == []


# Without script ----------------------------------------------------------------------------------


@pytest.fixture
def plain_page(browser, live_server):
    context = browser.new_context(java_script_enabled=False, viewport=PHONE)
    yield context.new_page()
    context.close()


def test_everything_works_without_script(plain_page, live_server):
    one = Rater(plain_page, live_server, make.flow(speakers=1, count=2))
    one.page.get_by_role("button", name="Acceptable").click()
    expect(one.page.get_by_role("button", name="Acceptable")).to_have_attribute("aria-pressed", "true")
    expect(one.page.locator("[data-save-words]")).to_have_text("Saved")
    one.page.get_by_role("link", name="Say more").click()
    one.page.get_by_label("Grammar").check()
    one.page.get_by_label("Comment").fill("One word.")
    one.page.get_by_role("button", name="Save").click()
    one.page.get_by_role("link", name="Next").click()
    one.count("2 of 2")
    one.page.get_by_role("link", name="Item before").click()
    one.page.get_by_role("button", name="Undo").click()
    assert grades() == [None]
    one.page.get_by_role("button", name="Gist").click()
    one.page.get_by_role("link", name="Next").click()
    one.page.get_by_role("link", name="Can’t judge").click()
    one.page.get_by_label("Not my subject").check()
    one.page.get_by_role("button", name="Save").click()
    expect(one.page.get_by_role("heading", level=1)).to_have_text("All done, saved. Your rating has arrived.")
    assert grades() == [2]
    assert Rating.objects.get().tags == ["grammar"]


# Looks -------------------------------------------------------------------------------------------


def test_phone_shows_source_output_and_all_four_grades_in_one_view(rater):
    one = rater()
    for name in ("Reject", "Gist", "Acceptable", "Excellent"):
        box = one.page.get_by_role("button", name=name).bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= PHONE["height"], name
        assert box["height"] >= 50
    output = one.page.locator("[data-output]").bounding_box()
    dock = one.page.locator("[data-dock]").bounding_box()
    assert output["y"] + output["height"] <= dock["y"]
    for name in ("Skip", "Can’t judge", "Stop: harmful"):
        box = one.page.locator("[data-actions=fresh]").get_by_text(name, exact=True).bounding_box()
        assert box["y"] + box["height"] <= PHONE["height"], name
    assert one.page.evaluate("() => document.documentElement.scrollWidth") <= PHONE["width"]


def test_long_sentence_is_covered_by_nothing(rater):
    one = rater(sources=("A long sentence. " * 20,) * 12, outputs=("Brawddeg hir. " * 40,) * 12)
    output = one.page.locator("[data-output]").bounding_box()
    dock = one.page.locator("[data-dock]").bounding_box()
    assert output["y"] + output["height"] <= dock["y"]


@pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
def test_axe_finds_nothing_on_any_state(rater, viewport):
    one = rater(viewport=viewport, shows_reference=True, count=2, fields={"notes": "Said on a boat."})
    states = [lambda: None, lambda: one.press("j"), lambda: one.press("Escape", "h"),
              lambda: one.press("Escape", "3"), lambda: one.press("t")]  # fmt: skip
    for act in states:
        act()
        one.saved()
        found = Axe().run(one.page)
        assert found.violations_count == 0, found.generate_report()
    one.page.locator("[data-save-more]").click()
    one.page.locator("main").focus()
    one.press("Enter", "4", "Enter")
    expect(one.page.get_by_role("heading", level=1)).to_contain_text("All done")
    for path in ("", reverse("review:my_campaigns")):
        one.page.goto(one.url if not path else one.live_server.url + path)
        found = Axe().run(one.page)
        assert found.violations_count == 0, found.generate_report()
    assert one.complaints == []


def test_address_names_the_campaign_and_nothing_else(rater):
    one = rater()
    one.press("3")
    one.saved()
    one.press("Enter")
    one.count("2 of 10")
    assert urlsplit(one.page.url).path == reverse("review:rate", args=[one.flow.campaign.uid])
    assert urlsplit(one.page.url).query == ""
