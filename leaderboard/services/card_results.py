"""The results of our own card, one by one, and the breakdown by provenance, both from a run's chunks (SPEC R-8)."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from corpora import access
from leaderboard.metrics.registry import METRICS, column_slices
from leaderboard.models import Run, RunOutput, ScoreSet
from leaderboard.scoring.chunks import ChunkError, ChunkStats
from leaderboard.scoring.run import per_entry_values, published
from leaderboard.services.scoring import CHUNK_SIZE, run_chunks, version_of


def results_of(run: Run, score_set: ScoreSet) -> Iterator[dict[str, Any]]:
    """Yield a result for each entry that the run has one for, in the corpus's order; a chunk is in memory at a time.

    Scores of the entry are null where the chunks were made by another version of the scorer. An entry that the run
    lacks has no result, as in the document that was handed in.
    """
    computed = {score.metric for score in score_set.scores.filter(cut="all") if score.value is not None}
    segment_start = 0
    for size, chunk in _parts(run, score_set):
        rows = (
            run.outputs.filter(position__gte=segment_start, position__lt=segment_start + size)
            .select_related("entry")
            .order_by("position")
        )
        values = per_entry_values(chunk.statistics) if chunk is not None else {}
        for place, output in enumerate(rows):
            if not output.is_missing:
                found = {name: float(values[name][place]) for name in computed & values.keys()}
                scores = {name: value for name, value in found.items() if np.isfinite(value)}
                yield _result(run, output, scores)
        segment_start += size


def provenance_groups(run: Run, score_set: ScoreSet) -> dict[str, dict[str, Any]]:
    """Return every metric by the entries' provenance ("" for not given), at corpus level where the metric is one."""
    computed = {score.metric for score in score_set.scores.filter(cut="all") if score.value is not None}
    names = dict(run.outputs.values_list("entry_key", "entry__provenance_name"))
    sums: dict[str, Any] = {}
    counts: dict[str, int] = {}
    for _size, chunk in _parts(run, score_set):
        if chunk is None:
            return {}
        for entry_id, row in zip(chunk.entry_ids, chunk.statistics, strict=True):
            key = names.get(entry_id) or ""
            sums[key] = sums.get(key, 0) + row
            counts[key] = counts.get(key, 0) + 1
    return {key: _group(key, counts[key], sums[key], computed) for key in sorted(sums)}


def _group(key: str, count: int, sums: Any, computed: set[str]) -> dict[str, Any]:
    totals, n = sums.astype(np.float64), np.array(float(count))
    slices = column_slices()
    metrics = {
        metric.name: published(metric.aggregate(totals[slices[metric.name]], n), metric.decimals)
        for metric in METRICS
        if metric.name in computed
    }
    return {"name": key, "count": count, **metrics}


def _parts(run: Run, score_set: ScoreSet) -> Iterator[tuple[int, ChunkStats | None]]:
    start = 0
    try:
        for chunk in run_chunks(run, score_set.scoring_key):
            yield len(chunk.entry_ids), chunk
            start += len(chunk.entry_ids)
    except ChunkError:  # of another version of the scorer
        pass
    for _start in range(start, run.output_count, CHUNK_SIZE):
        yield CHUNK_SIZE, None


def _result(run: Run, output: RunOutput, scores: dict[str, float]) -> dict[str, Any]:
    entry = output.entry
    if entry is None:
        raise ValueError("an output of a scored run has its entry")
    text = access.open_entry(entry, version_of(run).corpus)
    errored = output.is_error
    return {
        "entry_id": output.entry_key,
        "source": text.source,
        "expected": text.reference,
        "raw_predicted": None,
        "predicted": output.text,
        "segment": run.segment,
        "difficulty": str(entry.difficulty) if entry.difficulty else None,
        "domain": entry.domain,
        "register": entry.register,
        "context": entry.context,
        "provenance": entry.provenance_name,
        "exact_match": bool(scores["exact_match_rate"]) if "exact_match_rate" in scores else None,
        "chrf_score": scores.get("chrf_plus_plus"),
        "bleu_score": scores.get("corpus_bleu"),
        "latency_s": output.latency_seconds,
        "cost_usd": output.cost_usd,
        "tool_call_count": None,
        "error": "error" if errored else None,
        "plugin_metrics": {},
        "fst_valid": _over(scores, "fst_acceptance_rate", at_least=1.0),
        "equivalent_match": _over(scores, "equivalent_match_rate", at_least=1.0),
        "semantic_verdict": None,
        "code_switching_detected": _over(scores, "code_switching_rate"),
        "hallucination_detected": _over(scores, "hallucination_rate"),
    }


def _over(scores: dict[str, float], metric: str, *, at_least: float | None = None) -> bool | None:
    if metric not in scores:
        return None
    return scores[metric] >= at_least if at_least is not None else scores[metric] > 0
