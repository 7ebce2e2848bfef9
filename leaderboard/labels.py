"""Words for what scores, claims, rows and problems of uploads say in codes."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from champollion.common.errors import ProblemList
from leaderboard.cards.messages import REMEDIES

METRICS: Mapping[str, Any] = {
    "composite": gettext_lazy("Composite"),
    "chrf_plus_plus": gettext_lazy("chrF++"),
    "exact_match_rate": gettext_lazy("Exact match"),
    "equivalent_match_rate": gettext_lazy("Equivalent match"),
    "fst_acceptance_rate": gettext_lazy("FST acceptance"),
    "morphological_accuracy": gettext_lazy("Morphological accuracy"),
    "semantic_score": gettext_lazy("Semantic score"),
    "code_switching_rate": gettext_lazy("Code-switching"),
    "hallucination_rate": gettext_lazy("Hallucination"),
    "terminology_adherence": gettext_lazy("Terminology adherence"),
    "orthographic_accuracy": gettext_lazy("Orthographic accuracy"),
    "length_ratio": gettext_lazy("Length ratio"),
    "quality_tier": gettext_lazy("Quality tier"),
    "chrf_plain": gettext_lazy("chrF"),
    "corpus_bleu": gettext_lazy("BLEU"),
    "spbleu": gettext_lazy("spBLEU"),
    "ter": gettext_lazy("TER"),
}
#: What a reader has to know of a metric beside its name.
METRIC_NOTES: Mapping[str, Any] = {
    "code_switching_rate": gettext_lazy("lower is better"),
    "hallucination_rate": gettext_lazy("lower is better"),
    "length_ratio": gettext_lazy("output ÷ reference; 1 is equal"),
    "chrf_plus_plus": gettext_lazy("0 to 100"),
}
CLAIM_VERDICTS: Mapping[str, Any] = {
    "confirmed": pgettext_lazy("claim", "confirmed"),
    "close": pgettext_lazy("claim", "close"),
    "differs": pgettext_lazy("claim", "differs"),
    "not_recomputable": pgettext_lazy("claim", "not recomputable"),
}
UNRANKED: Mapping[str, Any] = {
    "claimed": gettext_lazy("claimed, not recomputed"),
    "unscored": gettext_lazy("no score could be made"),
    "withdrawn": gettext_lazy("withdrawn by the organisation"),
}
SUBMISSION_PARTS: Mapping[str, Any] = {
    "run_card": gettext_lazy("run card"),
    "code": gettext_lazy("code"),
    "dependencies": gettext_lazy("list of what it depends on"),
    "costs": gettext_lazy("cost report"),
    "readme": gettext_lazy("description (readme)"),
}


def metric_name(code: str) -> str:
    """Name a metric; one that is not known here keeps its code."""
    return str(METRICS.get(code, code))


def problem_rows(problems: ProblemList) -> list[dict[str, str]]:
    """Return the problems of an upload as rows: place, entry id, field, value and what would be right."""
    return [_problem_row(problem) for problem in problems.problems]


def _problem_row(problem: Any) -> dict[str, str]:
    translated = problem.code in REMEDIES
    return {
        "code": problem.code,
        "place": place_text(problem.place),
        "entry_id": getattr(problem, "entry_id", ""),
        "field": problem.field,
        "value": problem.value,
        "remedy": _(REMEDIES[problem.code]) % problem.params if translated else problem.remedy,
    }


def place_text(place: str) -> str:
    """Return a place of a document in the reader's language: "result 3", "line 5", "card"."""
    kind, _space, number = place.partition(" ")
    if kind == "result" and number:
        return _("result %(number)s") % {"number": number}
    if kind == "line" and number:
        return _("line %(number)s") % {"number": number}
    known = {
        "document": _("document"),
        "card": _("run card"),
        "rows": _("rows"),
        "end": _("end of the file"),
        "run log": _("run log"),
    }
    return known.get(place, place)
