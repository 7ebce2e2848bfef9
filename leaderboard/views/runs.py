"""A run: its progress, its figures, its entries, and the document as received (SPEC R-5, M-6)."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HTMX_STOP_POLLING

from champollion.common.errors import NotVisible, ProblemList
from corpora import access as corpus_access
from corpora import vault
from corpora.access import EntryText
from corpora.constants import Domain
from corpora.models import Corpus
from corpora.suppression import Cell, open_row, suppressed_total
from leaderboard import access
from leaderboard.forms import RunEntriesForm
from leaderboard.labels import metric_name, problem_rows
from leaderboard.models import Document, Run, RunOutput
from leaderboard.selectors import runs as selectors
from leaderboard.services.card_out import run_card_stream
from leaderboard.services.documents import document_bytes
from leaderboard.services.intake import run_score_again
from leaderboard.services.reanchoring import run_anchor

PAGE_SIZE = 50


@require_safe
def run_detail(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Show a run; while it is scored htmx asks for the same again, and 286 tells it that there is no more to ask."""
    run = access.run_get(request.user, uid)
    progress = selectors.run_progress(run, now=timezone.now())
    context = {"run": run, "progress": progress, **_about(request, run)}
    if progress is None and not context["is_withdrawn"]:
        context |= _figures(request, run)
    if not request.htmx:  # type: ignore[attr-defined]
        response = render(request, "leaderboard/run_detail.html", context)
    else:
        heard = request.GET.get("quarter", "")
        context["quarter_is_news"] = progress is not None and str(progress.quarter) != heard
        live = progress is not None and not progress.has_stopped
        context["is_answer"] = True
        status = 200 if live else HTMX_STOP_POLLING
        response = render(request, "leaderboard/_run_body.html", context, status=status)
    patch_vary_headers(response, ["HX-Request"])
    return response


def _about(request: HttpRequest, run: Run) -> dict[str, Any]:
    version = run.corpus_version
    return {
        "method": run.method_version.method,
        "version": version,
        "corpus": version.corpus if version else None,
        "is_withdrawn": access.is_withdrawn(run),
        "is_withheld": access.outputs_withheld(run),
        "rounds_latency": not access.may_read_cells(request.user, run),
        "may_read_outputs": access.may_read_outputs(request.user, run),
        "may_read_document": access.may_read_document(request.user, run.document),
        "may_ask_again": access.may_see_failure(request.user, run),
    }


def _figures(request: HttpRequest, run: Run) -> dict[str, Any]:
    score_set = run.score_set if run.status == Run.Status.SCORED else None
    found: dict[str, Any] = {"score_set": score_set, "metrics": selectors.metric_rows(run, score_set)}
    if score_set is None:
        return found
    may_read = access.may_read_cells(request.user, run)
    sisters = selectors.sister_runs(run)
    return {
        **found,
        "parts": selectors.composite_parts(score_set),
        "left_out": selectors.left_out(score_set),
        "by_difficulty": selectors.breakdown(run, score_set, "difficulty", may_read=may_read),
        "by_domain": selectors.breakdown(run, score_set, "domain", may_read=may_read),
        "breakdown_heads": [(code, metric_name(code)) for code in selectors.BREAKDOWN_METRICS],
        "share_affected": [(metric_name(k), v) for k, v in score_set.settings.get("share_affected", {}).items()],
        "harness": list(score_set.harness_values.values()),
        "caveats": selectors.caveat_rows(
            run,
            score_set,
            may_read_cells=may_read,
            may_read_outputs=access.may_read_outputs(request.user, run),
        ),
        "beside": selectors.figures_beside(score_set),
        "tools_used": selectors.tools_used(score_set),
        "missing": _shown_count(score_set.missing_count, may_read=may_read),
        "errors": _shown_count(score_set.error_count, may_read=may_read),
        "sisters": sisters,
        "differs_from_sisters": selectors.differs_from(run, sisters),
    }


def _shown_count(count: int, *, may_read: bool) -> Cell:
    return open_row([count])[0] if may_read else suppressed_total(count)


@require_safe
def run_entries(request: HttpRequest, uid: UUID) -> HttpResponse:
    """List a run's outputs beside source and reference: public ones, or secret ones for members who may read them."""
    run = access.run_get(request.user, uid)
    if run.corpus_version is None or not access.may_read_outputs(request.user, run):
        return _entries_refused(request, run)
    form = RunEntriesForm(request.GET, domains=_domains(run))
    form.is_valid()
    page = _entry_page(run, form.cleaned_data, number=request.GET.get("page"))
    context = {
        "run": run,
        "method": run.method_version.method,
        "corpus": run.corpus_version.corpus,
        "version": run.corpus_version,
        "form": form,
        "page": page,
        "rows": _entry_rows(request, run, list(page.object_list)),
        "query": _query(request),
        "marks": corpus_access.may_read_secret(request.user, run.corpus_version.corpus),
    }
    response = render(request, "leaderboard/run_entries.html", context)
    if run.is_secret:
        response["Cache-Control"] = "no-store, private"
    return response


def _entries_refused(request: HttpRequest, run: Run) -> HttpResponse:
    """Say that outputs are withheld while people rate; what is secret is not there at all."""
    public = run.corpus_version is not None and not run.is_secret and not access.is_withdrawn(run)
    if public and access.outputs_withheld(run):
        return render(request, "leaderboard/run_withheld.html", {"run": run}, status=403)
    raise NotVisible("run.outputs_not_visible", _("There is no such page."))


def _domains(run: Run) -> list[tuple[str, str]]:
    found = run.outputs.exclude(entry__domain="").order_by("entry__domain").values_list("entry__domain", flat=True)
    return [(code, str(Domain(code).label)) for code in found.distinct()]


def _entry_page(run: Run, given: dict[str, Any], *, number: Any) -> Any:
    outputs = selectors.outputs_of(run, filters=given)
    order = given.get("order")
    if not order or run.output_count > selectors.SORTABLE:
        return Paginator(outputs, PAGE_SIZE).get_page(number)
    pks = selectors.ordered_by_score(run, outputs, highest_first=order == "highest")
    page: Any = Paginator(pks, PAGE_SIZE).get_page(number)
    by_pk = RunOutput.objects.select_related("entry").in_bulk(page.object_list)
    page.object_list = [by_pk[pk] for pk in page.object_list]
    return page


def _entry_rows(request: HttpRequest, run: Run, outputs: list[RunOutput]) -> list[dict[str, Any]]:
    version = run.corpus_version
    assert version is not None  # noqa: S101 - only anchored runs have this page
    texts = corpus_access.read_entries(
        [output.entry for output in outputs if output.entry], version=version, reader=request.user, purpose="run"
    )
    by_entry: dict[int, EntryText] = {text.entry.pk: text for text in texts}
    scores = selectors.entry_scores(run, {output.entry_key for output in outputs})
    rows = []
    for output in outputs:
        sealed = output.sealed
        predicted = vault.unseal(version.corpus, sealed)["text"] if sealed is not None else output.text
        text = by_entry[output.entry_id or 0]
        rows.append({"output": output, "text": text, "predicted": predicted, "scores": scores.get(output.entry_key)})
    return rows


@require_safe
def run_document(request: HttpRequest, uid: UUID) -> HttpResponse | StreamingHttpResponse:
    """Give the document back as received, byte for byte; a sealed one's reading is recorded (SPEC R-2, C-7)."""
    run = access.run_get(request.user, uid)
    document = run.document
    if not access.may_read_document(request.user, document):
        return _entries_refused(request, run)
    version = run.corpus_version
    corpus = version.corpus if version is not None else None
    if document.is_sealed and version is not None and corpus is not None:
        corpus_access.secret_read_record(
            corpus=corpus, version=version, reader=request.user, purpose="document", count=run.output_count
        )
    response = _document_response(document, corpus)
    name = document.file_name or f"{document.kind}-{document.sha256[:12]}"
    response["Content-Disposition"] = content_disposition_header(True, name) or "attachment"
    if document.is_sealed:
        response["Cache-Control"] = "no-store, private"
    return response


def _document_response(document: Document, corpus: Corpus | None) -> HttpResponse | StreamingHttpResponse:
    content = document_bytes(document, corpus=corpus)
    kind = "application/octet-stream"
    if document.parts.exists():
        return StreamingHttpResponse(content, content_type=kind)
    return HttpResponse(b"".join(content), content_type=kind)


@require_safe
def run_card(request: HttpRequest, uid: UUID) -> StreamingHttpResponse:
    """Give a scored run's card as this installation seals it (SPEC R-8)."""
    return card_response(access.run_get(request.user, uid))


def card_response(run: Run) -> StreamingHttpResponse:
    """Return a run's own sealed card as a file that is made while it is sent."""
    response = StreamingHttpResponse(run_card_stream(run), content_type="application/json")
    name = f"run-card-{str(run.uid)[:8]}.json"
    response["Content-Disposition"] = content_disposition_header(True, name) or "attachment"
    response["Cache-Control"] = "no-cache, private"
    return response


@login_required
@require_POST
def run_again(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Ask for another scoring of a run whose scoring failed."""
    run = access.run_get(request.user, uid)
    run_score_again(actor=request.user, run=run)  # type: ignore[arg-type]
    messages.success(request, _("The run will be scored again."))
    return redirect("leaderboard:run", uid=run.uid)


@login_required
@require_POST
def run_look_again(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Look again for the corpus of an unanchored run."""
    run = access.run_get(request.user, uid)
    try:
        runs = run_anchor(run)
    except ProblemList as problems:
        context = {"problems": problem_rows(problems), "message": problems.message, "run": run}
        return render(request, "leaderboard/run_problems.html", context, status=problems.status)
    if runs:
        messages.success(request, _("The corpus is here now. The run will be scored."))
    else:
        messages.info(request, _("The corpus of this run is still not here."))
    return redirect("leaderboard:run", uid=run.uid)


def _query(request: HttpRequest) -> str:
    query = request.GET.copy()
    query.pop("page", None)
    return query.urlencode()
