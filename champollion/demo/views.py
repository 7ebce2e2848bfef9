"""Sign in by a demo link."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth import login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from champollion.demo.links import user_from


@never_cache
@require_safe
def sign_in(request: HttpRequest, token: str) -> HttpResponse:
    """Sign the person of a demo link in and go to the home page."""
    if not settings.DEMO:
        raise Http404
    user = user_from(token)
    if user is None:
        raise Http404(_("This sign-in link is not from this demo."))
    login(request, user, backend="django.contrib.auth.backends.ModelBackend")
    return redirect("/")
