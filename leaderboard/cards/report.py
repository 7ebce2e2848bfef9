"""Reading a harness test report, and the run log beside it. Source: SPEC R-1, R-2; 90-harness-facts 1.2, 1.7."""

import re
from collections.abc import Sequence
from typing import Any

from leaderboard.cards.fields import Fields
from leaderboard.cards.parsed import Configuration, CorpusReference, Kind, ParsedOutput, ParsedRun, Totals
from leaderboard.cards.problems import Problems
from leaderboard.cards.results import parse_results
from leaderboard.cards.run_card import number_text
from leaderboard.cards.totals import summed_cost, totals_of

# The claim's name here to the report's name and range.
_OVERALL_CLAIMS: dict[str, tuple[str, float]] = {
    "exact_match_rate": ("exact_match_rate", 1),
    "chrf_plus_plus": ("corpus_chrf", 100),
    "chrf_plain": ("corpus_chrf_plain", 100),
    "corpus_bleu": ("corpus_bleu", 100),
    "spbleu": ("corpus_spbleu", 100),
}
_UNBOUNDED_CLAIMS = {"length_ratio": "avg_length_ratio", "ter": "corpus_ter"}
_PLUGIN_CLAIMS = {
    "code_switching_rate": ("code_switching", "avg_code_switching_rate"),
    "hallucination_rate": ("hallucination", "avg_hallucination_rate"),
    "terminology_adherence": ("terminology", "avg_terminology_adherence"),
}


def parse_report(report: dict[str, Any], *, sha256: str, log: dict[str, Any] | None, problems: Problems) -> ParsedRun:
    """Return what a report says, with what its run log adds; what is wrong is noted in `problems`.

    What neither states (dataset id and sha256, harness version, timestamp, prompt hash) is None; there is no
    fingerprint.
    """
    if log is not None and log.get("run_id") != report.get("run_id"):
        problems.add("log_mismatch", "run log", "run_id", log.get("run_id"))
    outputs = parse_results(report.get("entries"), problems, label="entry")
    overall = Fields(report.get("overall"), "report", problems, prefix="overall.")
    fields = Fields(report, "report", problems)
    log_fields = Fields(log, "run log", problems)
    return ParsedRun(
        kind=Kind.REPORT,
        sha256=sha256,
        card=report,
        outputs=outputs,
        configuration=_configuration(fields, log_fields),
        corpus=_corpus(fields.inner("config"), log_fields.inner("provenance"), len(outputs)),
        claimed=_claimed(overall),
        totals=_totals(overall, outputs, log_fields),
    )


def parse_log(log: dict[str, Any], *, sha256: str, problems: Problems) -> ParsedRun:
    """Return what a run log says without its report: the outputs and the set-up, and no claim."""
    outputs = parse_results(log.get("results"), problems)
    fields = Fields(log, "run log", problems)
    return ParsedRun(
        kind=Kind.REPORT,
        sha256=sha256,
        card=log,
        outputs=outputs,
        configuration=_configuration(fields, fields),
        corpus=_corpus(fields.inner("config"), fields.inner("provenance"), len(outputs)),
        totals=totals_of(
            outputs, cost_usd=fields.number("total_cost_usd"), elapsed_s=fields.number("elapsed_s"), **_tokens(outputs)
        ),
    )


def _configuration(fields: Fields, log: Fields) -> Configuration:
    config, provenance = fields.inner("config"), log.inner("provenance")
    method = provenance.inner("method_card")
    effective = config.number("_effective_temperature")
    tools = config.raw("tools_list")
    return Configuration(
        run_id=fields.text("run_id"),
        model=config.text("model"),
        condition=config.text("prompt_version"),
        temperature=number_text(config.number("temperature") if effective is None else effective),
        prompt_version=config.text("prompt_version"),
        system_prompt_sha256=provenance.text("system_prompt_sha256"),
        system_prompt=provenance.text("system_prompt_used"),
        batch_size=config.whole("batch_size"),
        tools=config.raw("tools_enabled") if tools is None else tools,
        coaching=config.text("coaching_file"),
        api_provider=config.text("provider"),
        harness_version=log.any_text("harness_version") or fields.any_text("harness_version"),
        timestamp=log.any_text("timestamp_start") or fields.any_text("timestamp"),
        method_name=method.text("name"),
        method_class=method.text("class"),
    )


def _corpus(config: Fields, provenance: Fields, count: int) -> CorpusReference:
    path = config.text("corpus_path") or ""
    meta = provenance.inner("dataset_meta")
    return CorpusReference(
        id=config.text("dataset_id") or meta.any_text("id"),
        version=meta.any_text("version"),
        sha256=provenance.digest("corpus_sha256"),
        language_pair=meta.any_text("language_pair") if isinstance(meta.raw("language_pair"), str) else None,
        entry_count=count or None,
        hint=re.split(r"[/\\]", path)[-1] or None,  # the folders of somebody's machine are nobody's business
    )


def _claimed(overall: Fields) -> dict[str, Any]:
    plugins = overall.inner("plugin_metrics")
    found = {claim: overall.within(name, 0, high) for claim, (name, high) in _OVERALL_CLAIMS.items()}
    found |= {claim: overall.number(name) for claim, name in _UNBOUNDED_CLAIMS.items()}
    found |= {claim: plugins.inner(block).within(name, 0, 1) for claim, (block, name) in _PLUGIN_CLAIMS.items()}
    return {name: value for name, value in found.items() if value is not None}


def _totals(overall: Fields, outputs: tuple[ParsedOutput, ...], log: Fields) -> Totals:
    stated = overall.number("total_cost_usd")
    # A report says 0 where every entry's cost is unknown; only the entries tell “free” from “not stated”.
    known = summed_cost(outputs) is not None or bool(stated)
    return totals_of(outputs, cost_usd=stated if known else None, elapsed_s=log.number("elapsed_s"), **_tokens(outputs))


def _tokens(outputs: Sequence[ParsedOutput]) -> dict[str, float | None]:
    return {
        name: sum(counts) if (counts := [n for o in outputs if (n := getattr(o, name)) is not None]) else None
        for name in ("prompt_tokens", "completion_tokens")
    }
