"""Speakers at the rating page: by keys alone, by touch on a phone, and over HTTP as the page's own script does."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from uuid import uuid4

from playwright.sync_api import Page, expect

from .site import overflow, tab_to

#: From the item's id to the grade that this speaker gives.
GradeOf = Callable[[str], int]

_ITEM = re.compile(r'<template data-item="([0-9a-f-]{36})"[^>]*data-status="held"')
_TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')


def _current(page: Page) -> str:
    return page.locator("[data-form] [data-item-field]").input_value()


def _open_segments(page: Page) -> int:
    return page.locator("[data-segment][data-state=open]").count()


def _go_on(page: Page, act: Callable[[], None]) -> None:
    """Leave an item that is rated; after the last of a block the server says what comes next."""
    if _open_segments(page):
        act()
        return
    with page.expect_navigation():
        act()


def _saved(page: Page, act: Callable[[], None]) -> None:
    """Do what saves, and see that the server took it and the page says so."""
    with page.expect_response(lambda answer: answer.url.endswith("/ratings/")) as answer:
        act()
    assert answer.value.status == 200
    expect(page.locator("[data-save]")).to_have_attribute("data-state", "saved")


def rate_by_keys(page: Page, grade_of: GradeOf) -> None:
    """Rate everything without a pointer: find the way by Tab, grade by 1 to 4, go on by Enter.

    The first item is skipped and comes again at the end of its block; the second is graded, taken back and graded
    again; on the third a tag is chosen and a comment written.
    """
    page.goto("/review/")
    tab_to(page, page.get_by_role("link", name=re.compile("^Rate")))
    page.keyboard.press("Enter")
    page.wait_for_url("**/rate/")
    _saved(page, lambda: page.keyboard.press("s"))
    grade = str(grade_of(_current(page)))
    _saved(page, lambda: page.keyboard.press("1"))
    _saved(page, lambda: page.keyboard.press("u"))
    _saved(page, lambda: page.keyboard.press(grade))
    _go_on(page, lambda: page.keyboard.press("Enter"))
    _saved(page, lambda: page.keyboard.press(str(grade_of(_current(page)))))
    _say_more_by_keys(page)
    _go_on(page, lambda: page.keyboard.press("Enter"))
    while True:
        while page.locator("[data-form]").count():
            _saved(page, lambda: page.keyboard.press(str(grade_of(_current(page)))))
            _go_on(page, lambda: page.keyboard.press("Enter"))
        next_ten = page.get_by_role("button", name="Next ten")
        if not next_ten.count():
            return
        tab_to(page, next_ten, steps=3)
        with page.expect_navigation():
            page.keyboard.press("Enter")


def _say_more_by_keys(page: Page) -> None:
    page.keyboard.press("t")
    tab_to(page, page.locator("[data-stage] input[name=tag][value=grammar]"))
    _saved(page, lambda: page.keyboard.press("Space"))
    tab_to(page, page.locator("[data-stage] textarea[name=comment]"))
    page.keyboard.type("The form of the verb.")
    _saved(page, lambda: page.keyboard.press("Escape"))
    expect(page.locator("#more-heading")).to_be_hidden()


def rate_by_touch(page: Page, grade_of: GradeOf) -> None:
    """Rate everything on a phone, in whatever language the page speaks."""
    page.goto("/review/")
    assert overflow(page) == 0
    page.locator("main a[href$='/rate/']").first.tap()
    page.wait_for_url("**/rate/")
    while True:
        while page.locator("[data-form]").count():
            assert overflow(page) == 0
            button = page.locator(f"button.ch-grade[value='{grade_of(_current(page))}']")
            _saved(page, button.tap)
            _go_on(page, page.locator("[data-goes-on]").tap)
        assert overflow(page) == 0
        next_ten = page.locator("form[action$='/block/'] button")
        if not next_ten.count():
            return
        with page.expect_navigation():
            next_ten.tap()


def rate_over_http(page: Page, campaign: str, grade_of: GradeOf) -> int:
    """Rate everything with the requests that the page and its script send; return how many ratings were saved."""
    address, saved = f"/review/{campaign}/", 0
    html = page.request.get(f"{address}rate/").text()
    while True:
        token = _TOKEN.search(html)[1]
        for item in _ITEM.findall(html):
            _post(page, f"{address}ratings/", token, item, grade_of(item))
            saved += 1
        html = page.request.get(f"{address}rate/").text()
        if f'action="{address}block/"' in html:
            form = {"csrfmiddlewaretoken": _TOKEN.search(html)[1]}
            html = page.request.post(f"{address}block/", form=form).text()
        elif not _ITEM.search(html):
            return saved


def _post(page: Page, url: str, token: str, item: str, grade: int) -> None:
    act = {
        "act": "rate", "item": item, "key": str(uuid4()), "sequence": time.time_ns() // 1_000_000, "grade": grade,
        "tags": [], "marks": [], "comment": "", "suggestion": "", "focused_seconds": 4, "wants_reference": True,
    }  # fmt: skip
    headers = {"Content-Type": "application/json", "X-CSRFToken": token}
    answer = page.request.post(url, data=json.dumps(act), headers=headers)
    assert answer.status == 200, answer.text()
