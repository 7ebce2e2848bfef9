"""Sign a browser in as a person of the test database, and out again, without the sign-in page."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore


def sign_in(context, live_server, user) -> None:
    """Give the browser a fresh session of this person."""
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session.session_key, "url": live_server.url}])


def sign_out(context) -> None:
    """Let the session end, as it does after its time; the other cookies stay."""
    context.clear_cookies(name=settings.SESSION_COOKIE_NAME)
