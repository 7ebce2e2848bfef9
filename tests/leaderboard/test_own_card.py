"""Our own sealed card: complete, sealed over its very bytes, and read back by our own intake (SPEC R-8, LAW-1)."""

import json
import uuid

import pytest

from champollion.common.canonical import canonical_json
from corpora import vault
from leaderboard.cards.hashing import run_card_hash
from leaderboard.cards.own_card import own_card_stream
from leaderboard.cards.parsed import Kind, Seal
from leaderboard.cards.reading import read_document
from leaderboard.models import Run, ScoreChunk, Standing
from leaderboard.models.standing import Claim
from leaderboard.people import human_evidence
from leaderboard.services.card_out import METHOD_CONFIG, run_card_stream
from leaderboard.services.standings import standing_promote, standing_set_claim

from .stage import corpus_document, good_outputs, held, report_document, table

# §3.1 to §3.7 of the source documents
TOP = ("run_id", "harness_version", "timestamp", "elapsed_seconds")
CONFIGURATION = (
    "model_slug", "model_id", "condition", "temperature", "system_prompt_sha256", "system_prompt_used",
    "coaching_data_sha256", "fst_version", "tools_enabled", "batch_size", "max_retries",
)  # fmt: skip
SCORES = (
    "total", "exact_matches", "exact_match_rate", "equivalent_matches", "equivalent_match_rate",
    "fst_acceptance_rate", "morphological_accuracy", "chrf_plus_plus", "semantic_score", "ter", "length_ratio",
    "code_switching_rate", "hallucination_rate", "terminology_adherence", "tokens_per_second", "entries_per_minute",
    "composite", "errors", "by_difficulty", "by_provenance", "by_domain", "avg_latency_seconds",
    "median_latency_seconds", "p95_latency_seconds",
)  # fmt: skip
TOTALS = (
    "prompt_tokens", "completion_tokens", "reasoning_tokens", "cached_tokens", "total_cost_usd", "cost_per_entry_usd",
    "cost_per_source_char",
)  # fmt: skip
RESULT = (
    "entry_id", "source", "expected", "raw_predicted", "predicted", "segment", "difficulty", "domain", "exact_match",
    "chrf_score", "bleu_score", "latency_s", "cost_usd", "tool_call_count", "error", "plugin_metrics", "fst_valid",
    "equivalent_match", "semantic_verdict", "code_switching_detected", "hallucination_detected",
)  # fmt: skip


def card_bytes(run: Run) -> bytes:
    return b"".join(run_card_stream(Run.objects.get(pk=run.pk)))


def scored(stage, document=None, **given) -> Run:
    version = stage.corpus()
    run = stage.receive(document or json.dumps(report_document()), version=version, **given).runs[0]
    run.refresh_from_db()
    return run


# The bytes


@pytest.mark.parametrize("results", [None, [], [{"entry_id": "1", "predicted": "é"}, {"entry_id": "2"}]])
def test_the_bytes_are_the_card_s_canonical_json_and_hold_its_seal(results):
    head = {"run_id": "r", "timestamp": "t", "scores": {"chrf_plus_plus": 80.0}, "dataset": {"id": "modèle"}}
    data = b"".join(own_card_stream(head, results))
    card = json.loads(data)
    assert data == canonical_json(card)
    assert card["run_card_hash"] == run_card_hash(card)
    assert card.get("results") == results


def test_results_are_taken_one_by_one():
    taken = []

    def results():
        for number in range(3):
            taken.append(number)
            yield {"entry_id": str(number)}

    stream = own_card_stream({"a": 1, "z": 2}, results())
    assert (next(stream), next(stream), taken) == (b"{", b'"a": 1, ', [])
    assert (next(stream), next(stream), taken) == (b'"results": [', b'{"entry_id": "0"}', [0])


# Complete


def test_every_field_of_section_3_is_there(stage):
    card = json.loads(card_bytes(scored(stage)))
    assert set(TOP) | set(CONFIGURATION) <= card.keys()
    assert uuid.UUID(card["run_id"])
    assert {"id", "version", "language_pair", "sha256", "entry_count"} <= card["dataset"].keys()
    assert set(SCORES) <= card["scores"].keys()
    assert set(TOTALS) <= card["totals"].keys()
    assert len(card["results"]) == 12
    assert all(set(RESULT) <= result.keys() for result in card["results"])
    assert len(card["fingerprint"]["components"]) == 8
    assert tuple(card["method_config"]) == tuple(sorted(METHOD_CONFIG))
    assert sorted(card["scores"]["by_domain"]) == ["tech", "ui"]
    assert [group["count"] for group in card["scores"]["by_difficulty"].values()] == [3, 3, 2, 2, 2]
    assert card["scores"]["by_provenance"]["corpus"]["count"] == 12
    assert card["scores"]["by_provenance"]["corpus"]["chrf_plus_plus"] == card["scores"]["chrf_plus_plus"] == 100.0
    assert "human_evidence" not in card


def test_what_was_not_stated_is_named_and_unknown_cost_is_null(stage):
    card = json.loads(card_bytes(scored(stage, table(good_outputs()))))
    assert card["totals"]["total_cost_usd"] is None
    assert {"timestamp", "harness_version", "temperature", "model"} <= set(card["not_stated"])
    assert card["temperature"] is None
    assert card["scores"]["scoring_standard"] == "champollion/1"


def test_an_entry_s_figures_stand_with_its_result(stage):
    outputs = {**good_outputs(wrong=1), "unit_2": "The unit sentence number 2"}
    first, second, third = json.loads(card_bytes(scored(stage, table(outputs))))["results"][:3]
    assert (first["exact_match"], third["exact_match"]) == (False, True)
    assert 0 < first["chrf_score"] < third["chrf_score"] == 100.0
    assert (second["code_switching_detected"], third["code_switching_detected"]) == (True, False)
    assert first["fst_valid"] is None


def test_a_missing_entry_has_no_result_and_is_counted(stage):
    outputs = good_outputs()
    del outputs["unit_3"]
    card = json.loads(card_bytes(scored(stage, table(outputs))))
    assert "unit_3" not in [result["entry_id"] for result in card["results"]]
    assert (card["scores"]["total"], card["scores"]["missing"], card["scores"]["evaluated"]) == (12, 1, 11)


def test_results_outlive_chunks_of_another_scorer_without_their_figures(stage):
    run = scored(stage)
    chunk = ScoreChunk.objects.get(run=run)
    chunk.content = vault.seal_bytes(run.corpus_version.corpus, b"champollion chunk 0\n")
    chunk.save()
    damaged = card_bytes(run)
    ScoreChunk.objects.all().delete()
    for data in (damaged, card_bytes(run)):
        card = json.loads(data)
        assert [result["chrf_score"] for result in card["results"]] == [None] * 12
        assert card["run_card_hash"] == run_card_hash(card)


# Read back


def test_our_card_is_read_back_verifies_and_its_tier_is_capped(stage):
    run = scored(stage)
    assert run.score_set.tier == "fluent"
    data = card_bytes(run)
    parsed = read_document(data)
    assert (parsed.kind, parsed.fingerprint_seal, parsed.run_card_seal) == (Kind.CARD, Seal.VERIFIED, Seal.VERIFIED)
    card = json.loads(data)
    assert card["method_config"]["qualityTier"] == card["scores"]["quality_tier"] == "functional"
    again = stage.receive(data, name="Read back").runs[0]
    again.refresh_from_db()
    assert (again.corpus_version, again.status) == (run.corpus_version, Run.Status.SCORED)
    assert again.score_set.composite == run.score_set.composite
    assert {row["verdict"] for row in again.claim_verdicts.values() if row["claimed"] is not None} == {"confirmed"}
    assert again.standings.get().public_tier == "functional"


def test_a_run_with_errors_is_read_back_by_our_own_counting(stage):
    document = report_document(entries={3: {"error": "timeout", "predicted": ""}})
    run = scored(stage, json.dumps(document))
    again = stage.receive(card_bytes(run), name="Read back").runs[0]
    again.refresh_from_db()
    assert again.score_set.composite == run.score_set.composite
    assert again.claim_verdicts["chrf_plus_plus"]["verdict"] == "confirmed"
    assert (
        again.claim_verdicts["chrf_plus_plus"]["ours"]
        == run.score_set.scores.get(cut="all", metric="chrf_plus_plus").value
    )


# Who sees what


def test_page_and_api_give_the_same_bytes(client, stage):
    run = scored(stage)
    page, api = client.get(f"/runs/{run.uid}/card.json"), client.get(f"/api/v1/runs/{run.uid}/card/")
    assert (page.status_code, api.status_code) == (200, 200)
    assert page.getvalue() == api.getvalue() == card_bytes(run)
    assert f'href="/runs/{run.uid}/card.json"' in client.get(f"/runs/{run.uid}/").content.decode()


def test_a_run_without_scores_of_ours_has_no_card(client, stage):
    run = stage.receive(json.dumps(report_document())).runs[0]
    client.force_login(stage.developer)
    assert client.get(f"/runs/{run.uid}/card.json").status_code == 404


def test_results_and_prompt_are_withheld_while_a_campaign_is_under_way(stage):
    run = scored(stage)
    standing_set_claim(run=run, claim=Claim.IN_REVIEW)
    card = json.loads(card_bytes(run))
    assert "results" not in card
    assert card["system_prompt_used"] == ""
    assert card["scores"]["composite"] == 1.0
    standing_set_claim(run=run, claim=Claim.NONE)
    assert len(json.loads(card_bytes(run))["results"]) == 12


def test_the_card_of_a_secret_segment_has_aggregates_alone_and_no_small_cell(stage):
    value = corpus_document()
    secret = corpus_document(count=12, segment="gold_standard")["entries"]
    for entry in secret:
        entry |= {"id": f"gold_{entry['id']}", "source": f"Hidden {entry['source']}"}
    value["entries"] += secret
    version = stage.store(value)
    outputs = {f"gold_{key}": text for key, text in good_outputs(wrong=2).items()}
    run = stage.receive(table(outputs), actor=stage.steward, held=held(), version=version).runs[0]
    data = card_bytes(run)
    card = json.loads(data)
    assert b"Hidden" not in data
    assert b"Dyma" not in data
    assert "results" not in card
    assert card["dataset"]["sha256"] == version.public_sha256 != version.sha256
    assert version.sha256.encode() not in data
    assert card["scores"]["by_difficulty"] == {}
    assert card["scores"]["by_provenance"] == {}
    assert card["scores"]["chrf_plus_plus"] > 0


# People


def promoted(run: Run, **human) -> Standing:
    return standing_promote(
        method_version=run.method_version,
        corpus_version=run.corpus_version,
        segment=run.segment,
        run=run,
        tier="deployable",
        is_override=False,
        has_one_signature=False,
        verification=False,
        verified_by="Unit council",
        evidence="e" * 64,
        human={"share": 0.8125, "low": 0.7, "high": 0.9, "rating_count": 32, "verdict": "met", **human},
    )


def test_an_approved_method_exports_what_people_said_and_its_approved_tier(stage):
    run = scored(stage)
    promoted(run)
    card = json.loads(card_bytes(run))
    assert card["method_config"]["qualityTier"] == card["scores"]["quality_tier"] == "deployable"
    assert card["human_evidence"]["class"] == "speaker"
    assert card["human_evidence"]["share"] == 0.8125
    assert card["human_evidence"].keys() == {"class", "share", "n", "reviewers"}
    again = stage.receive(json.dumps(card, ensure_ascii=False), name="Read back").runs[0]
    again.refresh_from_db()
    assert again.standings.get().public_tier == "functional"
    assert again.claim_verdicts["quality_tier"]["verdict"] == "not_recomputable"


def test_ratings_that_a_program_made_up_are_no_speakers(stage):
    assert human_evidence(promoted(scored(stage), is_generated=True))["class"] == "generated"


def test_without_an_approval_there_is_no_human_evidence(stage):
    run = scored(stage)
    assert human_evidence(run.standings.get()) is None
    assert human_evidence(None) is None
