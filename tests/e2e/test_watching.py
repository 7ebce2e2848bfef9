"""The watch over the browsers hears what it is there to hear: without this, silence would prove nothing."""

from __future__ import annotations

import pytest

from .site import Site, until

pytestmark = [pytest.mark.e2e, pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_errors_and_violations_are_heard(live_server, browser):
    site = Site(browser, live_server.url)
    page = site.enter()
    page.goto("/")
    assert (site.troubles, site.surprises, site.foreign_hosts) == ([], [], set())
    page.evaluate("document.body.setAttribute('style', 'color: red')")
    page.evaluate("setTimeout(() => { throw new Error('thrown on purpose') })")
    for heard in ("policy: style-src", "thrown on purpose"):
        # Events arrive while the browser is asked something.
        until(lambda: page.title() and any(heard in trouble for trouble in site.troubles), what=heard)
    page.goto("/nothing-here/")
    site.foresee(404, "/something-else/")
    assert site.surprises == ["404 /nothing-here/", "not 404 /something-else/"]
    site.close()
