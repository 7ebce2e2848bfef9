"""What is to be read on pages once something was done: boards, reports, the audit log."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from playwright.sync_api import Locator, Page, expect

from .by_hand import ByHand
from .reports import corpus_path

#: row of the report's annex -> the figure of a share by hand
_ANNEX = {
    "p̂": lambda share: share.p,
    "n*": lambda share: share.n_star,
    "s": lambda share: share.split_share,
    "Wilson 95 %, lower end": lambda share: share.wilson[0],
    "Wilson 95 %, upper end": lambda share: share.wilson[1],
    "lower bound, one-sided 97 %": lambda share: share.lower,
    "upper bound, one-sided 97 %": lambda share: share.upper,
}


def board_row(page: Page, method: str, *, board: str) -> Locator:
    """Find a method's row, from the list of boards on."""
    page.goto("/leaderboard/")
    page.get_by_role("link", name="English to Welsh").click()
    page.get_by_role("link", name=board, exact=True).click()
    return page.locator("table.ch-board tbody tr").filter(has_text=method)


def sizes_of_corpus() -> dict[str, int]:
    """Count the entries of the Welsh corpus by difficulty, in the file itself."""
    entries = json.loads(corpus_path().read_text())["entries"]
    return dict(Counter(str(entry["difficulty"]) for entry in entries))


def expect_report(page: Page, campaign: str, expected: ByHand) -> None:
    """See that the report meets the bar, and that its sentences and its annex hold the figures worked out by hand."""
    page.goto(f"/governance/campaigns/{campaign}/report/")
    usable, reject = expected.usable, expected.reject
    low, high = (round(bound * expected.population) for bound in usable.wilson)
    expect(page.locator(".ch-verdict")).to_have_attribute("data-verdict", "meets")
    expect(page.locator(".ch-sentence")).to_have_text(
        f"{usable.count} of {expected.shown} sampled outputs were usable to your speakers."
    )
    expect(page.locator(".ch-sentence-under")).to_have_text(
        f"Among all {expected.population}, very likely {low} to {high}."
    )
    annex = _annex(page)
    for name, of in _ANNEX.items():
        assert [float(cell) for cell in annex[name]] == pytest.approx([of(usable), of(reject)], abs=1e-6), name
    for name, value in {
        "pairwise, usable or not": expected.pairwise,
        "AC1 (Gwet)": expected.ac1,
        "ordinal alpha": expected.alpha,
    }.items():
        assert float(annex[name][0]) == pytest.approx(value, abs=1e-6), name


def _annex(page: Page) -> dict[str, list[str]]:
    """Return the annex's rows: symbol or name to the cells after it."""
    rows = page.locator("section[aria-labelledby=annex] table tr").evaluate_all(
        "rows => rows.map(row => [...row.cells].map(cell => cell.textContent.trim()))"
    )
    return {cells[0]: cells[1:] for cells in rows}


def expect_whole_chain(page: Page) -> None:
    """Let a steward verify the organisation's chain."""
    page.goto("/governance/audit/")
    page.get_by_role("button", name="Verify now").click()
    expect(page.get_by_text("The chain is whole.")).to_be_visible()
