"""An entry of a corpus version. Secret text lies in ``sealed`` only, behind ``corpora.vault`` (LAW-2)."""

from django.db import models

from champollion.common.models import PublicId, one_of
from corpora.constants import SECRET_SEGMENTS, Domain, Segment
from corpora.models.corpus import CorpusVersion


class Entry(PublicId):
    """One source with its reference. Written once, never changed (LAW-8; a trigger refuses it)."""

    version = models.ForeignKey(CorpusVersion, on_delete=models.CASCADE, related_name="entries")
    position = models.PositiveIntegerField()
    #: As given, compared as text; ``id_is_integer`` remembers its JSON type for export.
    entry_id = models.CharField(max_length=200)
    id_is_integer = models.BooleanField(default=False)
    segment = models.CharField(max_length=14, choices=Segment.choices)
    difficulty = models.PositiveSmallIntegerField(null=True, blank=True)
    domain = models.CharField(max_length=12, choices=Domain.choices, blank=True)
    register = models.CharField(max_length=60, blank=True)
    context = models.CharField(max_length=60, blank=True)
    provenance_name = models.CharField(max_length=200, blank=True)
    #: Public entries only: text, and every other field as given.
    source = models.TextField(blank=True)
    reference = models.TextField(blank=True)
    fields = models.JSONField(default=dict, blank=True)
    #: Secret entries only: {"source", "reference", "fields"}, opened through ``corpora.vault``.
    sealed = models.BinaryField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["version", "entry_id"], name="entry_id_unique"),
            models.UniqueConstraint(fields=["version", "position"], name="entry_position_unique"),
            models.CheckConstraint(condition=one_of("segment", Segment), name="entry_segment_valid"),
            models.CheckConstraint(
                condition=models.Q(difficulty__isnull=True) | models.Q(difficulty__range=(1, 5)),
                name="entry_difficulty_valid",
            ),
            models.CheckConstraint(condition=models.Q(domain="") | one_of("domain", Domain), name="entry_domain_valid"),
            models.CheckConstraint(
                condition=models.Q(
                    segment__in=[str(s) for s in SECRET_SEGMENTS], source="", reference="", sealed__isnull=False
                )
                | models.Q(segment__in=["development", "diagnostic"], sealed__isnull=True)
                & ~models.Q(source="")
                & ~models.Q(reference=""),
                name="entry_secret_text_sealed",
            ),
        ]
        indexes = [models.Index(fields=["version", "segment", "position"], name="entry_version_segment")]
        ordering = ["version_id", "position"]

    def __str__(self) -> str:
        return f"entry {self.position}"

    @property
    def is_secret(self) -> bool:
        return self.segment in SECRET_SEGMENTS
