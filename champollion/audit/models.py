"""The audit log: append-only rows in hash chains (LAW-6, SPEC S-9).

Rows are written by ``audit.services.record`` alone. The database refuses UPDATE and DELETE on ``AuditEvent`` (and
TRUNCATE on PostgreSQL) by triggers; see ``triggers.py``. Rows name actor and object by value, so that they outlive
both.
"""

from django.db import models


class Chain(models.Model):
    """The tail of one chain, locked while a record is appended. One an organisation, one for the installation."""

    name = models.CharField(max_length=80, unique=True)
    last_sequence = models.PositiveBigIntegerField(default=0)
    last_hash = models.CharField(max_length=64)

    def __str__(self) -> str:
        return self.name


class AuditEvent(models.Model):
    """One act of governance."""

    chain = models.CharField(max_length=80)
    sequence = models.PositiveBigIntegerField()
    recorded_at = models.DateTimeField()
    act = models.CharField(max_length=60)
    actor = models.CharField(max_length=80)
    actor_name = models.CharField(max_length=200)
    object_type = models.CharField(max_length=60)
    object_id = models.CharField(max_length=120)
    reason = models.TextField(blank=True)
    details = models.JSONField(default=dict)
    previous_hash = models.CharField(max_length=64)
    record_hash = models.CharField(max_length=64)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["chain", "sequence"], name="audit_sequence_unique"),
            models.UniqueConstraint(fields=["chain", "previous_hash"], name="audit_no_fork"),
        ]
        indexes = [
            models.Index(fields=["chain", "act"], name="audit_chain_act"),
            models.Index(fields=["object_type", "object_id"], name="audit_object"),
        ]

    def __str__(self) -> str:
        return f"{self.chain} {self.sequence} {self.act}"
