"""Take in a run: read the document, tie it to its corpus, store it, and ask for its scoring (SPEC R-1 to R-5, L-3).

Everything is checked before anything is stored, and everything is stored in one transaction; a refused file leaves
nothing behind.
"""

from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from champollion.accounts.models import Organisation, Team, User
from champollion.accounts.permissions import may, require
from champollion.audit import services as audit
from champollion.common.canonical import canonical_sha256
from champollion.common.errors import AccessDenied, DomainError
from champollion.common.text import is_blank
from champollion.common.transitions import apply_transition
from corpora import access, vault
from corpora.constants import Segment, is_secret
from corpora.models import CorpusVersion, Entry
from leaderboard.cards.identity import method_identity
from leaderboard.cards.parsed import ParsedOutput, ParsedRun
from leaderboard.cards.reading import read_document
from leaderboard.models import Document, Method, MethodVersion, Run, RunOutput
from leaderboard.models.method import MethodClass
from leaderboard.services.anchoring import Anchor, anchor_find, matches_secret_segment
from leaderboard.services.methods import HeldMethod, method_hold, method_register, method_version_get
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
    version: CorpusVersion | None = None,
    segment: str = "",
) -> Receipt:
    """Take in a document as one run per segment that it covers, and ask for their scoring.

    Args:
        actor: the uploader; None for the installation's own command, which acts for the corpus's organisation.
        data: the bytes as received.
        rows: the per-entry rows that belong to a sealed card.
        version, segment: what the uploader says the run ran on.

    Raises:
        CardProblems, ProblemList: everything that is wrong with the document, or does not fit its corpus.
        AccessDenied: the right is missing; the refusal names it, or the read of secret text (LAW-10).
        DomainError: anything else that a person can put right.
    """
    if actor is not None:
        require(actor, "run.submit", _organisation_of(version) if segment and is_secret(segment) else None)
    _refuse_held_out(segment)
    parsed = read_document(data, file_name=file_name, rows=rows, limit=settings.MAX_DOCUMENT_BYTES)
    known = _known(parsed, actor=actor)
    if known is not None:
        return known
    anchor = anchor_find(parsed, actor=actor or access.INSTALLATION, version=version, segment=segment)
    if anchor is None and matches_secret_segment(parsed, actor=actor or access.INSTALLATION):
        raise AccessDenied(
            "run.secret_segment",
            _(
                "This run was not stored. A run on a secret segment is handed in by a steward of the organisation: "
                "nobody outside can have run a method on it."
            ),
        )
    _refuse_wrong_uploader(anchor, actor=actor)
    return _store(parsed, data=data, rows=rows, anchor=anchor, actor=actor, choice=choice)


def _organisation_of(version: CorpusVersion | None) -> Organisation | None:
    return version.corpus.organisation if version is not None else None


def _refuse_held_out(segment: str) -> None:
    if segment == Segment.HELD_OUT:
        raise DomainError(
            "run.held_out", _("The held-out segment is never run. It is used after a rotation of the corpus.")
        )


def _known(parsed: ParsedRun, *, actor: User | None) -> Receipt | None:
    """The same bytes again are a no-op that points to the first (SPEC R-3)."""
    document = Document.objects.filter(sha256=parsed.sha256).first()
    if document is None:
        return None
    runs = list(document.runs.select_related("corpus_version__corpus").order_by("pk"))
    if actor is not None and document.uploaded_by_id != actor.pk and not any(_may_know(actor, run) for run in runs):
        raise DomainError("run.known", _("These bytes were handed in before, by somebody else."))
    return Receipt(document, runs, was_known=True)


def _may_know(actor: User, run: Run) -> bool:
    if run.corpus_version is None:
        return False
    return not run.is_secret or access.may_read_secret(actor, run.corpus_version.corpus)


def _refuse_wrong_uploader(anchor: Anchor | None, *, actor: User | None) -> None:
    """Secret segments only by a steward; nobody who could read secret text hands in a method (LAW-10, L-3)."""
    if anchor is None or actor is None:
        return
    corpus = anchor.version.corpus
    if any(is_secret(segment) for segment in anchor.by_segment):
        require(actor, "run.submit_secret", corpus.organisation)
    if _is_organisations_own(anchor, actor=actor):
        return
    evidence = access.read_evidence(actor, corpus)
    if evidence:
        raise AccessDenied(
            "run.uploader_read_secret",
            _("You cannot hand in a run on this corpus. %(evidence)s") % {"evidence": evidence},
        )


def _is_organisations_own(anchor: Anchor | None, *, actor: User | None) -> bool:
    """Whether this is the organisation's own run, which is no submission (LAW-10)."""
    if anchor is None:
        return False
    return actor is None or may(actor, "run.submit_secret", anchor.version.corpus.organisation)


@transaction.atomic
def _store(
    parsed: ParsedRun,
    *,
    data: bytes,
    rows: bytes | None,
    anchor: Anchor | None,
    actor: User | None,
    choice: MethodChoice,
) -> Receipt:
    own = _is_organisations_own(anchor, actor=actor)
    method_version = _method_version(parsed, choice=choice, actor=actor, anchor=anchor, own=own)
    document = _document_create(parsed, data=data, rows=rows, anchor=anchor, actor=actor)
    if document is None:
        known = Document.objects.get(sha256=parsed.sha256)
        return Receipt(known, list(known.runs.all()), was_known=True)
    if anchor is None:
        runs = [_run_unanchored(parsed, document=document, method_version=method_version, actor=actor)]
    elif not parsed.outputs:
        runs = [_run_claimed(parsed, document=document, method_version=method_version, actor=actor, anchor=anchor)]
    else:
        runs = [
            _run_anchored(
                parsed, document=document, method_version=method_version, actor=actor, anchor=anchor, segment=segment
            )
            for segment in sorted(anchor.by_segment)
        ]
    for run in runs:
        audit.record(
            "run.received",
            actor=actor,
            organisation=anchor.version.corpus.organisation if anchor else None,
            obj=run,
            details={"kind": parsed.kind.value, "sealed_hash": run.sealed_hash, "segment": run.segment},
        )
    return Receipt(document, runs)


def _method_version(
    parsed: ParsedRun, *, choice: MethodChoice, actor: User | None, anchor: Anchor | None, own: bool
) -> MethodVersion:
    method = choice.method
    if method is None:
        if choice.team is None:
            raise DomainError("run.team_needed", _("Say which team made the method."))
        method = method_register(
            actor=None if own else actor,
            name=choice.name or parsed.configuration.method_name or parsed.configuration.model or _("Unnamed method"),
            team=choice.team,
            method_class=choice.method_class,
        )
    identity = method_identity(parsed, form=choice.configuration)
    version = method_version_get(
        method=method,
        identity=identity.components,
        identity_sha256=choice.held.sha256.lower() if choice.held else identity.sha256,
        model_name=parsed.configuration.model or str(choice.configuration.get("model") or ""),
        submitted_by=None if own else actor,
    )
    if choice.held is not None and anchor is not None and own:
        method_hold(actor=actor, version=version, organisation=anchor.version.corpus.organisation, held=choice.held)
    return version


def _document_create(
    parsed: ParsedRun, *, data: bytes, rows: bytes | None, anchor: Anchor | None, actor: User | None
) -> Document | None:
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


def _run_fields(
    parsed: ParsedRun, *, document: Document, method_version: MethodVersion, actor: User | None
) -> dict[str, Any]:
    """The columns that every kind of run has in common."""
    configuration, totals = parsed.configuration, parsed.totals
    return {
        "document": document,
        "method_version": method_version,
        "submitted_by": actor,
        "run_name": (configuration.run_id or "")[:300],
        "model_name": (configuration.model or "")[:300],
        "condition": (configuration.condition or "")[:60],
        "temperature": (configuration.temperature or "")[:40],
        "harness_version": (configuration.harness_version or "")[:60],
        "ran_at": (configuration.timestamp or "")[:60],
        "configuration": configuration.to_dict(),
        "fingerprint": parsed.fingerprint or "",
        "run_card_hash": parsed.run_card_hash or "",
        "claimed": parsed.claimed,
        "total_cost_usd": totals.cost_usd,
        "cost_per_entry_usd": totals.cost_per_entry_usd,
        "mean_latency_seconds": totals.mean_latency_s,
    }


def _run_unanchored(parsed: ParsedRun, *, document: Document, method_version: MethodVersion, actor: User | None) -> Run:
    """Keep a run whose corpus is unknown, with its own sources and references; its uploader alone sees it."""
    run = Run.objects.create(
        **_run_fields(parsed, document=document, method_version=method_version, actor=actor),
        status=Run.Status.UNANCHORED,
        output_count=len(parsed.outputs),
        sealed_hash=_seal(parsed, method_version=method_version, version=None, segment=""),
    )
    RunOutput.objects.bulk_create(
        [
            RunOutput(
                run=run,
                position=position,
                entry_key=output.entry_id or str(position),
                text=output.predicted,
                source=output.source or "",
                reference=output.expected or "",
                **_output_facts(output),
            )
            for position, output in enumerate(parsed.outputs)
        ],
        batch_size=1000,
    )
    return run


def _run_claimed(
    parsed: ParsedRun, *, document: Document, method_version: MethodVersion, actor: User | None, anchor: Anchor
) -> Run:
    """Keep a card without outputs: claimed, not recomputed, unranked (LAW-5)."""
    run = Run.objects.create(
        **_run_fields(parsed, document=document, method_version=method_version, actor=actor),
        status=Run.Status.CLAIMED,
        corpus_version=anchor.version,
        segment=Segment.DEVELOPMENT,
        is_organisation_run=_is_organisations_own(anchor, actor=actor),
        sealed_hash=_seal(parsed, method_version=method_version, version=anchor.version, segment=Segment.DEVELOPMENT),
    )
    standing_refresh(method_version=method_version, corpus_version=anchor.version, segment=run.segment)
    return run


def _run_anchored(
    parsed: ParsedRun,
    *,
    document: Document,
    method_version: MethodVersion,
    actor: User | None,
    anchor: Anchor,
    segment: str,
) -> Run:
    """Store a run on one segment with an output row for every entry; what is missing counts as an error."""
    _refuse_held_out(segment)
    entries = list(anchor.version.entries.filter(segment=segment).order_by("position"))
    run = Run.objects.create(
        **_run_fields(parsed, document=document, method_version=method_version, actor=actor),
        status=Run.Status.RECEIVED,
        corpus_version=anchor.version,
        segment=segment,
        is_organisation_run=_is_organisations_own(anchor, actor=actor),
        output_count=len(entries),
        sealed_hash=_seal(parsed, method_version=method_version, version=anchor.version, segment=segment),
    )
    outputs = anchor.by_segment[segment]
    RunOutput.objects.bulk_create(
        [
            _output_row(run, position, entry, outputs.get(entry.entry_id), version=anchor.version)
            for position, entry in enumerate(entries)
        ],
        batch_size=1000,
    )
    run_score_start(run)
    return run


def _output_row(
    run: Run, position: int, entry: Entry, output: ParsedOutput | None, *, version: CorpusVersion
) -> RunOutput:
    row = RunOutput(run=run, position=position, entry=entry, entry_key=entry.entry_id)
    if output is None:
        row.is_missing, row.is_usable = True, False
        return row
    for name, value in _output_facts(output).items():
        setattr(row, name, value)
    if entry.is_secret:
        row.sealed = vault.seal(version.corpus, {"text": output.predicted})
    else:
        row.text = output.predicted
    return row


def _output_facts(output: ParsedOutput) -> dict[str, Any]:
    return {
        "is_error": bool(output.error),
        "is_usable": not output.error and not is_blank(output.predicted),
        "latency_seconds": output.latency_s,
        "cost_usd": output.cost_usd,
    }


def _seal(parsed: ParsedRun, *, method_version: MethodVersion, version: CorpusVersion | None, segment: str) -> str:
    """Our own seal of a run: digest of document, method version, corpus version and segment (SPEC R-3)."""
    return canonical_sha256(
        {
            "document_sha256": parsed.sha256,
            "run_card_hash": parsed.run_card_hash,
            "method_version": str(method_version.uid),
            "corpus_sha256": version.sha256 if version else None,
            "segment": segment,
        }
    )


def run_fail(run: Run, *, reason: str) -> None:
    """Mark a run whose scoring failed, with a reason that holds no text of an entry."""
    apply_transition(run, Run.Status.FAILED, transitions=RUN, failure=reason[:300])


@transaction.atomic
def run_score_again(*, actor: User, run: Run) -> None:
    """Ask again for the scoring of a run that failed.

    Raises:
        StateError: the run did not fail.
    """
    apply_transition(run, Run.Status.RECEIVED, transitions=RUN, failure="")
    run_score_start(run)
