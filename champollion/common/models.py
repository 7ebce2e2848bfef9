"""Abstract bases and the tables that belong to no app of the flow."""

import uuid

from django.db import models
from django.utils import timezone


class PublicId(models.Model):
    """An identifier for addresses that cannot be guessed (SPEC Q-3)."""

    uid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)

    class Meta:
        abstract = True


class TimeStamped(models.Model):
    """When the row was made."""

    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        abstract = True


def one_of(field: str, choices: type[models.TextChoices]) -> models.Q:
    """Return the check that a column holds one of its choices."""
    return models.Q(**{f"{field}__in": [value for value, _ in choices.choices]})


class JobStatus(models.TextChoices):
    QUEUED = "queued", "queued"
    RUNNING = "running", "running"
    DONE = "done", "done"
    FAILED = "failed", "failed"
    CANCELLED = "cancelled", "cancelled"


class Job(PublicId, TimeStamped):
    """A piece of work for a worker, and how far it is. The table is the outbox (SPEC Q-2).

    A row is written in the transaction that wants the work; it reaches the broker after the commit, or later by
    the sweeper. ``lease_until`` lets another worker take over from one that died.
    """

    Status = JobStatus

    task = models.CharField(max_length=100)
    #: What the job works on, as "app.model:uid"; at most one live job per (task, subject).
    subject = models.CharField(max_length=120)
    arguments = models.JSONField(default=dict)
    status = models.CharField(max_length=12, choices=Status.choices, default=Status.QUEUED)
    done_count = models.PositiveIntegerField(default=0)
    total_count = models.PositiveIntegerField(default=0)
    message = models.CharField(max_length=300, blank=True)
    error = models.CharField(max_length=500, blank=True)
    attempt_count = models.PositiveSmallIntegerField(default=0)
    sent_at = models.DateTimeField(null=True, blank=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["task", "subject"],
                condition=models.Q(status__in=["queued", "running"]),
                name="job_one_live_per_subject",
            ),
        ]
        indexes = [models.Index(fields=["status", "created_at"], name="job_status_created")]

    def __str__(self) -> str:
        return f"{self.task} {self.subject} {self.status}"

    @property
    def share_done(self) -> float:
        """How far the job is, 0-1."""
        if self.status == self.Status.DONE:
            return 1.0
        return self.done_count / self.total_count if self.total_count else 0.0

    @property
    def is_live(self) -> bool:
        return self.status in (self.Status.QUEUED, self.Status.RUNNING)


class Heartbeat(models.Model):
    """When a part of the installation was last seen alive; ``/readyz`` and ``doctor`` read it."""

    name = models.CharField(max_length=40, primary_key=True)
    seen_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name


class IdempotencyKey(TimeStamped):
    """What an idempotent POST answered, so that the same key gets the same answer (SPEC I-4)."""

    owner = models.CharField(max_length=80)
    key = models.CharField(max_length=120)
    path = models.CharField(max_length=200)
    body_sha256 = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(null=True)
    answer = models.JSONField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["owner", "key"], name="idempotency_key_unique")]

    def __str__(self) -> str:
        return self.key
