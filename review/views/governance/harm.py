"""A harm flag: for stewards alone, two of whom settle it (SPEC V-5)."""

from typing import cast
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from champollion.accounts.models import User
from champollion.common.errors import AccessDenied, DomainError, NotVisible
from review.governance_access import harm_flag_for
from review.governance_forms import HarmForm
from review.item_texts import item_text_for
from review.models import HarmFlag
from review.services.harm import harm_judge, harm_note


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def harm_flag(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Show what was flagged and what stewards said of it; take this steward's opinion."""
    flag = harm_flag_for(request.user, uid)
    campaign = flag.item.campaign
    form = HarmForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        answer = form.cleaned_data
        try:
            judged = harm_judge(
                actor=cast(User, request.user), flag=flag, confirms=answer["confirms"] == "yes", reason=answer["reason"]
            )
        except (AccessDenied, NotVisible):
            raise
        except DomainError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, _said(judged))
            return redirect("review:harm", uid=uid)
    text = item_text_for(flag.item, campaign, reader=request.user, purpose="harm flag")
    context = {
        "flag": flag,
        "campaign": campaign,
        "text": text,
        "note": harm_note(flag) if text is not None else "",
        "opinions": flag.opinions.select_related("steward").order_by("created_at"),
        "form": form if flag.status == HarmFlag.Status.OPEN and campaign.is_under_way else None,
    }
    return render(request, "review/governance/harm.html", context, status=422 if form.errors else 200)


def _said(flag: HarmFlag) -> str:
    said = {
        HarmFlag.Status.OPEN: _("Your opinion is recorded. Another steward's settles the flag if it agrees."),
        HarmFlag.Status.CONFIRMED: _("The flag is confirmed. This method version cannot be approved on this campaign."),
        HarmFlag.Status.DISMISSED: _("The flag is dismissed."),
    }
    return said[HarmFlag.Status(flag.status)]
