"""What a run's page shows: how far its scoring is, our figures with the claims beside them, breakdowns, entries."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil
from typing import Any

import numpy as np
from django.db.models import QuerySet

from champollion.common.models import Job
from corpora.cells import cells_of
from corpora.suppression import Cell, CellState, open_row, suppressed_total
from leaderboard.cards.claims import within_tolerance
from leaderboard.caveats.floors import floors_to_show
from leaderboard.caveats.report import caveats_of
from leaderboard.labels import (
    BESIDE,
    CAVEAT_NOTES,
    CLAIM_VERDICTS,
    METRIC_NOTES,
    METRICS,
    caveat_name,
    metric_name,
    null_reason,
)
from leaderboard.metrics.registry import MARKS, column_slices
from leaderboard.models import Run, RunOutput, Score, ScoreSet
from leaderboard.scoring.run import per_entry_values
from leaderboard.selectors.board import cut_label
from leaderboard.services import scoring

#: After this time without a worker the page says that one is waited for (design 3).
PATIENCE = timedelta(seconds=30)
#: Longest run whose entries can be ordered by their own score, which needs all its statistics at once.
SORTABLE = 20_000
BREAKDOWN_METRICS = (
    "composite", "chrf_plus_plus", "exact_match_rate", "code_switching_rate", "hallucination_rate", "length_ratio",
)  # fmt: skip
#: Shown with two places; the others are shares with four.
OUT_OF_100 = frozenset({"chrf_plus_plus", "chrf_plain", "corpus_bleu", "spbleu", "ter"})
ENTRY_METRICS = ("chrf_plus_plus", "exact_match_rate", "code_switching_rate", "hallucination_rate")


@dataclass(frozen=True)
class Progress:
    """How far a scoring is. ``quarter`` is 0 to 4, announced as it rises."""

    done_count: int
    total_count: int
    is_waiting_long: bool
    has_stopped: bool
    #: Whole minutes left, rounded up, at the pace so far; None before the first part is there.
    minutes_left: int | None = None

    @property
    def quarter(self) -> int:
        return 4 * self.done_count // self.total_count if self.total_count else 0


@dataclass(frozen=True)
class MetricRow:
    """One headline figure: ours with its interval, and what was claimed beside it."""

    code: str
    name: str
    note: str
    value: float | None
    low: float | None
    high: float | None
    claimed: Any
    verdict: str
    verdict_word: str
    compared_with: Any
    signature: str
    #: Why there is no value, and what the detector says of people's own references where that is over 0.02.
    reason: str
    floor: float | None

    @property
    def is_out_of_100(self) -> bool:
        return self.code in OUT_OF_100


@dataclass(frozen=True)
class GroupRow:
    """A row of a breakdown. ``values`` is empty where the number of entries is hidden."""

    label: str
    cell: Cell
    values: Mapping[str, float | None]


def run_progress(run: Run, *, now: datetime) -> Progress | None:
    """Return how far the scoring of a run is; None if none is asked for."""
    if run.status not in (Run.Status.RECEIVED, Run.Status.SCORING):
        return None
    job = Job.objects.filter(task=scoring.TASK, subject=f"run:{run.uid}").order_by("-pk").first()
    if job is None:
        return Progress(0, 0, is_waiting_long=run.created_at < now - PATIENCE, has_stopped=False)
    waits = job.status == Job.Status.QUEUED and job.created_at < now - PATIENCE
    stopped = job.status in (Job.Status.FAILED, Job.Status.CANCELLED)
    minutes = None if waits or stopped else _minutes_left(job, now=now)
    return Progress(job.done_count, job.total_count, is_waiting_long=waits, has_stopped=stopped, minutes_left=minutes)


def _minutes_left(job: Job, *, now: datetime) -> int | None:
    """Return the time so far, over the parts done, times the parts that lack."""
    if job.started_at is None or not 0 < job.done_count < job.total_count:
        return None
    left = (now - job.started_at) / job.done_count * (job.total_count - job.done_count)
    return max(1, ceil(left / timedelta(minutes=1)))


def metric_rows(run: Run, score_set: ScoreSet | None) -> list[MetricRow]:
    """Return the headline figures in a fixed order: those that we made, then those that are only claimed."""
    ours = {score.metric: score for score in score_set.scores.filter(cut="all")} if score_set else {}
    claims = run.claim_verdicts or {
        metric: {"claimed": value, "ours": None, "verdict": "not_recomputable"} for metric, value in run.claimed.items()
    }
    settings = score_set.settings if score_set else {}
    codes = [code for code in METRICS if code in ours or code in claims]
    return [_metric_row(code, ours.get(code), claims.get(code, {}), settings) for code in codes]


def _metric_row(code: str, score: Score | None, claim: Mapping[str, Any], settings: Mapping[str, Any]) -> MetricRow:
    verdict = str(claim.get("verdict", ""))
    return MetricRow(
        code=code,
        name=metric_name(code),
        note=str(METRIC_NOTES.get(code, "")),
        value=score.value if score else None,
        low=score.low if score else None,
        high=score.high if score else None,
        claimed=claim.get("claimed"),
        verdict=verdict,
        verdict_word=str(CLAIM_VERDICTS.get(verdict, "")),
        compared_with=claim.get("ours"),
        signature=settings.get("signatures", {}).get(code, ""),
        reason=null_reason(settings.get("reasons", {}).get(code, {})),
        floor=floors_to_show(settings.get("reference_floors") or {}).get(code),
    )


def figures_beside(score_set: ScoreSet) -> list[tuple[str, float]]:
    """Return the figures that stand beside the headline, named: those that there are."""
    found = score_set.settings.get("beside", {})
    return [(str(name), found[code]) for code, name in BESIDE.items() if found.get(code) is not None]


def tools_used(score_set: ScoreSet) -> list[str]:
    """Return what the language brought to the scoring: analyser, plug-ins, glossaries, with version and digest."""
    tools = score_set.settings.get("language", {}).get("tools", {})
    return [" ".join(filter(None, (tool["name"], tool["version"], tool["sha256"][:12]))) for tool in tools.values()]


@dataclass(frozen=True)
class CaveatRow:
    """A caveat of a run. ``cell`` hides a small number on secret segments; ``entry_ids`` are for who may read."""

    code: str
    name: str
    note: str
    cell: Cell
    share: float | None
    is_acknowledged: bool
    reason: str
    entry_ids: tuple[str, ...]


def caveat_rows(run: Run, score_set: ScoreSet, *, may_read_cells: bool, may_read_outputs: bool) -> list[CaveatRow]:
    """Return the caveats of a run with their evidence, which lies in its chunks (SPEC M-2, C-7)."""
    evidence = caveat_entries(run, score_set) if may_read_outputs and score_set.caveats else {}
    return [_caveat_row(one, evidence, may_read_cells=may_read_cells) for one in score_set.caveats]


def _caveat_row(
    caveat: Mapping[str, Any], evidence: Mapping[str, tuple[str, ...]], *, may_read_cells: bool
) -> CaveatRow:
    code, count = str(caveat.get("code", "")), int(caveat.get("entry_count") or 0)
    cell = open_row([count])[0] if may_read_cells else suppressed_total(count)
    return CaveatRow(
        code=code,
        name=caveat_name(code),
        note=str(CAVEAT_NOTES.get(code, "")),
        cell=cell,
        share=caveat.get("share") if cell.state == CellState.SHOWN else None,
        is_acknowledged=bool(caveat.get("acknowledged_by")),
        reason=str(caveat.get("reason", "")),
        entry_ids=evidence.get(code, ()),
    )


def caveat_entries(run: Run, score_set: ScoreSet) -> dict[str, tuple[str, ...]]:
    """Return the ids of the entries that each caveat of a run touches, in the corpus's order."""
    chunks = list(scoring.run_chunks(run, score_set.scoring_key))
    if not chunks:
        return {}
    marks = np.concatenate([chunk.statistics[:, column_slices()[MARKS.name]] for chunk in chunks])
    ids = [key for chunk in chunks for key in chunk.entry_ids]
    return {str(caveat.code): caveat.entry_ids for caveat in caveats_of(marks, ids)}


def composite_parts(score_set: ScoreSet) -> list[dict[str, Any]]:
    """Return what makes the composite, for its picture: name, value 0-1, share of the weights, what it adds."""
    return [
        {
            "name": metric_name(part["metric"]),
            "value": part["normalised"],
            "weight": part["share"],
            "adds": part["points"],
        }
        for part in score_set.contributions
    ]


def left_out(score_set: ScoreSet) -> list[str]:
    """Name the metrics of the profile that this composite lacks."""
    lacking = [*score_set.settings.get("unavailable", []), *score_set.settings.get("left_out", [])]
    return [metric_name(code) for code in lacking if code != "orthographic_accuracy"]


def breakdown(run: Run, score_set: ScoreSet, cut: str, *, may_read: bool) -> list[GroupRow]:
    """Return a run's figures by domain or difficulty.

    Small cells of secret segments are hidden, the same as on the corpus's page: a cell that might be empty is a row
    too, or the rows would say which are not (SPEC C-7).
    """
    if run.corpus_version is None:
        return []
    groups: dict[str, dict[str, Score]] = {}
    for score in score_set.scores.filter(cut=cut, metric__in=BREAKDOWN_METRICS):
        groups.setdefault(score.key, {})[score.metric] = score
    cells = cells_of(run.corpus_version, cut, may_read=may_read)[run.segment]
    return [
        GroupRow(cut_label(cut, key), cell, _values(groups.get(key, {})) if cell.count else {})
        for key, cell in cells.items()
        if cell.count != 0
    ]


def _values(scores: Mapping[str, Score]) -> dict[str, float | None]:
    return {metric: scores[metric].value if metric in scores else None for metric in BREAKDOWN_METRICS}


def sister_runs(run: Run) -> list[Run]:
    """Return the other scored runs of the same method version on the same segment, the first one first."""
    found = Run.objects.filter(
        method_version=run.method_version,
        corpus_version=run.corpus_version,
        segment=run.segment,
        status=Run.Status.SCORED,
    )
    return list(found.exclude(pk=run.pk).select_related("score_set").order_by("created_at", "pk"))


def differs_from(run: Run, sisters: list[Run]) -> bool:
    """Say whether runs of one set-up differ by more than the tolerance (SPEC R-3, R-5)."""
    composites = [one.score_set.composite for one in [run, *sisters] if one.score_set]
    known = [value for value in composites if value is not None]
    return len(known) > 1 and not within_tolerance(min(known), max(known))


def outputs_of(run: Run, *, filters: Mapping[str, Any]) -> QuerySet[RunOutput]:
    """Return a run's outputs in the corpus's order, filtered."""
    outputs = run.outputs.select_related("entry").order_by("position")
    if filters.get("difficulty"):
        outputs = outputs.filter(entry__difficulty=filters["difficulty"])
    if filters.get("domain"):
        outputs = outputs.filter(entry__domain=filters["domain"])
    if filters.get("only"):
        outputs = outputs.filter(is_usable=filters["only"] == "usable")
    return outputs


def entry_scores(run: Run, entry_keys: set[str] | None = None) -> dict[str, dict[str, float]]:
    """Return each entry's own figures by entry id, of the entries asked for or of all; empty before scoring."""
    score_set = run.score_set
    if score_set is None:
        return {}
    found: dict[str, dict[str, float]] = {}
    for chunk in scoring.run_chunks(run, score_set.scoring_key):
        if entry_keys is not None and entry_keys.isdisjoint(chunk.entry_ids):
            continue
        values = per_entry_values(chunk.statistics)
        for place, key in enumerate(chunk.entry_ids):
            if entry_keys is None or key in entry_keys:
                found[key] = {metric: float(values[metric][place]) for metric in ENTRY_METRICS}
    return found


def ordered_by_score(run: Run, outputs: QuerySet[RunOutput], *, highest_first: bool) -> list[int]:
    """Return the pks of outputs by their own chrF++; those of the same figure stay in the corpus's order."""
    scores = entry_scores(run)
    rows = list(outputs.values_list("pk", "entry_key"))
    rows.sort(key=lambda row: scores.get(row[1], {}).get("chrf_plus_plus", 0.0), reverse=highest_first)
    return [pk for pk, _key in rows]
