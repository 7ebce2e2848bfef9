"""Take in a run: read the document, tie it to its corpus, store it, and ask for its scoring (SPEC R-1 to R-5, L-3).

Everything is checked before anything is stored, and everything is stored in one transaction; a refused file leaves
nothing behind.
"""

from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from champollion.accounts import roles
from champollion.accounts.models import Team, User
from champollion.accounts.permissions import may, require
from champollion.audit import services as audit
from champollion.common.errors import AccessDenied, DomainError, NotVisible
from champollion.common.transitions import apply_transition
from corpora import access, vault
from corpora.constants import Segment, is_secret
from corpora.models import CorpusVersion
from leaderboard.cards.identity import method_identity
from leaderboard.cards.parsed import ParsedRun
from leaderboard.cards.reading import read_document
from leaderboard.models import Document, Method, MethodVersion, Run
from leaderboard.models.method import MethodClass
from leaderboard.services.anchoring import Anchor, anchor_find, matches_secret_segment
from leaderboard.services.methods import HeldMethod, method_hold, method_register, method_version_get
from leaderboard.services.run_rows import (
    Arrival,
    run_anchored_create,
    run_claimed_create,
    run_tie,
    run_unanchored_create,
)
from leaderboard.services.scoring import run_score_start
from leaderboard.services.standings import standing_refresh
from leaderboard.states import RUN


@dataclass(frozen=True)
class MethodChoice:
    """Which method a run belongs to: one that exists, or a new one by name and team.

    ``configuration`` identifies the version of plain outputs, which carry none.
    """

    method: Method | None = None
    name: str = ""
    team: Team | None = None
    method_class: str = MethodClass.RAW_LLM
    configuration: dict[str, Any] = field(default_factory=dict)
    held: HeldMethod | None = None


@dataclass(frozen=True)
class Receipt:
    """What became of an upload: its runs, and whether the same bytes were here before."""

    document: Document
    runs: list[Run]
    was_known: bool = False


def run_receive(
    *,
    actor: User | None,
    data: bytes,
    choice: MethodChoice,
    file_name: str = "",
    rows: bytes | None = None,
    log: bytes | None = None,
    version: CorpusVersion | None = None,
    segment: str = "",
) -> Receipt:
    """Take in a document as one run per segment that it covers, and ask for their scoring.

    Args:
        actor: the uploader; None for the installation's own command, which acts for the corpus's organisation.
        data: the bytes as received.
        rows: the per-entry rows that belong to a sealed card.
        log: the run log that belongs to a report.
        version, segment: what the uploader says the run ran on.

    Raises:
        CardProblems, ProblemList: everything that is wrong with the document, or does not fit its corpus.
        AccessDenied: the right is missing; the refusal names it, or the read of secret text (LAW-10).
        DomainError: anything else that a person can put right.
    """
    if actor is not None:
        require(actor, "run.submit")
    refuse_held_out(segment)
    if version is not None and segment and is_secret(segment):
        refuse_stranger_to_secret(actor, version)
    parsed = read_document(data, file_name=file_name, rows=rows, log=log, limit=settings.MAX_DOCUMENT_BYTES)
    known = receipt_known(parsed.sha256, actor=actor)
    if known is not None and not (parsed.outputs and _is_only_claimed(known)):
        return known
    anchor = anchor_find(parsed, actor=actor or access.INSTALLATION, version=version, segment=segment)
    if anchor is None and matches_secret_segment(parsed, actor=actor or access.INSTALLATION):
        raise _secret_refusal()
    refuse_wrong_uploader(anchor, actor=actor, choice=choice)
    if known is not None and anchor is not None:
        return _complete(known, parsed, anchor=anchor, actor=actor)
    return _store(parsed, data=data, anchor=anchor, actor=actor, choice=choice)


def _secret_refusal() -> AccessDenied:
    return AccessDenied(
        "run.secret_segment",
        _(
            "This run was not stored. A run on a secret segment is handed in by a steward of the organisation: "
            "nobody outside can have run a method on it."
        ),
    )


def refuse_stranger_to_secret(actor: User | None, version: CorpusVersion) -> None:
    """Refuse a run on a secret segment from whoever is no steward of its organisation (LAW-10)."""
    if actor is not None and not may(actor, "run.submit_secret", version.corpus.organisation):
        raise _secret_refusal()


def refuse_held_out(segment: str) -> None:
    """Refuse a run on the held-out segment, whoever hands it in."""
    if segment == Segment.HELD_OUT:
        raise DomainError(
            "run.held_out", _("The held-out segment is never run. It is used after a rotation of the corpus.")
        )


def receipt_known(sha256: str, *, actor: User | None) -> Receipt | None:
    """Return what became of the same bytes before: a no-op that points to the first (SPEC R-3)."""
    document = Document.objects.filter(sha256=sha256).first()
    if document is None:
        return None
    runs = list(document.runs.select_related("corpus_version__corpus").order_by("pk"))
    if actor is not None and document.uploaded_by_id != actor.pk and not any(_may_know(actor, run) for run in runs):
        raise DomainError("run.known", _("These bytes were handed in before, by somebody else."))
    return Receipt(document, runs, was_known=True)


def _is_only_claimed(known: Receipt) -> bool:
    return all(run.status == Run.Status.CLAIMED for run in known.runs)


def _may_know(actor: User, run: Run) -> bool:
    if run.corpus_version is None:
        return False
    return not run.is_secret or access.may_read_secret(actor, run.corpus_version.corpus)


def refuse_wrong_uploader(anchor: Anchor | None, *, actor: User | None, choice: MethodChoice) -> None:
    """Secret segments only by a steward; nobody who could read secret text hands in a method (LAW-10, L-3)."""
    if anchor is None or actor is None:
        return
    corpus = anchor.version.corpus
    if any(is_secret(segment) for segment in anchor.by_segment):
        refuse_stranger_to_secret(actor, anchor.version)
    if is_organisations_own(anchor, actor=actor, choice=choice):
        return
    evidence = access.read_evidence(actor, corpus)
    if evidence:
        raise AccessDenied(
            "run.uploader_read_secret",
            _("You cannot hand in a run on this corpus. %(evidence)s") % {"evidence": evidence},
        )


def is_organisations_own(anchor: Anchor | None, *, actor: User | None, choice: MethodChoice) -> bool:
    """Whether this is the organisation's own run, which is no submission (LAW-10).

    A steward who uploads the method of a team that they are in hands in their own method, whatever their role.
    """
    if anchor is None:
        return False
    if actor is None:
        return True
    team_id = choice.method.team_id if choice.method else choice.team.pk if choice.team else None
    is_own_method = team_id in roles.team_ids(actor)
    return not is_own_method and may(actor, "run.submit_secret", anchor.version.corpus.organisation)


@transaction.atomic
def _store(
    parsed: ParsedRun,
    *,
    data: bytes,
    anchor: Anchor | None,
    actor: User | None,
    choice: MethodChoice,
) -> Receipt:
    own = is_organisations_own(anchor, actor=actor, choice=choice)
    method_version = version_of_method(parsed, choice=choice, actor=actor, anchor=anchor, own=own)
    document = _document_create(parsed, data=data, anchor=anchor, actor=actor)
    if document is None:
        known = Document.objects.get(sha256=parsed.sha256)
        return Receipt(known, list(known.runs.all()), was_known=True)
    arrival = Arrival(
        parsed=parsed,
        document=document,
        method_version=method_version,
        submitted_by=actor,
        is_organisation_run=own,
        stated=choice.configuration,
    )
    runs = _runs_create(arrival, anchor)
    for run in runs:
        receipt_record(run, anchor=anchor, actor=actor, kind=parsed.kind.value)
    return Receipt(document, runs)


@transaction.atomic
def _complete(known: Receipt, parsed: ParsedRun, *, anchor: Anchor, actor: User | None) -> Receipt:
    """Score a card that was only claimed, now that its per-entry rows came with it (LAW-5).

    The run, its method version and its uploader stay; somebody else's card is not theirs to complete.
    """
    document = known.document
    if actor is not None and document.uploaded_by_id != actor.pk:
        raise DomainError("run.known", _("These bytes were handed in before, by somebody else."))
    held = document.runs.select_for_update(of=("self",), no_key=True).select_related("method_version").order_by("pk")
    run = held.filter(status=Run.Status.CLAIMED).first()
    if run is None:  # the same card and rows came in parallel and were first
        return Receipt(document, list(document.runs.order_by("pk")), was_known=True)
    arrival = Arrival(
        parsed=parsed,
        document=document,
        method_version=run.method_version,
        submitted_by=run.submitted_by,
        is_organisation_run=run.is_organisation_run,
    )
    runs = run_tie(run, arrival, anchor)
    for one in runs:
        run_score_start(one)
        receipt_record(one, anchor=anchor, actor=actor, kind=parsed.kind.value)
    return Receipt(document, runs)


def receipt_record(run: Run, *, anchor: Anchor | None, actor: User | None, kind: str) -> None:
    """Write ``run.received``."""
    audit.record(
        "run.received",
        actor=actor,
        organisation=anchor.version.corpus.organisation if anchor else None,
        obj=run,
        details={"kind": kind, "sealed_hash": run.sealed_hash, "segment": run.segment},
    )


def _runs_create(arrival: Arrival, anchor: Anchor | None) -> list[Run]:
    if anchor is None:
        return [run_unanchored_create(arrival)]
    if not arrival.parsed.outputs:
        run = run_claimed_create(arrival, anchor)
        standing_refresh(method_version=run.method_version, corpus_version=anchor.version, segment=run.segment)
        return [run]
    runs = [run_anchored_create(arrival, anchor, segment=segment) for segment in sorted(anchor.by_segment)]
    for run in runs:
        run_score_start(run)
    return runs


def version_of_method(
    parsed: ParsedRun, *, choice: MethodChoice, actor: User | None, anchor: Anchor | None, own: bool
) -> MethodVersion:
    """Return the method version that made the run, new where it has no run yet."""
    held = choice.held if own else None
    identity = method_identity(parsed, form=choice.configuration)
    version = method_version_get(
        method=_method(parsed, choice=choice, actor=actor, own=own),
        identity=identity.components,
        identity_sha256=held.sha256.lower() if held else identity.sha256,
        model_name=parsed.configuration.model or str(choice.configuration.get("model") or ""),
        submitted_by=None if own else actor,
    )
    if held is not None and anchor is not None:
        method_hold(actor=actor, version=version, organisation=anchor.version.corpus.organisation, held=held)
    return version


def _method(parsed: ParsedRun, *, choice: MethodChoice, actor: User | None, own: bool) -> Method:
    """The method that the uploader chose, of a team that they are in, or a new one."""
    if choice.method is not None:
        if not own and actor is not None and choice.method.team_id not in roles.team_ids(actor):
            raise NotVisible("method.not_yours", _("There is no such method, or you are not in its team."))
        return choice.method
    if choice.team is None:
        raise DomainError("run.team_needed", _("Say which team made the method."))
    return method_register(
        actor=None if own else actor,
        name=choice.name or parsed.configuration.method_name or parsed.configuration.model or _("Unnamed method"),
        team=choice.team,
        method_class=choice.method_class,
    )


def _document_create(parsed: ParsedRun, *, data: bytes, anchor: Anchor | None, actor: User | None) -> Document | None:
    """Keep the bytes; None if a parallel upload of the same bytes came first."""
    secret = anchor is not None and any(is_secret(segment) for segment in anchor.by_segment)
    content = vault.seal_bytes(anchor.version.corpus, data) if anchor is not None and secret else data
    try:
        with transaction.atomic():
            return Document.objects.create(
                kind=parsed.kind.value,
                sha256=parsed.sha256,
                file_name=parsed.file_name[:255],
                byte_count=len(data),
                content=content,
                is_sealed=secret,
                uploaded_by=actor,
            )
    except IntegrityError:
        return None


def run_fail(run: Run, *, reason: str) -> None:
    """Mark a run whose scoring failed, with a reason that holds no text of an entry."""
    apply_transition(run, Run.Status.FAILED, transitions=RUN, failure=reason[:300])


@transaction.atomic
def run_score_again(*, actor: User, run: Run) -> None:
    """Ask again for the scoring of a run that failed: its uploader, or a steward of the organisation.

    Raises:
        AccessDenied: the person is neither.
        StateError: the run did not fail.
    """
    organisation = run.corpus_version.corpus.organisation if run.corpus_version else None
    if run.submitted_by_id != actor.pk:
        require(actor, "run.submit_secret", organisation)
    apply_transition(run, Run.Status.RECEIVED, transitions=RUN, failure="")
    run_score_start(run)
