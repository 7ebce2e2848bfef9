"""The list of corpora, a version's page, and its public edition."""

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.dateparse import parse_date, parse_datetime
from django.utils.formats import date_format
from django.views.decorators.http import require_safe

from champollion.accounts.permissions import may
from corpora import selectors
from corpora.access import may_read_secret
from corpora.labels import place_text, problem_text
from corpora.models import CorpusVersion
from corpora.services.editions import public_edition


@require_safe
def corpus_list(request: HttpRequest) -> HttpResponse:
    """List every corpus that is not withdrawn (I-3: for all)."""
    context = {"listed": selectors.corpus_list(), "may_import": may(request.user, "corpus.import")}
    return render(request, "corpora/corpus_list.html", context)


@require_safe
def corpus_newest(request: HttpRequest, corpus_id: str) -> HttpResponse:
    """Lead to the newest version of a corpus."""
    version = selectors.newest_version_get(corpus_id)
    return redirect("corpora:version", corpus_id=version.corpus.corpus_id, version=version.version)


@require_safe
def version_detail(request: HttpRequest, corpus_id: str, version: str) -> HttpResponse:
    """Show a version: segments with counts, digests, differences, attestation. No text of an entry."""
    found = selectors.version_get(corpus_id, version)
    may_read = may_read_secret(request.user, found.corpus)
    is_ready = found.status == CorpusVersion.Status.READY
    context = {
        "corpus_version": found,
        "corpus": found.corpus,
        "is_ready": is_ready,
        "may_read": may_read,
        "may_import": may(request.user, "corpus.import", found.corpus.organisation),
        "by_difficulty": selectors.segments_by_difficulty(found, may_read=may_read),
        "by_domain": selectors.segments_by_domain(found, may_read=may_read),
        "by_register": selectors.segments_by_register(found, may_read=may_read),
        "differences": selectors.differences(found, may_read=may_read) if is_ready else None,
        "versions": selectors.versions_of(found.corpus),
        "made_on": _day_or_words(found.created_as_given),
        "warnings": _warnings(found) if may_read else [],
    }
    return render(request, "corpora/version_detail.html", context)


@require_safe
def public_download(request: HttpRequest, corpus_id: str, version: str) -> HttpResponseBase:
    """Give out the public edition: the file that developers run on and that their run cards name."""
    found = selectors.readable_version_get(corpus_id, version)
    etag = f'"{found.public_sha256}"'
    if request.headers.get("If-None-Match") == etag:
        return HttpResponseNotModified(headers={"ETag": etag})
    response = StreamingHttpResponse(public_edition(found), content_type="application/json; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{found.corpus.corpus_id}-{found.version}-public.json"'
    response["ETag"] = etag
    return response


def _day_or_words(given: str) -> str:
    """Return a date or a time of a file as a day in the interface language; anything else as it was given."""
    try:
        moment = parse_datetime(given)
        day = moment.date() if moment else parse_date(given)
    except ValueError:
        day = None
    return date_format(day) if day else given


def _warnings(version: CorpusVersion) -> list[dict[str, str]]:
    return [
        {**warning, "place": place_text(warning["place"]), "remedy": problem_text(warning["code"], warning["params"])}
        for warning in version.warnings
    ]
