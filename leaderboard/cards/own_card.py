"""Our own sealed run card: its fingerprint, its fields, and the bytes, streamed. Source: SPEC R-8, §3, §3.8, §3.9.

The bytes are the canonical JSON of the card itself. `results` stands before `run_card_hash` in the order of keys, so a
card with a million results is sealed in one pass, and no more than one result of it is in memory.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from champollion.common.canonical import canonical_json
from leaderboard.cards.hashing import FIELD_OF_COMPONENT, LATER_FIELD_OF_COMPONENT, fingerprint_hash

SEAL = "run_card_hash"
RESULTS = "results"
OWN_STANDARD = "champollion/1"
"""`scores.scoring_standard` of our cards: figures counted by our own rule (SPEC M-2), not by a harness's."""


def is_own_standard(standard: Any) -> bool:
    """Say whether a card's figures are counted as we count them."""
    return isinstance(standard, str) and standard.startswith("champollion/")


def components_found(
    identity: Mapping[str, Any], *, fingerprint: str, harness_version: str, digests: Iterable[str]
) -> dict[str, Any] | None:
    """Return the components of a fingerprint that was handed in, or None where they cannot be told.

    A method version keeps all but two of them, and of those the corpus's digest is one of the `digests`. What gives the
    very fingerprint is what was hashed.
    """
    for digest in digests:
        components = {**identity, "dataset_sha256": digest, "harness_version": harness_version}
        if fingerprint and fingerprint_hash(components) == fingerprint:
            return components
    return None


def with_fingerprint(card: Mapping[str, Any], components: Mapping[str, Any]) -> dict[str, Any]:
    """Return the card with the fingerprint of these components, and its own fields as the components have them."""
    sealed = {name: dict(value) if isinstance(value, Mapping) else value for name, value in card.items()}
    for component, path in (FIELD_OF_COMPONENT | LATER_FIELD_OF_COMPONENT).items():
        if component in components:
            _put(sealed, path, components[component])
    block: dict[str, Any] = {"hash": fingerprint_hash(components), "components": dict(components)}
    if len(components) > len(FIELD_OF_COMPONENT):
        block["version"] = 2
    return {**sealed, "fingerprint": block}


def own_card_stream(card: Mapping[str, Any], results: Iterable[Mapping[str, Any]] | None) -> Iterator[bytes]:
    """Yield the canonical JSON of the card, its results taken one by one, with its seal.

    Args:
        card: every field but `results` and `run_card_hash`.
        results: None for a card of aggregates alone.
    """
    before = sorted([*(name for name in card if name < SEAL), *([] if results is None else [RESULTS])])
    digest = hashlib.sha256()
    for part in _fields(card, before, results):
        digest.update(part)
        yield part
    tail = b"".join(b", " + _field(name, card[name]) for name in sorted(name for name in card if name > SEAL)) + b"}"
    digest.update(_field(SEAL, "") + tail)
    yield _field(SEAL, digest.hexdigest()) + tail


def _fields(
    card: Mapping[str, Any], names: Iterable[str], results: Iterable[Mapping[str, Any]] | None
) -> Iterator[bytes]:
    yield b"{"
    for name in names:
        if name == RESULTS:
            yield canonical_json(RESULTS) + b": ["
            for number, result in enumerate(results or ()):
                yield (b", " if number else b"") + canonical_json(result)
            yield b"], "
        else:
            yield _field(name, card[name]) + b", "


def _field(name: str, value: Any) -> bytes:
    return canonical_json(name) + b": " + canonical_json(value)


def _put(card: dict[str, Any], path: tuple[str, ...], value: Any) -> None:
    *outer, last = path
    place = card
    for name in outer:
        if not isinstance(place.get(name), dict):
            place[name] = {}
        place = place[name]
    place[last] = value
