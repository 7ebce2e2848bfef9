"""Nominations, campaigns, decisions, transfers and the audit log, for those who govern (SPEC V, S-8, S-9).

No estimate leaves before the close, and none ever for a coordinator (V-8): `figures` is null then.
"""

from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers

from champollion.accounts.permissions import organisations_with, require
from champollion.api.base import DetailView, ListView, SignedIn
from champollion.api.pagination import SequenceCursorPagination
from champollion.audit.models import AuditEvent
from champollion.common.errors import AccessDenied
from review.analysis import campaign_figures, estimate_visible
from review.audit_page import ChainState, chains_for, records_for
from review.governance_access import campaign_for, decision_for, nomination_for, transfer_for
from review.models import Campaign, Decision, Nomination, Signature, Transfer, TransferStep
from review.selectors import campaign_progress


class NominationSerializer(serializers.ModelSerializer):
    run = serializers.UUIDField(source="run.uid")
    method = serializers.CharField(source="method_version.method.slug")
    method_version = serializers.IntegerField(source="method_version.number")
    corpus_version = serializers.UUIDField(source="corpus_version.uid")
    team = serializers.CharField(source="team.slug")

    class Meta:
        model = Nomination
        fields = [
            "uid",
            "run",
            "method",
            "method_version",
            "corpus_version",
            "segment",
            "team",
            "status",
            "attempt",
            "composite",
            "tier",
            "bound",
            "is_re_review",
            "nominated_at",
            "created_at",
        ]
        read_only_fields = fields


class NominationList(SignedIn, ListView):
    """List the nominations and candidates of the organisations whose steward one is."""

    serializer_class = NominationSerializer
    queryset = Nomination.objects.none()

    def get_queryset(self) -> QuerySet[Nomination]:
        require(self.request.user, "nomination.make")
        organisations = organisations_with(self.request.user, "nomination.make")
        found = Nomination.objects.filter(corpus_version__corpus__organisation__in=organisations)
        return found.select_related("run", "method_version__method", "corpus_version", "team")


class NominationDetail(SignedIn, DetailView):
    """Show a nomination."""

    serializer_class = NominationSerializer
    queryset = Nomination.objects.none()

    def get_object(self) -> Nomination:
        return nomination_for(self.request.user, self.kwargs["uid"], "nomination.make")


class CampaignSerializer(serializers.ModelSerializer):
    organisation = serializers.CharField(source="organisation.slug")
    nomination = serializers.UUIDField(source="nomination.uid")
    run = serializers.UUIDField(source="run.uid")

    class Meta:
        model = Campaign
        fields = [
            "uid",
            "organisation",
            "nomination",
            "run",
            "status",
            "overlap",
            "shows_reference",
            "policy_name",
            "policy_version",
            "plan_sha256",
            "is_extended",
            "has_generated_ratings",
            "opened_at",
            "closed_at",
            "over_at",
            "created_at",
        ]
        read_only_fields = fields


class StratumSerializer(serializers.Serializer):
    """How far one stratum is; counts of items but for ratings."""

    stratum = serializers.CharField()
    items = serializers.IntegerField()
    done = serializers.IntegerField()
    needs_fourth = serializers.IntegerField()
    needs_talk = serializers.IntegerField()
    leased = serializers.IntegerField()
    ratings = serializers.IntegerField()
    ratings_asked_for = serializers.IntegerField()


class ProgressSerializer(serializers.Serializer):
    strata = StratumSerializer(many=True)
    total = StratumSerializer()
    rater_count = serializers.IntegerField()
    look_items = serializers.IntegerField()
    look_done = serializers.IntegerField()


class FiguresSerializer(serializers.Serializer):
    """What the closed campaign says: the usable share, 0-1, with its 95 % interval, and the policy's verdict."""

    share = serializers.FloatField()
    low = serializers.FloatField()
    high = serializers.FloatField()
    rating_count = serializers.IntegerField()
    verdict = serializers.CharField()
    settled_by = serializers.CharField()


class CampaignDetailSerializer(CampaignSerializer):
    progress = serializers.SerializerMethodField()
    figures = serializers.SerializerMethodField(
        help_text="Null until the campaign is closed, and for whoever may not read the report."
    )

    class Meta(CampaignSerializer.Meta):
        fields = [*CampaignSerializer.Meta.fields, "progress", "figures"]
        read_only_fields = fields

    @extend_schema_field(ProgressSerializer)
    def get_progress(self, campaign: Campaign) -> Any:
        return ProgressSerializer(campaign_progress(campaign)).data

    @extend_schema_field(FiguresSerializer(allow_null=True))
    def get_figures(self, campaign: Campaign) -> dict[str, Any] | None:
        if not estimate_visible(campaign, self.context["request"].user):
            return None
        figures = campaign_figures(campaign)
        return {**figures.human(), "settled_by": figures.settled_by}


class CampaignList(SignedIn, ListView):
    """List the campaigns of the organisations that one governs or coordinates."""

    serializer_class = CampaignSerializer
    queryset = Campaign.objects.none()

    def get_queryset(self) -> QuerySet[Campaign]:
        require(self.request.user, "campaign.read")
        organisations = organisations_with(self.request.user, "campaign.read")
        found = Campaign.objects.filter(organisation__in=organisations)
        return found.select_related("organisation", "nomination", "run").defer("plan", "evidence", "policy")


class CampaignDetail(SignedIn, DetailView):
    """Show a campaign and how far it is."""

    serializer_class = CampaignDetailSerializer
    queryset = Campaign.objects.none()

    def get_object(self) -> Campaign:
        return campaign_for(self.request.user, self.kwargs["uid"], "campaign.read")


class SignatureSerializer(serializers.ModelSerializer):
    steward = serializers.CharField(source="steward.display_name")

    class Meta:
        model = Signature
        fields = ["steward", "confirms", "reason", "has_rated", "created_at"]
        read_only_fields = fields


class DecisionSerializer(serializers.ModelSerializer):
    campaign = serializers.UUIDField(source="campaign.uid")
    proposed_by = serializers.CharField(source="proposed_by.display_name")
    signatures = SignatureSerializer(many=True)

    class Meta:
        model = Decision
        fields = [
            "uid",
            "campaign",
            "kind",
            "status",
            "reason",
            "is_override",
            "override_reason",
            "transfer",
            "waive_reason",
            "developer_agreement",
            "proposed_by",
            "needed_signatures",
            "has_one_signature",
            "signatures",
            "evidence_sha256",
            "outcome",
            "has_changed_evidence",
            "carried_out_at",
            "created_at",
        ]
        read_only_fields = fields


class DecisionList(SignedIn, ListView):
    """List the decisions of the organisations whose steward one is."""

    serializer_class = DecisionSerializer
    queryset = Decision.objects.none()

    def get_queryset(self) -> QuerySet[Decision]:
        require(self.request.user, "decision.sign")
        organisations = organisations_with(self.request.user, "decision.sign")
        found = Decision.objects.filter(campaign__organisation__in=organisations)
        return found.select_related("campaign", "proposed_by").prefetch_related("signatures__steward")


class DecisionDetail(SignedIn, DetailView):
    """Show a decision with its signatures."""

    serializer_class = DecisionSerializer
    queryset = Decision.objects.none()

    def get_object(self) -> Decision:
        return decision_for(self.request.user, self.kwargs["uid"], "decision.sign")


class TransferStepSerializer(serializers.ModelSerializer):
    by = serializers.SerializerMethodField()

    class Meta:
        model = TransferStep
        fields = ["status", "by", "statement", "created_at"]
        read_only_fields = fields

    def get_by(self, step: TransferStep) -> str:
        return step.by.display_name if step.by is not None else ""


class TransferSerializer(serializers.ModelSerializer):
    method = serializers.CharField(source="method_version.method.slug")
    method_version = serializers.IntegerField(source="method_version.number")
    decision = serializers.UUIDField(source="promotion.decision.uid")
    corpus_version = serializers.UUIDField(source="promotion.corpus_version.uid")
    segment = serializers.CharField(source="promotion.segment")
    steps = TransferStepSerializer(many=True)

    class Meta:
        model = Transfer
        fields = [
            "uid",
            "method",
            "method_version",
            "decision",
            "corpus_version",
            "segment",
            "status",
            "revenue_margin_share",
            "steps",
            "created_at",
        ]
        read_only_fields = fields


class TransferList(SignedIn, ListView):
    """List the ownership transfers of the organisations whose steward one is."""

    serializer_class = TransferSerializer
    queryset = Transfer.objects.none()

    def get_queryset(self) -> QuerySet[Transfer]:
        require(self.request.user, "transfer.step")
        organisations = organisations_with(self.request.user, "transfer.step")
        found = Transfer.objects.filter(promotion__decision__campaign__organisation__in=organisations)
        related = ("method_version__method", "promotion__decision", "promotion__corpus_version")
        return found.select_related(*related).prefetch_related("steps__by")


class TransferDetail(SignedIn, DetailView):
    """Show an ownership transfer with its steps."""

    serializer_class = TransferSerializer
    queryset = Transfer.objects.none()

    def get_object(self) -> Transfer:
        return transfer_for(self.request.user, self.kwargs["uid"])


class AuditEventSerializer(serializers.ModelSerializer):
    class Meta:
        model = AuditEvent
        fields = [
            "chain",
            "sequence",
            "recorded_at",
            "act",
            "actor",
            "actor_name",
            "object_type",
            "object_id",
            "reason",
            "details",
            "previous_hash",
            "record_hash",
        ]
        read_only_fields = fields


class AuditFilterSerializer(serializers.Serializer):
    """What the log can be asked for."""

    chain = serializers.CharField(
        required=False, max_length=80, help_text="An organisation's slug, or `installation`; else one's first chain."
    )
    act = serializers.CharField(required=False, max_length=60)
    who = serializers.CharField(required=False, max_length=200)
    thing = serializers.CharField(required=False, max_length=120, help_text="The beginning of an object's id.")
    since = serializers.DateField(required=False)
    until = serializers.DateField(required=False)


@extend_schema(parameters=[AuditFilterSerializer])
class AuditLog(SignedIn, ListView):
    """List the records of one chain of the audit log, the latest first; each carries what its hash is over."""

    serializer_class = AuditEventSerializer
    pagination_class = SequenceCursorPagination
    queryset = AuditEvent.objects.none()

    def get_queryset(self) -> QuerySet[AuditEvent]:
        form = AuditFilterSerializer(data=self.request.query_params)
        form.is_valid(raise_exception=True)
        filters = dict(form.validated_data)
        return records_for(self._chain(filters.pop("chain", "")), filters)

    def _chain(self, slug: str) -> ChainState:
        chains = chains_for(self.request.user)
        if not chains:
            raise AccessDenied("right.missing", _("Stewards read the audit log of their organisation."))
        found = next((chain for chain in chains if not slug or chain.slug == slug), None)
        if found is None:
            raise self.missing()
        return found
