"""Make, find and revoke tokens (SPEC I-4)."""

import secrets
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from champollion.accounts.models import User
from champollion.api.models import ApiToken
from champollion.audit import services as audit
from champollion.common.canonical import sha256_hex
from champollion.common.errors import DomainError, NotVisible, QuotaExceeded

PREFIX = "chp_"
LIFETIME = timedelta(days=365)
TOKENS_AT_MOST = 20
#: The time of the last use is written at most this often.
_USE_NOTED_EVERY = timedelta(minutes=5)


@transaction.atomic
def token_make(*, user: User, name: str, now: datetime | None = None) -> tuple[ApiToken, str]:
    """Make a token; the text that is returned beside it is shown once and kept nowhere. Writes ``token.made``.

    Raises:
        DomainError: no name, or one over 80 characters.
        QuotaExceeded: twenty tokens are live already.
    """
    now = now or timezone.now()
    name = name.strip()
    if not name or len(name) > 80:
        raise DomainError("token.name", _("Give the token a name of at most 80 characters, such as the machine's."))
    if tokens_live(user, now=now).count() >= TOKENS_AT_MOST:
        raise QuotaExceeded("token.too_many", _("You have twenty tokens. Revoke one that you no longer use."))
    text = PREFIX + secrets.token_urlsafe(32)
    token = ApiToken(
        user=user,
        name=name,
        prefix=text[:10],
        digest=sha256_hex(text.encode()),
        created_at=now,
        expires_at=now + LIFETIME,
    )
    token.full_clean(exclude=["user"])
    token.save(force_insert=True)
    audit.record("token.made", actor=user, organisation=None, obj=token, now=now)
    return token, text


@transaction.atomic
def token_revoke(*, user: User, uid: UUID, now: datetime | None = None) -> None:
    """End one of a person's tokens at once; a token that ended before stays as it is. Writes ``token.revoked``.

    Raises:
        NotVisible: no such token, or another person's.
    """
    now = now or timezone.now()
    token = ApiToken.objects.filter(user=user, uid=uid).first()
    if token is None:
        raise NotVisible("token.not_visible", _("There is no such token."))
    if ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=now):
        audit.record("token.revoked", actor=user, organisation=None, obj=token, now=now)


def tokens_live(user: Any, *, now: datetime | None = None) -> QuerySet[ApiToken]:
    """Return a person's tokens that still open something, newest first."""
    now = now or timezone.now()
    return ApiToken.objects.filter(user=user, revoked_at=None, expires_at__gt=now).order_by("-created_at")


def token_find(text: str, *, now: datetime | None = None) -> ApiToken | None:
    """Return the live token of an active person that a program sent, and note its use; None for anything else."""
    now = now or timezone.now()
    if not text.startswith(PREFIX) or len(text) > 100:
        return None
    found = ApiToken.objects.select_related("user").filter(
        digest=sha256_hex(text.encode()), revoked_at=None, expires_at__gt=now, user__is_active=True
    )
    token = found.first()
    if token is not None:
        unnoted = Q(last_used_at=None) | Q(last_used_at__lt=now - _USE_NOTED_EVERY)
        ApiToken.objects.filter(unnoted, pk=token.pk).update(last_used_at=now)
    return token
