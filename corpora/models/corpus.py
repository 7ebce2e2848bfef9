"""A corpus, its versions, and the digests by which run cards name them (SPEC C-1, C-6)."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from champollion.accounts.models import Organisation
from champollion.common.models import PublicId, TimeStamped, one_of


class Corpus(PublicId, TimeStamped):
    """The ground truth of one language pair, with a stable id; what it holds lies in its versions."""

    corpus_id = models.CharField(max_length=120, unique=True)
    organisation = models.ForeignKey(Organisation, on_delete=models.PROTECT, related_name="corpora")
    #: BCP 47 tags, normalised.
    source_language = models.CharField(max_length=35)
    target_language = models.CharField(max_length=35)

    class Meta:
        indexes = [models.Index(fields=["source_language", "target_language"], name="corpus_pair")]

    def __str__(self) -> str:
        return self.corpus_id

    @property
    def pair(self) -> str:
        """The language pair as it stands in addresses, such as ``en-cy``."""
        return f"{self.source_language}--{self.target_language}"


class CorpusVersionStatus(models.TextChoices):
    READY = "ready", _("ready")
    WITHDRAWN = "withdrawn", _("withdrawn by the organisation")


class CorpusVersion(PublicId, TimeStamped):
    """One upload of a corpus. It never changes (LAW-8); only its status does."""

    Status = CorpusVersionStatus

    corpus = models.ForeignKey(Corpus, on_delete=models.PROTECT, related_name="versions")
    #: As given, such as "1.0"; ``order_key`` sorts, "1.0" like 1.0.0.
    version = models.CharField(max_length=40)
    order_key = models.CharField(max_length=40)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.READY)
    #: Digest of the file as uploaded, of the public edition, and of the full canonical JSON (SPEC C-6).
    sha256 = models.CharField(max_length=64)
    public_sha256 = models.CharField(max_length=64, blank=True)
    canonical_sha256 = models.CharField(max_length=64)
    license = models.CharField(max_length=200)
    created_as_given = models.CharField(max_length=60)
    provenance_tags = models.JSONField(default=list)
    #: The envelope's other fields, kept for export.
    envelope = models.JSONField(default=dict)
    source_format = models.CharField(max_length=30)
    file_name = models.CharField(max_length=255, blank=True)
    entry_count = models.PositiveIntegerField()
    #: Warnings of the validation, without secret text.
    warnings = models.JSONField(default=list)
    uploaded_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    #: The attestation that people wrote the references (LAW-11), and what a curator wrote about a provenance word.
    attested_by_name = models.CharField(max_length=200)
    attested_at = models.DateTimeField()
    attestation_note = models.TextField(blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["corpus", "version"], name="corpus_version_unique"),
            models.UniqueConstraint(fields=["corpus", "order_key"], name="corpus_version_order_unique"),
            models.CheckConstraint(
                condition=models.Q(status__in=["ready", "withdrawn"]), name="corpus_version_status_valid"
            ),
            models.CheckConstraint(condition=~models.Q(attested_by_name=""), name="corpus_version_attested"),
        ]
        ordering = ["corpus_id", "order_key"]

    def __str__(self) -> str:
        return f"{self.corpus.corpus_id} {self.version}"


class CorpusDigestKind(models.TextChoices):
    FULL = "full", _("whole file")
    PUBLIC = "public", _("public edition")
    CANONICAL = "canonical", _("canonical file")


class CorpusDigest(models.Model):
    """A digest under which a run card may name a version (SPEC R-4)."""

    Kind = CorpusDigestKind

    version = models.ForeignKey(CorpusVersion, on_delete=models.CASCADE, related_name="digests")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    sha256 = models.CharField(max_length=64, db_index=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["version", "kind"], name="corpus_digest_unique"),
            models.CheckConstraint(condition=one_of("kind", CorpusDigestKind), name="corpus_digest_kind_valid"),
        ]

    def __str__(self) -> str:
        return self.sha256[:8]
