"""The second factor of stewards and maintainers (SPEC S-1)."""

from collections.abc import Callable
from typing import Any

from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from champollion.accounts import roles
from champollion.accounts.models import Role

ALLOWED_PREFIXES = ("/account/", "/static/", "/i18n/", "/healthz", "/readyz")
#: A token would open what the second factor closes, so none is made before it.
CLOSED_PREFIXES = ("/account/tokens/",)


def lacks_second_factor(user: Any) -> bool:
    """Whether a person has to set up a second factor before anything else opens."""
    if not settings.SECOND_FACTOR_REQUIRED or not getattr(user, "is_authenticated", False):
        return False
    is_staff = bool(roles.organisations_as(user, Role.STEWARD)) or roles.is_maintainer(user) or user.is_staff
    return is_staff and not is_mfa_enabled(user)


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
        is_allowed = request.path.startswith(ALLOWED_PREFIXES) and not request.path.startswith(CLOSED_PREFIXES)
        return not is_allowed and lacks_second_factor(request.user)
