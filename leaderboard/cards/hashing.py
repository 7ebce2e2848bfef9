"""Hashes of run cards: the seal, the fingerprint of a set-up, the card's id. Source: SPEC R-3; 90-harness-facts 2."""

import uuid
from collections.abc import Mapping
from typing import Any

from champollion.common.canonical import canonical_json, canonical_sha256
from leaderboard.cards.parsed import Seal
from leaderboard.cards.problems import Problems, shown

# Component of the fingerprint to the path of the card's own field. Cards of later versions have more components, some
# of which the card states nowhere else.
FIELD_OF_COMPONENT: dict[str, tuple[str, ...]] = {
    "dataset_sha256": ("dataset", "sha256"),
    "model_slug": ("model_slug",),
    "condition": ("condition",),
    "system_prompt_sha256": ("system_prompt_sha256",),
    "temperature": ("temperature",),
    "batch_size": ("batch_size",),
    "tools_enabled": ("tools_enabled",),
    "harness_version": ("harness_version",),
}
LATER_FIELD_OF_COMPONENT: dict[str, tuple[str, ...]] = {
    "api_provider": ("api_provider",),
    "max_tokens": ("max_tokens",),
    "method_version": ("method_plugin", "version"),
    "method_sha256": ("method_plugin", "code_sha256"),
}
REDACTED = "[REDACTED"


def run_card_hash(card: Mapping[str, Any]) -> str:
    """Return the seal of a card: SHA-256 of its canonical JSON with `run_card_hash` set to ""."""
    return canonical_sha256({**card, "run_card_hash": ""})


def fingerprint_hash(components: Mapping[str, Any]) -> str:
    """Return the fingerprint of a set-up: SHA-256 of the canonical JSON of its components, whichever they are."""
    return canonical_sha256(dict(components))


def fingerprint_components(card: Mapping[str, Any]) -> dict[str, Any]:
    """Return the eight components of version 1 from the card's own fields."""
    return {component: _at(card, path) for component, path in FIELD_OF_COMPONENT.items()}


def card_id(fingerprint: str) -> uuid.UUID:
    """Return a card's id: UUIDv5 in the URL namespace of the fingerprint's 64 hex digits."""
    return uuid.uuid5(uuid.NAMESPACE_URL, fingerprint)


def seal_card(card: Mapping[str, Any]) -> dict[str, Any]:
    """Return the card with its `run_card_hash` set to its seal."""
    return {**card, "run_card_hash": run_card_hash(card)}


def verify_run_card_hash(card: Mapping[str, Any], problems: Problems) -> Seal:
    """Check the card's seal; a mismatch is a problem, except where the harness itself changed the card after sealing.

    Source: SPEC R-3; 90-harness-facts 1.9.
    """
    claimed = card.get("run_card_hash")
    if not claimed:
        return Seal.ABSENT
    computed = run_card_hash(card)
    if claimed == computed:
        return Seal.VERIFIED
    if _changed_by_harness(card):
        return Seal.BROKEN
    problems.add("hash_mismatch", "card", "run_card_hash", claimed, computed=computed)
    return Seal.BROKEN


def verify_fingerprint(card: Mapping[str, Any], problems: Problems) -> tuple[str | None, dict[str, Any] | None, Seal]:
    """Check the card's fingerprint and return (hash, components, seal); a card without one gets the eight of version 1.

    The hash is checked over the card's own components, then each component against the card's field. A fingerprint
    given as a bare hash is checked against the eight components.
    """
    block = card.get("fingerprint")
    if block is None:
        own = fingerprint_components(card)
        return fingerprint_hash(own), own, Seal.ABSENT
    if isinstance(block, str):
        block = {"hash": block, "components": fingerprint_components(card)}
    components = block.get("components") if isinstance(block, dict) else None
    if not isinstance(components, dict):
        problems.add("bad_fingerprint", "card", "fingerprint", block)
        return None, None, Seal.BROKEN
    computed = fingerprint_hash(components)
    if block.get("hash") != computed:
        problems.add("fingerprint_mismatch", "card", "fingerprint.hash", block.get("hash"), computed=computed)
    agrees = _check_components(card, components, problems)
    return computed, components, Seal.VERIFIED if agrees and block.get("hash") == computed else Seal.BROKEN


def _check_components(card: Mapping[str, Any], components: Mapping[str, Any], problems: Problems) -> bool:
    agrees = True
    for component, path in (FIELD_OF_COMPONENT | LATER_FIELD_OF_COMPONENT).items():
        place = f"fingerprint.components.{component}"
        if component not in components:
            if component in FIELD_OF_COMPONENT:
                problems.add("fingerprint_incomplete", "card", place)
                agrees = False
            continue
        # Compared as canonical JSON: 0 and 0.0, true and 1 are equal to Python and different to the hash.
        if canonical_json(components[component]) != canonical_json(_at(card, path)):
            problems.add(
                "fingerprint_disagrees", "card", place, components[component], field_value=shown(_at(card, path))
            )
            agrees = False
    return agrees


def _changed_by_harness(card: Mapping[str, Any]) -> bool:
    early = str(card.get("harness_version", "")).startswith("0.1.")
    redacted = str(card.get("system_prompt_used") or "").startswith(REDACTED)
    return early and (bool(card.get("method_card")) or redacted)


def _at(card: Mapping[str, Any], path: tuple[str, ...]) -> Any:
    value: Any = card
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value
