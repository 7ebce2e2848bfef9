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
    "corpus_bleu": gettext_lazy("0 to 100"),
    "chrf_plain": gettext_lazy("0 to 100"),
    "spbleu": gettext_lazy("0 to 100"),
    "ter": gettext_lazy("lower is better; 100 and over is possible"),
}
#: Caveats by code, as a heading and as what it says of the entries it touches.
CAVEATS: Mapping[str, Any] = {
    "empty_output": gettext_lazy("Empty outputs"),
    "source_copied": gettext_lazy("Source copied"),
    "same_output": gettext_lazy("One output for many sources"),
    "length_far_off": gettext_lazy("Length far off"),
    "engine_marks": gettext_lazy("Engine marks left in"),
    "wrong_script": gettext_lazy("Wrong script"),
    "repeated_ngrams": gettext_lazy("Repeated words"),
    "mixed_normalisation": gettext_lazy("Mixed normalisation"),
}
CAVEAT_NOTES: Mapping[str, Any] = {
    "empty_output": gettext_lazy("Nothing came out, or an error."),
    "source_copied": gettext_lazy("The output is the source, where people translated it differently."),
    "same_output": gettext_lazy(
        "Three sources or more, five where it is short, got one output, which is no reference."
    ),
    "length_far_off": gettext_lazy("On average outputs are over twice or under half as long as the references."),
    "engine_marks": gettext_lazy("Signs such as “*word” or “<unk>”, which engines put before what they do not know."),
    "wrong_script": gettext_lazy("Most letters are of a script that the language does not use."),
    "repeated_ngrams": gettext_lazy("The same words over and over, where source and reference have them once."),
    "mixed_normalisation": gettext_lazy("The same letters are coded in two ways within the run."),
}
#: Why a metric has no value here.
NULL_REASONS: Mapping[str, Any] = {
    "no_analyser": gettext_lazy("no analyser is set up for the language"),
    "no_gold_no_analyser": gettext_lazy("no gold analyses in the corpus, and no analyser is set up for the language"),
    "no_variants": gettext_lazy("the corpus has no variants and no variant classes"),
    "no_glossary": gettext_lazy("no glossary of the corpus or the language"),
    "no_semantic": gettext_lazy("no semantic plug-in for the language, and no local model is configured"),
    "no_spbleu_model": gettext_lazy("its model is not installed on this server"),
    "nothing_judged": gettext_lazy("no entry holds anything to judge"),
    "glossary_refused": gettext_lazy("the glossary has faults, such as empty terms"),
    "model_not_found": gettext_lazy("the configured local model was not found"),
    "analyser_not_hfst": gettext_lazy("the analyser's file is no transducer"),
    "analyser_not_for_lookup": gettext_lazy("the analyser's file is not in the optimised-lookup format"),
    "analyser_damaged": gettext_lazy("the analyser's file is damaged"),
    "analyser_too_large": gettext_lazy("the analyser's file is too large"),
    "analyser_not_readable": gettext_lazy("the analyser's file could not be read"),
    "tool_raised": gettext_lazy("%(tool)s reported an error"),
    "tool_hung": gettext_lazy("%(tool)s did not answer in time"),
    "tool_died": gettext_lazy("%(tool)s ended before it answered"),
    "tool_nonsense": gettext_lazy("%(tool)s answered something else than was asked"),
    "below_coverage": gettext_lazy("covers less than a quarter, so it does not enter the composite"),
}
#: Figures beside the headline, in the order of the page; what is not named here is stored and not shown.
BESIDE: Mapping[str, Any] = {
    "strict_match_rate": gettext_lazy("Strict match, upper and lower case apart"),
    "matched_by_variant_rate": gettext_lazy("Matched by a variant alone"),
    "matched_by_plugin_rate": gettext_lazy("Matched by the plug-in alone"),
    "fst_words": gettext_lazy("Words given to the analyser"),
    "fst_words_accepted_rate": gettext_lazy("Words accepted ÷ words"),
    "fst_acceptance_case_fallback": gettext_lazy("FST acceptance, lower case tried too"),
    "morphology_coverage": gettext_lazy("Coverage of morphological accuracy"),
    "terms_found": gettext_lazy("Terms of the glossary in the sources"),
    "terminology_pooled": gettext_lazy("Terms kept ÷ terms"),
    "terminology_own_glossary": gettext_lazy("Terms kept by the method's own glossary"),
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


def caveat_name(code: str) -> str:
    """Name a caveat; one that is not known here keeps its code."""
    return str(CAVEATS.get(code, code))


def null_reason(reason: Mapping[str, str]) -> str:
    """Say why a metric has no value, from its code and the tool's name; "" without a code that is known."""
    words = str(NULL_REASONS.get(reason.get("code", ""), ""))
    return words % {"tool": reason.get("tool", "")}


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
