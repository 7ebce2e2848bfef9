"""The runs: their list, and the taking in of a new one (SPEC R-1, I-4).

A document comes as a file of a form (`multipart/form-data`), or as the body itself, with the rest in the address. What
it is, is told by its content.
"""

import hashlib
from typing import Any, BinaryIO

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import APIException
from rest_framework.parsers import BaseParser, MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from champollion.accounts.models import Team
from champollion.accounts.permissions import require
from champollion.api.base import ListView, PostView
from champollion.api.views.runs import RUN_FILTERS, RunSerializer, runs_filtered
from champollion.common.canonical import StrictJsonProblem, canonical_json, loads_strict_text, sha256_hex
from champollion.common.errors import DomainError
from corpora import selectors as corpora
from corpora.constants import Segment
from corpora.models import CorpusVersion
from leaderboard.cards.streamed import FILE_LIMIT
from leaderboard.models import Method, Run
from leaderboard.models.method import MethodClass
from leaderboard.services.handing_in import MethodWish, is_streamed, largest_file, run_hand_in, size_of
from leaderboard.services.intake import Receipt
from leaderboard.services.methods import SUBMISSION_PARTS, HeldMethod

#: What a form may hold beside the document and its rows, in bytes.
_FORM_ALLOWANCE = 1_000_000
_FILES = ("document", "rows", "log")


class SubmissionSerializer(serializers.Serializer):
    """What is said of a document: whose method it is, and which corpus it ran on where the document does not say."""

    method = serializers.CharField(required=False, max_length=120, help_text="Slug of a method that is here.")
    method_name = serializers.CharField(required=False, max_length=160, help_text="Name of a new method.")
    team = serializers.CharField(required=False, max_length=60, help_text="Slug of the team that made a new method.")
    team_name = serializers.CharField(required=False, max_length=120, help_text="Name of a team that is to be made.")
    method_class = serializers.ChoiceField(MethodClass.choices, required=False, default=MethodClass.RAW_LLM)
    corpus = serializers.CharField(required=False, max_length=120, help_text="Corpus id.")
    version = serializers.CharField(required=False, max_length=40, help_text="Its version, such as 1.0.")
    segment = serializers.ChoiceField(
        Segment.choices, required=False, help_text="For outputs that come one a line: whose order they follow."
    )
    configuration = serializers.CharField(
        required=False, max_length=20_000, help_text="A JSON object: the set-up of plain outputs, which carry none."
    )
    held_file_name = serializers.CharField(
        required=False, max_length=255, help_text="Stewards: the held method's file."
    )
    held_sha256 = serializers.RegexField("^[0-9a-fA-F]{64}$", required=False)
    held_place = serializers.CharField(required=False, max_length=255)
    held_parts = serializers.MultipleChoiceField(choices=[(part, part) for part in SUBMISSION_PARTS], required=False)

    def validate_configuration(self, value: str) -> dict[str, Any]:
        """Read the set-up."""
        try:
            found = loads_strict_text(value)
        except (StrictJsonProblem, ValueError) as error:
            raise serializers.ValidationError(_("The configuration is no JSON.")) from error
        if not isinstance(found, dict):
            raise serializers.ValidationError(_("The configuration is a JSON object."))
        return found


class SubmissionFormSerializer(SubmissionSerializer):
    """The same as a form, with the document and, for a sealed card, its per-entry rows."""

    document = serializers.FileField()
    rows = serializers.FileField(required=False)
    log = serializers.FileField(required=False, help_text="The run log that belongs to a report.")


class AcceptedRunSerializer(serializers.Serializer):
    """A run that was taken in, and where to ask how it goes."""

    uid = serializers.UUIDField()
    segment = serializers.CharField()
    status = serializers.CharField()
    status_url = serializers.CharField()


class ReceiptSerializer(serializers.Serializer):
    """What became of a document. `was_known`: these very bytes were here before, and nothing was made."""

    was_known = serializers.BooleanField()
    sha256 = serializers.CharField()
    runs = AcceptedRunSerializer(many=True)


class RawDocumentParser(BaseParser):
    """Gives a body as it is. One that is too long is not read to its end."""

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        return stream.read(settings.MAX_DOCUMENT_BYTES + 1)


class JsonDocumentParser(RawDocumentParser):
    media_type = "application/json"


class LinesParser(RawDocumentParser):
    media_type = "application/x-ndjson"


class CsvParser(RawDocumentParser):
    media_type = "text/csv"


class TsvParser(RawDocumentParser):
    media_type = "text/tab-separated-values"


class TextParser(RawDocumentParser):
    media_type = "text/plain"


class TooLarge(APIException):
    status_code = 413
    default_code = "too_large"


class RunList(ListView, PostView):
    """The runs that exist for the caller."""

    serializer_class = RunSerializer
    queryset = Run.objects.none()
    parser_classes = [MultiPartParser, JsonDocumentParser, LinesParser, CsvParser, TsvParser, TextParser]

    def get_permissions(self) -> Any:
        """Let everybody read and only people hand in."""
        return super().get_permissions() if self.request is None or self.request.method == "POST" else []

    def get_queryset(self) -> QuerySet[Run]:
        return runs_filtered(self.request.user, self.request.query_params)

    @extend_schema(parameters=RUN_FILTERS)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """List runs."""
        return super().get(request, *args, **kwargs)

    @extend_schema(
        request={
            "multipart/form-data": SubmissionFormSerializer,
            "application/json": OpenApiTypes.OBJECT,
            "application/x-ndjson": OpenApiTypes.STR,
            "text/csv": OpenApiTypes.STR,
            "text/tab-separated-values": OpenApiTypes.STR,
            "text/plain": OpenApiTypes.STR,
        },
        parameters=[SubmissionSerializer],
        responses={202: ReceiptSerializer},
    )
    def post(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Take in a run card, a report, a harness publication or plain outputs; 202 means that it will be scored.

        Parsing, hashes, limits and the tie to the corpus are answered at once: 422 with one entry per problem.
        """
        return super().post(request, *args, **kwargs)

    def body_of(self, request: Request) -> bytes:
        """Tell calls apart by what they say: the same form is sent with another boundary each time."""
        _refuse_too_long(request)
        said, document, rows, log = _said(request)
        facts = {name: said.getlist(name) for name in sorted(said)}
        digests = [_digest(data) for data in (document, rows, log)]
        return canonical_json([facts, *digests])

    def create(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        require(request.user, "run.submit")
        said, document, rows, log = _said(request)
        form = SubmissionSerializer(data=said)
        form.is_valid(raise_exception=True)
        if document is None:
            raise serializers.ValidationError({"document": [_("Send the document as a file or as the body.")]})
        facts = form.validated_data
        receipt = run_hand_in(
            actor=self.person,
            data=document,
            rows=rows,
            log=log,
            wish=_wish(facts),
            file_name=_file_name(request),
            version=_version(facts),
            segment=facts.get("segment", ""),
        )
        return Response(ReceiptSerializer(_shown(receipt)).data, status=202, headers=_place_of(receipt))


def _refuse_too_long(request: Request) -> None:
    """Refuse by the announced length, before anything is read to memory or disk."""
    # A form may bring a file of outputs, which is not held in memory.
    as_form = (request.META.get("CONTENT_TYPE") or "").startswith("multipart/")
    allowed = max(FILE_LIMIT if as_form else 0, 2 * settings.MAX_DOCUMENT_BYTES) + _FORM_ALLOWANCE
    length = request.META.get("CONTENT_LENGTH") or "0"
    if length.isdigit() and int(length) > allowed:
        raise TooLarge(_("A document has at most %(count)s bytes.") % {"count": settings.MAX_DOCUMENT_BYTES})


def _said(request: Request) -> tuple[Any, bytes | BinaryIO | None, bytes | None, bytes | None]:
    """Return what is said of the document, the document, and the rows and the log beside it."""
    if isinstance(request.data, bytes):
        return request.query_params, request.data or None, None, None
    document, rows, log = (request.FILES.get(name) for name in _FILES)
    fields: Any = request.data.copy()
    for name in _FILES:
        fields.pop(name, None)
    return fields, _document_of(document), _bytes_of(rows), _bytes_of(log)


def _document_of(file: UploadedFile | None) -> bytes | BinaryIO | None:
    """Return a large file of outputs as it lies on disk, any other as its bytes."""
    stream: Any = file.file if file is not None else None
    if stream is not None and is_streamed(stream) and size_of(stream) <= largest_file(stream):
        return stream
    return _bytes_of(file)


def _digest(data: bytes | BinaryIO | None) -> str:
    if data is None or isinstance(data, bytes):
        return sha256_hex(data) if data is not None else ""
    data.seek(0)
    digest = hashlib.sha256()
    for block in iter(lambda: data.read(1 << 20), b""):
        digest.update(block)
    return digest.hexdigest()


def _bytes_of(file: UploadedFile | None) -> bytes | None:
    if file is None:
        return None
    file.seek(0)
    return file.read(settings.MAX_DOCUMENT_BYTES + 1)


def _file_name(request: Request) -> str:
    file = request.FILES.get("document")
    return str(file.name or "")[:255] if file is not None else ""


def _wish(facts: dict[str, Any]) -> MethodWish:
    held = [facts.get(name, "") for name in ("held_file_name", "held_sha256", "held_place")]
    if any(held) and not all(held):
        raise DomainError(
            "method.held_whole", _("A held method is named by its file name, SHA-256 and place together.")
        )
    return MethodWish(
        method=_found(Method, facts.get("method"), "method"),
        name=facts.get("method_name", ""),
        team=_found(Team, facts.get("team"), "team"),
        team_name=facts.get("team_name", ""),
        method_class=facts["method_class"],
        configuration=facts.get("configuration") or {},
        held=HeldMethod(held[0], held[1], held[2], sorted(facts.get("held_parts", []))) if all(held) else None,
    )


def _found(model: Any, slug: str | None, field: str) -> Any:
    if not slug:
        return None
    found = model.objects.filter(slug=slug).first()
    if found is None:
        raise serializers.ValidationError({field: [_("There is no such thing here.")]})
    return found


def _version(facts: dict[str, Any]) -> CorpusVersion | None:
    corpus_id, version = facts.get("corpus"), facts.get("version")
    if not corpus_id and not version:
        return None
    if not corpus_id or not version:
        raise serializers.ValidationError({"version": [_("Name corpus and version together, or neither.")]})
    return corpora.readable_version_get(corpus_id, version)


def _shown(receipt: Receipt) -> dict[str, Any]:
    runs = [
        {
            "uid": run.uid,
            "segment": run.segment,
            "status": run.status,
            "status_url": reverse("api:run", args=[run.uid]),
        }
        for run in receipt.runs
    ]
    return {"was_known": receipt.was_known, "sha256": receipt.document.sha256, "runs": runs}


def _place_of(receipt: Receipt) -> dict[str, str]:
    return {"Location": reverse("api:run", args=[receipt.runs[0].uid])} if receipt.runs else {}
