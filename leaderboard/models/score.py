"""Scores: chunks that workers write, score sets made of them, and the figures of each cut (SPEC M).

A score set is never overwritten; re-scoring makes the next one.
"""

from django.db import models

from champollion.common.models import PublicId, TimeStamped
from leaderboard.models.run import Run


class ScoreChunk(TimeStamped):
    """Per-entry statistics of a slice of a run's outputs, written once by whichever worker came first.

    ``content`` is a deterministic matrix (``leaderboard.scoring``), sealed for secret segments: per-entry results
    are secret text (SPEC S-2).
    """

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="chunks")
    #: Digest of scorer version, settings and outputs; another scoring has another key.
    scoring_key = models.CharField(max_length=64)
    index = models.PositiveIntegerField()
    content = models.BinaryField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "scoring_key", "index"], name="score_chunk_unique"),
        ]

    def __str__(self) -> str:
        return f"chunk {self.index}"


class ScoreSet(PublicId, TimeStamped):
    """One complete scoring of a run."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="score_sets")
    number = models.PositiveIntegerField()
    scoring_key = models.CharField(max_length=64)
    scorer_version = models.CharField(max_length=20)
    #: Library versions, sacrebleu signatures, target scripts, bootstrap seed: what a second scoring needs.
    settings = models.JSONField(default=dict)
    profile = models.CharField(max_length=20)
    tier = models.CharField(max_length=12)
    composite = models.FloatField(null=True)
    #: Metric -> {weight, value, contribution}, and metrics left out with the reason.
    contributions = models.JSONField(default=list)
    #: Values under the harness's counting rules, for comparing claims (SPEC R-5).
    harness_values = models.JSONField(default=dict)
    caveats = models.JSONField(default=list)
    entry_count = models.PositiveIntegerField()
    error_count = models.PositiveIntegerField(default=0)
    missing_count = models.PositiveIntegerField(default=0)
    chunk_count = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "number"], name="score_set_number_unique"),
            models.UniqueConstraint(fields=["run", "scoring_key"], name="score_set_key_unique"),
            models.CheckConstraint(
                condition=models.Q(composite__isnull=True) | models.Q(composite__range=(0, 1)),
                name="score_set_composite_valid",
            ),
        ]

    def __str__(self) -> str:
        return f"score set {self.number}"


class Score(models.Model):
    """One figure: a metric over all entries, or over one cut such as a domain."""

    score_set = models.ForeignKey(ScoreSet, on_delete=models.CASCADE, related_name="scores")
    #: "all", "difficulty", "domain", …
    cut = models.CharField(max_length=20)
    key = models.CharField(max_length=60, blank=True)
    metric = models.CharField(max_length=40)
    value = models.FloatField(null=True)
    low = models.FloatField(null=True)
    high = models.FloatField(null=True)
    entry_count = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["score_set", "cut", "key", "metric"], name="score_unique"),
        ]

    def __str__(self) -> str:
        return f"{self.metric} {self.cut} {self.key}"
