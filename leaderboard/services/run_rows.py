"""The rows of a run: itself, its outputs, and our own seal of it. Called inside the transaction of who decides.

Nothing is checked here; ``intake`` and ``reanchoring`` do that.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from champollion.accounts.models import User
from champollion.common.canonical import canonical_sha256
from champollion.common.text import is_blank
from champollion.common.transitions import apply_transition
from corpora import vault
from corpora.constants import Segment, is_secret
from corpora.models import CorpusVersion, Entry
from leaderboard.cards.parsed import ParsedOutput, ParsedRun
from leaderboard.models import Document, MethodVersion, Run, RunOutput
from leaderboard.services.anchoring import Anchor
from leaderboard.states import RUN

BATCH = 1000


@dataclass(frozen=True)
class Arrival:
    """A document that is to become runs: what it says, whose it is, and what the uploader states beside it.

    ``stated`` is the configuration of plain outputs, which say nothing themselves.
    """

    parsed: ParsedRun
    document: Document
    method_version: MethodVersion
    submitted_by: User | None
    is_organisation_run: bool
    stated: Mapping[str, Any] = field(default_factory=dict)

    def run_fields(self) -> dict[str, Any]:
        """The columns that every kind of run has in common."""
        totals = self.parsed.totals
        said = {**_given(self.stated), **_given(self.parsed.configuration.to_dict())}
        kept = {**said, "totals": _given(totals.to_dict())}
        return {
            "document": self.document,
            "method_version": self.method_version,
            "submitted_by": self.submitted_by,
            "is_organisation_run": self.is_organisation_run,
            "run_name": _text(said, "run_id", 300),
            "model_name": _text(said, "model", 300),
            "condition": _text(said, "condition", 60),
            "temperature": _text(said, "temperature", 40),
            "harness_version": _text(said, "harness_version", 60),
            "ran_at": _text(said, "timestamp", 60),
            "configuration": kept,
            "fingerprint": self.parsed.fingerprint or "",
            "run_card_hash": self.parsed.run_card_hash or "",
            "claimed": self.parsed.claimed,
            "total_cost_usd": totals.cost_usd,
            "cost_per_entry_usd": totals.cost_per_entry_usd,
            "mean_latency_seconds": totals.mean_latency_s,
        }

    def seal(self, *, version: CorpusVersion | None, segment: str) -> str:
        """Our own seal of a run: digest of document, method version, corpus version and segment (SPEC R-3)."""
        return canonical_sha256(
            {
                "document_sha256": self.parsed.sha256,
                "run_card_hash": self.parsed.run_card_hash,
                "method_version": str(self.method_version.uid),
                "corpus_sha256": version.sha256 if version else None,
                "segment": segment,
            }
        )


def run_unanchored_create(arrival: Arrival) -> Run:
    """Keep a run whose corpus is unknown, with its own sources and references; its uploader alone sees it."""
    outputs = arrival.parsed.outputs
    run = Run.objects.create(
        **arrival.run_fields(),
        status=Run.Status.UNANCHORED,
        output_count=len(outputs),
        sealed_hash=arrival.seal(version=None, segment=""),
    )
    rows = [
        RunOutput(
            run=run,
            position=position,
            entry_key=output.entry_id or str(position),
            text=output.predicted,
            source=output.source or "",
            reference=output.expected or "",
            **_output_facts(output),
        )
        for position, output in enumerate(outputs)
    ]
    RunOutput.objects.bulk_create(rows, batch_size=BATCH)
    return run


def run_claimed_create(arrival: Arrival, anchor: Anchor) -> Run:
    """Keep a card without outputs: claimed, not recomputed, unranked (LAW-5)."""
    return Run.objects.create(
        **arrival.run_fields(),
        status=Run.Status.CLAIMED,
        corpus_version=anchor.version,
        segment=Segment.DEVELOPMENT,
        sealed_hash=arrival.seal(version=anchor.version, segment=Segment.DEVELOPMENT),
    )


def run_anchored_create(arrival: Arrival, anchor: Anchor, *, segment: str) -> Run:
    """Store a run on one segment with an output row for every entry; what is missing counts as an error."""
    run = Run.objects.create(
        **arrival.run_fields(),
        status=Run.Status.RECEIVED,
        corpus_version=anchor.version,
        segment=segment,
        sealed_hash=arrival.seal(version=anchor.version, segment=segment),
    )
    run_outputs_create(run, anchor, segment=segment)
    return run


def run_tie(run: Run, arrival: Arrival, anchor: Anchor) -> list[Run]:
    """Give a run that waited for corpus or outputs what it lacked; returns it, and a run for each further segment."""
    first, *others = sorted(anchor.by_segment)
    run.outputs.all().delete()
    apply_transition(
        run,
        Run.Status.RECEIVED,
        transitions=RUN,
        corpus_version=anchor.version,
        segment=first,
        sealed_hash=arrival.seal(version=anchor.version, segment=first),
    )
    run_outputs_create(run, anchor, segment=first)
    document = arrival.document
    if any(is_secret(segment) for segment in anchor.by_segment) and not document.is_sealed:
        document.content, document.is_sealed = vault.seal_bytes(anchor.version.corpus, bytes(document.content)), True
        document.save(update_fields=["content", "is_sealed"])
    return [run, *(run_anchored_create(arrival, anchor, segment=segment) for segment in others)]


def run_outputs_create(run: Run, anchor: Anchor, *, segment: str) -> None:
    """Write a row for each entry of the segment, in the corpus's order, and count them."""
    entries = list(anchor.version.entries.filter(segment=segment).order_by("position"))
    outputs = anchor.by_segment[segment]
    rows = [
        output_row(run, position, entry, outputs.get(entry.entry_id), version=anchor.version)
        for position, entry in enumerate(entries)
    ]
    RunOutput.objects.bulk_create(rows, batch_size=BATCH)
    run.output_count = len(rows)
    run.save(update_fields=["output_count"])


def output_row(
    run: Run, position: int, entry: Entry, output: ParsedOutput | None, *, version: CorpusVersion
) -> RunOutput:
    """Return the row of an entry, not saved: its output, sealed where the entry is secret, or that it is missing."""
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


def _given(values: Mapping[str, Any]) -> dict[str, Any]:
    """What is stated; an empty text or None states nothing."""
    return {name: value for name, value in values.items() if value not in (None, "")}


def _text(said: Mapping[str, Any], name: str, limit: int) -> str:
    return str(said.get(name, ""))[:limit]
