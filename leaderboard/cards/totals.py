"""Cost and speed from a run's own outputs. Source: SPEC R-6."""

from collections.abc import Sequence

from leaderboard.cards.parsed import ParsedOutput, Totals
from leaderboard.scoring.cost import cost_per_entry, cost_per_source_character, latency_summary


def totals_of(
    outputs: Sequence[ParsedOutput],
    *,
    cost_usd: float | None,
    elapsed_s: float | None = None,
    prompt_tokens: float | None = None,
    completion_tokens: float | None = None,
) -> Totals:
    """Return cost per entry and per source character, and latencies of entries without an error.

    The cost per entry is over all entries, errored ones too. Without a stated total, the entries' own costs are summed
    if each of them states one; otherwise the cost is unknown.
    """
    total = summed_cost(outputs) if cost_usd is None else cost_usd
    latency = latency_summary(output.latency_s for output in outputs if output.error is None)
    sources = [output.source for output in outputs if output.source is not None]
    return Totals(
        cost_usd=total,
        cost_per_entry_usd=cost_per_entry(total, len(outputs)),
        cost_per_source_character_usd=cost_per_source_character(total, sources),
        mean_latency_s=latency.mean,
        median_latency_s=latency.median,
        p95_latency_s=latency.p95,
        elapsed_s=elapsed_s,
        prompt_tokens=prompt_tokens,
        completion_tokens=completion_tokens,
    )


def summed_cost(outputs: Sequence[ParsedOutput]) -> float | None:
    """Return the sum of the entries' costs in USD, None where one is not stated or there is no entry."""
    costs = [output.cost_usd for output in outputs if output.cost_usd is not None]
    return sum(costs) if costs and len(costs) == len(outputs) else None
