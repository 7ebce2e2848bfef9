"""What makes two runs runs of one method version. Source: SPEC L-1, R-3."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from champollion.common.canonical import canonical_sha256
from leaderboard.cards.parsed import Kind, ParsedRun

NOT_OF_THE_METHOD = frozenset({"dataset_sha256", "harness_version"})


@dataclass(frozen=True)
class MethodIdentity:
    """The components that identify a method version without a bundle, and their SHA-256."""

    components: dict[str, Any]
    sha256: str


def method_identity(parsed: ParsedRun, *, form: Mapping[str, Any] | None = None) -> MethodIdentity:
    """Return the identity of the method version that made a run.

    A card: its fingerprint's components other than dataset and harness version. A report: model, prompt version,
    coaching, tools, batch size and temperature. Plain outputs: the method's configuration as given in the form.
    """
    components = identity_components(parsed, form=form)
    return MethodIdentity(components=components, sha256=canonical_sha256(components))


def identity_components(parsed: ParsedRun, *, form: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the identity's components alone; see `method_identity`."""
    if parsed.kind in (Kind.CARD, Kind.SEALED_CARD):
        stated = parsed.fingerprint_components or {}
        return {name: value for name, value in stated.items() if name not in NOT_OF_THE_METHOD}
    if parsed.kind is Kind.OUTPUTS:
        return dict(form or {})
    configuration = parsed.configuration
    return {
        "model": configuration.model,
        "prompt_version": configuration.prompt_version,
        "coaching": configuration.coaching,
        "tools": configuration.tools,
        "batch_size": configuration.batch_size,
        "temperature": configuration.temperature,
    }
