"""The second factor of stewards and maintainers (SPEC S-1)."""

from collections.abc import Callable

from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from champollion.accounts import roles
from champollion.accounts.models import Role

ALLOWED_PREFIXES = ("/account/", "/static/", "/i18n/", "/healthz", "/readyz")


class SecondFactorMiddleware:
    """Sends staff without a second factor to the page that sets one up, and lets nothing else through.

    Whoever has set one up is asked for it at each sign-in, by allauth.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if self._must_set_up(request):
            messages.warning(request, _("Stewards and maintainers sign in with a second factor. Set it up first."))
            return redirect("mfa_index")
        return self.get_response(request)

    def _must_set_up(self, request: HttpRequest) -> bool:
        if not settings.SECOND_FACTOR_REQUIRED or request.path.startswith(ALLOWED_PREFIXES):
            return False
        user = request.user
        is_staff = bool(roles.organisations_as(user, Role.STEWARD)) or roles.is_maintainer(user)
        return is_staff and not is_mfa_enabled(user)
