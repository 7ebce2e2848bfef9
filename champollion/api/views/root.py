"""The entrance of the API, its schema, its page, and what answers where nothing is."""

from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from champollion.api.base import ApiView
from champollion.api.docs import Operation, operations_of
from champollion.api.throttles import PersonThrottle, VisitorThrottle

#: Names of the lists that the entrance names.
LISTS = (
    "organisations",
    "corpora",
    "corpus_versions",
    "entries",
    "methods",
    "runs",
    "score_sets",
    "leaderboard",
    "nominations",
    "campaigns",
    "items",
    "ratings",
    "decisions",
    "transfers",
    "audit_log",
)


class EntranceSerializer(serializers.Serializer):
    """Where the lists are."""

    resources = serializers.DictField(child=serializers.CharField())
    schema = serializers.CharField()
    documentation = serializers.CharField()


class Entrance(ApiView):
    """The entrance: where everything is."""

    serializer_class = EntranceSerializer

    @extend_schema(operation_id="entrance")
    def get(self, request: Request) -> Response:
        """Name the resources."""
        resources = {name.replace("_", "-"): reverse(f"api:{name}") for name in LISTS}
        return Response({"resources": resources, "schema": reverse("api:schema"), "documentation": reverse("api:docs")})


@extend_schema(exclude=True)
class Nowhere(ApiView):
    """Addresses that are none."""

    def dispatch(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        """Answer every method alike."""
        self.http_method_names = ["get"]
        request.method = "GET" if request.method not in ("GET", "HEAD") else request.method
        return super().dispatch(request, *args, **kwargs)

    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        raise self.missing()


class Schema(SpectacularAPIView):
    """The OpenAPI schema, as YAML or JSON."""

    permission_classes = [AllowAny]
    throttle_classes = [VisitorThrottle, PersonThrottle]


@require_safe
def documentation(request: HttpRequest) -> HttpResponse:
    """Show every operation as a plain page, made from the schema."""
    return render(request, "api/docs.html", {"groups": _groups()})


@cache
def _groups() -> list[tuple[str, list[Operation]]]:
    """Read the schema once a process: it changes with the code alone."""
    return operations_of(SchemaGenerator().get_schema(request=None, public=True))
