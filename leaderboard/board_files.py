"""A board as CSV and JSON, and a row by itself for machines (SPEC L-4, Q-3)."""

import csv
import io
from collections.abc import Iterable, Iterator
from typing import Any

from champollion.common.canonical import canonical_json
from leaderboard.cards.claims import differs
from leaderboard.models import Standing
from leaderboard.scoring.cost import latency_shown
from leaderboard.selectors.board import BoardFilters, Cut

#: A spreadsheet takes a cell that begins so for a formula.
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
CSV_COLUMNS = (
    "rank_low", "rank_high", "method", "team", "class", "model", "version", "public_tier", "claim", "claim_tier",
    "verification_level", "verified_on", "usable_share", "usable_low", "usable_high", "rating_count",
    "ratings_generated", "composite", "composite_low", "composite_high", "chrf_plus_plus", "chrf_low", "chrf_high",
    "exact_match", "fst_acceptance", "semantic_score", "cost_per_entry_usd", "mean_latency_seconds", "cost_adjusted",
    "date", "unranked_reason", "row",
)  # fmt: skip


def row_dict(row: Standing, filters: BoardFilters) -> dict[str, Any]:
    """Return a row as plain values; with a cut, its composite, chrF++, exact match and rank are those of the cut.

    The row has the ``shown_…`` attributes of ``board_rows``.
    """
    cut = filters.cut
    version, whole = row.method_version, cut is None
    claims = differs(row.run.claim_verdicts)
    return {
        "row": str(row.uid),
        "rank": [row.shown_rank_low, row.shown_rank_high],  # type: ignore[attr-defined]
        "is_ranked": bool(row.shown_is_ranked) and (cut is None or cut.is_ranked),  # type: ignore[attr-defined]
        "unranked_reason": row.unranked_reason,
        "method": {
            "uid": str(version.method.uid),
            "name": version.method.name,
            "team": version.method.team.name,
            "class": version.method.method_class,
            "version": version.number,
            "model": version.model_name,
        },
        "run": str(row.run.uid),
        "quality": {
            "public_tier": row.public_tier,
            "claim": row.claim,
            "claim_tier": row.score_tier if row.claim else "",
            "is_override": row.is_override,
            "has_one_signature": row.has_one_signature,
            "has_changed_evidence": row.has_changed_evidence,
        },
        "verification": {
            "level": row.verification_level,
            "on": row.verified_at.date().isoformat() if row.verified_at else None,
            "by": row.verified_by,
        },
        "people": _people(row),
        "scores": {
            "composite": _interval(row, "composite", "composite_interval_low", "composite_interval_high"),
            "chrf_plus_plus": _interval(row, "chrf", "chrf_low", "chrf_high"),
            "exact_match_rate": row.shown_exact_match,  # type: ignore[attr-defined]
            "fst_acceptance_rate": row.fst_acceptance if whole else None,
            "semantic_score": row.semantic_score if whole else None,
            "cost_adjusted": row.cost_adjusted if whole else None,
        },
        "claims_that_differ": claims,
        "cost_per_entry_usd": row.cost_per_entry_usd,
        "mean_latency_seconds": latency_shown(row.mean_latency_seconds, rounds=filters.rounds_latency),
        "handed_in_on": row.run.created_at.date().isoformat(),
    }


def board_json(rows: Iterable[Standing], *, about: dict[str, Any], filters: BoardFilters) -> bytes:
    """Return a whole board as JSON, the same bytes for the same board."""
    value = {**about, "cut": _cut(filters.cut), "rows": [row_dict(row, filters) for row in rows]}
    return canonical_json(value)


def board_csv(rows: Iterable[Standing], *, filters: BoardFilters) -> Iterator[str]:
    """Yield a board as lines of CSV, with texts that a spreadsheet would take for formulas made harmless."""
    yield _line(CSV_COLUMNS)
    for row in rows:
        values = _flat(row_dict(row, filters))
        yield _line(guarded(values[name]) for name in CSV_COLUMNS)


def guarded(value: Any) -> Any:
    """Put an apostrophe before a text that would be a formula; numbers stay numbers."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA_STARTS) else value


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    method, quality, people, scores = row["method"], row["quality"], row["people"] or {}, row["scores"]
    composite, chrf = scores["composite"], scores["chrf_plus_plus"]
    return {
        "rank_low": row["rank"][0] if row["is_ranked"] else None,
        "rank_high": row["rank"][1] if row["is_ranked"] else None,
        "method": method["name"],
        **{name: method[name] for name in ("team", "class", "model", "version")},
        **{name: quality[name] for name in ("public_tier", "claim", "claim_tier")},
        "verification_level": row["verification"]["level"],
        "verified_on": row["verification"]["on"],
        "usable_share": people.get("usable_share"),
        "usable_low": people.get("low"),
        "usable_high": people.get("high"),
        "rating_count": people.get("rating_count"),
        "ratings_generated": people.get("is_generated"),
        "composite": composite["value"],
        "composite_low": composite["low"],
        "composite_high": composite["high"],
        "chrf_plus_plus": chrf["value"],
        "chrf_low": chrf["low"],
        "chrf_high": chrf["high"],
        "exact_match": scores["exact_match_rate"],
        "fst_acceptance": scores["fst_acceptance_rate"],
        **{name: scores[name] for name in ("semantic_score", "cost_adjusted")},
        **{name: row[name] for name in ("cost_per_entry_usd", "mean_latency_seconds", "unranked_reason", "row")},
        "date": row["handed_in_on"],
    }


def _people(row: Standing) -> dict[str, Any] | None:
    if row.human_share is None:
        return None
    return {
        "usable_share": row.human_share,
        "low": row.human_low,
        "high": row.human_high,
        "rating_count": row.human_rating_count,
        "verdict": row.human_verdict,
        "is_generated": row.has_generated_ratings,
    }


def _interval(row: Standing, value: str, low: str, high: str) -> dict[str, float | None]:
    names = {"value": value, "low": low, "high": high}
    return {name: getattr(row, f"shown_{column}") for name, column in names.items()}


def _cut(cut: Cut | None) -> dict[str, Any] | None:
    return {cut.kind: cut.key, "entry_count": cut.entry_count} if cut else None


def _line(values: Iterable[Any]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerow(["" if value is None else value for value in values])
    return text.getvalue()
