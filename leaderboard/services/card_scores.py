"""The figures of our own card: scores with breakdowns and intervals, cost and speed (SPEC R-8, M-1, R-6)."""

from typing import Any

from corpora.cells import shown_keys
from corpora.suppression import suppressed_total
from leaderboard.cards.own_card import OWN_STANDARD
from leaderboard.models import Run, Score, ScoreSet, Standing
from leaderboard.models.standing import Tier
from leaderboard.scoring.bootstrap import DRAWS, SEED
from leaderboard.scoring.cost import cost_adjusted, latency_summary, one_figure
from leaderboard.scoring.tiers import Tier as ScoreTier
from leaderboard.scoring.tiers import public_tier
from leaderboard.services.card_results import provenance_groups
from leaderboard.services.scoring import version_of

#: Rates are published with four places, so that up to here they give the number of entries back.
COUNTABLE = 10_000
#: Our metric's name to the name that harnesses give its interval.
INTERVAL_NAMES = {"chrf_plus_plus": "corpus_chrf", "composite": "composite_score"}
CUTS = ("difficulty", "domain", "provenance")


def card_tier(score_set: ScoreSet, standing: Standing | None) -> str:
    """Return the public tier of a run: what people approved for it, else its score's, never over Functional (LAW-1)."""
    if standing is not None and standing.approved_tier:
        return str(standing.approved_tier)
    if score_set.tier == Tier.UNSCORED:
        return str(Tier.UNSCORED)
    return public_tier(ScoreTier(score_set.tier), approved=False).value


def scores_of(run: Run, score_set: ScoreSet, *, tier: str) -> dict[str, Any]:
    """Return `scores`: the source documents' names, the harness's figures under them, the others beside (SPEC M-1)."""
    metrics = {score.metric: score.value for score in score_set.scores.filter(cut="all")}
    settings = score_set.settings
    reasons = settings.get("reasons", {})
    return {
        **{name: value for name, value in metrics.items() if name != "corpus_bleu"},
        **_counts(run, score_set, metrics),
        **{f"{name}_share_affected": share for name, share in settings.get("share_affected", {}).items()},
        **settings.get("beside", {}),
        **_speed(run, score_set.entry_count),
        "cost_adjusted": cost_adjusted(score_set.composite, run.cost_per_entry_usd),
        "scoring_standard": OWN_STANDARD,
        "scoring_profile": score_set.profile,
        "scorer_version": score_set.scorer_version,
        "primary_metric": "composite",
        "quality_tier": tier,
        "composite": score_set.composite,
        "sacrebleu_signatures": settings.get("signatures", {}),
        "metric_availability": {name: f"not_computed: {reason['code']}" for name, reason in reasons.items()},
        **{f"by_{cut}": groups_of(run, score_set, cut) for cut in CUTS},
    }


def groups_of(run: Run, score_set: ScoreSet, cut: str) -> dict[str, dict[str, Any]]:
    """Return a breakdown by key ("" for not given); of a secret segment, the keys whose cell outsiders see (C-7)."""
    version = version_of(run)
    shown = shown_keys(version, run.segment, cut, may_read=False)
    groups: dict[str, dict[str, Any]] = {}
    for score in score_set.scores.filter(cut=cut).order_by("key", "metric"):
        group = groups.setdefault(score.key, {"name": score.key, "count": score.entry_count})
        group[score.metric] = score.value
    if not groups and cut == "provenance":
        groups = provenance_groups(run, score_set)
    return groups if shown is None else {key: group for key, group in groups.items() if key in shown}


def intervals_of(score_set: ScoreSet) -> dict[str, dict[str, Any]]:
    """Return the headline's intervals in the harness's form."""
    scores = score_set.scores.filter(cut="all", low__isnull=False)
    return {INTERVAL_NAMES.get(score.metric, score.metric): _interval(score, score_set) for score in scores}


def totals_of(run: Run) -> dict[str, Any]:
    """Return `totals`; what was not stated is null, never 0 (SPEC R-6)."""
    stated = run.configuration.get("totals", {})
    return {
        "prompt_tokens": stated.get("prompt_tokens"),
        "completion_tokens": stated.get("completion_tokens"),
        "reasoning_tokens": stated.get("reasoning_tokens"),
        "cached_tokens": stated.get("cached_tokens"),
        "total_cost_usd": run.total_cost_usd,
        "cost_per_entry_usd": run.cost_per_entry_usd,
        "cost_per_source_char": stated.get("cost_per_source_character_usd"),
    }


def _interval(score: Score, score_set: ScoreSet) -> dict[str, Any]:
    low, high = score.low or 0.0, score.high or 0.0
    return {
        "metric_name": INTERVAL_NAMES.get(score.metric, score.metric),
        "score": score.value,
        "ci_lower": low,
        "ci_upper": high,
        "ci_width": round(high - low, 6),
        "n_bootstrap": score_set.settings.get("draws", DRAWS),
        "confidence_level": 0.95,
        "n_entries": score.entry_count,
        "seed": score_set.settings.get("seed", SEED),
    }


def _counts(run: Run, score_set: ScoreSet, metrics: dict[str, float | None]) -> dict[str, Any]:
    errors, missing = (_told(run, count) for count in (score_set.error_count, score_set.missing_count))
    left = score_set.entry_count - score_set.error_count - score_set.missing_count
    return {
        "total": score_set.entry_count,
        "evaluated": None if errors is None or missing is None else left,
        "errors": errors,
        "missing": missing,
        "exact_matches": _count(metrics.get("exact_match_rate"), score_set.entry_count),
        "equivalent_matches": _count(metrics.get("equivalent_match_rate"), score_set.entry_count),
    }


def _told(run: Run, count: int) -> int | None:
    return suppressed_total(count).count if run.is_secret else count


def _count(rate: float | None, total: int) -> int | None:
    return None if rate is None or total >= COUNTABLE else round(rate * total)


def _speed(run: Run, total: int) -> dict[str, Any]:
    stated = run.configuration.get("totals", {})
    summary = latency_summary(run.outputs.filter(is_error=False).values_list("latency_seconds", flat=True).iterator())
    found = {
        "avg_latency_seconds": summary.mean if summary.count else run.mean_latency_seconds,
        "median_latency_seconds": summary.median if summary.count else stated.get("median_latency_s"),
        "p95_latency_seconds": summary.p95 if summary.count else stated.get("p95_latency_s"),
    }
    if run.is_secret:  # outsiders are told one figure (SPEC S-6)
        found = {name: None if value is None else one_figure(value) for name, value in found.items()}
    elapsed = stated.get("elapsed_s")
    tokens = [stated[name] for name in ("prompt_tokens", "completion_tokens") if stated.get(name) is not None]
    return {
        **found,
        "tokens_per_second": round(sum(tokens) / elapsed, 2) if elapsed and sum(tokens) else None,
        "entries_per_minute": round(total / (elapsed / 60), 2) if elapsed else None,
    }
