"""The rating page: one item at a time, saved at once, with and without script (SPEC V-5)."""

from functools import wraps
from typing import Any, cast
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from champollion.accounts.models import User
from champollion.common.errors import DomainError
from champollion.common.words import GRADES
from review.access import campaign_for_rater
from review.anchors import version_of
from review.forms import is_json, sent_read
from review.grades import Grade
from review.labels import TAG_LABELS
from review.models import Campaign
from review.models.rating import CannotJudgeReason
from review.rate_words import words_for_script
from review.rating_acts import Sent
from review.rating_page import RatePage, rate_page
from review.services.assignment import block_lease, leases_renew, skipped_lease
from review.services.rater_acts import act_carry_out, act_keep, act_send_kept, refusal_values

PANELS = ("more", "cannot-judge", "harmful", "change")


def signed_in(view: Any) -> Any:
    """Send visitors to the sign-in page and back to this one."""

    @wraps(view)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        return view(request, *args, **kwargs)

    return checked


@require_GET
@never_cache
@signed_in
def rate(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Show the item asked for, else the next open one of the block; lease a block where there is none."""
    campaign = campaign_for_rater(request.user, uid)
    if campaign.status != Campaign.Status.OPEN:
        return render(request, "review/rate_closed.html", {"campaign": campaign})
    _kept_send(request, campaign)
    now = timezone.now()
    page = rate_page(rater=request.user, campaign=campaign, item_uid=_item_asked(request), now=now)
    if _leased(request, page):
        page = rate_page(rater=request.user, campaign=campaign, item_uid=None, now=now)
    leases_renew(page.leases, now=now)
    if page.current is None:
        return render(request, "review/rate_done.html", _context(request, page))
    return render(request, "review/rate.html", _context(request, page))


@require_POST
@never_cache
@signed_in
def block(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Lease the next ten items."""
    block_lease(rater=_rater(request), campaign=campaign_for_rater(request.user, uid))
    return redirect("review:rate", uid=uid)


@require_POST
@never_cache
def ratings(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Take one act on one item, as JSON or as a form."""
    try:
        sent = sent_read(request)
        if not request.user.is_authenticated:
            return _signed_out(request, uid, sent)
        answer = act_carry_out(rater=_rater(request), campaign_uid=uid, sent=sent)
    except DomainError as error:
        if not is_json(request):
            raise
        return JsonResponse(refusal_values(error), status=error.status)
    return JsonResponse(answer) if is_json(request) else _back_to_page(request, uid, sent)


def _signed_out(request: HttpRequest, uid: UUID, sent: Sent) -> HttpResponse:
    """Lose nothing: script keeps its queue, a form's rating waits in the session until the person is back."""
    if is_json(request):
        return JsonResponse(
            {"code": "signed_out", "message": _("You are signed out. Sign in, and what you rated is sent.")}, status=401
        )
    act_keep(request.session, uid, sent)
    return redirect_to_login(reverse("review:rate", args=[uid]))


def _kept_send(request: HttpRequest, campaign: Campaign) -> None:
    try:
        if act_send_kept(request.session, rater=_rater(request), campaign=campaign):
            messages.success(request, _("The rating that you sent before signing in is saved."))
    except DomainError as error:
        messages.error(request, str(error.message))


def _leased(request: HttpRequest, page: RatePage) -> bool:
    """Lease what the rater needs to go on, if anything: a first block, or what they skipped in this one."""
    if page.current is not None:
        return False
    if page.needs_lease:
        return bool(block_lease(rater=_rater(request), campaign=page.campaign))
    return page.has_skipped and bool(skipped_lease(rater=_rater(request), campaign=page.campaign))


def _back_to_page(request: HttpRequest, uid: UUID, sent: Sent) -> HttpResponseRedirect:
    """Go back to the item after a rating, so that it can be seen and changed; after anything else to the next one."""
    address = reverse("review:rate", args=[uid])
    if sent.act in ("rate", "undo"):
        return HttpResponseRedirect(f"{address}?item={sent.item}")
    said = {
        "skip": _("Skipped. Someone else can rate it."),
        "cannot_judge": _("Noted. Another speaker gets this item."),
        "harmful": _("Stewards have been told. You need not rate this item. A pause is fine; all is saved."),
    }
    messages.info(request, said[sent.act])
    return HttpResponseRedirect(address)


def _rater(request: HttpRequest) -> User:
    return cast(User, request.user)


def _item_asked(request: HttpRequest) -> UUID | None:
    try:
        return UUID(request.GET.get("item", ""))
    except ValueError:
        return None


def _own_words(campaign: Campaign) -> dict[int, str]:
    """Return the organisation's own words by grade; they are kept by code ("reject") or number."""
    codes = {grade.name.lower(): int(grade) for grade in Grade}
    kept = campaign.organisation.grade_words
    return {codes.get(str(key)) or int(key): str(word) for key, word in kept.items() if word}


def _context(request: HttpRequest, page: RatePage) -> dict[str, Any]:
    corpus = version_of(page.campaign.run).corpus
    panel = request.GET.get("panel", "")
    return {
        "page": page,
        "campaign": page.campaign,
        "source_language": corpus.source_language,
        "target_language": corpus.target_language,
        "grade_words": (own_words := _own_words(page.campaign)),
        "grade_rows": [(grade, own_words.get(grade) or word) for grade, word in GRADES.items()],
        "panel": panel if panel in PANELS else "",
        "tags": [(tag.value, label) for tag, label in TAG_LABELS.items()],
        "reasons": CannotJudgeReason.choices,
        "words": words_for_script(),
        "csrf_cookie": settings.CSRF_COOKIE_NAME,
    }
