"""A campaign for stewards and coordinators: its course and its acts. No estimate before the look or the close."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from champollion.accounts.permissions import may
from champollion.common.errors import AccessDenied, DomainError, NotVisible
from review.act_texts import act_texts
from review.analysis import estimate_visible
from review.campaign_page import campaign_page
from review.governance_access import campaign_for
from review.governance_forms import DraftForm, ReasonForm
from review.models import Campaign
from review.services import campaigns as services
from review.services.policies import policies_for
from review.services.withdrawals import unseen_campaign_withdraw

#: act -> (right, service, whether it takes a reason)
ACTS: dict[str, tuple[str, Callable[..., Any], bool]] = {
    "open": ("campaign.open", services.campaign_open, False),
    "discard": ("campaign.open", services.campaign_discard, True),
    "suspend": ("campaign.run", services.campaign_suspend, True),
    "resume": ("campaign.run", services.campaign_resume, False),
    "close": ("campaign.run", services.campaign_close, True),
    "withdraw": ("campaign.open", unseen_campaign_withdraw, True),
}
_MAY_BE_EMPTY = {"close", "discard"}


@login_required
@require_safe
def campaign(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Show progress, plan and speakers; harm flags for stewards alone."""
    found = campaign_for(request.user, uid, "campaign.read")
    context = {
        "campaign": found,
        "run": found.run,
        "page": campaign_page(found, reader=request.user),
        "shows_report": estimate_visible(found, request.user),
        "may_configure": found.status == Campaign.Status.DRAFT
        and may(request.user, "campaign.open", found.organisation),
        "may_record_talk": found.status == Campaign.Status.OPEN,
    }
    return render(request, "review/governance/campaign.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def act(request: HttpRequest, uid: UUID, act: str) -> HttpResponse:
    """Ask before an act of a campaign, saying what happens and what is lost; then carry it out."""
    right, service, takes_reason = ACTS[act]
    found = campaign_for(request.user, uid, right)
    form = ReasonForm(request.POST or None, is_required=act not in _MAY_BE_EMPTY) if takes_reason else None
    if request.method == "POST" and (form is None or form.is_valid()):
        given = {"reason": form.cleaned_data["reason"]} if form is not None else {}
        try:
            service(actor=request.user, campaign=found, **given)
        except (AccessDenied, NotVisible):
            raise
        except DomainError as error:
            if form is None:
                raise
            form.add_error(None, str(error))
        else:
            messages.success(request, act_texts(act, found).done)
            return redirect("review:campaign", uid=uid)
    context = {"campaign": found, "run": found.run, "texts": act_texts(act, found), "form": form}
    return render(
        request, "review/governance/act.html", context, status=422 if form is not None and form.errors else 200
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Change a draft before it opens: size, speakers an output, policy, showing of references."""
    found = campaign_for(request.user, uid, "campaign.open")
    form = DraftForm(request.POST or None, campaign=found, policies=policies_for(found.organisation))
    if request.method == "POST" and form.is_valid():
        try:
            services.campaign_configure(actor=request.user, campaign=found, **form.cleaned_data)
        except (AccessDenied, NotVisible):
            raise
        except DomainError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, _("Changed. The sample was drawn anew from the same seed."))
            return redirect("review:campaign", uid=uid)
    context = {"campaign": found, "run": found.run, "form": form}
    return render(request, "review/governance/settings.html", context, status=422 if form.errors else 200)
