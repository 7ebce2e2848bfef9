"""The desk: everything that waits for a steward or coordinator."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from champollion.accounts.permissions import may, require
from review.audit_page import chains_for
from review.desk import desk_for
from review.recalibration import languages_recalibrated_by


@login_required
@require_safe
def desk(request: HttpRequest) -> HttpResponse:
    """Show the sections by weight, at most five rows each; ``?all=<section>`` shows one whole."""
    require(request.user, "governance.read")
    whole = request.GET.get("all", "")
    chains = chains_for(request.user) if may(request.user, "audit.read") else []
    sections = desk_for(request.user, all_of=whole)
    context = {
        "sections": sections,
        "busy": [section for section in sections if section.rows],
        "quiet": [section for section in sections if not section.rows],
        "whole": whole,
        "chains": chains,
        "languages": languages_recalibrated_by(request.user),
    }
    return render(request, "review/governance/desk.html", context)
