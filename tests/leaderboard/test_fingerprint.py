"""Fingerprint, seal and card id against reference digests. Source: SPEC R-3; 90-harness-facts 2, 13.2."""

import copy
import json

import pytest

from champollion.common.canonical import canonical_json, sha256_hex
from leaderboard.cards.hashing import (
    card_id,
    fingerprint_components,
    fingerprint_hash,
    run_card_hash,
    seal_card,
    verify_fingerprint,
    verify_run_card_hash,
)
from leaderboard.cards.parsed import Seal
from leaderboard.cards.problems import Problems
from tests.shared import SHARED_DATA

CARDS = sorted((SHARED_DATA / "harness").glob("*/*/run_card.json"))
REQUESTS = SHARED_DATA / "harness" / "http" / "requests.jsonl"
needs_data = pytest.mark.skipif(not CARDS, reason="../shared/data is not here")

COMPONENTS = {
    "dataset_sha256": "a" * 64,
    "model_slug": "google/gemini-2.5-pro",
    "condition": "coached",
    "system_prompt_sha256": "b" * 64,
    "temperature": 0.3,
    "batch_size": 1,
    "tools_enabled": False,
    "harness_version": "0.1.1",
}
SMALL = {
    "run_id": "r1",
    "scores": {"composite": 0.7429, "chrf_plus_plus": 80.0, "ter": None},
    "model_slug": "modèle",
    "run_card_hash": "whatever stood here",
}


def real_card():
    return json.loads((SHARED_DATA / "harness/0.1.1/llm_coached/run_card.json").read_text(encoding="utf-8"))


def verdict(card):
    problems = Problems()
    seals = (verify_fingerprint(card, problems)[2], verify_run_card_hash(card, problems))
    return seals, list(problems)


@pytest.mark.parametrize(
    ("change", "digest"),
    [
        ({}, "86bd5e60957371fafa50acc8f7e19a0a514164a29e4bd0b3760b4e7aa50c1979"),
        ({"temperature": 0.0}, "1cd389c64ca24b08998b9c9266c18c54eaf9ffad85ae9c725cfc61a46a061090"),
        ({"temperature": 0}, "72b4dd21e1b56b5a5b04c3d4b0def3e1df7c109f17f489534c2b28a69aaaf703"),
        ({"temperature": None}, "d1cb74be960b7efb325c557e46917d0eb5f31aa8913c5a459c67c387302dc9f1"),
        ({"tools_enabled": []}, "5926979a9169883316129a6f44dbd5bcd5223a1dad7415132260997e2ee966f7"),
        ({"tools_enabled": True}, "5d3acfd2f3680cc81f2782ab937ced03d99437745a76146b23217a75e5219d00"),
        ({"model_slug": "modèle-é"}, "0adda77387ddded5b330b60e201c2dddefe2faee1ee08d363571e64694533a72"),
    ],
)
def test_fingerprint_gives_the_reference_digests(change, digest):
    assert fingerprint_hash(COMPONENTS | change) == digest


def test_card_id_is_uuid5_of_the_fingerprint():
    digest = "86bd5e60957371fafa50acc8f7e19a0a514164a29e4bd0b3760b4e7aa50c1979"
    assert str(card_id(digest)) == "cc48ac87-d85f-54f3-a63e-0a123fe3ca89"


def test_another_corpus_gives_another_fingerprint():
    assert fingerprint_hash(COMPONENTS) != fingerprint_hash(COMPONENTS | {"dataset_sha256": "c" * 64})


def test_run_card_hash_is_the_right_one_of_five_recipes():
    right = "0b2916d6809b1a6fe93900ad577194c99a6105757ecb5c1b95be2eec70ec58a6"
    blanked = {**SMALL, "run_card_hash": ""}
    without = {name: value for name, value in SMALL.items() if name != "run_card_hash"}
    rounded = {**blanked, "scores": {"composite": 0.7429, "chrf_plus_plus": 80, "ter": None}}
    compact = json.dumps(blanked, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()
    assert run_card_hash(SMALL) == right
    assert sha256_hex(canonical_json(rounded)) == "65afc15fb65b6fca0908de44221b6279d56aaaf8eadae20f725e70d70a0c161c"
    assert (
        sha256_hex(json.dumps(blanked, sort_keys=True).encode())
        == "4ef65b73f84ec6008c5678f28eb6bb5f04a44b6f7fcbdd834e602b5d036a4555"
    )
    assert sha256_hex(compact) == "ad9a34a31bbb726791fdd4b65320dae0a32315561b892803c2254a114b92ce77"
    assert sha256_hex(canonical_json(without)) == "64038d9b00e1eed3ee0a4db5014b3bee6b25c53fcca585a0cb668dc3f3891aad"


def test_sealing_again_changes_nothing():
    assert seal_card(seal_card(SMALL)) == seal_card(SMALL)


@needs_data
@pytest.mark.parametrize("path", CARDS, ids=lambda path: "/".join(path.parts[-3:-1]))
def test_every_real_card_verifies(path):
    card = json.loads(path.read_text(encoding="utf-8"))
    assert verdict(card) == ((Seal.VERIFIED, Seal.VERIFIED), [])


@needs_data
def test_every_card_on_the_wire_verifies():
    seen = 0
    for line in REQUESTS.read_text(encoding="utf-8").splitlines():
        body = json.loads(line)["body"]
        row = body.get("run_card_row", body) if isinstance(body, dict) else {}
        if "run_card" in row:
            assert verdict(row["run_card"]) == ((Seal.VERIFIED, Seal.VERIFIED), [])
            assert str(card_id(row["run_card"]["fingerprint"]["hash"])) == row["id"]
            seen += 1
    assert seen == 4


@needs_data
def test_reference_digests_of_the_real_plug_in_card():
    card = json.loads((SHARED_DATA / "harness/0.1.1/corpus_gt/run_card.json").read_text(encoding="utf-8"))
    digest = fingerprint_hash(fingerprint_components(card))
    assert digest == "0cc15cc8be749bf96137d546b6c6990b413df0e6e1a8dd372a2ceccd9b09cda7"
    assert str(card_id(digest)) == "a39f60f4-3550-5866-b91e-bedd2013967a"


@needs_data
@pytest.mark.parametrize("path", ["scores.chrf_plus_plus", "totals.prompt_tokens", "dataset.version"])
def test_any_change_after_sealing_is_a_mismatch(path):
    card = real_card()
    block, name = path.split(".")
    card[block][name] = "99.9"
    seals, problems = verdict(card)
    assert seals[1] is Seal.BROKEN
    assert [(problem.code, problem.field) for problem in problems] == [("hash_mismatch", "run_card_hash")]


@needs_data
@pytest.mark.parametrize("change", [{"method_card": {"name": "later"}}, {"system_prompt_used": "[REDACTED --x]"}])
def test_a_card_that_its_harness_changed_after_sealing_is_kept_with_a_broken_seal(change):
    seals, problems = verdict(real_card() | change)
    assert (seals[1], problems) == (Seal.BROKEN, [])


@needs_data
def test_a_later_harness_has_no_such_excuse():
    card = json.loads((SHARED_DATA / "harness/0.4.0/flaky/run_card.json").read_text(encoding="utf-8"))
    card["method_card"] = {"name": "later"}
    assert [problem.code for problem in verdict(card)[1]] == ["hash_mismatch"]


@needs_data
def test_components_that_disagree_with_the_card_are_named():
    card = real_card()
    card["temperature"] = 0
    card["model_slug"] = "another/model"
    _seals, problems = verdict(seal_card(card))
    assert sorted((problem.code, problem.field) for problem in problems) == [
        ("fingerprint_disagrees", "fingerprint.components.model_slug"),
        ("fingerprint_disagrees", "fingerprint.components.temperature"),
    ]
    assert "another/model" in " ".join(problem.remedy for problem in problems)


@needs_data
def test_a_changed_component_breaks_the_fingerprint():
    card = copy.deepcopy(real_card())
    card["fingerprint"]["components"]["batch_size"] = 2
    codes = {problem.code for problem in verdict(seal_card(card))[1]}
    assert codes == {"fingerprint_mismatch", "fingerprint_disagrees"}


@needs_data
def test_a_component_that_is_lacking_is_named():
    card = real_card()
    del card["fingerprint"]["components"]["condition"]
    card["fingerprint"]["hash"] = fingerprint_hash(card["fingerprint"]["components"])
    assert [problem.field for problem in verdict(seal_card(card))[1]] == ["fingerprint.components.condition"]


@needs_data
def test_later_components_are_checked_too_where_the_card_states_them():
    card = json.loads((SHARED_DATA / "harness/0.4.0/flaky/run_card.json").read_text(encoding="utf-8"))
    card["max_tokens"] = 1
    assert [problem.field for problem in verdict(seal_card(card))[1]] == ["fingerprint.components.max_tokens"]


@needs_data
def test_a_card_without_hashes_is_accepted_and_gets_the_eight_components():
    card = real_card()
    expected = card["fingerprint"]["hash"]
    del card["fingerprint"], card["run_card_hash"]
    problems = Problems()
    digest, components, seal = verify_fingerprint(card, problems)
    assert (digest, seal, list(problems)) == (expected, Seal.ABSENT, [])
    assert len(components) == 8
    assert verify_run_card_hash(card, problems) is Seal.ABSENT


@needs_data
def test_a_bare_fingerprint_is_checked_against_the_fields():
    card = real_card()
    assert verify_fingerprint({**card, "fingerprint": card["fingerprint"]["hash"]}, Problems())[2] is Seal.VERIFIED
    problems = Problems()
    verify_fingerprint({**card, "fingerprint": "0" * 64}, problems)
    assert [problem.code for problem in problems] == ["fingerprint_mismatch"]
