"""Browsing and searching the entries of a version: public ones for all, secret ones for those who may read them."""

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from corpora import access, selectors
from corpora.access import EntryText
from corpora.forms import EntryFilterForm
from corpora.vocabulary import is_secret

PAGE_SIZE = 50


@require_safe
def entry_list(request: HttpRequest, corpus_id: str, version: str) -> HttpResponse:
    """Show a page of entries. A page with secret text is a recorded read (C-7) and is not kept by the browser."""
    found = selectors.readable_version_get(corpus_id, version)
    may_read = access.may_read_secret(request.user, found.corpus)
    form = EntryFilterForm(request.GET, version=found, may_read=may_read)
    form.is_valid()
    filters = form.filters()
    entries = selectors.entries_filtered(found, filters=filters, may_read=may_read)
    page = Paginator(entries, PAGE_SIZE).get_page(request.GET.get("page"))
    texts = access.read_entries(page.object_list, version=found, reader=request.user, purpose="browse")
    shows_secret = is_secret(filters.get("segment", ""))
    context = {
        "corpus_version": found,
        "corpus": found.corpus,
        "form": form,
        "page": page,
        "rows": [_row(text) for text in texts],
        "query": _query(request),
        "is_filtered": bool(filters),
        "shows_secret": shows_secret,
        "may_read": may_read,
    }
    response = render(request, "corpora/entry_list.html", context)
    if shows_secret:
        response["Cache-Control"] = "no-store, private"
    return response


def _row(text: EntryText) -> dict[str, Any]:
    provenance = text.fields.get("provenance")
    about = provenance if isinstance(provenance, dict) else {}
    url = str(about.get("url") or "")
    return {
        "entry": text.entry,
        "source": text.source,
        "reference": text.reference,
        "variants": text.variants,
        "notes": text.fields.get("notes", ""),
        "phenomenon": text.fields.get("phenomenon", ""),
        "provenance": text.entry.provenance_name,
        "provenance_license": str(about.get("license") or ""),
        # An address from a file is shown as a link only where it is a web address, never as a script.
        "provenance_url": url if url.startswith(("https://", "http://")) else "",
    }


def _query(request: HttpRequest) -> str:
    """Return the filters of the address without the page number, for the links to other pages."""
    query = request.GET.copy()
    query.pop("page", None)
    return query.urlencode()
