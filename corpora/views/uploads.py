"""The upload of a corpus: check it, or check and publish it."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from champollion.accounts import permissions
from champollion.common.errors import DomainError
from corpora.forms import UploadForm
from corpora.labels import problem_row
from corpora.services.imports import ImportOutcome, corpus_check, corpus_import_outcome
from corpora.services.problems import CorpusProblems
from corpora.validation import Validation
from corpora.validation.machine_words import published_words


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def corpus_new(request: HttpRequest) -> HttpResponse:
    """Show the form; on POST validate the file and, unless only a check was asked for, store it."""
    permissions.require(request.user, "corpus.import")
    if request.method != "POST":
        return _page(request, UploadForm(user=request.user, initial=_initial(request)))
    form = UploadForm(request.POST, request.FILES, user=request.user)
    if "check" in request.POST:
        form.fields["attested"].required = False
    if not form.is_valid():
        return _page(request, form, status=422)
    if "check" in request.POST:
        return _checked(request, form)
    return _published(request, form)


def _checked(request: HttpRequest, form: UploadForm) -> HttpResponse:
    validation = corpus_check(
        stream=form.cleaned_data["file"].file, options=form.options(), statement=form.cleaned_data["statement"]
    )
    return _page(request, form, validation=validation, status=422 if validation.log.has_errors else 200)


def _published(request: HttpRequest, form: UploadForm) -> HttpResponse:
    upload = form.cleaned_data["file"]
    curator: Any = request.user
    try:
        outcome = corpus_import_outcome(
            actor=curator,
            organisation=form.cleaned_data["organisation"],
            stream=upload.file,
            filename=upload.name,
            options=form.options(),
            attestation=form.attestation(curator.display_name),
        )
    except CorpusProblems as problems:
        return _page(request, form, validation=problems.validation, status=problems.status)
    except DomainError as error:
        form.add_error(None, str(error.message))
        return _page(request, form, status=error.status)
    messages.success(request, _told(outcome))
    version = outcome.version
    return redirect("corpora:version", corpus_id=version.corpus.corpus_id, version=version.version)


def _told(outcome: ImportOutcome) -> str:
    version = outcome.version
    names = {"corpus": version.corpus.corpus_id, "version": version.version, "count": version.entry_count}
    if not outcome.is_new:
        return _("%(corpus)s %(version)s is here already, with the same content. Nothing was changed.") % names
    return (
        ngettext(
            "%(corpus)s %(version)s is stored, with %(count)s entry.",
            "%(corpus)s %(version)s is stored, with %(count)s entries.",
            version.entry_count,
        )
        % names
    )


def _page(
    request: HttpRequest, form: UploadForm, *, validation: Validation | None = None, status: int = 200
) -> HttpResponse:
    context: dict[str, Any] = {"form": form, "validation": validation, "refused_words": published_words()}
    if validation is not None:
        log = validation.log
        context |= {
            "errors": [problem_row(problem) for problem in log.errors],
            "warnings": [problem_row(problem) for problem in log.warnings],
            "more_errors": log.error_count - len(log.errors),
            "more_warnings": log.warning_count - len(log.warnings),
        }
    response = render(request, "corpora/corpus_new.html", context, status=status)
    if validation is not None:  # the values of problems may be secret text
        response["Cache-Control"] = "no-store, private"
    return response


def _initial(request: HttpRequest) -> dict[str, str]:
    return {"id": request.GET["id"]} if "id" in request.GET else {}
