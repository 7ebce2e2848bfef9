"""Keep secret text out of what stewards write for the audit log and for developers (LAW-2)."""

from django.utils.translation import gettext as _

from champollion.common.errors import DomainError
from corpora import vault
from corpora.access import open_entry
from review.anchors import entry_of, version_of
from review.models import Campaign, SampleItem

#: A shorter text is a word or two that anybody may write.
SHORTEST_QUOTE = 12


def quote_refuse(campaign: Campaign, *written: str) -> None:
    """Refuse a written reason that quotes a source, reference or output of a secret segment word for word.

    Compares without regard to case and white space. Public segments may be quoted.

    Raises:
        DomainError: one of the texts stands in what was written.
    """
    if not campaign.run.is_secret:
        return
    texts = [_plain(text) for text in written if len(_plain(text)) >= SHORTEST_QUOTE]
    if not texts:
        return
    corpus = version_of(campaign.run).corpus
    for item in SampleItem.objects.filter(campaign=campaign).select_related("output__entry").iterator(chunk_size=500):
        entry = open_entry(entry_of(item), corpus)
        sealed = item.output.sealed
        output = vault.unseal(corpus, sealed).get("text", "") if sealed else ""
        for secret in (entry.source, entry.reference, output):
            plain = _plain(secret or "")
            if len(plain) >= SHORTEST_QUOTE and any(plain in text for text in texts):
                raise DomainError(
                    "reason.quotes_secret_text",
                    _("Your reason quotes a sentence of a secret segment. Describe it without its words."),
                )


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
