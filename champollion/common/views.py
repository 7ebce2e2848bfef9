"""What a load balancer or a monitor asks (SPEC Q-2). Both answers are for strangers too, and say no more than that."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from champollion.common.health import READINESS, Level, findings


@never_cache
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """Say that this process answers."""
    return HttpResponse("ok\n", content_type="text/plain")


@never_cache
@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """Say by part whether the installation can do its work; 503 where it cannot. ``doctor`` says why."""
    found = findings(READINESS)
    is_ready = all(finding.level != Level.PROBLEM for finding in found)
    parts = {finding.name: finding.level.value for finding in found}
    return JsonResponse({"ready": is_ready, "parts": parts}, status=200 if is_ready else 503)
