"""Claimed figures beside ours. A claim is never a score (LAW-5). Source: SPEC R-5."""

import math
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from leaderboard.cards.own_card import is_own_standard
from leaderboard.scoring.harness import counting_for
from leaderboard.scoring.tiers import public_tier, tier_for

TOLERANCE_SHARE = 0.02  # relative, and of the scale
_FLOAT_DUST = 1e-9

# Headline figures that can be claimed: the top of the scale and the places to which harnesses round them.
_SCALES: dict[str, tuple[float, int]] = {
    "chrf_plus_plus": (100.0, 2),
    "exact_match_rate": (1.0, 4),
    "equivalent_match_rate": (1.0, 4),
    "fst_acceptance_rate": (1.0, 4),
    "morphological_accuracy": (1.0, 4),
    "semantic_score": (1.0, 4),
    "code_switching_rate": (1.0, 4),
    "hallucination_rate": (1.0, 4),
    "terminology_adherence": (1.0, 4),
    "length_ratio": (1.0, 4),
    "composite": (1.0, 4),
    "chrf_plain": (100.0, 2),
    "corpus_bleu": (100.0, 2),
    "spbleu": (100.0, 2),
    "ter": (100.0, 2),
}
_CHRF_CONFIRMED_WITHIN = 0.01
_NOT_ALWAYS_OURS = (
    "fst_acceptance_rate",
    "morphological_accuracy",
    "semantic_score",
    "equivalent_match_rate",
    "terminology_adherence",
)
_TIER = "quality_tier"
_APPROVED_TIERS = ("deployable", "fluent")


class ClaimVerdict(StrEnum):
    """How a claimed figure stands beside ours."""

    CONFIRMED = "confirmed"
    CLOSE = "close"
    DIFFERS = "differs"
    NOT_RECOMPUTABLE = "not_recomputable"


def within_tolerance(first: float, second: float, *, scale: float = 1.0) -> bool:
    """Say whether two figures agree: within the larger of 2 % relative and 0.02 on a 0-1 scale (2 points on 0-100).

    Relative to the larger of the two, so that their order does not matter. The one tolerance of the whole product.
    Source: SPEC R-5.
    """
    allowed = max(TOLERANCE_SHARE * max(abs(first), abs(second)), TOLERANCE_SHARE * scale)
    return abs(first - second) <= allowed + _FLOAT_DUST


def claim_verdict(claimed: float | None, ours: float | None, *, metric: str) -> ClaimVerdict:
    """Return how one claimed figure stands beside ours: confirmed within the rounding of the claim (chrF++: 0.01)."""
    if claimed is None or ours is None or not math.isfinite(claimed):
        return ClaimVerdict.NOT_RECOMPUTABLE
    scale, decimals = _SCALES.get(metric, (1.0, 4))
    rounding = _CHRF_CONFIRMED_WITHIN if metric == "chrf_plus_plus" else 0.5 * 10**-decimals
    if abs(claimed - ours) <= rounding + _FLOAT_DUST:
        return ClaimVerdict.CONFIRMED
    return ClaimVerdict.CLOSE if within_tolerance(claimed, ours, scale=scale) else ClaimVerdict.DIFFERS


def claims_compare(
    claimed: Mapping[str, Any], ours: Mapping[str, Any] | None, *, harness_version: str | None
) -> dict[str, dict[str, Any]]:
    """Compare each claimed headline figure with ours, by the counting rule of the claim's harness version.

    Args:
        claimed: `ParsedRun.claimed`.
        ours: `{"headline": {metric: value}, "harness": {"0.1": …, "0.2": …}}`, the two views as
            `HarnessView.to_dict()` gives them; None where no outputs came.
        harness_version: as stated; None or "" counts as 0.1.x.

    Returns:
        metric to `{"claimed", "ours", "verdict"}`; `ours` is the figure compared with, counted as the harness counts.
    """
    own = is_own_standard(claimed.get("scoring_standard"))
    view = _own_view(ours) if own else _view(ours, harness_version)
    figures = {**view.get("metrics", {}), "composite": view.get("composite")}
    if _made_of_others(claimed) and not own:
        figures["composite"] = None
    rows = {
        metric: _row(
            claimed[metric], figures.get(metric), claim_verdict(claimed[metric], figures.get(metric), metric=metric)
        )
        for metric in _SCALES
        if isinstance(claimed.get(metric), int | float)
    }
    if "hallucination_rate" in rows and not harness_version:
        rows["hallucination_rate"] = _hallucination_row(claimed["hallucination_rate"], view)
    if claimed.get(_TIER) is not None:
        ours_tier = None if figures["composite"] is None else view.get("tier")
        # What people approved rests on their ratings: no scoring can confirm it or deny it.
        approved = own and claimed[_TIER] in _APPROVED_TIERS
        rows[_TIER] = _tier_row(claimed[_TIER], None if approved else ours_tier)
    return rows


def differs(verdicts: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return the metrics whose claim differs from ours: a flag on the board and for stewards."""
    return [metric for metric, row in verdicts.items() if row["verdict"] == ClaimVerdict.DIFFERS]


def _view(ours: Mapping[str, Any] | None, harness_version: str | None) -> Mapping[str, Any]:
    views: Mapping[str, Any] = (ours or {}).get("harness", {})
    found: Mapping[str, Any] = views.get(counting_for(harness_version).value, {})
    return found


def _own_view(ours: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """A card that this product sealed is counted as the headline is, and its tier is the public one (LAW-1)."""
    headline: Mapping[str, Any] = (ours or {}).get("headline", {})
    composite = headline.get("composite")
    tier = None if composite is None else public_tier(tier_for(composite), approved=False).value
    return {"metrics": headline, "composite": composite, "tier": tier}


def _made_of_others(claimed: Mapping[str, Any]) -> bool:
    # A composite that rests on metrics that are not computed here is another figure, not a wrong one.
    return any(claimed.get(metric) is not None for metric in _NOT_ALWAYS_OURS)


def _hallucination_row(claimed: float, view: Mapping[str, Any]) -> dict[str, Any]:
    # A report that states no version may come from before 0.1.0, whose detector took sentence starts for names.
    values = [view.get("metrics", {}).get("hallucination_rate"), view.get("hallucination_early")]
    rows = [_row(claimed, value, claim_verdict(claimed, value, metric="hallucination_rate")) for value in values]
    return min(rows, key=lambda row: list(ClaimVerdict).index(row["verdict"]))


def _tier_row(claimed: Any, ours: Any) -> dict[str, Any]:
    if ours is None:
        return _row(claimed, None, ClaimVerdict.NOT_RECOMPUTABLE)
    return _row(claimed, str(ours), ClaimVerdict.CONFIRMED if claimed == str(ours) else ClaimVerdict.DIFFERS)


def _row(claimed: Any, ours: Any, verdict: ClaimVerdict) -> dict[str, Any]:
    return {"claimed": claimed, "ours": ours, "verdict": verdict.value}
