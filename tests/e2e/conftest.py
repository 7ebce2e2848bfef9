"""Fixtures of the whole story: an installation with a real worker, and browsers that must find nothing to complain of."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from .site import Site


@pytest.fixture
def site(transactional_db: None, broker_url: str, live_server, browser: Browser) -> Iterator[Site]:
    """The installation's pages. At the end no browser may have had an error or a violation of the policy."""
    site = Site(browser, live_server.url)
    yield site
    print(site.where())
    site.close()
    assert site.troubles == []
    assert site.foreign_hosts == set()
    assert [one for one in site.refusals if one.startswith("5")] == []
