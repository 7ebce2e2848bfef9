"""What every view of the API has in common: who calls, limits, headers, idempotency, entity tags (SPEC I-4)."""

from typing import Any, cast

from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from rest_framework.authentication import SessionAuthentication
from rest_framework.exceptions import ParseError
from rest_framework.generics import GenericAPIView, ListAPIView, RetrieveAPIView
from rest_framework.parsers import JSONParser
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from champollion.accounts.models import User
from champollion.api.authentication import TokenAuthentication
from champollion.api.idempotency import answer_once
from champollion.api.throttles import PersonThrottle, VisitorThrottle, rate_headers
from champollion.common.canonical import sha256_hex
from champollion.common.errors import NotVisible


class ApiView(GenericAPIView):
    """Base of every view.

    `is_immutable`: what is read here does not change, so it carries an entity tag. `holds_secret_text`: an answer may
    hold secret text, so nothing keeps it, neither a browser nor the idempotency record (LAW-2).
    """

    authentication_classes = [TokenAuthentication, SessionAuthentication]
    permission_classes: list[Any] = [AllowAny]
    renderer_classes = [JSONRenderer]
    parser_classes: list[Any] = [JSONParser]
    throttle_classes = [VisitorThrottle, PersonThrottle]
    is_immutable = False
    holds_secret_text = False

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse what no text column can hold, before anything looks for it."""
        super().initial(request, *args, **kwargs)
        asked = request.query_params
        values = [*kwargs.values(), *asked, *(value for name in asked for value in asked.getlist(name))]
        if any("\x00" in str(value) for value in values):
            raise ParseError(_("An address cannot hold the character NUL."))

    def get_throttles(self) -> list[Any]:
        """Make the limits once a call, so that their headers can be written afterwards."""
        if not hasattr(self, "_throttles"):
            self._throttles: list[Any] = super().get_throttles()
        return self._throttles

    def finalize_response(self, request: Any, response: Response, *args: Any, **kwargs: Any) -> Response:
        """Write limits, cache rules and, on what does not change, the entity tag."""
        response = super().finalize_response(request, response, *args, **kwargs)
        for name, value in rate_headers(self.get_throttles()).items():
            response[name] = value
        response.setdefault("Cache-Control", "no-store, private" if self.holds_secret_text else "no-cache, private")
        patch_vary_headers(response, ["Authorization", "Cookie", "Accept-Language"])
        if self.is_immutable and not self.holds_secret_text and response.status_code == 200:
            _tag(request, response)
        return response

    @property
    def person(self) -> User:
        """Return who calls, in a view that answers only to somebody who is signed in."""
        return cast(User, self.request.user)

    def missing(self) -> NotVisible:
        """Say that there is no such thing, in the words of every other address."""
        return NotVisible("not_visible", _("There is no such thing, or it is not yours to see."))


class ListView(ApiView, ListAPIView):
    """A list in pages with a cursor."""


class DetailView(ApiView, RetrieveAPIView):
    """One thing, by its `uid`."""


class SignedIn(ApiView):
    """For views that answer only to somebody who is signed in: 401 without."""

    permission_classes: list[Any] = [IsAuthenticated]


class PostView(ApiView):
    """A view whose POST makes something: `create` does it, under an idempotency key if the client sends one."""

    permission_classes: list[Any] = [IsAuthenticated]

    def create(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Do what the POST asks."""
        raise NotImplementedError

    def post(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Act once per idempotency key."""
        return answer_once(
            request,
            lambda: self.create(request, *args, **kwargs),
            body=self.body_of(request),
            keeps_answer=not self.holds_secret_text,
        )

    def body_of(self, request: Request) -> bytes:
        """Return what tells one call from another."""
        # Read before the parser does: afterwards the stream is gone.
        return request._request.body


def _tag(request: Any, response: Response) -> None:
    """Set the entity tag of an answer and empty the answer if the client has it."""
    etag = f'"{sha256_hex(JSONRenderer().render(response.data))[:32]}"'
    response["ETag"] = etag
    given = [tag.strip().removeprefix("W/") for tag in request.headers.get("If-None-Match", "").split(",")]
    if etag in given or "*" in given:
        response.status_code = 304
        response.data = None
