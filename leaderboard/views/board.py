"""The list of boards, a board, and its downloads (SPEC L-4)."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from champollion.common.figures import cost
from corpora.access import may_read_secret
from corpora.constants import Segment, is_secret
from corpora.models import CorpusVersion
from leaderboard.board_files import board_csv, board_json, row_dict
from leaderboard.forms import BoardForm
from leaderboard.models.method import MethodClass
from leaderboard.models.standing import VerificationLevel
from leaderboard.selectors import board as boards
from leaderboard.selectors.board import Board, BoardFilters
from leaderboard.selectors.pairs import BOARD_SEGMENTS, pairs_list, standings_shown, version_name, versions_of_pair

#: What an address of a board may hold, in its order.
PARAMETERS = ("segment", "version", *BoardForm.FILTERS, "columns", "sort")


@dataclass(frozen=True)
class Asked:
    """What an address asks for: the board, its filters, and the form that shows them."""

    pair: str
    versions: list[CorpusVersion]
    version: CorpusVersion
    segment: str
    counts: dict[tuple[int, str], int]
    form: BoardForm
    filters: BoardFilters


@require_safe
def pair_list(request: HttpRequest) -> HttpResponse:
    """List the language pairs that have a board."""
    return render(request, "leaderboard/pair_list.html", {"pairs": pairs_list()})


@require_safe
def board_detail(request: HttpRequest, pair: str) -> HttpResponse:
    """Show a board: one page of rows, and everything that changes it in the address."""
    asked = _asked(request, pair)
    board = boards.board_get(asked.version, asked.segment, asked.filters, page=request.GET.get("page"))
    context = {
        "board": board,
        "corpus": asked.version.corpus,
        "pair": pair,
        "is_secret": is_secret(asked.segment),
        "tabs": _tabs(request, asked),
        "versions": [(version_name(one), one) for one in asked.versions],
        "newest": _newest_of_corpus(asked),
        "heads": [_head(request, board, column.key) for column in board.columns],
        "form": asked.form,
        "chips": _chips(request, asked),
        "filter_hidden": _hidden(request, leave_out=BoardForm.FILTERS),
        "column_hidden": _hidden(request, leave_out=("columns",)),
        "version_hidden": _hidden(request, leave_out=("version", *BoardForm.FILTERS)),
        "chosen_columns": asked.form.chosen_columns(),
        "query": _query(request),
        "elsewhere": asked.counts,
        "filter_count": board.page.paginator.count,
        "compared": board.compared,
    }
    return render(request, "leaderboard/board_detail.html", context)


@require_safe
def board_download(request: HttpRequest, pair: str, extension: str) -> HttpResponseBase:
    """Give the whole board as shown, unpaged: CSV with a guard against formulas, named in the file name, or JSON."""
    asked = _asked(request, pair)
    rows = boards.board_rows(asked.version, asked.segment, asked.filters)
    stem = f"board-{pair}-{asked.segment}-{asked.version.version}"
    if extension == "csv":
        response = StreamingHttpResponse(
            board_csv(rows.iterator(chunk_size=2000), filters=asked.filters), content_type="text/csv; charset=utf-8"
        )
        response["Content-Disposition"] = f'attachment; filename="{stem}-formulas-guarded.csv"'
        return response
    about = {
        "pair": pair,
        "corpus": asked.version.corpus.corpus_id,
        "version": asked.version.version,
        "segment": asked.segment,
    }
    json_response = HttpResponse(
        board_json(rows, about=about, filters=asked.filters), content_type="application/json; charset=utf-8"
    )
    json_response["Content-Disposition"] = f'attachment; filename="{stem}.json"'
    return json_response


@require_safe
def row_detail(request: HttpRequest, uid: UUID) -> JsonResponse:
    """Give one row for machines; its address stays as long as the row."""
    standing = standings_shown().filter(uid=uid).select_related("corpus_version__corpus").first()
    if standing is None:
        raise Http404
    version = standing.corpus_version
    may_read = not is_secret(standing.segment) or may_read_secret(request.user, version.corpus)
    filters = BoardFilters(rounds_latency=not may_read)
    row = boards.board_rows(version, standing.segment, filters).get(pk=standing.pk)
    about = {"pair": version.corpus.pair, "corpus": version.corpus.corpus_id, "version": version.version}
    return JsonResponse({**about, "segment": standing.segment, **row_dict(row, filters)})


def _asked(request: HttpRequest, pair: str) -> Asked:
    versions = versions_of_pair(pair)
    counts = boards.segment_counts(versions)
    version, segment = boards.version_choose(
        versions, segment=request.GET.get("segment", ""), named=request.GET.get("version", ""), counts=counts
    )
    may_read = not is_secret(segment) or may_read_secret(request.user, version.corpus)
    cuts = boards.cuts_offered(version, segment, may_read=may_read)
    form = BoardForm(request.GET, cuts=cuts)
    form.is_valid()
    filters = form.filters(sort=request.GET.get("sort", ""), rounds_latency=not may_read)
    return Asked(pair, versions, version, segment, counts, form, filters)


def _tabs(request: HttpRequest, asked: Asked) -> list[dict[str, Any]]:
    labels = {
        Segment.GOLD_STANDARD: _("Official: gold standard"),
        Segment.DEVELOPMENT: _("Development"),
        Segment.DIAGNOSTIC: _("Diagnostic"),
    }
    return [
        {
            "label": labels[segment],
            "is_secret": is_secret(segment),
            "is_current": segment == asked.segment,
            "url": "?" + urlencode(_tab_query(request, asked, segment)),
        }
        for segment in BOARD_SEGMENTS
    ]


def _tab_query(request: HttpRequest, asked: Asked, segment: Segment) -> dict[str, str]:
    """A tab keeps the corpus version that was chosen, where that has the segment."""
    keeps = request.GET.get("version") and getattr(asked.version, f"has_{segment.value}")
    return {"segment": segment.value, **({"version": version_name(asked.version)} if keeps else {})}


def _newest_of_corpus(asked: Asked) -> CorpusVersion | None:
    """Return the newest version of the corpus where an older one is shown."""
    newest = max(
        (one for one in asked.versions if one.corpus_id == asked.version.corpus_id), key=lambda one: one.order_key
    )
    return None if newest.pk == asked.version.pk else newest


def _head(request: HttpRequest, board: Board, key: str) -> dict[str, Any]:
    """A column's head: where its link leads, and how the board is sorted by it now."""
    column = next(one for one in board.columns if one.key == key)
    is_sorted = board.sort.key == key
    descending = not board.descending if is_sorted else column.best_first
    url = "?" + _query(request, sort=f"-{key}" if descending else key)
    sort = ("descending" if board.descending else "ascending") if is_sorted else "none"
    return {"column": column, "url": f"{url}#sort-{key}", "aria_sort": sort}


def _chips(request: HttpRequest, asked: Asked) -> list[dict[str, str]]:
    """The active filters, each with the address without it."""
    filters, chips = asked.filters, {}
    if filters.cut is not None:
        text = _("Domain: %(name)s, %(count)s entries") if filters.cut.kind == "domain" else ""
        text = text or _("Difficulty: %(name)s, %(count)s entries")
        chips[filters.cut.kind] = text % {"name": filters.cut.label, "count": filters.cut.entry_count}
    if filters.method_class:
        chips["method_class"] = _("Class: %(name)s") % {"name": MethodClass(filters.method_class).label}
    if filters.level:
        chips["level"] = _("Checked by: %(name)s") % {"name": VerificationLevel(filters.level).label}
    if filters.since:
        chips["since"] = _("Since %(day)s") % {"day": date_format(filters.since)}
    if filters.cost_max is not None:
        chips["cost_max"] = _("At most %(cost)s an entry") % {"cost": cost(filters.cost_max)}
    return [{"label": label, "url": "?" + _query(request, **{name: ""})} for name, label in chips.items()]


def _query(request: HttpRequest, **changes: str) -> str:
    """Return the address's parameters with some changed; an empty value takes one out, and the page number goes."""
    pairs = [
        (name, value)
        for name in PARAMETERS
        for value in ([changes[name]] if name in changes else request.GET.getlist(name))
        if value
    ]
    return urlencode(pairs)


def _hidden(request: HttpRequest, *, leave_out: tuple[str, ...]) -> list[tuple[str, str]]:
    """What a form of the page must carry on beside its own fields."""
    return [
        (name, value) for name in PARAMETERS if name not in leave_out for value in request.GET.getlist(name) if value
    ]
