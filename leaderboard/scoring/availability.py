"""Why a metric of a run is null: a code for each, so that a page can say it in the reader's language.

Source: SPEC M-1; 90-harness-facts 1.5.
"""

from collections.abc import Mapping

from leaderboard.metrics.tools import FailureKind, LanguageFacts, ToolFacts


def null_reasons(
    metrics: Mapping[str, float | None], language: LanguageFacts, failures: Mapping[str, FailureKind]
) -> dict[str, dict[str, str]]:
    """Return metric to `{"code", "tool"}` for the metrics that are null for want of a tool, a model or a gold analysis.

    Codes: `tool_raised`, `tool_hung`, `tool_died`, `tool_nonsense` (with the tool's name); those of
    `LanguageFacts.problems`; `no_analyser`, `no_gold_no_analyser`, `no_variants`, `no_glossary`, `no_semantic`,
    `no_spbleu_model`;
    `nothing_judged` where the tool was there and nothing was to judge.
    """
    found = {}
    for name, (lacking, tools) in _needs(language).items():
        if metrics.get(name) is not None:
            continue
        tool = next((tool for tool in tools if tool is not None), None)
        code = _code(name, language, failures, lacking=lacking)
        found[name] = {"code": code, "tool": tool.name if tool is not None and code.startswith("tool_") else ""}
    return found


def _needs(language: LanguageFacts) -> dict[str, tuple[str, tuple[ToolFacts | None, ...]]]:
    """Return, for each metric, the code of what is lacking ("" where nothing is) and its tools."""
    analyser, equivalence, terminology = language.analyser, language.equivalence, language.terminology
    semantic, embedding, glossary = language.semantic, language.embedding, language.glossary
    judged = bool(analyser) or language.has_gold_analyses
    return {
        "fst_acceptance_rate": ("" if analyser else "no_analyser", (analyser,)),
        "morphological_accuracy": ("" if judged else "no_gold_no_analyser", (analyser,)),
        "equivalent_match_rate": ("" if language.has_variants or equivalence else "no_variants", (equivalence,)),
        "terminology_adherence": ("" if glossary or terminology else "no_glossary", (terminology,)),
        "semantic_score": ("" if semantic or embedding else "no_semantic", (semantic, embedding)),
        "spbleu": ("no_spbleu_model", ()),
    }


def _code(name: str, language: LanguageFacts, failures: Mapping[str, FailureKind], *, lacking: str) -> str:
    if name in failures:
        return f"tool_{failures[name].name.lower()}"
    return language.problems.get(name) or lacking or "nothing_judged"
