"""An ownership transfer: where it stands, what each side keeps and gets (SPEC S-8)."""

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from review.governance_access import transfer_for
from review.transfer_page import transfer_stages


@login_required
@require_safe
def transfer(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Show the steps taken and to come, with date, who and statement."""
    found = transfer_for(request.user, uid)
    context = {
        "transfer": found,
        "promotion": found.promotion,
        "decision": found.promotion.decision,
        "campaign": found.promotion.decision.campaign,
        "stages": transfer_stages(found),
        "margin_share": found.revenue_margin_share,
        "community_share": 1 - found.revenue_margin_share,
    }
    return render(request, "review/governance/transfer.html", context)
