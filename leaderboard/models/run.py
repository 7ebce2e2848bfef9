"""A run: one method version's outputs on one segment of one corpus version (SPEC R)."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from champollion.common.models import PublicId, TimeStamped, one_of
from corpora.constants import Segment
from corpora.models import CorpusVersion, Entry
from leaderboard.models.method import MethodVersion


class DocumentKind(models.TextChoices):
    CARD = "card", _("run card")
    SEALED_CARD = "sealed_card", _("sealed harness card")
    REPORT = "report", _("harness test report")
    OUTPUTS = "outputs", _("plain outputs")


class Document(PublicId, TimeStamped):
    """The bytes of an upload as received, for download unchanged. Sealed where they hold secret text."""

    Kind = DocumentKind

    kind = models.CharField(max_length=12, choices=Kind.choices)
    sha256 = models.CharField(max_length=64, unique=True)
    file_name = models.CharField(max_length=255, blank=True)
    byte_count = models.PositiveIntegerField()
    content = models.BinaryField()
    is_sealed = models.BooleanField(default=False)
    uploaded_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")

    class Meta:
        constraints = [models.CheckConstraint(condition=one_of("kind", DocumentKind), name="document_kind_valid")]

    def __str__(self) -> str:
        return f"{self.kind} {self.sha256[:8]}"


class DocumentPart(models.Model):
    """A stretch of the bytes of an upload that is too large for one row; ``Document.content`` is then empty."""

    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="parts")
    index = models.PositiveIntegerField()
    content = models.BinaryField()

    class Meta:
        ordering = ["index"]
        constraints = [models.UniqueConstraint(fields=["document", "index"], name="document_part_unique")]

    def __str__(self) -> str:
        return f"part {self.index}"


class RunStatus(models.TextChoices):
    UNANCHORED = "unanchored", _("no known corpus")
    RECEIVED = "received", _("waiting for scoring")
    SCORING = "scoring", _("being scored")
    SCORED = "scored", _("scored")
    CLAIMED = "claimed", _("claimed, not recomputed")
    FAILED = "failed", _("scoring failed")
    WITHDRAWN = "withdrawn", _("withdrawn by the organisation")


class Run(PublicId, TimeStamped):
    """A run, from its arrival to its scores."""

    Status = RunStatus

    document = models.ForeignKey(Document, on_delete=models.PROTECT, related_name="runs")
    method_version = models.ForeignKey(MethodVersion, on_delete=models.PROTECT, related_name="runs")
    corpus_version = models.ForeignKey(
        CorpusVersion, on_delete=models.PROTECT, null=True, blank=True, related_name="runs"
    )
    segment = models.CharField(max_length=14, choices=Segment.choices, blank=True)
    status = models.CharField(max_length=12, choices=Status.choices, default=Status.RECEIVED)
    submitted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="submitted_runs"
    )
    #: The organisation's own run in its isolated harness, uploaded by a steward (SPEC L-3): no submission (LAW-10).
    is_organisation_run = models.BooleanField(default=False)
    is_anonymous = models.BooleanField(default=False)
    # What the document says of the set-up; "" or null is "not stated".
    run_name = models.CharField(max_length=300, blank=True)
    model_name = models.CharField(max_length=300, blank=True)
    condition = models.CharField(max_length=60, blank=True)
    temperature = models.CharField(max_length=40, blank=True)
    harness_version = models.CharField(max_length=60, blank=True)
    ran_at = models.CharField(max_length=60, blank=True)
    configuration = models.JSONField(default=dict)
    fingerprint = models.CharField(max_length=64, blank=True, db_index=True)
    run_card_hash = models.CharField(max_length=64, blank=True)
    #: Hash of the card that we sealed for it; the sample's seed rests on it (SPEC V-3).
    sealed_hash = models.CharField(max_length=64, blank=True)
    claimed = models.JSONField(default=dict)
    claim_verdicts = models.JSONField(default=dict)
    total_cost_usd = models.FloatField(null=True, blank=True)
    cost_per_entry_usd = models.FloatField(null=True, blank=True)
    mean_latency_seconds = models.FloatField(null=True, blank=True)
    output_count = models.PositiveIntegerField(default=0)
    failure = models.CharField(max_length=300, blank=True)
    score_set = models.OneToOneField(
        "leaderboard.ScoreSet", on_delete=models.SET_NULL, null=True, blank=True, related_name="current_for"
    )
    scored_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["document", "segment", "corpus_version"], name="run_once_per_document"),
            models.CheckConstraint(condition=one_of("status", RunStatus), name="run_status_valid"),
            models.CheckConstraint(
                condition=models.Q(segment="") | one_of("segment", Segment), name="run_segment_valid"
            ),
            models.CheckConstraint(condition=~models.Q(segment="held_out"), name="run_never_on_held_out"),
            models.CheckConstraint(
                condition=models.Q(status="unanchored", corpus_version__isnull=True)
                | ~models.Q(status="unanchored") & models.Q(corpus_version__isnull=False)
                | models.Q(status__in=["failed", "withdrawn"]),
                name="run_anchored",
            ),
        ]
        indexes = [models.Index(fields=["corpus_version", "segment", "status"], name="run_board")]

    def __str__(self) -> str:
        return f"run {str(self.uid)[:8]}"

    @property
    def is_secret(self) -> bool:
        return self.segment in ("gold_standard", "held_out")


class RunOutput(models.Model):
    """What a method predicted for one entry. A secret entry's output lies in ``sealed`` only."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="outputs")
    position = models.PositiveIntegerField()
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, null=True, related_name="outputs")
    #: The entry's id as the document gives it, compared as text.
    entry_key = models.CharField(max_length=200)
    text = models.TextField(blank=True)
    #: Unanchored runs only: the source and reference that the document carries.
    source = models.TextField(blank=True)
    reference = models.TextField(blank=True)
    #: {"text": …} of a secret entry, opened through ``corpora.vault``.
    sealed = models.BinaryField(null=True, blank=True)
    is_missing = models.BooleanField(default=False)
    is_error = models.BooleanField(default=False)
    #: Nothing to show a person: errored, missing, or empty after trimming (SPEC V-3).
    is_usable = models.BooleanField(default=True)
    latency_seconds = models.FloatField(null=True, blank=True)
    cost_usd = models.FloatField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "entry_key"], name="run_output_unique"),
            models.UniqueConstraint(fields=["run", "position"], name="run_output_position_unique"),
            models.CheckConstraint(
                condition=models.Q(sealed__isnull=True) | models.Q(text="", source="", reference=""),
                name="run_output_secret_sealed",
            ),
        ]

    def __str__(self) -> str:
        return f"output {self.position}"
