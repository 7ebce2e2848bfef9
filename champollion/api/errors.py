"""Errors of the API as RFC 9457 problem details, one entry per problem, each with a stable code (SPEC I-4)."""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404
from rest_framework import exceptions, status
from rest_framework.response import Response
from rest_framework.views import set_rollback

from champollion.common.errors import DomainError, ProblemList

CONTENT_TYPE = "application/problem+json"


def problem_details(error: Exception, context: dict[str, Any]) -> Response | None:
    """Return the answer to an error, or None where it is a fault of ours."""
    set_rollback()
    if isinstance(error, DomainError):
        problems = [problem_entry(p) for p in error.problems] if isinstance(error, ProblemList) else []
        return _answer(error.status, error.code, str(error.message), problems)
    if isinstance(error, Http404):
        return _answer(404, "not_found", "There is no such thing, or it is not yours to see.", [])
    if isinstance(error, PermissionDenied):
        return _answer(403, "forbidden", "Your roles do not allow this.", [])
    if isinstance(error, exceptions.ValidationError):
        problems = [
            {"code": getattr(message, "code", "invalid"), "field": field, "detail": str(message)}
            for field, message in _flatten(error.detail)
        ]
        return _answer(422, "invalid", "Something in the request is not as it should be.", problems)
    if isinstance(error, exceptions.APIException):
        wait, challenge = getattr(error, "wait", None), getattr(error, "auth_header", None)
        headers = {"Retry-After": str(int(wait) + 1)} if wait else {}
        if challenge:
            headers["WWW-Authenticate"] = challenge
        return _answer(error.status_code, str(error.default_code), str(error.detail), [], headers)
    return None


def problem_entry(problem: Any) -> dict[str, Any]:
    """One problem of many: code, place, field, value and remedy, as far as it has them."""
    names = ("code", "severity", "place", "entry_id", "field", "value", "remedy")
    return {name: getattr(problem, name) for name in names if getattr(problem, name, None) not in (None, "")}


def _answer(
    code: int, name: str, detail: str, problems: list[dict[str, Any]], headers: dict[str, str] | None = None
) -> Response:
    title = (code == status.HTTP_422_UNPROCESSABLE_ENTITY and "Unprocessable content") or name.replace("_", " ")
    body = {"type": "about:blank", "title": title, "status": code, "code": name, "detail": detail, "problems": problems}
    return Response(body, status=code, headers=headers, content_type=CONTENT_TYPE)


def _flatten(detail: Any, field: str = "") -> list[tuple[str, Any]]:
    if isinstance(detail, dict):
        return [pair for name, value in detail.items() for pair in _flatten(value, f"{field}.{name}".strip("."))]
    if isinstance(detail, list):
        return [pair for value in detail for pair in _flatten(value, field)]
    return [(field, detail)]
