"""Corpora, versions and entries. Secret text only for those who may read it, each read recorded (LAW-2, SPEC C-7)."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from champollion.api.base import DetailView, ListView
from champollion.api.cells import CUTS, cells_of, totals_of
from champollion.api.pagination import PositionCursorPagination
from champollion.common.errors import NotVisible
from corpora import access, selectors
from corpora.constants import SECRET_SEGMENTS, Difficulty, Domain, Segment
from corpora.models import Corpus, CorpusVersion, Entry
from corpora.suppression import Cell
from corpora.vocabulary import is_secret


class CorpusSerializer(serializers.ModelSerializer):
    organisation = serializers.CharField(source="organisation.slug")

    pair = serializers.CharField()

    class Meta:
        model = Corpus
        fields = ["corpus_id", "organisation", "source_language", "target_language", "pair", "created_at"]
        read_only_fields = fields


class CorpusList(ListView):
    """List the corpora that have a version which is not withdrawn."""

    serializer_class = CorpusSerializer
    queryset = Corpus.objects.none()

    def get_queryset(self) -> QuerySet[Corpus]:
        ready = CorpusVersion.objects.filter(corpus=OuterRef("pk"), status=CorpusVersion.Status.READY)
        return Corpus.objects.filter(Exists(ready)).select_related("organisation")


class CorpusDetail(DetailView):
    """Show a corpus."""

    serializer_class = CorpusSerializer
    queryset = Corpus.objects.none()

    def get_object(self) -> Corpus:
        found = Corpus.objects.filter(corpus_id=self.kwargs["corpus_id"]).select_related("organisation").first()
        if found is None:
            raise self.missing()
        return found


class CountCellSerializer(serializers.Serializer):
    """A number of entries. Small ones of a secret segment are null, and so is the next one where they would follow."""

    key = serializers.CharField()
    count = serializers.IntegerField(allow_null=True)
    state = serializers.CharField()


class SegmentCountSerializer(serializers.Serializer):
    segment = serializers.CharField()
    is_secret = serializers.BooleanField()
    total = serializers.IntegerField(allow_null=True)
    by_difficulty = CountCellSerializer(many=True)
    by_domain = CountCellSerializer(many=True)
    by_register = CountCellSerializer(many=True)


class VersionSerializer(serializers.ModelSerializer):
    corpus_id = serializers.CharField(source="corpus.corpus_id")
    organisation = serializers.CharField(source="corpus.organisation.slug")
    entry_count = serializers.SerializerMethodField(
        help_text="Null on a version with secret segments, but for those who may read them: small ones would follow."
    )

    class Meta:
        model = CorpusVersion
        fields = [
            "uid",
            "corpus_id",
            "version",
            "organisation",
            "status",
            "sha256",
            "public_sha256",
            "license",
            "created_as_given",
            "provenance_tags",
            "entry_count",
            "attested_by_name",
            "attested_at",
            "created_at",
        ]
        read_only_fields = fields

    @extend_schema_field(serializers.IntegerField(allow_null=True))
    def get_entry_count(self, version: Any) -> int | None:
        is_open = not version.has_secret or version.corpus.organisation_id in self._readable
        return version.entry_count if is_open else None

    @cached_property
    def _readable(self) -> frozenset[int]:
        return frozenset(access.organisations_readable(self.context["request"].user))


class VersionDetailSerializer(VersionSerializer):
    segments = serializers.SerializerMethodField()

    class Meta(VersionSerializer.Meta):
        fields = [*VersionSerializer.Meta.fields, "segments"]
        read_only_fields = fields

    @extend_schema_field(SegmentCountSerializer(many=True))
    def get_segments(self, version: CorpusVersion) -> list[dict[str, Any]]:
        return segments_of(version, user=self.context["request"].user)


def segments_of(version: CorpusVersion, *, user: Any) -> list[dict[str, Any]]:
    """Return a version's numbers of entries by segment, as its page shows them to this person (SPEC C-7)."""
    may_read = access.may_read_secret(user, version.corpus)
    tables = {cut: cells_of(version, cut, may_read=may_read) for cut in CUTS}
    return [
        {
            "segment": segment,
            "is_secret": is_secret(segment),
            "total": total.count,
            **{f"by_{cut}": _cells(tables[cut][segment]) for cut in CUTS},
        }
        for segment, total in totals_of(version, may_read=may_read).items()
    ]


def _cells(cells: Mapping[str, Cell]) -> list[dict[str, Any]]:
    return [{"key": key, "count": cell.count, "state": cell.state.value} for key, cell in cells.items()]


def _versions() -> QuerySet[CorpusVersion]:
    secret = Entry.objects.filter(version=OuterRef("pk"), segment__in=SECRET_SEGMENTS)
    return CorpusVersion.objects.select_related("corpus__organisation").annotate(has_secret=Exists(secret))


@extend_schema(parameters=[OpenApiParameter("corpus", str, description="Only versions of this corpus id.")])
class VersionList(ListView):
    """List corpus versions, withdrawn ones too: their names stay."""

    serializer_class = VersionSerializer
    queryset = CorpusVersion.objects.none()

    def get_queryset(self) -> QuerySet[CorpusVersion]:
        found = _versions()
        corpus_id = self.request.query_params.get("corpus")
        return found.filter(corpus__corpus_id=corpus_id) if corpus_id else found


class VersionDetail(DetailView):
    """Show a corpus version with its numbers of entries; no text of an entry."""

    serializer_class = VersionDetailSerializer
    queryset = CorpusVersion.objects.none()
    is_immutable = True

    def get_object(self) -> CorpusVersion:
        found = _versions().filter(uid=self.kwargs["uid"]).first()
        if found is None:
            raise self.missing()
        return found


class EntrySerializer(serializers.Serializer):
    """An entry with its text; `fields` holds everything else that the file said of it."""

    uid = serializers.UUIDField(source="entry.uid")
    id = serializers.CharField(source="entry.entry_id", help_text="The id in the file, as text.")
    position = serializers.IntegerField(source="entry.position")
    segment = serializers.CharField(source="entry.segment")
    difficulty = serializers.IntegerField(source="entry.difficulty", allow_null=True)
    domain = serializers.CharField(source="entry.domain")
    register = serializers.CharField(source="entry.register")
    context = serializers.CharField(source="entry.context")  # type: ignore[assignment]
    source = serializers.CharField()  # type: ignore[assignment]
    reference = serializers.CharField()
    fields = serializers.DictField()  # type: ignore[assignment]


class EntryFilterSerializer(serializers.Serializer):
    """What the list of entries can be asked for."""

    version = serializers.UUIDField(help_text="The corpus version's uid.")
    segment = serializers.ChoiceField(
        Segment.choices, required=False, help_text="Public segments without it; a secret one for those who may read it."
    )
    difficulty = serializers.ChoiceField(Difficulty.choices, required=False)
    domain = serializers.ChoiceField(Domain.choices, required=False)
    register = serializers.CharField(required=False, max_length=60)
    context = serializers.CharField(required=False, max_length=60)  # type: ignore[assignment]
    q = serializers.CharField(required=False, max_length=200, help_text="Words in id, source or reference.")


def readable_version(uid: UUID) -> CorpusVersion:
    """Return a version whose texts may be given out. Raises NotVisible."""
    names = CorpusVersion.objects.filter(uid=uid).values_list("corpus__corpus_id", "version").first()
    if names is None:
        raise NotVisible("corpus.not_visible", _("There is no such corpus version."))
    return selectors.readable_version_get(*names)


@extend_schema(parameters=[EntryFilterSerializer])
class EntryList(ListView):
    """List the entries of a version: public ones, or those of a secret segment for those who may read it."""

    serializer_class = EntrySerializer
    pagination_class = PositionCursorPagination
    queryset = Entry.objects.none()

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Read a page; a page of secret text is a recorded read and is kept nowhere."""
        form = EntryFilterSerializer(data=request.query_params)
        form.is_valid(raise_exception=True)
        filters = dict(form.validated_data)
        version = readable_version(filters.pop("version"))
        may_read = access.may_read_secret(request.user, version.corpus)
        if is_secret(filters.get("segment", "")):
            self.holds_secret_text = True
            if not may_read:
                raise self.missing()
        entries = selectors.entries_filtered(version, filters=filters, may_read=may_read)
        page = self.paginate_queryset(entries) or []
        texts = access.read_entries(page, version=version, reader=request.user, purpose="API")
        return self.get_paginated_response(self.get_serializer(texts, many=True).data)


class EntryDetail(DetailView):
    """Show an entry; a secret one only to those who may read it, and the read is recorded."""

    serializer_class = EntrySerializer
    queryset = Entry.objects.none()
    is_immutable = True

    def get_object(self) -> access.EntryText:
        entry = Entry.objects.select_related("version").filter(uid=self.kwargs["uid"]).first()
        if entry is None:
            raise self.missing()
        version = readable_version(entry.version.uid)
        self.holds_secret_text = entry.is_secret
        [text] = access.read_entries([entry], version=version, reader=self.request.user, purpose="API")
        return text
