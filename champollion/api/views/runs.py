"""Methods, runs, their score sets, and the work on them (SPEC L-1, M, R-5). Taking in a run is in ``submissions``."""

from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import StreamingHttpResponse
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request

from champollion.accounts.roles import is_maintainer, team_ids
from champollion.api.base import ApiView, DetailView, ListView, SignedIn
from champollion.api.cells import shown_keys
from champollion.common.models import Job
from corpora.constants import Segment
from corpora.models import CorpusVersion
from leaderboard.access import is_withdrawn, may_read_cells, may_see_failure, method_get, run_get, runs_visible
from leaderboard.models import Method, MethodVersion, Run, ScoreSet
from leaderboard.scoring.cost import one_figure
from leaderboard.services.scoring import TASK
from leaderboard.views.runs import card_response


class MethodVersionSerializer(serializers.ModelSerializer):
    is_held = serializers.BooleanField(help_text="Whether an organisation holds the method's code.")

    class Meta:
        model = MethodVersion
        fields = ["uid", "number", "identity_sha256", "model_name", "is_held", "created_at"]
        read_only_fields = fields


class MethodSerializer(serializers.ModelSerializer):
    team = serializers.CharField(source="team.slug")
    team_name = serializers.CharField(source="team.name")

    class Meta:
        model = Method
        fields = ["uid", "slug", "name", "team", "team_name", "method_class", "created_at"]
        read_only_fields = fields


class MethodDetailSerializer(MethodSerializer):
    versions = MethodVersionSerializer(many=True)

    class Meta(MethodSerializer.Meta):
        fields = [*MethodSerializer.Meta.fields, "versions"]
        read_only_fields = fields


class MethodList(ListView):
    """List the methods that have a run on a known corpus, and those of one's own teams."""

    serializer_class = MethodSerializer
    queryset = Method.objects.none()

    def get_queryset(self) -> QuerySet[Method]:
        runs = runs_visible(self.request.user).filter(method_version__method=OuterRef("pk"))
        return Method.objects.filter(Exists(runs) | Q(team__in=team_ids(self.request.user))).select_related("team")


class MethodDetail(DetailView):
    """Show a method with its versions."""

    serializer_class = MethodDetailSerializer
    queryset = Method.objects.none()

    def get_object(self) -> Method:
        return method_get(self.request.user, self.kwargs["uid"])


class ClaimSerializer(serializers.Serializer):
    """A submitted figure, ours beside it, and how they compare (SPEC R-5)."""

    metric = serializers.CharField()
    claimed = serializers.JSONField()
    ours = serializers.FloatField(allow_null=True)
    verdict = serializers.CharField()


class RunSerializer(serializers.ModelSerializer):
    method = serializers.CharField(source="method_version.method.slug")
    method_version = serializers.IntegerField(source="method_version.number")
    team = serializers.CharField(source="method_version.method.team.slug")
    corpus_version = serializers.SerializerMethodField()
    corpus_id = serializers.SerializerMethodField()
    score_set = serializers.SerializerMethodField()
    composite = serializers.SerializerMethodField(help_text="Ours, recomputed from the outputs; null until scored.")
    mean_latency_seconds = serializers.SerializerMethodField(
        help_text="Rounded to one figure on a secret segment, but for those who may read it."
    )
    status_url = serializers.SerializerMethodField()

    class Meta:
        model = Run
        fields = [
            "uid",
            "method",
            "method_version",
            "team",
            "corpus_id",
            "corpus_version",
            "segment",
            "status",
            "is_organisation_run",
            "run_name",
            "model_name",
            "condition",
            "temperature",
            "harness_version",
            "ran_at",
            "fingerprint",
            "run_card_hash",
            "sealed_hash",
            "total_cost_usd",
            "cost_per_entry_usd",
            "mean_latency_seconds",
            "score_set",
            "composite",
            "scored_at",
            "created_at",
            "status_url",
        ]
        read_only_fields = fields

    @extend_schema_field(serializers.UUIDField(allow_null=True))
    def get_corpus_version(self, run: Run) -> Any:
        return str(run.corpus_version.uid) if run.corpus_version is not None else None

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_corpus_id(self, run: Run) -> str | None:
        return run.corpus_version.corpus.corpus_id if run.corpus_version is not None else None

    @extend_schema_field(serializers.UUIDField(allow_null=True))
    def get_score_set(self, run: Run) -> Any:
        return str(run.score_set.uid) if run.score_set is not None and not is_withdrawn(run) else None

    @extend_schema_field(serializers.FloatField(allow_null=True))
    def get_composite(self, run: Run) -> float | None:
        return run.score_set.composite if run.score_set is not None and not is_withdrawn(run) else None

    @extend_schema_field(serializers.FloatField(allow_null=True))
    def get_mean_latency_seconds(self, run: Run) -> float | None:
        value = run.mean_latency_seconds
        return value if value is None or may_read_cells(self.context["request"].user, run) else one_figure(value)

    @extend_schema_field(serializers.CharField())
    def get_status_url(self, run: Run) -> str:
        return reverse("api:run", args=[run.uid])


class RunDetailSerializer(RunSerializer):
    claims = serializers.SerializerMethodField()
    job = serializers.SerializerMethodField(help_text="The work of scoring it, while there is some.")
    failure = serializers.SerializerMethodField()

    class Meta(RunSerializer.Meta):
        fields = [*RunSerializer.Meta.fields, "failure", "claims", "job"]
        read_only_fields = fields

    @extend_schema_field(serializers.CharField())
    def get_failure(self, run: Run) -> str:
        return run.failure if may_see_failure(self.context["request"].user, run) else ""

    @extend_schema_field(ClaimSerializer(many=True))
    def get_claims(self, run: Run) -> list[dict[str, Any]]:
        if is_withdrawn(run):
            return []
        return [
            {"metric": metric, "claimed": value, "ours": found.get("ours"), "verdict": found.get("verdict", "")}
            for metric, value in run.claimed.items()
            for found in [run.claim_verdicts.get(metric, {})]
        ]

    @extend_schema_field(serializers.UUIDField(allow_null=True))
    def get_job(self, run: Run) -> Any:
        job = Job.objects.filter(task=TASK, subject=f"run:{run.uid}").order_by("-created_at").first()
        return str(job.uid) if job is not None else None


_RELATED = ("method_version__method__team", "corpus_version__corpus__organisation", "score_set")
RUN_FILTERS = [
    OpenApiParameter("method", str, description="Only runs of this method (slug)."),
    OpenApiParameter("corpus", str, description="Only runs on this corpus id."),
    OpenApiParameter("segment", str, enum=list(Segment.values)),
    OpenApiParameter("status", str, enum=list(Run.Status.values)),
]


def runs_filtered(user: Any, asked: Any) -> QuerySet[Run]:
    """Return the visible runs that match what the address asks for."""
    found = runs_visible(user).select_related(*_RELATED)
    columns = {
        "method": "method_version__method__slug",
        "corpus": "corpus_version__corpus__corpus_id",
        "segment": "segment",
        "status": "status",
    }
    for name, column in columns.items():
        if asked.get(name):
            found = found.filter(**{column: asked[name]})
    return found


class RunDetail(DetailView):
    """Show a run: its set-up, its state, what it claims and what we found. No outputs."""

    serializer_class = RunDetailSerializer
    queryset = Run.objects.none()

    def get_object(self) -> Run:
        return run_get(self.request.user, self.kwargs["uid"])


class RunCard(ApiView):
    """The run's card as this installation seals it."""

    serializer_class = RunSerializer
    queryset = Run.objects.none()

    @extend_schema(responses={200: OpenApiTypes.OBJECT})
    def get(self, request: Request, *args: Any, **kwargs: Any) -> StreamingHttpResponse:
        """Give the sealed card: our scores, and the results of a public segment while no campaign is under way."""
        return card_response(run_get(request.user, self.kwargs["uid"]))


class ScoreSerializer(serializers.Serializer):
    """One figure: a metric over all entries (`cut` all) or over those of one key, with its 95 % interval."""

    cut = serializers.CharField()
    key = serializers.CharField()
    metric = serializers.CharField()
    value = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    entry_count = serializers.IntegerField()


class ScoreSetSerializer(serializers.ModelSerializer):
    run = serializers.UUIDField(source="run.uid")
    contributions = serializers.JSONField()

    class Meta:
        model = ScoreSet
        fields = [
            "uid",
            "run",
            "number",
            "scorer_version",
            "profile",
            "composite",
            "contributions",
            "entry_count",
            "created_at",
        ]
        read_only_fields = fields


class ScoreSetDetailSerializer(ScoreSetSerializer):
    scores = serializers.SerializerMethodField()
    settings = serializers.JSONField(
        help_text="Library versions, signatures, scripts and seed: what a re-scoring needs."
    )

    class Meta(ScoreSetSerializer.Meta):
        fields = [*ScoreSetSerializer.Meta.fields, "settings", "scores"]
        read_only_fields = fields

    @extend_schema_field(ScoreSerializer(many=True))
    def get_scores(self, score_set: ScoreSet) -> Any:
        return ScoreSerializer(scores_shown(score_set, user=self.context["request"].user), many=True).data


def scores_shown(score_set: ScoreSet, *, user: Any) -> list[Any]:
    """Return the figures that a person may see: small cells of a secret segment, and what gives them away, are not."""
    run = score_set.run
    scores = list(score_set.scores.order_by("cut", "key", "metric"))
    may_read = may_read_cells(user, run)
    if may_read or run.corpus_version is None:
        return scores
    shown = {
        cut: shown_keys(run.corpus_version, run.segment, cut, may_read=may_read)
        for cut in {score.cut for score in scores}
        if cut != "all"
    }
    return [s for s in scores if s.cut == "all" or (keys := shown[s.cut]) is None or s.key in keys]


def _score_sets(user: Any) -> QuerySet[ScoreSet]:
    runs = runs_visible(user).exclude(status=Run.Status.WITHDRAWN)
    runs = runs.exclude(corpus_version__status=CorpusVersion.Status.WITHDRAWN)
    return ScoreSet.objects.filter(run__in=runs).select_related("run__corpus_version__corpus__organisation")


@extend_schema(parameters=[OpenApiParameter("run", str, description="Only score sets of this run (uid).")])
class ScoreSetList(ListView):
    """List complete scorings; one that was made anew stands beside the old."""

    serializer_class = ScoreSetSerializer
    queryset = ScoreSet.objects.none()

    def get_queryset(self) -> QuerySet[ScoreSet]:
        found = _score_sets(self.request.user)
        run = self.request.query_params.get("run")
        return found.filter(run__uid=serializers.UUIDField().run_validation(run)) if run else found


class ScoreSetDetail(DetailView):
    """Show a scoring with its figures."""

    serializer_class = ScoreSetDetailSerializer
    queryset = ScoreSet.objects.none()
    is_immutable = True

    def get_object(self) -> ScoreSet:
        found = _score_sets(self.request.user).filter(uid=self.kwargs["uid"]).first()
        if found is None:
            raise self.missing()
        return found


class JobSerializer(serializers.ModelSerializer):
    share_done = serializers.FloatField(help_text="How far it is, 0-1.")
    error = serializers.SerializerMethodField(help_text="Why it failed, for those who may know.")

    class Meta:
        model = Job
        fields = [
            "uid",
            "task",
            "status",
            "done_count",
            "total_count",
            "share_done",
            "message",
            "error",
            "created_at",
            "started_at",
            "finished_at",
        ]
        read_only_fields = fields

    @extend_schema_field(serializers.CharField())
    def get_error(self, job: Job) -> str:
        user = self.context["request"].user
        run = runs_visible(user).filter(uid=job.subject.removeprefix("run:")).first() if _is_of_run(job) else None
        return job.error if is_maintainer(user) or (run is not None and may_see_failure(user, run)) else ""


def _is_of_run(job: Job) -> bool:
    return job.subject.startswith("run:")


class JobDetail(SignedIn, DetailView):
    """Show how far a piece of work is: the scoring of a visible run; a maintainer sees every one."""

    serializer_class = JobSerializer
    queryset = Job.objects.none()

    def get_object(self) -> Job:
        job = Job.objects.filter(uid=self.kwargs["uid"]).first()
        if job is None or not (is_maintainer(self.request.user) or self._is_of_visible_run(job)):
            raise self.missing()
        return job

    def _is_of_visible_run(self, job: Job) -> bool:
        uid = job.subject.removeprefix("run:")
        return _is_of_run(job) and runs_visible(self.request.user).filter(uid=uid).exists()
