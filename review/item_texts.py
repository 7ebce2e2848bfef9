"""One item in the open for a steward, curator or member with the right: source and output, the read recorded (C-7)."""

from dataclasses import dataclass
from typing import Any

from corpora.access import may_read_secret, read_entries
from review.access import output_text
from review.anchors import entry_of, version_of
from review.models import Campaign, SampleItem


@dataclass(frozen=True)
class ItemText:
    """An item's source and output."""

    source: str
    output: str


def item_text_for(item: SampleItem, campaign: Campaign, *, reader: Any, purpose: str) -> ItemText | None:
    """Return an item's texts for a person who may read them, or None; a read of secret text is recorded.

    Args:
        item: read with its output and entry.
        purpose: what for, as it stands in the audit log.
    """
    version = version_of(campaign.run)
    if campaign.run.is_secret and not may_read_secret(reader, version.corpus):
        return None
    (entry,) = read_entries([entry_of(item)], version=version, reader=reader, purpose=purpose)
    return ItemText(entry.source, output_text(item, campaign))
