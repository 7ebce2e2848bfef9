"""Decisions, the promotions they carry out and the ownership transfers they open (SPEC V-10, S-8)."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from champollion.common.models import PublicId, TimeStamped, one_of
from corpora.constants import Segment
from corpora.models import CorpusVersion
from leaderboard.models import MethodVersion, Run
from review.models.campaign import Campaign


class DecisionKind(models.TextChoices):
    APPROVE = "approve", _("approve")
    REFUSE = "refuse", _("refuse")
    MORE = "more", _("more ratings")
    SEND_BACK = "send_back", _("send back")


class DecisionStatus(models.TextChoices):
    PROPOSED = "proposed", _("waits for another steward")
    CARRIED_OUT = "carried_out", _("carried out")
    DECLINED = "declined", _("not confirmed")


class DecisionTransferChoice(models.TextChoices):
    NONE = "", _("not asked")
    START = "start", _("start the ownership transfer")
    WAIVE = "waive", _("waive the ownership transfer")


class Decision(PublicId, TimeStamped):
    """A steward's proposal, and what other stewards made of it."""

    Kind = DecisionKind

    Status = DecisionStatus

    TransferChoice = DecisionTransferChoice

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="decisions")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    status = models.CharField(max_length=12, choices=Status.choices, default=Status.PROPOSED)
    reason = models.TextField()
    #: An approval against the policy: which rules, and why all the same (LAW-7).
    is_override = models.BooleanField(default=False)
    override_reason = models.TextField(blank=True)
    transfer = models.CharField(max_length=5, choices=TransferChoice.choices, blank=True)
    waive_reason = models.TextField(blank=True)
    #: After an override a transfer starts only if the developer agreed in writing.
    developer_agreement = models.TextField(blank=True)
    proposed_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    needed_signatures = models.PositiveSmallIntegerField(default=2)
    has_one_signature = models.BooleanField(default=False)
    evidence_sha256 = models.CharField(max_length=64)
    outcome = models.CharField(max_length=20)
    carried_out_at = models.DateTimeField(null=True, blank=True)
    has_changed_evidence = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["campaign"], condition=models.Q(status="proposed"), name="decision_one_proposed"
            ),
            models.UniqueConstraint(
                fields=["campaign"],
                condition=models.Q(status="carried_out", kind__in=["approve", "refuse", "send_back"]),
                name="decision_one_final",
            ),
            models.CheckConstraint(condition=one_of("kind", DecisionKind), name="decision_kind_valid"),
            models.CheckConstraint(condition=one_of("status", DecisionStatus), name="decision_status_valid"),
            models.CheckConstraint(condition=~models.Q(reason=""), name="decision_reason_given"),
            models.CheckConstraint(
                condition=models.Q(is_override=False) | ~models.Q(override_reason=""),
                name="decision_override_reason_given",
            ),
        ]

    def __str__(self) -> str:
        return f"decision {str(self.uid)[:8]}"


class Signature(TimeStamped):
    """A steward's yes to a decision; the proposer's is the first."""

    decision = models.ForeignKey(Decision, on_delete=models.CASCADE, related_name="signatures")
    steward = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    confirms = models.BooleanField(default=True)
    reason = models.TextField(blank=True)
    #: The steward rated in this campaign; said beside the signature (SPEC V-4).
    has_rated = models.BooleanField(default=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["decision", "steward"], name="signature_unique")]

    def __str__(self) -> str:
        return f"signature {self.pk}"


class Promotion(PublicId, TimeStamped):
    """A tier that people approved for a method version on a segment of a corpus version."""

    decision = models.OneToOneField(Decision, on_delete=models.PROTECT, related_name="promotion")
    method_version = models.ForeignKey(MethodVersion, on_delete=models.PROTECT, related_name="promotions")
    corpus_version = models.ForeignKey(CorpusVersion, on_delete=models.PROTECT, related_name="promotions")
    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="promotions")
    segment = models.CharField(max_length=14, choices=Segment.choices)
    tier = models.CharField(max_length=12)
    composite = models.FloatField()

    def __str__(self) -> str:
        return f"promotion {str(self.uid)[:8]}"


class TransferStatus(models.TextChoices):
    INITIATED = "initiated", _("opened")
    NOTIFIED = "notified", _("developer told")
    ACKNOWLEDGED = "acknowledged", _("acknowledged")
    DISPUTED = "disputed", _("disputed")
    POSSESSION_CONFIRMED = "possession_confirmed", _("possession confirmed")
    COMPLETED = "completed", _("completed")
    WAIVED = "waived", _("waived")
    SUSPENDED = "suspended", _("suspended")


class Transfer(PublicId, TimeStamped):
    """The passing of a promoted method to the organisation (SPEC S-8)."""

    Status = TransferStatus

    promotion = models.OneToOneField(Promotion, on_delete=models.PROTECT, related_name="transfer")
    method_version = models.ForeignKey(MethodVersion, on_delete=models.PROTECT, related_name="transfers")
    status = models.CharField(max_length=20, choices=Status.choices, default=Status.INITIATED)
    revenue_margin_share = models.FloatField(default=0.10)

    class Meta:
        constraints = [models.CheckConstraint(condition=one_of("status", TransferStatus), name="transfer_status_valid")]

    def __str__(self) -> str:
        return f"transfer {str(self.uid)[:8]}"


class TransferStep(TimeStamped):
    """One step of a transfer, by whom and why."""

    transfer = models.ForeignKey(Transfer, on_delete=models.CASCADE, related_name="steps")
    status = models.CharField(max_length=20)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    statement = models.TextField(blank=True)

    def __str__(self) -> str:
        return self.status
