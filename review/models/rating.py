"""Leases and ratings: never more than the overlap, never lost, never doubled (LAW-3, SPEC V-4, V-5)."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from champollion.common.models import PublicId, TimeStamped, one_of
from review.models.campaign import SampleItem

SLOTS_AT_MOST = 4


class LeaseStatus(models.TextChoices):
    HELD = "held", _("held")
    RATED = "rated", _("rated")
    SKIPPED = "skipped", _("skipped")
    CANNOT_JUDGE = "cannot_judge", _("cannot judge")
    HARMFUL = "harmful", _("flagged as harmful")
    EXPIRED = "expired", _("expired")


class CannotJudgeReason(models.TextChoices):
    NOT_MY_SUBJECT = "not_my_subject", _("not my subject")
    OTHER_DIALECT = "other_dialect", _("another dialect than mine")
    SOURCE_UNCLEAR = "source_unclear", _("the source is unclear or broken")
    KNOW_PEOPLE = "know_people", _("I know the people or the method")
    OTHER = "other", _("another reason")


class Lease(PublicId, TimeStamped):
    """A slot of an item, held by a rater until it is rated, given back or runs out.

    The slot number makes over-assignment impossible: an item has slots 1 to overlap, and 4 for a fourth rater.
    """

    Status = LeaseStatus

    item = models.ForeignKey(SampleItem, on_delete=models.CASCADE, related_name="leases")
    rater = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="leases")
    slot = models.PositiveSmallIntegerField()
    status = models.CharField(max_length=12, choices=Status.choices, default=Status.HELD)
    #: Place in the rater's own order; blocks of ten share a block number.
    block = models.PositiveIntegerField(default=1)
    place = models.PositiveIntegerField()
    expires_at = models.DateTimeField()
    #: How often this rater skipped the item: once, and it is offered again at the block's end (SPEC V-5).
    skip_count = models.PositiveSmallIntegerField(default=0)
    cannot_judge_reason = models.CharField(max_length=20, blank=True)
    #: {"note"}: what the rater wrote beside the reason, sealed through ``corpora.vault``.
    sealed_note = models.BinaryField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "rater"], name="lease_once_per_rater"),
            models.UniqueConstraint(
                fields=["item", "slot"],
                condition=models.Q(status__in=["held", "rated"]),
                name="lease_slot_taken_once",
            ),
            models.CheckConstraint(condition=models.Q(slot__range=(1, SLOTS_AT_MOST)), name="lease_slot_valid"),
            models.CheckConstraint(condition=one_of("status", LeaseStatus), name="lease_status_valid"),
            models.CheckConstraint(
                condition=models.Q(cannot_judge_reason="") | one_of("cannot_judge_reason", CannotJudgeReason),
                name="lease_reason_valid",
            ),
        ]
        indexes = [
            models.Index(fields=["rater", "status", "place"], name="lease_rater"),
            models.Index(fields=["status", "expires_at"], name="lease_expiry"),
        ]

    def __str__(self) -> str:
        return f"lease {str(self.uid)[:8]}"


class Rating(PublicId, TimeStamped):
    """What one rater says of one item; the current version of it. Every version is kept."""

    item = models.ForeignKey(SampleItem, on_delete=models.CASCADE, related_name="ratings")
    rater = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="ratings")
    lease = models.OneToOneField(Lease, on_delete=models.PROTECT, related_name="rating")
    #: 1 reject, 2 gist, 3 acceptable, 4 excellent; null after an undo.
    grade = models.PositiveSmallIntegerField(null=True)
    #: Last grade before the reference was shown: estimates use this one (SPEC V-5).
    first_grade = models.PositiveSmallIntegerField(null=True)
    reference_shown_at = models.DateTimeField(null=True, blank=True)
    #: Highest client sequence seen (milliseconds of the client's clock, or one more than the last known); a lower one
    #: that comes later is kept as a version only.
    sequence = models.PositiveBigIntegerField(default=0)
    #: Order of arrival within the item: the first three ratings count, then the fourth (SPEC V-7).
    rank = models.PositiveSmallIntegerField()
    tags = models.JSONField(default=list)
    #: {"comment", "suggestion", "marks"}: sealed for secret entries, through ``corpora.vault`` for all.
    sealed_words = models.BinaryField(null=True, blank=True)
    focused_seconds = models.FloatField(default=0)
    is_generated = models.BooleanField(default=False)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "rater"], name="rating_once_per_rater"),
            models.CheckConstraint(
                condition=models.Q(grade__isnull=True) | models.Q(grade__range=(1, 4)), name="rating_grade_valid"
            ),
            models.CheckConstraint(
                condition=models.Q(first_grade__isnull=True) | models.Q(first_grade__range=(1, 4)),
                name="rating_first_grade_valid",
            ),
        ]

    def __str__(self) -> str:
        return f"rating {str(self.uid)[:8]}"


class RatingVersion(TimeStamped):
    """One act on a rating, as it arrived; never changed."""

    rating = models.ForeignKey(Rating, on_delete=models.CASCADE, related_name="versions")
    #: The client's UUID for the act: the same act sent twice is one version (LAW-3).
    key = models.UUIDField(unique=True)
    sequence = models.PositiveBigIntegerField()
    grade = models.PositiveSmallIntegerField(null=True)
    tags = models.JSONField(default=list)
    sealed_words = models.BinaryField(null=True, blank=True)
    is_after_reference = models.BooleanField(default=False)
    is_current = models.BooleanField(default=True)
    focused_seconds = models.FloatField(default=0)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(grade__isnull=True) | models.Q(grade__range=(1, 4)),
                name="rating_version_grade_valid",
            ),
        ]

    def __str__(self) -> str:
        return f"version {self.sequence}"


class Talk(TimeStamped):
    """What two speakers agreed on where ratings stood two against two (SPEC V-7)."""

    item = models.OneToOneField(SampleItem, on_delete=models.CASCADE, related_name="talk")
    first_speaker = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    second_speaker = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    grade = models.PositiveSmallIntegerField()
    sealed_reason = models.BinaryField()
    recorded_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(grade__range=(1, 4)), name="talk_grade_valid"),
            models.CheckConstraint(
                condition=~models.Q(first_speaker=models.F("second_speaker")), name="talk_between_two"
            ),
        ]

    def __str__(self) -> str:
        return f"talk {self.pk}"


class HarmFlagStatus(models.TextChoices):
    OPEN = "open", _("open")
    CONFIRMED = "confirmed", _("confirmed")
    DISMISSED = "dismissed", _("dismissed")


class HarmFlag(PublicId, TimeStamped):
    """A speaker says that an output is harmful. Stewards alone see it (SPEC V-5)."""

    Status = HarmFlagStatus

    item = models.ForeignKey(SampleItem, on_delete=models.CASCADE, related_name="harm_flags")
    raised_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)
    sealed_note = models.BinaryField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "raised_by"], name="harm_flag_once_per_rater"),
            models.CheckConstraint(condition=one_of("status", HarmFlagStatus), name="harm_flag_status_valid"),
        ]

    def __str__(self) -> str:
        return f"harm flag {str(self.uid)[:8]}"


class HarmFlagOpinion(TimeStamped):
    """What one steward says of a flag; two who agree settle it."""

    flag = models.ForeignKey(HarmFlag, on_delete=models.CASCADE, related_name="opinions")
    steward = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    confirms = models.BooleanField()
    reason = models.TextField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["flag", "steward"], name="harm_opinion_once_per_steward"),
            models.CheckConstraint(condition=~models.Q(reason=""), name="harm_opinion_reason_given"),
        ]

    def __str__(self) -> str:
        return f"opinion {self.pk}"
