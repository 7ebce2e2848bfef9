"""One installation and the browsers of its people; everything that goes wrong in a browser is collected."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Locator, Page

from champollion.accounts.models import User

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
#: Said by the browser itself before the console can say it: what the policy of the page refused.
_TELL_VIOLATIONS = """addEventListener("securitypolicyviolation", (event) =>
    console.error(`policy: ${event.violatedDirective} refused ${event.blockedURI}`))"""


class Site:
    """The pages at one address, as several people see them, each in a browser of their own.

    Args:
        browser: Chromium.
        url: where the installation answers, without a slash at the end.
    """

    def __init__(self, browser: Browser, url: str) -> None:
        self.url = url
        self._browser = browser
        self._contexts: list[BrowserContext] = []
        self._troubles: list[str] = []
        self._refusals: list[str] = []
        self._foreseen: list[str] = []
        self._hosts: set[str] = set()

    def enter(self, user: User | None = None, **options: Any) -> Page:
        """Open a browser for a person who is signed in already; without one for a visitor."""
        context = self._browser.new_context(base_url=self.url, **options)
        context.set_default_timeout(15_000)
        context.add_init_script(_TELL_VIOLATIONS)
        context.on("console", self._heard)
        context.on("weberror", lambda error: self._troubles.append(f"error in {error.page.url}: {error.error}"))
        context.on("request", lambda request: self._hosts.add(urlsplit(request.url).netloc))
        context.on("response", self._answered)
        if user is not None:
            context.add_cookies([{"name": "sessionid", "value": _session_of(user), "url": self.url}])
        self._contexts.append(context)
        return context.new_page()

    def _heard(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            where = message.location.get("url", "")
            self._troubles.append(f"{message.type} in {where}: {message.text}")

    def _answered(self, response: Any) -> None:
        if response.status >= 400:
            self._refusals.append(f"{response.status} {urlsplit(response.url).path}")

    @property
    def troubles(self) -> list[str]:
        """What browsers complained of, but that an answer was a refusal: those stand in ``surprises``."""
        return [trouble for trouble in self._troubles if "Failed to load resource: the server responded" not in trouble]

    def foresee(self, status: int, path: str) -> None:
        """Say that a test asks on purpose for something that is refused."""
        self._foreseen.append(f"{status} {path}")

    @property
    def surprises(self) -> list[str]:
        """Answers of 400 and over that no test foresaw, as "404 /static/x.css", and those foreseen that never came."""
        came, foreseen = Counter(self._refusals), Counter(self._foreseen)
        missed = [f"not {one}" for one in (foreseen - came).elements()]
        return [*(came - foreseen).elements(), *missed]

    @property
    def foreign_hosts(self) -> set[str]:
        """Hosts other than the installation's that a page asked for anything."""
        return self._hosts - {urlsplit(self.url).netloc, ""}

    def where(self) -> str:
        """What every browser shows, for the report of a failed test."""
        pages = [page for context in self._contexts for page in context.pages]
        return "\n\n".join(f"{page.url}\n{page.locator('body').inner_text()[:1500]}" for page in pages)

    def close(self) -> None:
        for context in self._contexts:
            context.close()


def until(is_true: Callable[[], Any], *, seconds: float = 30, what: str = "") -> Any:
    """Wait for another process; return the first true answer.

    Raises:
        AssertionError: none came in time.
    """
    end = time.monotonic() + seconds
    while not (answer := is_true()):
        assert time.monotonic() < end, f"waited {seconds} s in vain for {what or is_true}"
        time.sleep(0.2)
    return answer


def look_until(page: Page, wanted: Locator, *, seconds: float = 30) -> Locator:
    """Look at a page again and again, as a person does who waits for a worker, until it shows what is wanted."""

    def is_there() -> bool:
        page.reload()
        return wanted.count() > 0

    until(is_there, seconds=seconds, what=f"{wanted} on {page.url}")
    return wanted


def overflow(page: Page) -> int:
    """By how many pixels a page is wider than its window."""
    return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


def tab_to(page: Page, wanted: Locator, *, steps: int = 60) -> None:
    """Walk by the Tab key until a thing has the focus.

    Raises:
        AssertionError: it is not reached.
    """
    element = wanted.element_handle()
    for _step in range(steps):
        page.keyboard.press("Tab")
        if page.evaluate("(wanted) => document.activeElement === wanted", element):
            return
    raise AssertionError(f"{wanted} was not reached by {steps} steps of the Tab key")


def _session_of(user: User) -> str:
    client = Client()
    client.force_login(user)
    return client.cookies["sessionid"].value
