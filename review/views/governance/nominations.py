"""A nomination: what is put forward, and the steward's act of nominating a candidate."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from review.anchors import version_of
from review.governance_access import nomination_for
from review.models import Campaign
from review.services.campaigns import campaign_draft
from review.services.nominations import attempt_count, nomination_make, run_open_caveats, team_cool_down_until


@login_required
@require_safe
def nomination(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Show what led to the nomination and what follows."""
    found = nomination_for(request.user, uid, "nomination.make")
    corpus = version_of(found.run).corpus
    context = {
        "nomination": found,
        "run": found.run,
        "caveats": run_open_caveats(found.run),
        "attempts": attempt_count(team=found.team, corpus=corpus),
        "cool_down_until": team_cool_down_until(team=found.team, corpus=corpus),
        "campaigns": found.campaigns.order_by("-created_at"),
        "can_draft": found.status == found.Status.NOMINATED
        and not found.campaigns.exclude(status=Campaign.Status.WITHDRAWN).exists(),
    }
    return render(request, "review/governance/nomination.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def nominate(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Ask before, then nominate a candidate."""
    found = nomination_for(request.user, uid, "nomination.make")
    if request.method != "POST":
        return render(request, "review/governance/nominate.html", {"nomination": found, "run": found.run})
    nomination_make(actor=request.user, nomination=found)
    messages.success(request, _("Nominated. The campaign is being drafted with its sample; you check and open it."))
    return redirect("review:nomination", uid=uid)


@login_required
@require_http_methods(["POST"])
def draft(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Draft the campaign of a nomination now, such as after a draft was discarded; the seed is the same."""
    found = nomination_for(request.user, uid, "campaign.open")
    campaign = campaign_draft(nomination=found, actor=request.user)
    messages.success(request, _("The campaign is drafted, with its sample drawn."))
    return redirect("review:campaign", uid=campaign.uid)
