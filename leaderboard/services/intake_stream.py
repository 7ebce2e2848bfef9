"""Take in outputs from a file that is too large to hold: JSON Lines or a table (SPEC R-2).

The file is read three times: for its digest, for everything that is wrong with it by itself, and to store it. Memory
does not grow with it but for a byte and a place for each entry of the corpus.
"""

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any, BinaryIO

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from champollion.accounts.models import User
from champollion.accounts.permissions import require
from champollion.common.errors import DomainError
from corpora import access
from corpora.constants import is_secret
from corpora.models import CorpusVersion, Entry
from leaderboard.cards.parsed import ParsedOutput, ParsedRun
from leaderboard.cards.plain import plain_run
from leaderboard.cards.problems import Problems
from leaderboard.cards.streamed import PROBLEMS_AT_MOST, RunningTotals, file_digest, stream_outputs
from leaderboard.models import Document, Run, RunOutput
from leaderboard.services.anchoring import (
    LOOKED_UP,
    Anchor,
    AnchorProblem,
    anchor_find,
    does_not_fit,
    output_differences,
    output_unknown,
    readable_entries,
)
from leaderboard.services.documents import document_parts_store
from leaderboard.services.intake import (
    MethodChoice,
    Receipt,
    is_organisations_own,
    receipt_known,
    receipt_record,
    refuse_held_out,
    refuse_stranger_to_secret,
    refuse_wrong_uploader,
    version_of_method,
)
from leaderboard.services.run_rows import BATCH, Arrival, output_row
from leaderboard.services.scoring import run_score_start

#: So many outputs tell which corpus version a file ran on; each of the others is held against it.
SAMPLE = 1000


def run_receive_stream(
    *,
    actor: User | None,
    stream: BinaryIO,
    choice: MethodChoice,
    file_name: str = "",
    version: CorpusVersion | None = None,
    segment: str = "",
) -> Receipt:
    """Take in a seekable file of outputs with entry ids; see ``run_receive``, whose rules are these too.

    Raises:
        CardProblems, ProblemList: what is wrong with the file, or does not fit the corpus, up to 1,000 of each.
        DomainError: its corpus is unknown here; a file of this size is not kept without one.
    """
    if actor is not None:
        require(actor, "run.submit")
    refuse_held_out(segment)
    if version is not None and segment and is_secret(segment):
        refuse_stranger_to_secret(actor, version)
    problems = Problems()
    sha256, size = file_digest(stream, problems=problems)
    known = receipt_known(sha256, actor=actor)
    if known is not None:
        return known
    parsed = _measured(stream, sha256=sha256, file_name=file_name, problems=problems)
    if version is None:
        version = _version(stream, actor=actor)
    return _store(parsed, stream=stream, size=size, version=version, segment=segment, actor=actor, choice=choice)


def _measured(stream: BinaryIO, *, sha256: str, file_name: str, problems: Problems) -> ParsedRun:
    """Read everything once: what is wrong is raised, what is left is its totals."""
    totals = RunningTotals()
    for output in stream_outputs(stream, problems):
        totals.add(output)
    if totals.count == 0 and not len(problems):
        problems.add("no_outputs", "document")
    problems.raise_any()
    return replace(plain_run((), sha256=sha256), totals=totals.totals(), file_name=file_name)


def _version(stream: BinaryIO, *, actor: User | None) -> CorpusVersion:
    sample = tuple(islice(stream_outputs(stream, Problems()), SAMPLE))
    anchor = anchor_find(plain_run(sample, sha256=""), actor=actor or access.INSTALLATION)
    if anchor is None:
        raise DomainError(
            "run.large_unknown_corpus",
            _("No corpus here has these entries. A file of this size is taken once its corpus is here."),
        )
    return anchor.version


@transaction.atomic
def _store(
    parsed: ParsedRun,
    *,
    stream: BinaryIO,
    size: int,
    version: CorpusVersion,
    segment: str,
    actor: User | None,
    choice: MethodChoice,
) -> Receipt:
    anchor = Anchor(version, {})
    own = is_organisations_own(anchor, actor=actor, choice=choice)
    document = _document_create(parsed, size=size, actor=actor)
    if document is None:
        known = Document.objects.get(sha256=parsed.sha256)
        return Receipt(known, list(known.runs.all()), was_known=True)
    arrival = Arrival(
        parsed=parsed,
        document=document,
        method_version=version_of_method(parsed, choice=choice, actor=actor, anchor=anchor, own=own),
        submitted_by=actor,
        is_organisation_run=own,
        stated=choice.configuration,
    )
    writers = _outputs_store(arrival, stream, version=version, segment=segment, actor=actor or access.INSTALLATION)
    anchor = Anchor(version, {name: {} for name in writers})
    refuse_wrong_uploader(anchor, actor=actor, choice=choice)
    document.is_sealed = any(is_secret(name) for name in writers)
    document.save(update_fields=["is_sealed"])
    document_parts_store(document, stream, corpus=version.corpus)
    runs = [writers[name].finish() for name in sorted(writers)]
    for run in runs:
        run_score_start(run)
        receipt_record(run, anchor=anchor, actor=actor, kind=parsed.kind.value)
    return Receipt(document, runs)


def _document_create(parsed: ParsedRun, *, size: int, actor: User | None) -> Document | None:
    try:
        with transaction.atomic():
            return Document.objects.create(
                kind=parsed.kind.value,
                sha256=parsed.sha256,
                file_name=parsed.file_name[:255],
                byte_count=size,
                content=b"",
                uploaded_by=actor,
            )
    except IntegrityError:
        return None  # a parallel upload of the same bytes came first


class _SegmentWriter:
    """Writes the outputs of one segment as they come, in any order, and then those that did not come."""

    def __init__(self, arrival: Arrival, version: CorpusVersion, segment: str) -> None:
        self._version = version
        self._entries = version.entries.filter(segment=segment).order_by("position")
        self._positions = array("L", self._entries.values_list("position", flat=True).iterator())
        self._seen = bytearray(len(self._positions))
        self._rows: list[RunOutput] = []
        self._run = Run.objects.create(
            **arrival.run_fields(),
            status=Run.Status.RECEIVED,
            corpus_version=version,
            segment=segment,
            sealed_hash=arrival.seal(version=version, segment=segment),
            output_count=len(self._positions),
        )

    def add(self, entry: Entry, output: ParsedOutput) -> bool:
        """Write an output; False where its entry has one already."""
        place = bisect_left(self._positions, entry.position)
        if self._seen[place]:
            return False
        self._seen[place] = 1
        self._write(output_row(self._run, place, entry, output, version=self._version))
        return True

    def finish(self) -> Run:
        """Write the entries that the file lacks, which count as errors of the run."""
        if not all(self._seen):
            for place, entry in enumerate(self._entries.iterator(chunk_size=BATCH)):
                if not self._seen[place]:
                    self._write(output_row(self._run, place, entry, None, version=self._version))
        self._flush()
        return self._run

    def _write(self, row: RunOutput) -> None:
        self._rows.append(row)
        if len(self._rows) >= BATCH:
            self._flush()

    def _flush(self) -> None:
        RunOutput.objects.bulk_create(self._rows)
        self._rows = []


def _outputs_store(
    arrival: Arrival, stream: BinaryIO, *, version: CorpusVersion, segment: str, actor: Any
) -> dict[str, _SegmentWriter]:
    """Store every output beside its entry; what does not fit is raised, and nothing stays."""
    writers: dict[str, _SegmentWriter] = {}
    unfit: list[AnchorProblem] = []
    problems = Problems()
    outputs = stream_outputs(stream, problems)
    while batch := list(islice(outputs, LOOKED_UP)):
        for output, entry in _with_entries(batch, version=version, segment=segment, actor=actor):
            if entry is None:
                unfit.append(output_unknown(output, version))
                continue
            if output.source is not None or output.expected is not None:
                unfit += output_differences(output, access.open_entry(entry, version.corpus))
            writer = writers.get(entry.segment)
            if writer is None:
                writer = writers[entry.segment] = _SegmentWriter(arrival, version, entry.segment)
            if not writer.add(entry, output):
                problems.add("duplicate_id", output.place, "entry_id", output.entry_id, first=_("an earlier line"))
        if len(unfit) + len(problems) >= PROBLEMS_AT_MOST:
            break
    problems.raise_any()
    if unfit:
        raise does_not_fit(unfit[:PROBLEMS_AT_MOST])
    return writers


def _with_entries(
    outputs: Iterable[ParsedOutput], *, version: CorpusVersion, segment: str, actor: Any
) -> Iterator[tuple[ParsedOutput, Entry | None]]:
    asked = list(outputs)
    found = readable_entries(actor, version).filter(entry_id__in=[output.entry_id for output in asked])
    if segment:
        found = found.filter(segment=segment)
    by_id = {entry.entry_id: entry for entry in found}
    return ((output, by_id.get(output.entry_id)) for output in asked)
