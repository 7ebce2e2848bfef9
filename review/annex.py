"""The technical annex of a report: formulas, plan, seed, coefficients and bounds, as rows to print (SPEC V-9)."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from review.analysis import Figures
from review.estimation import Estimate
from review.models import Campaign
from review.report_texts import stratum_label

FORMULAS = """p̂_h = k_h/n_h    W_h = N_h/N    p̂ = Σ W_h p̂_h
p̃_h = (k_h + 1)/(n_h + 2)    p̃ = Σ W_h p̃_h    f_h = n_h/N_h
v = Σ W_h² [(1 − f_h) p̃_h (1 − p̃_h)/(n_h − 1) + f_h e(1 − e)/n_h]
n* = p̃(1 − p̃)/v
e = (1 − a)² (1 + 2a),  a = ½ + √(¼ − s/3)    (three speakers)
e = (1 − a)²,  a = ½ + √(¼ − s/2)    (two speakers)"""


@dataclass(frozen=True)
class Annex:
    """Tables of name and value, and the strata; every value is written out with a point and up to six decimals."""

    formulas: str
    estimates: list[tuple[str, str, str]]
    strata: list[dict[str, Any]]
    agreement: list[tuple[str, str, str]]
    policy: list[tuple[str, str]]
    plan: list[tuple[str, str]]
    hashes: list[tuple[str, str]]


def annex_of(campaign: Campaign, figures: Figures) -> Annex:
    """Return the annex of a closed campaign; no text of an entry is in it."""
    return Annex(
        formulas=FORMULAS,
        estimates=_estimates(figures),
        strata=_strata(figures),
        agreement=_agreement(figures),
        policy=[(name, str(value)) for name, value in campaign.policy.items()],
        plan=_plan(campaign, figures),
        hashes=[
            (_("plan"), campaign.plan_sha256),
            (_("evidence"), campaign.evidence_sha256),
            (_("seed"), campaign.seed),
        ],
    )


def _estimates(figures: Figures) -> list[tuple[str, str, str]]:
    """Return (symbol, usable, reject) rows."""
    pair = (figures.analysis.usable, figures.analysis.reject)

    def row(symbol: str, of: Any) -> tuple[str, str, str]:
        return (symbol, written(of(pair[0])), written(of(pair[1])))

    return [
        row("p̂", lambda one: one.p_hat),
        row("p̃", lambda one: one.low.p_tilde),
        row("v", lambda one: one.low.variance),
        row("n*", lambda one: one.low.n_star),
        row("s", lambda one: one.split_share),
        row("e", lambda one: one.panel_error),
        row(_("Wilson 95 %, lower end"), lambda one: one.interval[0]),
        row(_("Wilson 95 %, upper end"), lambda one: one.interval[1]),
        *(_bound_rows(pair)),
    ]


def _bound_rows(pair: tuple[Estimate, Estimate]) -> list[tuple[str, str, str]]:
    rows = []
    for level in (0.95, 0.97, 0.995):
        shown = f"{100 * level:g} %"
        rows.append(
            (_("lower bound, one-sided %(level)s") % {"level": shown}, *(written(one.lower(level)) for one in pair))
        )
        rows.append(
            (_("upper bound, one-sided %(level)s") % {"level": shown}, *(written(one.upper(level)) for one in pair))
        )
    return rows  # type: ignore[return-value]


def _strata(figures: Figures) -> list[dict[str, Any]]:
    reject = {row.stratum: row for row in figures.analysis.reject.strata}
    return [
        {
            "name": " ".join(stratum_label(row.stratum)),
            "size": row.size,
            "shown": row.shown,
            "usable": row.positive,
            "reject": reject[row.stratum].positive,
            "missing": row.missing,
            "weight": written(row.weight),
            "share": written(row.share),
        }
        for row in figures.analysis.usable.strata
    ]


def _agreement(figures: Figures) -> list[tuple[str, str, str]]:
    """Return (coefficient, value, bootstrap interval) rows."""
    found = figures.agreement
    named = [
        (_("pairwise, usable or not"), found.pairwise),
        ("AC1 (Gwet)", found.ac1),
        (_("ordinal alpha"), found.alpha),
    ]
    return [(str(name), written(one.value), _interval(one.interval)) for name, one in named]


def _interval(interval: tuple[float, float] | None) -> str:
    return "–" if interval is None else f"{written(interval[0])} – {written(interval[1])}"


def _plan(campaign: Campaign, figures: Figures) -> list[tuple[str, str]]:
    plan = campaign.plan
    return [
        (_("entries in the segment"), str(figures.analysis.usable.population)),
        (_("sampled"), str(plan.get("size", ""))),
        (_("in the look"), str(plan.get("look_size", ""))),
        (_("in the extension"), str(plan.get("extension_size", ""))),
        (_("speakers an output"), str(campaign.overlap)),
        (_("composite at the nomination"), written(campaign.nomination.composite)),
        (_("bound at the nomination"), written(campaign.nomination.bound)),
        (_("settled by"), figures.settled_by or "–"),
    ]


def written(value: float | None) -> str:
    """Write a figure for recomputing: up to six decimals, the same in every language."""
    return "–" if value is None else f"{value:.6f}".rstrip("0").rstrip(".")
