"""Talks: what two speakers agreed on about an item that ratings cannot settle, recorded by a coordinator or steward."""

from typing import Any, cast
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from champollion.accounts.models import User
from champollion.common.errors import AccessDenied, DomainError, NotVisible
from review.governance_access import campaign_for, item_for
from review.governance_forms import TalkForm
from review.item_texts import item_text_for
from review.services.talks import talk_record, talk_speakers


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def talk(request: HttpRequest, uid: UUID, item: UUID) -> HttpResponse:
    """Show the item, where the person may read it, and record what two speakers agreed on."""
    campaign = campaign_for(request.user, uid, "talk.record")
    found = item_for(campaign, item)
    fresh, rated = talk_speakers(found)
    speakers = fresh if len(fresh) > 1 else [*fresh, *rated]
    form = TalkForm(request.POST or None, speakers=speakers)
    if request.method == "POST" and form.is_valid():
        people = {str(speaker.uid): speaker for speaker in speakers}
        try:
            talk_record(actor=cast(User, request.user), item=found, **_given(form.cleaned_data, people))
        except (AccessDenied, NotVisible):
            raise
        except DomainError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, _("The talk is recorded."))
            return redirect("review:campaign", uid=uid)
    text = item_text_for(found, campaign, reader=request.user, purpose="talk") if request.method != "POST" else None
    context = {"campaign": campaign, "run": campaign.run, "item": found, "text": text, "form": form}
    return render(request, "review/governance/talk.html", context, status=422 if form.errors else 200)


def _given(values: dict[str, Any], people: dict[str, Any]) -> dict[str, Any]:
    return {
        "first_speaker": people[values["first_speaker"]],
        "second_speaker": people[values["second_speaker"]],
        "grade": values["grade"],
        "reason": values["reason"],
    }
