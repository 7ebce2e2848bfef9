"""Signing in, and handing in corpora and runs, through the pages."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from django.core import mail
from playwright.sync_api import Page, expect

from champollion.accounts.models import User

from .site import until


@dataclass(frozen=True)
class Held:
    """What a steward says of the method that the organisation holds, all its parts there."""

    team: str
    file_name: str
    sha256: str
    place: str


def sign_in(page: Page, user: User) -> None:
    """Sign in by the code that is sent by e-mail."""
    page.goto("/")
    page.get_by_role("link", name="Sign in").click()
    page.get_by_label("Email").or_(page.get_by_label("E-mail")).fill(user.email)
    page.get_by_role("button", name="Send me a code").click()
    page.wait_for_url("**/confirm/**")
    letter = until(lambda: [one for one in mail.outbox if user.email in one.to], what="the letter")[-1]
    page.get_by_label("Code").fill(re.search(r"^\s*([A-Z0-9-]{6,12})\s*$", letter.body, re.MULTILINE)[1])
    page.get_by_role("button", name="Go on").click()
    page.wait_for_url(lambda url: "/account/" not in url)


def corpus_upload(page: Page, path: Path) -> None:
    """Check a corpus file, then publish it."""
    page.goto("/corpora/")
    page.get_by_role("link", name=re.compile("Upload")).first.click()
    page.get_by_label("Corpus file").set_input_files(path)
    page.get_by_role("button", name="Check only").click()
    expect(page.get_by_role("heading", name=re.compile("Nothing was stored yet"))).to_be_visible()
    page.get_by_label("Corpus file").set_input_files(path)
    page.get_by_label(re.compile("I attest that people wrote the references")).check()
    page.get_by_role("button", name="Check and publish").click()
    page.wait_for_url("**/corpora/*/*/")


def run_upload(page: Page, path: Path, *, method: str, held: Held | None = None) -> str:
    """Hand in a run file for a method, new or known; return the address of the run.

    Args:
        held: where the organisation holds the method, for a steward's upload.
    """
    run_send(page, path, method=method, held=held)
    page.wait_for_url("**/runs/*/")
    return page.url


def run_send(page: Page, path: Path, *, method: str, held: Held | None = None) -> None:
    """Fill the form in and send it, whatever comes of it."""
    page.goto("/submit/run/")
    _choose_method(page, method)
    page.get_by_label("Run file").set_input_files(path)
    if held is not None:
        page.get_by_label("Team that made it").select_option(label=held.team)
        page.get_by_label("File name of the held method").fill(held.file_name)
        page.get_by_label("Its SHA-256").fill(held.sha256)
        page.get_by_label("Where it lies").fill(held.place)
        for part in page.locator("input[name=held_parts]").all():
            part.check()
    page.get_by_role("button", name="Hand in", exact=True).click()


def _choose_method(page: Page, method: str) -> None:
    known = page.get_by_label("Method", exact=True)
    if method in known.locator("option").all_inner_texts():
        known.select_option(label=method)
    else:
        page.get_by_label("Name of the new method").fill(method)


def expect_composite(page: Page, run: str, composite: str) -> None:
    """Stay on a run's page until the worker's composite stands there."""
    page.goto(run)
    expect(page.get_by_role("heading", name=f"Composite {composite}", exact=True)).to_be_visible(timeout=60_000)
