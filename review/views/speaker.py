"""My campaigns: what a speaker can rate, how far it is, and why something is not for them (SPEC V-4, V-5)."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from champollion.accounts.models import Role
from champollion.accounts.permissions import may
from champollion.accounts.roles import organisations_as
from review.conflicts import conflict_facts, rater_refusal
from review.rating_page import campaign_cards, campaigns_of_speaker
from review.views.rate import signed_in


@require_GET
@never_cache
@signed_in
def my_campaigns(request: HttpRequest) -> HttpResponse:
    """List the campaigns of the organisations in which a person is a speaker; helpers see that none waits.

    Anybody else is told how one becomes a speaker, with the status of a page that is not open to them.
    """
    if not organisations_as(request.user, Role.HELPER) and not may(request.user, "review.rate"):
        return render(request, "review/not_a_speaker.html", status=403)
    speaks_for = organisations_as(request.user, Role.SPEAKER)
    listed = list(campaigns_of_speaker(request.user, speaks_for).annotate(**conflict_facts(request.user)))
    refusals = {one.pk: str(refusal) for one in listed if (refusal := rater_refusal(request.user, one)) is not None}
    cards = campaign_cards(request.user, listed, refusals, now=timezone.now())
    return render(request, "review/speaker_campaigns.html", {"cards": cards})
