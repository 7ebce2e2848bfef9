"""The operators' page names every setting."""

from scripts import docs
from tests.shared import ROOT


def test_the_table_of_settings_is_the_codes_own():
    text = (ROOT / "docs" / "operators.md").read_text()
    assert docs.with_settings(text) == text


def test_a_link_that_leads_nowhere_is_found(tmp_path, monkeypatch):
    page = tmp_path / "page.md"
    page.write_text("[here](page.md) [there](gone.md#part) [elsewhere](https://example.org/x)")
    monkeypatch.setattr(docs, "ROOT", tmp_path)
    assert docs.broken_links(page) == ["page.md: gone.md#part does not exist"]
