"""How our views appear in the OpenAPI schema: every operation lists the errors it may answer with (SPEC I-4)."""

from typing import Any

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated

from champollion.api.errors import CONTENT_TYPE


class ProblemEntrySerializer(serializers.Serializer):
    """One of the problems of a request."""

    code = serializers.CharField()
    severity = serializers.CharField(required=False)
    place = serializers.CharField(required=False)
    entry_id = serializers.CharField(required=False)
    field = serializers.CharField(required=False)
    value = serializers.CharField(required=False)
    remedy = serializers.CharField(required=False)
    detail = serializers.CharField(required=False)


class ProblemSerializer(serializers.Serializer):
    """What went wrong, after RFC 9457; `code` is stable, `detail` is for people."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    code = serializers.CharField()
    detail = serializers.CharField()
    problems = ProblemEntrySerializer(many=True)


_EVERYWHERE = {
    400: "The request cannot be read.",
    401: "Nobody is signed in, or the token is not good.",
    403: "The person lacks the right; the answer says which.",
    404: "There is no such thing, or it is not theirs to see.",
    429: "Too many calls; Retry-After says when to try again.",
}
_ON_POST = {
    409: "Something else came first, or the state does not allow it.",
    413: "The body is too large.",
    415: "The body's type is not taken here.",
    422: "The request is understood and refused; one entry per problem.",
}
_IDEMPOTENCY = OpenApiParameter(
    "Idempotency-Key",
    str,
    OpenApiParameter.HEADER,
    description="Up to 120 plain characters, kept for a week; the same key and body are one act with one answer.",
)


class Schema(AutoSchema):
    """Adds the errors, the idempotency key, and whether an operation needs a sign-in."""

    def get_override_parameters(self) -> list[Any]:
        """Name the idempotency key on every POST."""
        return [_IDEMPOTENCY] if self.method == "POST" else []

    def get_auth(self) -> list[Any]:
        """Say that a sign-in is optional where visitors are answered too."""
        found = [scheme for scheme in super().get_auth() if scheme]
        needs = any(isinstance(one, IsAuthenticated) for one in self.view.get_permissions())
        return found if needs else [*found, {}]

    def _get_response_bodies(self, direction: Any = "response") -> dict[str, Any]:
        bodies = super()._get_response_bodies(direction)
        errors = {**_EVERYWHERE, 422: _ON_POST[422]} if self.method != "POST" else {**_EVERYWHERE, **_ON_POST}
        for status, description in errors.items():
            response = OpenApiResponse(ProblemSerializer, description)
            bodies.setdefault(str(status), self._get_response_for_code(response, str(status), [CONTENT_TYPE]))
        return bodies
