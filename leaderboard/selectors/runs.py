"""What a run's page shows: how far its scoring is, our figures with the claims beside them, breakdowns, entries."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import QuerySet

from champollion.common.models import Job
from corpora.cells import cells_of
from corpora.suppression import Cell
from leaderboard.cards.claims import within_tolerance
from leaderboard.labels import CLAIM_VERDICTS, METRIC_NOTES, METRICS, metric_name
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
ENTRY_METRICS = ("chrf_plus_plus", "exact_match_rate", "code_switching_rate", "hallucination_rate")


@dataclass(frozen=True)
class Progress:
    """How far a scoring is. ``quarter`` is 0 to 4, announced as it rises."""

    done_count: int
    total_count: int
    is_waiting_long: bool
    has_stopped: bool

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
    return Progress(job.done_count, job.total_count, is_waiting_long=waits, has_stopped=stopped)


def metric_rows(run: Run, score_set: ScoreSet | None) -> list[MetricRow]:
    """Return the headline figures in a fixed order: those that we made, then those that are only claimed."""
    ours = {score.metric: score for score in score_set.scores.filter(cut="all")} if score_set else {}
    claims = run.claim_verdicts or {
        metric: {"claimed": value, "ours": None, "verdict": "not_recomputable"} for metric, value in run.claimed.items()
    }
    signatures = score_set.settings.get("signatures", {}) if score_set else {}
    codes = [code for code in METRICS if code in ours or code in claims]
    return [_metric_row(code, ours.get(code), claims.get(code, {}), signatures.get(code, "")) for code in codes]


def _metric_row(code: str, score: Score | None, claim: Mapping[str, Any], signature: str) -> MetricRow:
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
        signature=signature,
    )


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
