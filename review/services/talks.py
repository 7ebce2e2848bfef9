"""Two speakers talk about an item that ratings cannot settle, and agree on a grade (SPEC V-7)."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from champollion.accounts.models import Role, User
from champollion.audit import services as audit
from champollion.common.errors import ConflictError, DomainError, StateError
from review.access import campaign_open_require, words_seal
from review.conflicts import rater_refusal
from review.grades import Grade
from review.models import Rating, SampleItem, Talk
from review.services.campaign_locks import actor_require

REASON_LIMIT = 4_000


@transaction.atomic
def talk_record(
    *,
    actor: User,
    item: SampleItem,
    first_speaker: User,
    second_speaker: User,
    grade: int,
    reason: str,
    now: datetime | None = None,
) -> Talk:
    """Record what two speakers agreed on, beside the original ratings. Locks the item; writes ``talk.recorded``.

    The speakers did not rate the item; only where there are not two such speakers do those who rated it fill the gap.

    Raises:
        NotVisible, AccessDenied: the actor is neither steward nor coordinator of the organisation, or one of the
            method's makers (LAW-10).
        StateError: the campaign is not open, or the item needs no talk.
        ConflictError: the talk is recorded already.
        DomainError: grade, reason or speakers are not as they should be.
    """
    item = (
        SampleItem.objects.select_for_update(of=("self",), no_key=True)
        .select_related(
            "campaign__organisation", "campaign__run__corpus_version__corpus", "campaign__run__method_version__method"
        )
        .get(pk=item.pk)
    )
    campaign = item.campaign
    actor_require(actor, "talk.record", campaign)
    campaign_open_require(campaign)
    if Talk.objects.filter(item=item).exists():
        raise ConflictError("talk.recorded_already", _("The talk about this item is recorded already."))
    if not item.needs_talk:
        raise StateError("talk.not_needed", _("The ratings of this item settle it, so it needs no talk."))
    _check(grade, reason)
    _speakers_require(item, first_speaker, second_speaker)
    talk = Talk.objects.create(
        item=item,
        first_speaker=first_speaker,
        second_speaker=second_speaker,
        grade=int(grade),
        sealed_reason=words_seal(campaign, {"reason": reason.strip()}),
        recorded_by=actor,
    )
    audit.record(
        "talk.recorded",
        actor=actor,
        organisation=campaign.organisation,
        obj=("review.Talk", str(talk.pk)),
        details={"campaign": str(campaign.uid), "item": str(item.uid)},
        now=now or timezone.now(),
    )
    return talk


def talk_speakers(item: SampleItem) -> tuple[list[User], list[User]]:
    """Return the speakers who may talk about an item: those who did not rate it, and those who did."""
    campaign = item.campaign
    speakers = User.objects.filter(
        memberships__organisation=campaign.organisation, memberships__role=Role.SPEAKER, is_active=True
    )
    able = [user for user in speakers.distinct().order_by("pk") if rater_refusal(user, item.campaign) is None]
    rated = set(Rating.objects.filter(item=item, grade__isnull=False).values_list("rater", flat=True))
    return [user for user in able if user.pk not in rated], [user for user in able if user.pk in rated]


def _check(grade: int, reason: str) -> None:
    if isinstance(grade, bool) or grade not in list(Grade):
        raise DomainError("talk.grade_unknown", _("Choose the grade that the two speakers agreed on."))
    if not reason.strip():
        raise DomainError("talk.reason_missing", _("Write in a sentence why the two speakers chose this grade."))
    if len(reason) > REASON_LIMIT:
        raise DomainError(
            "talk.reason_too_long", _("A reason has at most %(limit)s characters.") % {"limit": REASON_LIMIT}
        )


def _speakers_require(item: SampleItem, first: User, second: User) -> None:
    """Refuse a pair that is not two speakers of the campaign, as many as possible of them without a rating of it."""
    if first.pk == second.pk:
        raise DomainError("talk.two_speakers", _("A talk is between two different speakers."))
    fresh, rated = talk_speakers(item)
    pair = {first.pk, second.pk}
    if not pair <= {user.pk for user in [*fresh, *rated]}:
        raise DomainError("talk.not_speakers", _("Both have to be speakers who may rate in this campaign."))
    if len(pair & {user.pk for user in fresh}) < min(2, len(fresh)):
        raise DomainError(
            "talk.speakers_rated", _("There are speakers who did not rate this item; the talk is theirs.")
        )
