"""Reading a run card, with results[] or as a harness seals it. Source: SPEC R-1, R-2; 90-harness-facts 1.4-1.6."""

from typing import Any

from leaderboard.cards.fields import Fields
from leaderboard.cards.hashing import verify_fingerprint, verify_run_card_hash
from leaderboard.cards.own_card import is_own_standard
from leaderboard.cards.parsed import Configuration, CorpusReference, Kind, ParsedOutput, ParsedRun, Seal, Totals
from leaderboard.cards.problems import Problems
from leaderboard.cards.results import parse_results
from leaderboard.cards.totals import totals_of
from leaderboard.scoring.tiers import Tier

REQUIRED = ("run_id", "harness_version", "timestamp", "model_slug", "condition")
REQUIRED_OF_DATASET = ("id", "version", "sha256")
# A plug-in has no prompt, so that its prompt and hash are empty.
REQUIRED_MAY_BE_EMPTY = ("system_prompt_sha256", "system_prompt_used")

RATES = (
    "exact_match_rate",
    "equivalent_match_rate",
    "fst_acceptance_rate",
    "morphological_accuracy",
    "morph_coverage",
    "semantic_score",
    "code_switching_rate",
    "hallucination_rate",
    "terminology_adherence",
    "style_consistency_rate",
    "composite",
)
OUT_OF_100 = ("chrf_plus_plus", "chrf_plain", "spbleu")
TIERS = tuple(tier.value for tier in Tier)
UNBOUNDED = ("ter", "length_ratio", "cost_adjusted")


def parse_card(card: dict[str, Any], *, sha256: str, rows: Any, problems: Problems) -> ParsedRun:
    """Return what a card says; what is wrong with it is noted in `problems`."""
    fields = Fields(card, "card", problems)
    dataset = fields.inner("dataset")
    _require(fields, dataset)
    outputs = _outputs(card, rows, problems)
    fingerprint, components, fingerprint_seal = verify_fingerprint(card, problems)
    run_card_seal = verify_run_card_hash(card, problems)
    claimed = _claimed(fields)
    return ParsedRun(
        kind=Kind.SEALED_CARD if card.get("results") is None else Kind.CARD,
        sha256=sha256,
        card=card,
        outputs=outputs,
        configuration=_configuration(fields),
        corpus=_corpus(dataset),
        claimed={} if run_card_seal is Seal.BROKEN else claimed,
        totals=_totals(fields, outputs, dataset.whole("entry_count")),
        fingerprint=fingerprint,
        fingerprint_components=components,
        fingerprint_seal=fingerprint_seal,
        run_card_hash=fields.text("run_card_hash"),
        run_card_seal=run_card_seal,
    )


def _require(fields: Fields, dataset: Fields) -> None:
    for name in REQUIRED:
        fields.require(name)
    for name in REQUIRED_MAY_BE_EMPTY:
        fields.require(name, empty_is_given=True)
    fields.require("temperature", null_is_given=True)
    for name in REQUIRED_OF_DATASET:
        dataset.require(name)


def _outputs(card: dict[str, Any], rows: Any, problems: Problems) -> tuple[ParsedOutput, ...]:
    if card.get("results") is not None:
        return parse_results(card["results"], problems)
    return () if rows is None else parse_results(rows, problems, label="row")


def _configuration(fields: Fields) -> Configuration:
    method = fields.inner("method_card")
    return Configuration(
        run_id=fields.text("run_id"),
        model=fields.text("model_slug"),
        condition=fields.text("condition"),
        temperature=number_text(fields.number("temperature")),
        system_prompt_sha256=fields.text("system_prompt_sha256"),
        system_prompt=fields.text("system_prompt_used"),
        batch_size=fields.whole("batch_size"),
        tools=fields.raw("tools_enabled"),
        coaching=fields.text("coaching_data_sha256"),
        api_provider=fields.text("api_provider"),
        harness_version=fields.any_text("harness_version"),
        timestamp=fields.any_text("timestamp"),
        method_name=method.text("name"),
        method_class=method.text("class"),
    )


def _corpus(dataset: Fields) -> CorpusReference:
    return CorpusReference(
        id=dataset.any_text("id"),
        version=dataset.any_text("version"),
        sha256=dataset.digest("sha256"),
        language_pair=dataset.any_text("language_pair"),
        entry_count=dataset.whole("entry_count"),
    )


def _claimed(fields: Fields) -> dict[str, Any]:
    scores = fields.inner("scores")
    found: dict[str, Any] = {name: scores.within(name, 0, 1) for name in RATES}
    found |= {name: scores.within(name, 0, 100) for name in OUT_OF_100}
    found |= {name: scores.number(name) for name in UNBOUNDED}
    found["corpus_bleu"] = fields.within("corpus_bleu", 0, 100)
    found["quality_tier"] = _tier(scores)
    _check_intervals(scores)
    found["scoring_profile"] = scores.text("scoring_profile")
    standard = scores.raw("scoring_standard")
    found["scoring_standard"] = standard if is_own_standard(standard) else None
    return {name: value for name, value in found.items() if value is not None}


def _tier(scores: Fields) -> str | None:
    tier = scores.text("quality_tier")
    if tier is None or tier in TIERS:
        return tier
    scores.note("unknown_tier", "quality_tier", tier, known=", ".join(TIERS))
    return None


def _check_intervals(scores: Fields) -> None:
    given = scores.raw("confidence_intervals")
    intervals = scores.inner("confidence_intervals")
    for name in given if isinstance(given, dict) else ():
        one = intervals.inner(name)
        low, high = one.number("ci_lower"), one.number("ci_upper")
        if low is not None and high is not None and low > high:
            one.note("interval_reversed", "ci_lower", low, high=high)


def _totals(fields: Fields, outputs: tuple[ParsedOutput, ...], entry_count: int | None) -> Totals:
    stated, scores = fields.inner("totals"), fields.inner("scores")
    if outputs:
        return totals_of(
            outputs,
            cost_usd=stated.number("total_cost_usd"),
            elapsed_s=fields.number("elapsed_seconds"),
            prompt_tokens=stated.number("prompt_tokens"),
            completion_tokens=stated.number("completion_tokens"),
        )
    return Totals(
        cost_usd=stated.number("total_cost_usd"),
        cost_per_entry_usd=stated.number("cost_per_entry_usd"),
        cost_per_source_character_usd=stated.number("cost_per_source_char"),
        mean_latency_s=scores.number("avg_latency_seconds"),
        median_latency_s=scores.number("median_latency_seconds"),
        p95_latency_s=scores.number("p95_latency_seconds"),
        elapsed_s=fields.number("elapsed_seconds"),
        prompt_tokens=stated.number("prompt_tokens"),
        completion_tokens=stated.number("completion_tokens"),
    )


def number_text(number: float | None) -> str | None:
    """Return a number as its document wrote it: `0` and `0.0` stay apart."""
    return None if number is None else repr(number)
