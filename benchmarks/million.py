"""Scoring of 1,000,000 entries over two workers: time, and peak memory of each (SPEC Q-1).

Two worker processes on a Redis and a PostgreSQL of their own. Entries and outputs are generated, say so in every
sentence, and are no corpus: their figures mean nothing, their number and length do. A run of up to 20,000 entries is
scored in one process too, and both must agree in every figure.

    python -m benchmarks.million [--entries 1000000] [--quick]
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator
from contextlib import ExitStack, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks._throwaway import MARK, analyse, corpus_make, organisation_make, peak_memory, throwaway

if TYPE_CHECKING:
    from corpora.models import CorpusVersion, Entry
    from leaderboard.models import Run, RunOutput
    from tests.services.worker import WorkerProcess

QUICK_ENTRIES = 5000
CHECKED_UP_TO = 20_000
BATCH = 5000
WORKERS = 2
WORDS = ("one", "two", "three", "four", "five", "six", "left", "right", "over", "under", "again", "more", "less")
PATIENCE = 6 * 3600  # seconds


@dataclass(frozen=True)
class Figures:
    """Seconds until every chunk was there and until the score set was; MB at each worker's peak, and its tasks."""

    counted: float
    reduced: float
    memory: list[int]
    tasks: list[int]


def sentences(number: int) -> tuple[str, str, str]:
    """Return source, reference and output of an entry: some fifteen words, three changed, two moved, now and then one
    lost."""
    pick = random.Random(number)
    words = pick.choices(WORDS, k=8 + number % 8)
    output = list(words)
    for _change in range(3):
        output[pick.randrange(len(output))] = pick.choice(WORDS)
    output.append(output.pop(0))
    if number % 7 == 0:
        output.pop()
    start = f"sentence {number} of a {MARK}:"
    return f"Source {start} {' '.join(reversed(words))}", f"{start} {' '.join(words)}", f"{start} {' '.join(output)}"


def run_write(version: CorpusVersion, count: int) -> Run:
    """Write entries and a run of an output each."""
    from champollion.accounts.services.organisations import team_create
    from corpora.models import Entry
    from leaderboard.models import Document, Method, MethodVersion, Run, RunOutput

    team = team_create(name=f"Team of a {MARK}", slug="load-test", members=[])
    method = Method.objects.create(slug="load-test", name=MARK, team=team)
    run = Run.objects.create(
        document=Document.objects.create(
            kind=Document.Kind.OUTPUTS, sha256="1" * 64, byte_count=1, content=MARK.encode()
        ),
        method_version=MethodVersion.objects.create(method=method, number=1, identity_sha256="1" * 64),
        corpus_version=version,
        segment="development",
        output_count=count,
        configuration={"generated for": MARK},
    )
    for start in range(0, count, BATCH):
        rows = list(_rows(version, run, range(start, min(start + BATCH, count))))
        Entry.objects.bulk_create(entry for entry, _output in rows)
        RunOutput.objects.bulk_create(output for _entry, output in rows)
    return run


def _rows(version: CorpusVersion, run: Run, numbers: range) -> Iterator[tuple[Entry, RunOutput]]:
    from corpora.models import Entry
    from leaderboard.models import RunOutput

    for number in numbers:
        source, reference, output = sentences(number)
        entry = Entry(
            version=version,
            position=number,
            entry_id=f"load-test-{number}",
            segment="development",
            difficulty=1 + number % 5,
            domain="ui" if number % 3 else "tech",
            source=source,
            reference=reference,
        )
        yield entry, RunOutput(run=run, position=number, entry=entry, entry_key=entry.entry_id, text=output)


def score(run: Run, workers: list[WorkerProcess]) -> Figures:
    """Ask for the scoring and wait until it is there."""
    from django.db import transaction

    from champollion.common.models import Job
    from leaderboard.models import Run, ScoreChunk
    from leaderboard.services import scoring

    chunk_count = scoring.chunk_count_of(run)
    started = time.perf_counter()
    with transaction.atomic():
        job = scoring.run_score_start(run)
    counted = 0.0
    while not Run.objects.filter(pk=run.pk, status=Run.Status.SCORED).exists():
        time.sleep(0.5)
        if not counted and ScoreChunk.objects.filter(run=run).count() == chunk_count:
            counted = time.perf_counter() - started
        job.refresh_from_db()
        if job.status == Job.Status.FAILED or time.perf_counter() - started > PATIENCE:
            raise RuntimeError(f"the scoring ended with {job.error!r}\n{workers[0].log[-2000:]}")
    finished = time.perf_counter() - started
    return Figures(
        counted=counted or finished,
        reduced=finished - (counted or finished),
        memory=[max(peak_memory(pid) for pid in _children(worker)) for worker in workers],
        tasks=[worker.log.count("Task leaderboard.score_part[") // 2 for worker in workers],
    )


def _children(worker: WorkerProcess) -> list[int]:
    """Return the processes of a worker's pool."""
    pid = worker.pid
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _close(worker: WorkerProcess) -> None:
    with redirect_stdout(StringIO()):  # a test would show the end of its log
        worker.close()


def outcome(run: Run) -> tuple[list[tuple[Any, ...]], Any]:
    """Return every figure of a run."""
    run.refresh_from_db()
    if run.score_set is None:
        raise RuntimeError("the run has no score set")
    rows = run.score_set.scores.order_by("cut", "key", "metric")
    return list(rows.values_list("cut", "key", "metric", "value", "low", "high", "entry_count")), run.score_set.settings


def is_same_in_one_process(run: Run) -> bool:
    """Score the outputs again here and compare."""
    from leaderboard.models import Run, ScoreChunk
    from leaderboard.services import scoring
    from leaderboard.services.scoring_parts import run_for_scoring

    split = outcome(run)
    Run.objects.filter(pk=run.pk).update(status=Run.Status.RECEIVED, score_set=None)
    run.score_sets.all().delete()
    ScoreChunk.objects.filter(run=run).delete()
    scoring.run_score(run_for_scoring(run.uid))
    return outcome(run) == split


def main() -> None:
    """Print one line of figures."""
    parser = argparse.ArgumentParser(description="Score very many entries over two workers.")
    parser.add_argument("--entries", type=int, default=1_000_000)
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_ENTRIES} entries")
    options = parser.parse_args()
    count = QUICK_ENTRIES if options.quick else options.entries
    with throwaway(broker=True) as broker, ExitStack() as stack:
        from django.db import connection

        from tests.services.worker import WorkerProcess, database_url

        started = time.perf_counter()
        run = run_write(corpus_make(organisation_make("cy"), count=count, language="cy"), count)
        analyse()
        written = time.perf_counter() - started
        workers = [WorkerProcess(broker_url=broker, database=database_url(connection)) for _ in range(WORKERS)]
        for worker in workers:
            stack.callback(_close, worker)
            worker.start()
        found = score(run, workers)
        same = ""
        if count <= CHECKED_UP_TO:
            same = f"; one process gives {'the same' if is_same_in_one_process(run) else 'OTHER FIGURES'}"
    print(
        f"scoring {count} generated entries ({MARK}) over {WORKERS} workers:"
        f" chunks {found.counted:.0f} s ({1000 * found.counted / count:.2f} ms an entry), last step"
        f" {found.reduced:.0f} s; peak memory {' and '.join(f'{peak} MB' for peak in found.memory)},"
        f" parts {' and '.join(map(str, found.tasks))}{same}; rows written in {written:.0f} s"
    )


if __name__ == "__main__":
    main()
