"""A run's scoring over several workers: parts that any worker makes in any order, and one last step (SPEC M, Q-2).

The rows of the chunks say what is done, the job's row who does the last step; no result of a task is kept anywhere.
A part that comes twice finds its chunks there. A part that never comes is sent again when the job's lease runs out.
"""

from collections.abc import Iterable
from datetime import timedelta
from functools import lru_cache
from uuid import UUID

from champollion.common.jobs.services import job_hand_on, job_part_done, job_progress, job_take_back
from champollion.common.models import Job
from leaderboard.models import Run, ScoreChunk
from leaderboard.services import scoring
from leaderboard.services.scoring import Prepared

#: Runs of fewer chunks stay in one task.
SPLIT_FROM = 3
#: A task a chunk up to here; longer runs have several chunks a task, since each task opens the language's tools.
PARTS_AT_MOST = 100
#: Entries that the last step surely takes in a second; its lease is as long.
REDUCED_PER_SECOND = 1000

Part = tuple[int, int]
"""Index of the first chunk, and of the one after the last."""


def run_for_scoring(uid: UUID | str) -> Run:
    """Return a run with what its scoring reads of it."""
    return Run.objects.select_related(
        "corpus_version__corpus__organisation", "method_version", "score_set"
    ).get(uid=uid)  # fmt: skip


def run_score_step(run: Run, *, job: Job) -> list[Part]:
    """Score a small run whole. Of a larger one return the parts that are to be sent; where none lacks, finish it.

    The caller holds the job. It has handed the job on where parts are returned, and is to finish it where none is.

    Raises:
        StateError: the run cannot be scored, for example because it was withdrawn.
    """
    chunk_count = scoring.chunk_count_of(run)
    if chunk_count < SPLIT_FROM:
        scoring.run_score(run, job=job)
        return []
    prepared = scoring.scoring_prepare(run)
    lacking = sorted(set(range(chunk_count)) - scoring.chunks_there(run, prepared.key))
    if lacking and scoring.score_set_there(run, prepared.key) is None:
        scoring.run_set_scoring(run)
        job_hand_on(job, done_count=chunk_count - len(lacking), total_count=chunk_count)
        return parts_of(lacking, chunk_count=chunk_count)
    job_progress(job, done_count=chunk_count, lease=timedelta(seconds=60 + run.output_count / REDUCED_PER_SECOND))
    scoring.run_score(run, prepared=prepared)
    return []


def parts_of(lacking: Iterable[int], *, chunk_count: int) -> list[Part]:
    """Return the parts of a run that hold the lacking chunks; at most `PARTS_AT_MOST`, of equal size."""
    size = -(-chunk_count // PARTS_AT_MOST)
    found: dict[int, Part] = {}
    for index in sorted(lacking):
        first, _stop = found.get(index // size, (index, index))
        found[index // size] = (first, index + 1)
    return list(found.values())


def part_score(run: Run, *, job: Job, part: Part) -> bool:
    """Write the chunks of a part; True where the job is free for its last step and the caller is to send it."""
    if run.status != Run.Status.SCORING:
        return job_take_back(job)  # withdrawn meanwhile: whoever claims the job says so
    prepared = _prepared(run.uid, job.uid, job.attempt_count)
    chunk_count = scoring.chunk_count_of(run)
    written = ScoreChunk.objects.filter(run=run, scoring_key=prepared.key, index__lt=chunk_count)
    for _index in scoring.chunks_write(run, range(part[0], min(part[1], chunk_count)), prepared):
        done_count = written.count()
        if done_count < chunk_count:
            job_part_done(job, done_count=done_count)
    return written.count() == chunk_count and job_take_back(job)


@lru_cache(maxsize=1)
def _prepared(run_uid: UUID, _job_uid: UUID, _attempt: int) -> Prepared:
    """Read the language's side once per worker and claim of the job: it is the segment's every entry."""
    return scoring.scoring_prepare(run_for_scoring(run_uid))
