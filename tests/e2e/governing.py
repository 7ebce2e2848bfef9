"""What stewards and the coordinator do, through the pages: nominate, open, close, decide, sign."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from review.models import Decision

from .site import look_until


def nominate(page: Page, method: str) -> None:
    """Nominate a candidate from the desk."""
    page.goto("/governance/")
    row = page.locator("section[aria-labelledby=candidates] li").filter(has_text=method)
    look_until(page, row).get_by_role("link").click()
    page.get_by_role("link", name="Nominate", exact=True).click()
    page.get_by_role("button", name="Nominate", exact=True).click()
    page.wait_for_url("**/governance/nominations/*/")


def campaign_open(page: Page, method: str) -> str:
    """Wait for the worker's draft, check it and open it; return the campaign's id."""
    page.goto("/governance/")
    row = page.locator("section[aria-labelledby=drafts] li").filter(has_text=method)
    look_until(page, row).get_by_role("link").click()
    page.wait_for_url("**/governance/campaigns/*/")
    uid = re.search(r"campaigns/([0-9a-f-]{36})/", page.url)[1]
    page.locator("main a[href$='/open/']").click()
    page.get_by_role("button", name="Open the campaign").click()
    page.wait_for_url(f"**/governance/campaigns/{uid}/")
    expect(page.get_by_text("The campaign is open. Its plan is frozen.")).to_be_visible()
    return uid


def campaign_close(page: Page, uid: str) -> None:
    """Close a campaign that needs no more ratings."""
    page.goto(f"/governance/campaigns/{uid}/")
    page.locator("main a[href$='/close/']").click()
    page.get_by_role("button", name="Close the campaign").click()
    expect(page.get_by_text("The campaign is closed. Its report is ready for the stewards.")).to_be_visible()


def approve(page: Page, uid: str, *, transfer: str = "") -> str:
    """Propose an approval from the report; return the address of the decision."""
    page.goto(f"/governance/campaigns/{uid}/report/")
    page.get_by_role("link", name="Decide", exact=True).click()
    page.locator("input[name=kind][value=approve]").check()
    if transfer:
        page.locator(f"input[name=transfer][value={transfer}]").check()
    page.get_by_label("Reason", exact=False).last.fill("The speakers find it usable.")
    page.get_by_role("button", name="See what will happen").click()
    expect(page.get_by_role("heading", name="Is this your decision?")).to_be_visible()
    page.get_by_role("button", name="Send to a second steward").click()
    page.wait_for_url("**/governance/decisions/*/")
    return page.url


def sign_from_desk(page: Page, method: str) -> None:
    """Confirm as the second steward what waits on the desk."""
    page.goto("/governance/")
    page.locator("section[aria-labelledby=decisions] li").filter(has_text=method).get_by_role("link").click()
    page.locator("input[name=confirms][value=yes]").check()
    page.get_by_role("button", name="Sign", exact=True).click()
    expect(page.get_by_text("Confirmed and carried out.")).to_be_visible()


def sign_by_post(page: Page, decision: str) -> int:
    """Send a signature without a form, as somebody would who is offered none; return the status of the answer."""
    token = next(one["value"] for one in page.context.cookies() if one["name"] == "csrftoken")
    answer = page.request.post(decision, form={"csrfmiddlewaretoken": token, "confirms": "yes"})
    return answer.status


def expect_decided_by_two(first: Page, second: Page, campaign: str, *, method: str, transfer: str = "") -> None:
    """One steward approves and cannot confirm, not even by a request of their own; another one does."""
    address = approve(first, campaign, transfer=transfer)
    expect(first.get_by_role("button", name="Sign", exact=True)).to_have_count(0)
    assert sign_by_post(first, address) == 403
    decision = Decision.objects.get(campaign__uid=campaign)
    assert decision.status == Decision.Status.PROPOSED
    sign_from_desk(second, method)
    decision.refresh_from_db()
    assert decision.status == Decision.Status.CARRIED_OUT
