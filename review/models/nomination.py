"""A run put forward to people (SPEC V-1)."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from champollion.accounts.models import Team
from champollion.common.models import PublicId, TimeStamped, one_of
from corpora.constants import Segment
from corpora.models import CorpusVersion
from leaderboard.models import MethodVersion, Run


class NominationStatus(models.TextChoices):
    CANDIDATE = "candidate", _("candidate")
    NOMINATED = "nominated", _("nominated")
    CLOSED = "closed", _("closed")


class Nomination(PublicId, TimeStamped):
    """One attempt of a method version on a segment: first a candidate (public segments), then nominated."""

    Status = NominationStatus

    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="nominations")
    method_version = models.ForeignKey(MethodVersion, on_delete=models.PROTECT, related_name="nominations")
    corpus_version = models.ForeignKey(CorpusVersion, on_delete=models.PROTECT, related_name="nominations")
    segment = models.CharField(max_length=14, choices=Segment.choices)
    team = models.ForeignKey(Team, on_delete=models.PROTECT, related_name="nominations")
    status = models.CharField(max_length=10, choices=Status.choices)
    attempt = models.PositiveIntegerField(default=1)
    #: 32 random bytes in hex, drawn by the server when it nominates (SPEC V-3).
    nonce = models.CharField(max_length=64, blank=True)
    #: Composite, tier and bound in force, frozen.
    composite = models.FloatField()
    tier = models.CharField(max_length=12)
    bound = models.FloatField()
    nominated_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    nominated_at = models.DateTimeField(null=True)
    is_re_review = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["method_version", "corpus_version", "segment", "attempt"], name="nomination_attempt_unique"
            ),
            models.UniqueConstraint(
                fields=["method_version", "corpus_version", "segment"],
                condition=models.Q(status__in=["candidate", "nominated"]),
                name="nomination_one_open",
            ),
            models.CheckConstraint(condition=one_of("status", NominationStatus), name="nomination_status_valid"),
            models.CheckConstraint(
                condition=models.Q(status="candidate", nonce="") | ~models.Q(status="candidate"),
                name="nomination_nonce_when_nominated",
            ),
        ]

    def __str__(self) -> str:
        return f"nomination {str(self.uid)[:8]}"
