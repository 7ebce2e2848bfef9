"""The report of a closed campaign, on one page, and all its sentences (SPEC V-9)."""

from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from champollion.accounts.permissions import may
from review.analysis import campaign_figures, has_closed_figures
from review.annex import annex_of
from review.governance_access import campaign_for, report_visible_require
from review.models import Campaign
from review.report import report_read
from review.report_sentences import sentences_read
from review.services.decision_people import is_own_method

PAGE_SIZE = 25


@login_required
@require_safe
def report(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Show the report; before the close, say why there is none."""
    campaign = campaign_for(request.user, uid, "report.read")
    context: dict[str, Any] = {"campaign": campaign, "run": campaign.run}
    if not has_closed_figures(campaign):
        return render(request, "review/governance/report_hidden.html", context, status=409)
    found = report_read(campaign, reader=request.user)
    context |= {
        "report": found,
        "annex": annex_of(campaign, found.figures),
        "may_decide": campaign.status == Campaign.Status.CLOSED
        and may(request.user, "decision.sign", campaign.organisation)
        and not is_own_method(request.user, campaign.run.method_version.method),
    }
    return render(request, "review/governance/report.html", context)


@login_required
@require_safe
def sentences(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Show every rated output with its grades, a page at a time, to those who may read it."""
    campaign = campaign_for(request.user, uid, "report.read")
    report_visible_require(campaign)
    analysis = campaign_figures(campaign).analysis
    page = Paginator(analysis.items, PAGE_SIZE).get_page(request.GET.get("page"))
    shown = sentences_read(campaign, [("", item) for item in page], analysis=analysis, reader=request.user)
    context: dict[str, Any] = {"campaign": campaign, "run": campaign.run, "page": page, "sentences": shown}
    return render(request, "review/governance/sentences.html", context)
