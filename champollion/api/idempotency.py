"""The same POST twice is one act (SPEC I-4, LAW-3).

A client sends `Idempotency-Key`; the same key with the same body gets the same answer, with another body it is
refused. What is kept holds no secret text (LAW-2): the body lies here as a keyed digest only, and an answer that
may hold secret text is not kept but asked again of a service that is idempotent itself.
"""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from champollion.common.errors import ConflictError, DomainError
from champollion.common.models import IdempotencyKey

HEADER = "Idempotency-Key"
KEY_LENGTH = 120
#: A call that did not end within this time died; its key may be used again.
_DIED_AFTER = timedelta(minutes=2)
#: How long a key is remembered.
KEPT_FOR = timedelta(days=7)


def answer_once(request: Request, act: Callable[[], Response], *, body: bytes, keeps_answer: bool) -> Response:
    """Run a POST under its idempotency key; without a key just run it.

    Only what succeeded is kept: where nothing was made, the same call may be tried again.

    Raises:
        DomainError: the key is too long or not plain text, or was used for another call.
        ConflictError: the first call with this key still runs.
    """
    key = request.headers.get(HEADER, "")
    if not key:
        return act()
    record, is_new = _claim(request, _checked(key), body_digest(body))
    if not is_new and record.status is not None and keeps_answer:
        return Response(record.answer, status=record.status, headers={"Idempotency-Replayed": "true"})
    try:
        response = act()
    except BaseException:
        IdempotencyKey.objects.filter(pk=record.pk, status=None).delete()
        raise
    record.status = response.status_code
    record.answer = _plain(response.data) if keeps_answer else None
    record.save(update_fields=["status", "answer"])
    if not is_new:
        response["Idempotency-Replayed"] = "true"
    return response


def _checked(key: str) -> str:
    if len(key) > KEY_LENGTH or not key.isascii() or not key.isprintable():
        raise DomainError("idempotency.key", _("An idempotency key has at most 120 plain characters."))
    return key


def _claim(request: Any, key: str, digest: str) -> tuple[IdempotencyKey, bool]:
    """Return the record of a key, and whether this call is the one that acts."""
    owner, path = f"user:{request.user.uid}", request.path[:200]
    IdempotencyKey.objects.filter(owner=owner, created_at__lt=timezone.now() - KEPT_FOR).delete()
    try:
        with transaction.atomic():
            return IdempotencyKey.objects.create(owner=owner, key=key, path=path, body_sha256=digest), True
    except IntegrityError:
        record = IdempotencyKey.objects.filter(owner=owner, key=key).first()
    if record is None:
        raise _still_runs()
    if (record.path, record.body_sha256) != (path, digest):
        raise DomainError("idempotency.key_reused", _("This idempotency key was used for another call."))
    if record.status is None:
        now = timezone.now()
        died = Q(pk=record.pk, status=None, created_at__lt=now - _DIED_AFTER)
        if not IdempotencyKey.objects.filter(died).update(created_at=now):
            raise _still_runs()
        return record, True
    return record, False


def _still_runs() -> ConflictError:
    return ConflictError(
        "idempotency.in_progress", _("The first call with this key still runs. Ask again in a moment.")
    )


def body_digest(body: bytes) -> str:
    """HMAC-SHA-256 of a call's body under the installation's key: a plain digest of secret text counts as the text."""
    return salted_hmac("champollion.api.idempotency", body, algorithm="sha256").hexdigest()


def _plain(data: Any) -> Any:
    """Return an answer as JSON values, as it went out."""
    return json.loads(JSONRenderer().render(data))
