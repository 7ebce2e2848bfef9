"""Request ids, one security header Django lacks, and domain errors as pages."""

import contextvars
import logging
import uuid
from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from champollion.common.errors import DomainError, NotVisible

_request_id: contextvars.ContextVar[str] = contextvars.ContextVar("request_id", default="-")
GetResponse = Callable[[HttpRequest], HttpResponse]


class RequestIdFilter(logging.Filter):
    """Adds the id of the request, or "-", to each log record."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = _request_id.get()
        return True


class RequestIdMiddleware:
    """Gives each request an id, in the log and in the answer's ``X-Request-ID``."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request_id = uuid.uuid4().hex[:12]
        token = _request_id.set(request_id)
        try:
            response = self.get_response(request)
        finally:
            _request_id.reset(token)
        response["X-Request-ID"] = request_id
        return response


class PermissionsPolicyMiddleware:
    """Switches off device features that no page uses."""

    VALUE = "camera=(), microphone=(), geolocation=(), payment=(), usb=()"

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.setdefault("Permissions-Policy", self.VALUE)
        return response


class DomainErrorMiddleware:
    """Shows a ``DomainError`` that no view caught as a page: what happened, what was kept, what to do."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Any, view_args: tuple[Any, ...], view_kwargs: dict[str, Any]
    ) -> HttpResponse | None:
        """Find nothing under an address with a NUL, which no text column can hold; the API answers for itself."""
        if not request.path.startswith("/api/") and any("\x00" in str(value) for value in view_kwargs.values()):
            raise Http404("address.nul")
        return None

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, NotVisible):
            raise Http404(exception.code)
        if isinstance(exception, DomainError):
            return render(request, "error.html", {"error": exception}, status=exception.status)
        return None
