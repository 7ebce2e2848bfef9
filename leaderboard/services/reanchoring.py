"""Tie a run whose corpus was unknown to a corpus version that has come since (SPEC R-4)."""

import logging
from dataclasses import replace

from django.db import transaction

from champollion.audit import services as audit
from champollion.common.errors import DomainError
from corpora import access
from leaderboard.cards.parsed import ParsedOutput, ParsedRun
from leaderboard.cards.reading import read_document
from leaderboard.models import Run, RunOutput
from leaderboard.services.anchoring import anchor_find
from leaderboard.services.documents import document_bytes
from leaderboard.services.intake import MethodChoice, refuse_wrong_uploader
from leaderboard.services.run_rows import Arrival, run_tie
from leaderboard.services.scoring import run_score_start

logger = logging.getLogger(__name__)


@transaction.atomic
def run_anchor(run: Run) -> list[Run]:
    """Tie an unanchored run to its corpus if one is here now, and ask for its scoring. Locks the run.

    Returns the runs that it became, one per segment, or an empty list where its corpus is still unknown.

    Raises:
        StateError: the run is anchored already.
        DomainError, ProblemList, AccessDenied: as when it is handed in.
    """
    run = (
        Run.objects.select_for_update(of=("self",), no_key=True)
        .select_related("document", "submitted_by")
        .get(pk=run.pk)
    )
    if run.status != Run.Status.UNANCHORED:
        return []
    parsed = _parsed_again(run)
    anchor = anchor_find(parsed, actor=run.submitted_by or access.INSTALLATION)
    choice = MethodChoice(method=run.method_version.method)
    refuse_wrong_uploader(anchor, actor=run.submitted_by, choice=choice)
    if anchor is None:
        return []
    arrival = Arrival(
        parsed=parsed,
        document=run.document,
        method_version=run.method_version,
        submitted_by=run.submitted_by,
        is_organisation_run=run.is_organisation_run,
        stated=run.configuration,
    )
    runs = run_tie(run, arrival, anchor)
    for one in runs:
        run_score_start(one)
        audit.record(
            "run.received",
            actor=run.submitted_by,
            organisation=anchor.version.corpus.organisation,
            obj=one,
            details={"kind": run.document.kind, "sealed_hash": one.sealed_hash, "segment": one.segment},
        )
    return runs


def runs_anchor_waiting() -> int:
    """Try every unanchored run again; what does not fit stays as it is. Returns how many were tied."""
    tied = 0
    for run in Run.objects.filter(status=Run.Status.UNANCHORED).order_by("pk"):
        try:
            tied += bool(run_anchor(run))
        except DomainError as error:
            logger.info("Run %s stays unanchored: %s", run.uid, error.code)
        except Exception as error:
            # One document that cannot be read must not keep the others waiting; its kind alone is logged (LAW-2).
            logger.error("Run %s could not be tried: %s", run.uid, type(error).__name__)
    return tied


def _parsed_again(run: Run) -> ParsedRun:
    """Read the document again, with the outputs as they were stored: a card's rows were no part of its bytes."""
    content = b"".join(document_bytes(run.document, corpus=None))
    parsed = read_document(content, file_name=run.document.file_name)
    if not parsed.names_entries:
        return parsed
    return replace(parsed, outputs=tuple(_output(row) for row in run.outputs.order_by("position")))


def _output(row: RunOutput) -> ParsedOutput:
    return ParsedOutput(
        entry_id=row.entry_key,
        predicted=row.text,
        place=f"result {row.position + 1}",
        source=row.source or None,
        expected=row.reference or None,
        error="error" if row.is_error else None,
        latency_s=row.latency_seconds,
        cost_usd=row.cost_usd,
    )
