"""The page My tokens: make one, see it once, revoke it."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from champollion.api.tokens import token_make, token_revoke, tokens_live
from champollion.common.errors import DomainError


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def tokens(request: Any) -> HttpResponse:
    """List one's tokens; a POST makes one and shows its text this once."""
    if request.method != "POST":
        return _page(request)
    try:
        _token, text = token_make(user=request.user, name=request.POST.get("name", ""))
    except DomainError as error:
        return _page(request, error=error, name=request.POST.get("name", "")[:80], status=error.status)
    return _page(request, made=text)


@login_required
@require_POST
def revoke(request: Any, uid: UUID) -> HttpResponse:
    """End a token."""
    token_revoke(user=request.user, uid=uid)
    messages.success(request, _("The token is revoked. Programs that use it are refused from now on."))
    return redirect("tokens:list")


def _page(
    request: HttpRequest, *, made: str = "", error: DomainError | None = None, name: str = "", status: int = 200
) -> HttpResponse:
    context = {"tokens": tokens_live(request.user), "made": made, "error": error, "name": name}
    return render(request, "api/tokens.html", context, status=status)
