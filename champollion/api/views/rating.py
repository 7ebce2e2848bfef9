"""What a speaker does by way of the API: items that are leased to them, and their ratings (LAW-3, LAW-9).

Nothing here names a method, a model, a score or another rater. Answers may hold secret text and are kept nowhere.
"""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from champollion.accounts.permissions import require
from champollion.api.base import ListView, PostView, SignedIn
from champollion.api.idempotency import HEADER
from champollion.api.pagination import KeyCursorPagination
from review.access import campaign_for_rater, item_texts
from review.conflicts import rater_refusal
from review.grades import Grade, Tag
from review.models import Campaign, Lease, Rating
from review.models.rating import LeaseStatus
from review.rating_acts import COMMENT_LIMIT, MARKS_AT_MOST, SEQUENCE_LIMIT, SUGGESTION_LIMIT
from review.services.assignment import block_lease
from review.services.ratings import rating_submit
from review.services.samples import corpus_of

_LEASED = ("item__campaign__organisation", "item__campaign__run__corpus_version__corpus", "item__output__entry")


class ItemSerializer(serializers.Serializer):
    """An item that is leased to the caller, with its text. Its reference stays hidden."""

    uid = serializers.UUIDField()
    campaign = serializers.UUIDField()
    source_language = serializers.CharField()
    target_language = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]
    output = serializers.CharField()
    block = serializers.IntegerField()
    place = serializers.IntegerField()
    expires_at = serializers.DateTimeField()


def leased_item(lease: Lease) -> dict[str, Any]:
    """Return what the rater of a lease sees of its item."""
    item, campaign = lease.item, lease.item.campaign
    corpus = corpus_of(campaign.run)
    source, output, _reference, _fields = item_texts(item, campaign)
    return {
        "uid": item.uid,
        "campaign": campaign.uid,
        "source_language": corpus.source_language,
        "target_language": corpus.target_language,
        "source": source,
        "output": output,
        "block": lease.block,
        "place": lease.place,
        "expires_at": lease.expires_at,
    }


class BlockSerializer(serializers.Serializer):
    """Which campaign's next block is wanted."""

    campaign = serializers.UUIDField(write_only=True)


@extend_schema(parameters=[OpenApiParameter("campaign", UUID, description="Only items of this campaign.")])
class ItemList(SignedIn, ListView, PostView):
    """The items that are leased to the caller."""

    serializer_class = ItemSerializer
    pagination_class = KeyCursorPagination
    queryset = Lease.objects.none()
    holds_secret_text = True

    def get_queryset(self) -> QuerySet[Lease]:
        """Return the caller's leases that still run, in campaigns that are open."""
        require(self.request.user, "review.rate")
        held = Lease.objects.filter(
            rater=self.person,
            status=LeaseStatus.HELD,
            expires_at__gt=timezone.now(),
            item__campaign__status=Campaign.Status.OPEN,
        ).select_related(*_LEASED)
        wanted = self.request.query_params.get("campaign")
        if wanted:
            held = held.filter(item__campaign=campaign_for_rater(self.request.user, _uuid(wanted)))
        return held

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Give a page of leased items; a campaign in which the caller may no longer rate is left out."""
        page = self.paginate_queryset(self.get_queryset()) or []
        return self.get_paginated_response(self._shown(page))

    @extend_schema(request=BlockSerializer, responses={200: ItemSerializer(many=True)}, parameters=[])
    def post(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Lease the caller the next block of up to ten items, or give back the block they hold."""
        return super().post(request, *args, **kwargs)

    def create(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        form = BlockSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        campaign = campaign_for_rater(request.user, form.validated_data["campaign"])
        leases = block_lease(rater=self.person, campaign=campaign)
        found = Lease.objects.filter(pk__in=[lease.pk for lease in leases]).select_related(*_LEASED).order_by("place")
        return Response(self._shown(found))

    def _shown(self, leases: Iterable[Lease]) -> Any:
        refused: dict[int, bool] = {}
        shown = []
        for lease in leases:
            campaign = lease.item.campaign
            if campaign.pk not in refused:
                refused[campaign.pk] = rater_refusal(self.request.user, campaign) is not None
            if not refused[campaign.pk]:
                shown.append(leased_item(lease))
        return ItemSerializer(shown, many=True).data


class RatingSerializer(serializers.ModelSerializer):
    """A rating of the caller's own."""

    item = serializers.UUIDField(source="item.uid")
    campaign = serializers.UUIDField(source="item.campaign.uid")

    class Meta:
        model = Rating
        fields = ["uid", "item", "campaign", "grade", "first_grade", "tags", "sequence", "updated_at"]
        read_only_fields = fields


class RatingActSerializer(serializers.Serializer):
    """One act on one item. Whole numbers and lists as JSON has them; what they may be is the service's to say."""

    item = serializers.UUIDField()
    key = serializers.UUIDField(
        required=False, help_text="The act's own UUID; else the Idempotency-Key, where that is a UUID."
    )
    grade = serializers.ChoiceField(
        [grade.value for grade in Grade], allow_null=True, help_text="1 reject … 4 excellent; null takes it back."
    )
    sequence = serializers.IntegerField(required=False, allow_null=True, min_value=1, max_value=SEQUENCE_LIMIT)
    tags = serializers.ListField(
        child=serializers.ChoiceField([tag.value for tag in Tag]), required=False, max_length=len(Tag)
    )
    comment = serializers.CharField(required=False, allow_blank=True, max_length=COMMENT_LIMIT)
    suggestion = serializers.CharField(required=False, allow_blank=True, max_length=SUGGESTION_LIMIT)
    marks = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField(min_value=0, max_value=2**31), max_length=2),
        required=False,
        max_length=MARKS_AT_MOST,
    )
    focused_seconds = serializers.FloatField(required=False, min_value=0, max_value=86_400)
    wants_reference = serializers.BooleanField(required=False, default=False)


class SavedRatingSerializer(serializers.Serializer):
    """What became of the act."""

    uid = serializers.UUIDField()
    item = serializers.UUIDField()
    grade = serializers.IntegerField(allow_null=True)
    sequence = serializers.IntegerField()
    is_current = serializers.BooleanField()
    is_repeat = serializers.BooleanField()
    reference = serializers.CharField(allow_null=True)


class RatingList(SignedIn, ListView, PostView):
    """The caller's own ratings."""

    serializer_class = RatingSerializer
    pagination_class = KeyCursorPagination
    queryset = Rating.objects.none()
    holds_secret_text = True

    def get_queryset(self) -> QuerySet[Rating]:
        require(self.request.user, "review.rate")
        return Rating.objects.filter(rater=self.person).select_related("item__campaign")

    @extend_schema(request=RatingActSerializer, responses={200: SavedRatingSerializer, 201: SavedRatingSerializer})
    def post(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Save a rating, a change of it, or that it is taken back; the same key twice is one act."""
        return super().post(request, *args, **kwargs)

    def create(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        data = dict(request.data) if isinstance(request.data, dict) else request.data
        if isinstance(data, dict) and "key" not in data and request.headers.get(HEADER):
            data["key"] = request.headers[HEADER]
        form = RatingActSerializer(data=data)
        form.is_valid(raise_exception=True)
        act = dict(form.validated_data)
        saved = rating_submit(rater=self.person, item_uid=act.pop("item"), key=act.pop("key", None), **act)
        rating = saved.rating
        answer = {
            "uid": rating.uid,
            "item": rating.item.uid,
            "grade": rating.grade,
            "sequence": rating.sequence,
            "is_current": saved.is_current,
            "is_repeat": saved.is_repeat,
            "reference": saved.reference,
        }
        return Response(SavedRatingSerializer(answer).data, status=200 if saved.is_repeat else 201)


def _uuid(text: str) -> UUID:
    return serializers.UUIDField().run_validation(text)
