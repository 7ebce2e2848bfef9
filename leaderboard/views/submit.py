"""The developer's desk and the upload of a run (SPEC R-1, L-3; design 4.15, 4.16)."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from champollion.accounts.permissions import require
from champollion.common.errors import DomainError, ProblemList
from leaderboard.forms import RunForm
from leaderboard.labels import problem_rows
from leaderboard.selectors import desk
from leaderboard.services.handing_in import MethodWish, run_hand_in
from leaderboard.services.intake import Receipt

#: How many problems are shown; the rest is counted (SPEC C-4).
PROBLEMS_SHOWN = 200


@login_required
@require_safe
def submit_desk(request: HttpRequest) -> HttpResponse:
    """Show my runs by state and what comes next, and my methods."""
    require(request.user, "run.submit")
    context = {
        "tiles": desk.tiles(request.user),
        "runs": desk.runs_by_state(request.user),
        "methods": desk.methods_mine(request.user),
    }
    return render(request, "leaderboard/submit_desk.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def submit_run(request: HttpRequest) -> HttpResponse:
    """Show the form; on POST take the file in, or list everything that is wrong with it."""
    require(request.user, "run.submit")
    if request.method != "POST":
        return _page(request, RunForm(user=request.user))
    form = RunForm(request.POST, request.FILES, user=request.user)
    if not form.is_valid():
        return _page(request, form, status=422)
    try:
        receipt = _hand_in(request, form)
    except ProblemList as problems:
        rows = problem_rows(problems)
        told = {"message": _(str(problems.message)), "problems": rows[:PROBLEMS_SHOWN], "problem_count": len(rows)}
        return _page(request, form, status=problems.status, **told)
    except DomainError as error:
        form.add_error(None, str(error.message))
        return _page(request, form, status=error.status)
    return _received(request, receipt)


def _hand_in(request: HttpRequest, form: RunForm) -> Receipt:
    upload, rows, log = (form.cleaned_data[name] for name in ("file", "rows", "log"))
    wish = MethodWish(
        method=form.cleaned_data["method"],
        name=form.cleaned_data["method_name"].strip(),
        team=form.cleaned_data["team"],
        team_name=form.cleaned_data["team_name"].strip(),
        method_class=form.cleaned_data["method_class"],
        configuration=form.configuration(),
        held=form.held(),
    )
    return run_hand_in(
        actor=request.user,  # type: ignore[arg-type]
        data=upload.file,
        rows=rows.read() if rows else None,
        log=log.read() if log else None,
        file_name=upload.name,
        wish=wish,
        version=form.corpus_version(),
        segment=form.cleaned_data["segment"],
    )


def _received(request: HttpRequest, receipt: Receipt) -> HttpResponse:
    """Lead to the run; several runs of one document are on the desk."""
    if receipt.was_known:
        messages.info(request, _("This file is here already. Nothing was changed."))
    else:
        count = len(receipt.runs)
        messages.success(
            request,
            ngettext("The file is stored, as %(count)s run.", "The file is stored, as %(count)s runs.", count)
            % {"count": count},
        )
    if len(receipt.runs) == 1:
        return redirect("leaderboard:run", uid=receipt.runs[0].uid)
    return redirect("leaderboard:submit")


def _page(request: HttpRequest, form: RunForm, *, status: int = 200, **told: Any) -> HttpResponse:
    return render(request, "leaderboard/submit_run.html", {"form": form, **told}, status=status)
