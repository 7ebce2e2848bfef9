"""Fixtures of the whole story: the pages of an installation, in browsers that must have nothing to complain of."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from .site import Site

# Two busy cores answer slowly; that is no finding.
expect.set_options(timeout=15_000)


@pytest.fixture
def site(transactional_db: None, broker_url: str, live_server, browser: Browser) -> Iterator[Site]:
    """The installation's pages. At the end no browser may have had an error or a violation of the policy."""
    site = Site(browser, live_server.url)
    yield site
    print(site.where())
    site.close()
    assert site.troubles == []
    assert site.foreign_hosts == set()
    assert site.surprises == []
