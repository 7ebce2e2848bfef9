"""Decide on a closed campaign, and sign what another steward proposed (SPEC V-10)."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from champollion.common.errors import AccessDenied, DomainError, NotVisible
from review.analysis import campaign_figures
from review.decision_page import choices_for, consequences, decision_page, verdict_of
from review.governance_access import campaign_for, decision_for, report_visible_require
from review.governance_forms import DecisionForm, ReasonForm, SignatureForm
from review.models import Decision
from review.services.decision_ground import ground_of
from review.services.decision_people import decider_require
from review.services.decisions import decision_check, decision_propose, decision_sign, decision_take_back


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def decide(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Ask for a decision; then show what will happen and ask once more; then propose it."""
    campaign = campaign_for(request.user, uid, "decision.sign")
    decider_require(request.user, campaign)
    report_visible_require(campaign)
    figures = campaign_figures(campaign)
    ground = ground_of(campaign, figures)
    form = DecisionForm(request.POST or None, ground=ground, choices=choices_for(campaign, ground))
    context = {
        "campaign": campaign,
        "run": campaign.run,
        "ground": ground,
        "verdict": verdict_of(figures),
        "form": form,
    }
    if request.method == "POST" and form.is_valid():
        values = _values(form)
        try:
            if request.POST.get("step") == "send":
                made = decision_propose(actor=request.user, campaign=campaign, **values)
                return _proposed(request, made)
            proposal, ground = decision_check(actor=request.user, campaign=campaign, **values)
        except (AccessDenied, NotVisible):
            raise
        except DomainError as error:
            form.add_error(None, str(error))
        else:
            context |= {"proposal": proposal, "consequences": consequences(campaign, proposal, ground)}
            return render(request, "review/governance/decide_confirm.html", context)
    return render(request, "review/governance/decide.html", context, status=422 if form.errors else 200)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def decision(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Show a decision with its evidence and signatures; a second steward confirms it or does not."""
    found = decision_for(request.user, uid, "decision.sign")
    form = SignatureForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        answer = form.cleaned_data
        try:
            signed = decision_sign(
                actor=request.user, decision=found, confirms=answer["confirms"] == "yes", reason=answer["reason"]
            )
        except (AccessDenied, NotVisible):
            raise
        except DomainError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, _said(signed))
            return redirect("review:decision", uid=uid)
    context = decision_page(found, reader=request.user) | {"form": form, "back_form": ReasonForm(prefix="back")}
    return render(request, "review/governance/decision.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def take_back(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Let the proposer take a waiting proposal back."""
    found = decision_for(request.user, uid, "decision.sign")
    form = ReasonForm(request.POST, prefix="back")
    reason = form.cleaned_data["reason"] if form.is_valid() else ""
    decision_take_back(actor=request.user, decision=found, reason=reason)
    messages.success(request, _("The proposal is taken back. Another can be made."))
    return redirect("review:report", uid=found.campaign.uid)


def _values(form: DecisionForm) -> dict[str, Any]:
    names = ("kind", "reason", "transfer", "waive_reason", "override_reason", "developer_agreement")
    values = {name: form.cleaned_data.get(name, "") for name in names}
    if values["kind"] != Decision.Kind.APPROVE:
        values["transfer"] = ""
    return values


def _proposed(request: HttpRequest, made: Decision) -> HttpResponse:
    if made.status == Decision.Status.CARRIED_OUT:
        messages.success(request, _("Decided, with one signature, and carried out."))
    else:
        messages.success(request, _("Sent to another steward. Nothing changes until it is confirmed."))
    return redirect("review:decision", uid=made.uid)


def _said(signed: Decision) -> str:
    said = {
        Decision.Status.PROPOSED: _("Signed. One more steward has to sign."),
        Decision.Status.CARRIED_OUT: _("Confirmed and carried out."),
        Decision.Status.DECLINED: _("Not confirmed. The campaign stays closed, and another decision can be proposed."),
    }
    return said[Decision.Status(signed.status)]
