"""The caveats that keep a run from being nominated, acknowledged by a steward one by one (SPEC M-2)."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from champollion.common.errors import AccessDenied, DomainError, NotVisible
from leaderboard.labels import caveat_name
from review.governance_access import run_for
from review.governance_forms import CaveatForm
from review.services.caveats import run_caveat_acknowledge
from review.services.nominations import run_open_caveats


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def caveats(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Show the open caveats of a run and take a steward's acknowledgement."""
    run = run_for(request.user, uid, "caveat.acknowledge")
    open_codes = run_open_caveats(run)
    form = CaveatForm(request.POST or None, codes=open_codes)
    if request.method == "POST" and form.is_valid():
        try:
            run_caveat_acknowledge(actor=request.user, run=run, **form.cleaned_data)
        except (AccessDenied, NotVisible):
            raise
        except DomainError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, _("Acknowledged. The number itself has not changed."))
            return redirect("review:caveats", uid=uid)
    stored = run.score_set.caveats if run.score_set else []
    shown = [one | {"name": caveat_name(one["code"])} for one in stored if one.get("code") in open_codes]
    context = {"run": run, "open_caveats": shown, "form": form}
    return render(request, "review/governance/caveats.html", context, status=422 if form.errors else 200)
