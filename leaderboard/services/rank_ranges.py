"""Test which methods of a board differ beyond chance, and store their rank ranges (SPEC L-4).

The statistics are read from the runs' chunks, through the vault where they are secret, and never leave the worker.
Run twice, or late, the ranges are the same: they are a function of the board's rows and their score sets, whose digest
stands beside them.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from django.db import transaction

from champollion.audit import services as audit
from champollion.common.jobs.services import job_finish, job_progress
from champollion.common.models import Job
from corpora.models import CorpusVersion
from leaderboard.metrics.base import FloatArray
from leaderboard.models import CutStanding, Run, RunOutput, ScoreSet, Standing
from leaderboard.scoring.chunks import ChunkStats, merge_chunks
from leaderboard.scoring.composite import Composite, Contribution, Profile
from leaderboard.scoring.failures import failures_of, without_failed
from leaderboard.scoring.ranks import composite_draws, rank_ranges
from leaderboard.services.scoring import run_chunks
from leaderboard.services.standings import MOST_TESTED, SMALLEST_RANKED_CUT, ranking_digest, rows_ranked

#: Key of the whole board among its cuts, and the drawn composites of its methods by key and pk of the row.
WHOLE = ""
Drawn = dict[str, dict[int, tuple[float, FloatArray]]]


def board_rank(*, corpus_version: CorpusVersion, segment: str, job: Job | None = None) -> None:
    """Test and store the ranges of a board, and of each of its domains; once more where it changed meanwhile.

    Raises:
        ChunkError: a run's statistics are not there, or of another version of the scorer.
    """
    while not _store(_draw(corpus_version, segment, job=job), corpus_version, segment, job=job):
        continue


def run_statistics(run: Run) -> ChunkStats:
    """Return the statistics of a scored run in the corpus's order, nothing counted where a tool failed.

    Raises:
        ChunkError: they are not there, or of another version of the scorer.
    """
    ids = RunOutput.objects.filter(run=run).order_by("position").values_list("entry_key", flat=True)
    chunk = merge_chunks(run_chunks(run, run.score_set.scoring_key if run.score_set else ""), tuple(ids))
    return without_failed(chunk, failures_of(chunk))


def composite_of(score_set: ScoreSet) -> Composite:
    """Return how a stored composite is made."""
    return Composite(
        value=score_set.composite,
        profile=Profile(score_set.profile),
        contributions=tuple(Contribution(**part) for part in score_set.contributions),
        left_out=tuple(score_set.settings.get("left_out", ())),
        unavailable=tuple(score_set.settings.get("unavailable", ())),
    )


def _draw(corpus_version: CorpusVersion, segment: str, *, job: Job | None) -> tuple[str, Drawn]:
    """Return the board's digest and the draws; all methods of a segment are drawn on the same entries."""
    digest = ranking_digest(corpus_version=corpus_version, segment=segment)
    rows = rows_ranked(corpus_version=corpus_version, segment=segment)
    domains = _domains(corpus_version, segment)
    drawn: Drawn = {}
    for place, row in enumerate(rows.select_related("run__score_set", "run__corpus_version__corpus")[:MOST_TESTED]):
        for key, value in _drawn_of(row, domains):
            drawn.setdefault(key, {})[row.pk] = value
        if job is not None:
            job_progress(job, done_count=place + 1)
    return digest, drawn


def _domains(corpus_version: CorpusVersion, segment: str) -> dict[str, str]:
    entries = corpus_version.entries.filter(segment=segment)
    return dict(entries.values_list("entry_id", "domain"))


def _drawn_of(row: Standing, domains: dict[str, str]) -> Iterator[tuple[str, tuple[float, FloatArray]]]:
    if row.run.score_set is None:
        return
    chunk, made_of = run_statistics(row.run), composite_of(row.run.score_set)
    yield WHOLE, composite_draws(chunk.statistics, made_of)
    of_entries = np.array([domains.get(entry_id, "") for entry_id in chunk.entry_ids])
    for domain in sorted(set(of_entries.tolist()) - {""}):
        mask = of_entries == domain
        if np.count_nonzero(mask) >= SMALLEST_RANKED_CUT:
            yield domain, composite_draws(chunk.statistics[mask], made_of)


@transaction.atomic
def _store(found: tuple[str, Drawn], corpus_version: CorpusVersion, segment: str, *, job: Job | None) -> bool:
    """Store the ranges and end the job under the board's lock; False where the board is no longer the tested one."""
    digest, drawn = found
    audit.chain_hold(corpus_version.corpus.organisation)
    if ranking_digest(corpus_version=corpus_version, segment=segment) != digest:
        return False
    rows = rows_ranked(corpus_version=corpus_version, segment=segment)
    _ranges_store(Standing, list(rows[:MOST_TESTED]), drawn.get(WHOLE, {}), digest)
    cuts = CutStanding.objects.filter(standing__in=rows, cut="domain", is_ranked=True, composite__isnull=False)
    for domain in sorted(cuts.order_by().values_list("key", flat=True).distinct()):
        of_domain = cuts.filter(key=domain).order_by("-composite", "standing")[:MOST_TESTED]
        _ranges_store(CutStanding, list(of_domain), drawn.get(domain, {}), digest)
    if job is not None:
        job_finish(job)
    return True


def _ranges_store(model: Any, rows: Sequence[Any], drawn: dict[int, tuple[float, FloatArray]], digest: str) -> None:
    """Write the ranges of the rows that were drawn; of a domain, of those among the board's first rows."""
    known = [row for row in rows if _key_of(row) in drawn]
    values = [drawn[_key_of(row)] for row in known]
    ranges: Iterable[tuple[int, int]] = rank_ranges([value for value, _d in values], [draws for _v, draws in values])
    for row, (low, high) in zip(known, ranges, strict=True):
        row.rank_low, row.rank_high = low, high
    for row in rows:
        row.rank_digest = digest
    model.objects.bulk_update(rows, ["rank_low", "rank_high", "rank_digest"], batch_size=500)


def _key_of(row: Any) -> int:
    return row.standing_id if isinstance(row, CutStanding) else row.pk
