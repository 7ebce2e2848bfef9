"""allauth's hooks: who may sign up, and where a person goes after signing in."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest


class AccountAdapter(DefaultAccountAdapter):
    """Anybody may have an account; rights come with roles, which others give."""

    def populate_username(self, request: HttpRequest, user: Any) -> None:
        """There are no user names."""

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        return "/"
