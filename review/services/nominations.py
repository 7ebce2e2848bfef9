"""Which scored run is put forward to people, and when (SPEC V-1).

A run on ``gold_standard`` is nominated by itself, one on a public segment becomes a candidate that a steward may
nominate. Once per method version, corpus version and segment: by the first run that reaches the bound.
"""

import logging
import secrets
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Exists, F, Min, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from champollion.accounts.models import Team
from champollion.accounts.permissions import require
from champollion.audit import services as audit
from champollion.common.errors import AccessDenied, DomainError, StateError
from champollion.common.jobs.services import job_start
from champollion.common.transitions import apply_transition
from corpora.constants import PUBLIC_SEGMENTS, Segment
from corpora.models import Corpus, CorpusVersion
from leaderboard.models import MethodVersion, Run
from leaderboard.models.standing import Claim, Tier
from leaderboard.scoring.tiers import DEFAULT_BOUNDS
from leaderboard.services.standings import standing_set_claim
from review import states
from review.models import Decision, Nomination
from review.models.decision import DecisionKind, DecisionStatus
from review.nomination_rules import cool_down_until, open_caveats
from review.services import notices
from review.services.decision_people import is_own_method
from review.services.samples import corpus_of

logger = logging.getLogger(__name__)

DRAFT_TASK = "review.draft_campaign"
NONCE_BYTES = 32
REACHING_TIERS = (Tier.DEPLOYABLE, Tier.FLUENT)
_RELATED = ("method_version__method__team", "corpus_version__corpus__organisation", "score_set")


def run_consider(run: Run, *, now: datetime | None = None) -> Nomination | None:
    """Make the nomination or candidate that a scored run leads to; None where it leads to none.

    Harmless to call twice, at once, or late. Locks the method version, then the team. Writes ``nomination.candidate``
    or ``nomination.opened``, and tells the stewards.

    Source: SPEC V-1.
    """
    if not _reaching_runs().filter(pk=run.pk).exists():
        return None
    with transaction.atomic():
        MethodVersion.objects.select_for_update(no_key=True).get(pk=run.method_version_id)
        first = _first_reaching(run)
        if first is None or _is_put_forward(first) or run_open_caveats(first):
            return None
        if first.segment in PUBLIC_SEGMENTS:
            return _candidate_make(first)
        return _nominate_by_itself(first, now=now or timezone.now())


def runs_consider(*, now: datetime | None = None) -> list[Nomination]:
    """Consider every scored run that reaches its bound and leads to nothing yet: what a lost signal left behind."""
    put_forward = Nomination.objects.filter(
        method_version=OuterRef("method_version"),
        corpus_version=OuterRef("corpus_version"),
        segment=OuterRef("segment"),
    )
    made = []
    for run in _reaching_runs().exclude(Exists(put_forward)).order_by("pk"):
        try:
            nomination = run_consider(run, now=now)
        except DomainError as error:
            logger.warning("Run %s could not be considered: %s", run.uid, error.code)
            continue
        if nomination is not None:
            made.append(nomination)
    return made


@transaction.atomic
def nomination_make(*, actor: Any, nomination: Nomination, now: datetime | None = None) -> Nomination:
    """Nominate a candidate; a job then drafts its campaign.

    Locks the nomination, then the team. Writes ``nomination.opened`` with the nonce.

    Raises:
        AccessDenied, NotVisible: no steward of the organisation, or one of the method's makers.
        StateError: no candidate any more, its run is withdrawn, a caveat is open, or the team is in its cool-down.

    Source: SPEC V-1.
    """
    now = now or timezone.now()
    Nomination.objects.select_for_update(no_key=True).get(pk=nomination.pk)
    nomination = Nomination.objects.select_related(*(f"run__{name}" for name in _RELATED)).get(pk=nomination.pk)
    run = nomination.run
    require(actor, "nomination.make", corpus_of(run).organisation)
    if is_own_method(actor, run.method_version.method):
        raise AccessDenied(
            "nomination.own_method",
            _("You made or submitted this method, or belong to its team, so another steward nominates it."),
        )
    if nomination.status != Nomination.Status.CANDIDATE:
        raise StateError("nomination.no_candidate", _("This is no candidate any more."))
    _nominable_require(run, now=now)
    return _open(nomination, run, actor=actor, now=now)


def run_open_caveats(run: Run) -> list[str]:
    """Return the codes of the caveats that a steward must acknowledge before a run can be nominated."""
    score_set = run.score_set
    return [] if score_set is None else open_caveats(score_set.caveats, entry_count=score_set.entry_count)


def attempt_count(*, team: Team, corpus: Corpus) -> int:
    """Return how often a team was nominated on a language pair, whatever its methods' names. Source: SPEC V-1, L-1."""
    return _attempts(team, corpus).count()


def team_cool_down_until(*, team: Team, corpus: Corpus) -> datetime | None:
    """Return when the team's last cool-down on a language pair ends, or None if it never had one. Source: SPEC V-1."""
    refusals = Decision.objects.filter(
        kind=DecisionKind.REFUSE,
        status=DecisionStatus.CARRIED_OUT,
        campaign__nomination__is_re_review=False,
        campaign__nomination__in=_attempts(team, corpus),
    ).values_list("carried_out_at", flat=True)
    known = [refused_at for refused_at in refusals if refused_at is not None]
    return cool_down_until(known, days=corpus.organisation.cool_down_days)


def _attempts(team: Team, corpus: Corpus) -> QuerySet[Nomination]:
    return Nomination.objects.filter(
        team=team,
        nominated_at__isnull=False,
        corpus_version__corpus__organisation=corpus.organisation,
        corpus_version__corpus__source_language=corpus.source_language,
        corpus_version__corpus__target_language=corpus.target_language,
    )


def _reaching_runs() -> QuerySet[Run]:
    """Runs whose score reached the bound in force when they were scored, and that may be put forward at all."""
    is_held = ~Q(method_version__held_sha256="") & Q(
        is_organisation_run=True, method_version__held_by=F("corpus_version__corpus__organisation")
    )
    return Run.objects.filter(
        Q(segment__in=[str(segment) for segment in PUBLIC_SEGMENTS]) | Q(segment=Segment.GOLD_STANDARD) & is_held,
        status=Run.Status.SCORED,
        is_anonymous=False,
        score_set__tier__in=[str(tier) for tier in REACHING_TIERS],
        corpus_version__status=CorpusVersion.Status.READY,
    )


def _first_reaching(run: Run) -> Run | None:
    """Return the first scored run of the same version that reaches the bound: never the best of many."""
    return (
        _reaching_runs()
        .filter(method_version=run.method_version_id, corpus_version=run.corpus_version_id, segment=run.segment)
        .annotate(first_scored_at=Min("score_sets__created_at"))
        .select_related(*_RELATED)
        .order_by("first_scored_at", "pk")
        .first()
    )


def _is_put_forward(run: Run) -> bool:
    return Nomination.objects.filter(
        method_version=run.method_version_id, corpus_version=run.corpus_version_id, segment=run.segment
    ).exists()


def _candidate_make(run: Run) -> Nomination:
    nomination = _nomination_new(run)
    audit.record(
        "nomination.candidate",
        actor=None,
        organisation=corpus_of(run).organisation,
        obj=nomination,
        details=_facts(nomination),
    )
    standing_set_claim(run=run, claim=Claim.CANDIDATE)
    notices.candidate_found(nomination)
    return nomination


def _nominate_by_itself(run: Run, *, now: datetime) -> Nomination | None:
    """Nominate a run on ``gold_standard``; during its team's cool-down it waits, and the sweep finds it again."""
    cool_down = team_cool_down_until(team=run.method_version.method.team, corpus=corpus_of(run))
    if cool_down is not None and now < cool_down:
        return None
    return _open(_nomination_new(run), run, actor=None, now=now)


def _nomination_new(run: Run) -> Nomination:
    """Store a candidate with composite, tier and bound frozen; later changes of the language leave it alone (M-4)."""
    score_set = run.score_set
    if score_set is None or score_set.composite is None:
        raise StateError("nomination.no_score", _("A run without a composite is not put forward."))
    nomination = Nomination(
        run=run,
        method_version=run.method_version,
        corpus_version=run.corpus_version,
        segment=run.segment,
        team=run.method_version.method.team,
        status=Nomination.Status.CANDIDATE,
        attempt=attempt_count(team=run.method_version.method.team, corpus=corpus_of(run)) + 1,
        composite=score_set.composite,
        tier=score_set.tier,
        bound=score_set.settings.get("bounds", {}).get("deployable", DEFAULT_BOUNDS.deployable),
    )
    nomination.full_clean(exclude=["nominated_by", "nominated_at"])
    nomination.save(force_insert=True)
    return nomination


def _nominable_require(run: Run, *, now: datetime) -> None:
    if not _reaching_runs().filter(pk=run.pk).exists():
        raise StateError(
            "nomination.run_gone", _("The run was withdrawn or no longer reaches the bound, so it is not nominated.")
        )
    if run_open_caveats(run):
        raise StateError(
            "nomination.caveat_open",
            _("A caveat touches one entry in twenty or more. A steward acknowledges it first, with a reason."),
        )
    cool_down = team_cool_down_until(team=run.method_version.method.team, corpus=corpus_of(run))
    if cool_down is not None and now < cool_down:
        raise StateError(
            "nomination.cool_down",
            _("The team was refused three times within twelve months; it may be nominated again from %(day)s on.")
            % {"day": date_format(cool_down)},
            until=cool_down.isoformat(),
        )


def _open(nomination: Nomination, run: Run, *, actor: Any, now: datetime) -> Nomination:
    """Turn a candidate into a nomination: number the attempt, draw the nonce, ask for the draft campaign."""
    team = Team.objects.select_for_update(no_key=True).get(pk=nomination.team_id)
    apply_transition(
        nomination,
        Nomination.Status.NOMINATED,
        transitions=states.NOMINATION,
        attempt=attempt_count(team=team, corpus=corpus_of(run)) + 1,
        nonce=secrets.token_bytes(NONCE_BYTES).hex(),
        nominated_by=actor,
        nominated_at=now,
    )
    audit.record(
        "nomination.opened",
        actor=actor,
        organisation=corpus_of(run).organisation,
        obj=nomination,
        details=_facts(nomination) | {"nonce": nomination.nonce},
        now=now,
    )
    standing_set_claim(run=run, claim=Claim.NOMINATED)
    job_start(DRAFT_TASK, subject=f"nomination:{nomination.uid}", arguments={"nomination": str(nomination.uid)})
    notices.nominated(nomination)
    return nomination


def _facts(nomination: Nomination) -> dict[str, Any]:
    return {
        "run": str(nomination.run.uid),
        "method_version": str(nomination.method_version.uid),
        "corpus_version": str(nomination.corpus_version.uid),
        "segment": str(nomination.segment),
        "attempt": nomination.attempt,
        "composite": f"{nomination.composite:.4f}",
        "tier": str(nomination.tier),
        "bound": f"{nomination.bound:.4f}",
    }
