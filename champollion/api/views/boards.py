"""The leaderboard: rows of one pair, corpus version and segment (SPEC L-4). Ranked as the page ranks."""

from typing import Any

from django.db.models import F, FloatField, QuerySet, Value
from django.db.models.functions import Coalesce
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from champollion.api.base import ListView
from champollion.api.cells import shown_keys
from champollion.api.pagination import BoardCursorPagination
from corpora.access import may_read_secret
from corpora.constants import Domain, Segment
from corpora.models import CorpusVersion
from leaderboard.access import may_read_cells
from leaderboard.models import CutStanding, Standing
from leaderboard.scoring.cost import one_figure


class BoardFilterSerializer(serializers.Serializer):
    """Which board."""

    version = serializers.UUIDField(required=False, help_text="The corpus version's uid; without it every version.")
    pair = serializers.CharField(required=False, max_length=80, help_text="Such as `en--cy`; without it every pair.")
    segment = serializers.ChoiceField(
        [Segment.DEVELOPMENT, Segment.DIAGNOSTIC, Segment.GOLD_STANDARD],
        required=False,
        default=Segment.GOLD_STANDARD,
        help_text="The official ranking is by `gold_standard`.",
    )
    domain = serializers.ChoiceField(
        Domain.choices, required=False, help_text="Scores of that domain's entries only, of one `version`."
    )


class StandingSerializer(serializers.ModelSerializer):
    """A row. Automated scores are approximations under controlled conditions and promise no quality."""

    method = serializers.UUIDField(source="method_version.method.uid")
    method_name = serializers.CharField(source="method_version.method.name")
    method_class = serializers.CharField(source="method_version.method.method_class")
    method_version = serializers.IntegerField(source="method_version.number")
    model_name = serializers.CharField(source="method_version.model_name")
    team = serializers.CharField(source="method_version.method.team.slug")
    corpus_version = serializers.UUIDField(source="corpus_version.uid")
    run = serializers.UUIDField(source="run.uid")
    mean_latency_seconds = serializers.SerializerMethodField()

    class Meta:
        model = Standing
        fields = [
            "uid",
            "method",
            "method_name",
            "method_class",
            "method_version",
            "model_name",
            "team",
            "corpus_version",
            "segment",
            "run",
            "run_count",
            "is_ranked",
            "unranked_reason",
            "rank_low",
            "rank_high",
            "composite",
            "composite_interval_low",
            "composite_interval_high",
            "chrf",
            "chrf_low",
            "chrf_high",
            "exact_match",
            "fst_acceptance",
            "semantic_score",
            "cost_per_entry_usd",
            "mean_latency_seconds",
            "cost_adjusted",
            "public_tier",
            "claim",
            "is_override",
            "has_one_signature",
            "has_changed_evidence",
            "verification_level",
            "verified_at",
            "human_share",
            "human_low",
            "human_high",
            "human_rating_count",
            "human_verdict",
            "has_generated_ratings",
            "updated_at",
        ]
        read_only_fields = fields

    @extend_schema_field(serializers.FloatField(allow_null=True))
    def get_mean_latency_seconds(self, standing: Standing) -> float | None:
        value = standing.mean_latency_seconds
        return (
            value if value is None or may_read_cells(self.context["request"].user, standing.run) else one_figure(value)
        )

    def to_representation(self, instance: Standing) -> dict[str, Any]:
        """Put the figures of the domain that was asked for in the place of the whole run's."""
        shown = super().to_representation(instance)
        cut: CutStanding | None = getattr(instance, "asked_cut", None)
        if cut is not None:
            shown |= {name: getattr(cut, name) for name in _CUT_FIGURES}
            shown |= dict.fromkeys(("fst_acceptance", "semantic_score", "cost_adjusted"))
        return shown


_CUT_FIGURES = (
    "is_ranked",
    "rank_low",
    "rank_high",
    "composite",
    "composite_interval_low",
    "composite_interval_high",
    "chrf",
    "chrf_low",
    "chrf_high",
    "exact_match",
)
_RELATED = ("method_version__method__team", "corpus_version__corpus", "run__corpus_version__corpus")


@extend_schema(parameters=[BoardFilterSerializer])
class Board(ListView):
    """List the rows of a board, the best first, those without a rank last; of a domain with that domain's figures."""

    serializer_class = StandingSerializer
    pagination_class = BoardCursorPagination
    queryset = Standing.objects.none()

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        form = BoardFilterSerializer(data=request.query_params)
        form.is_valid(raise_exception=True)
        asked = form.validated_data
        domain = asked.get("domain")
        if domain and "version" not in asked:
            raise serializers.ValidationError({"version": ["A domain is asked for together with a corpus version."]})
        rows = _rows(asked)
        if domain:
            rows = self._of_domain(rows, asked)
        page = self.paginate_queryset(rows) or []
        if domain:
            _attach_cuts(page, domain)
        return self.get_paginated_response(self.get_serializer(page, many=True).data)

    def _of_domain(self, rows: QuerySet[Standing], asked: dict[str, Any]) -> QuerySet[Standing]:
        version = CorpusVersion.objects.select_related("corpus__organisation").filter(uid=asked["version"]).first()
        if version is None:
            raise self.missing()
        may_read = may_read_secret(self.request.user, version.corpus)
        keys = shown_keys(version, asked["segment"], "domain", may_read=may_read)
        if keys is not None and asked["domain"] not in keys:
            return rows.none()
        in_domain = rows.filter(cuts__cut="domain", cuts__key=asked["domain"])
        return in_domain.annotate(board_place=_place("cuts__composite"))


def _rows(asked: dict[str, Any]) -> QuerySet[Standing]:
    rows = Standing.objects.filter(corpus_version__status=CorpusVersion.Status.READY, segment=asked["segment"])
    if "version" in asked:
        rows = rows.filter(corpus_version__uid=asked["version"])
    if "pair" in asked:
        source, _dashes, target = asked["pair"].partition("--")
        rows = rows.filter(
            corpus_version__corpus__source_language=source, corpus_version__corpus__target_language=target
        )
    return rows.exclude(unranked_reason="withdrawn").annotate(board_place=_place("composite")).select_related(*_RELATED)


def _place(column: str) -> Coalesce:
    """Order by the composite, the best first, and what has none after everything that has one."""
    return Coalesce(Value(1.0) - F(column), Value(2.0), output_field=FloatField())


def _attach_cuts(page: list[Standing], domain: str) -> None:
    cuts = {cut.standing_id: cut for cut in CutStanding.objects.filter(standing__in=page, cut="domain", key=domain)}
    for standing in page:
        standing.asked_cut = cuts.get(standing.pk)  # type: ignore[attr-defined]
