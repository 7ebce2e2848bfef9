"""Signed sign-in links of the demo; the address that takes them exists in the demo's settings alone."""

from __future__ import annotations

from django.core import signing
from django.urls import reverse

from champollion.accounts.models import User

SALT = "champollion.demo.sign-in"


def token_for(user: User) -> str:
    """Return the token that signs a person in, readable and signed; it holds for as long as the demo's key does."""
    return signing.Signer(salt=SALT).sign(user.email)


def user_from(token: str) -> User | None:
    """Return the person of a token, or None for a token that is not ours."""
    try:
        email = signing.Signer(salt=SALT).unsign(token)
    except signing.BadSignature:
        return None
    return User.objects.filter(email=email, is_active=True).first()


def link_for(user: User, *, address: str) -> str:
    """Return the sign-in link under an address such as ``http://127.0.0.1:8000``."""
    return address.rstrip("/") + reverse("demo:sign_in", args=[token_for(user)])
