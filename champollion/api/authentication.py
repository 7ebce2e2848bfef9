"""Who calls: a token's person, or whoever is signed in in this browser (SPEC I-4, S-1)."""

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied
from rest_framework.request import Request

from champollion.accounts.middleware import lacks_second_factor
from champollion.api.models import ApiToken
from champollion.api.tokens import token_find


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer chp_…`. Other schemes are left to others; a bad token is refused, never ignored."""

    def authenticate(self, request: Request) -> tuple[Any, ApiToken] | None:
        """Return the token's person and the token; None where no token was sent."""
        parts = get_authorization_header(request).split()
        if not parts or parts[0].lower() != b"bearer":
            return None
        text = parts[1].decode("ascii", "replace") if len(parts) == 2 else ""
        token = token_find(text)
        if token is None:
            raise AuthenticationFailed(_("This token is unknown, revoked or out of date."))
        if lacks_second_factor(token.user):
            # A token stands in for the sign-in of a person whose sign-in needs two factors.
            raise PermissionDenied(_("Stewards and maintainers sign in with a second factor. Set it up first."))
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="Champollion"'


class TokenScheme(OpenApiAuthenticationExtension):
    """How the schema names the token."""

    target_class = "champollion.api.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "description": "A token made on the page My tokens."}
