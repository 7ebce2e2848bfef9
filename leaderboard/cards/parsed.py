"""What a run's document says, once read: configuration, outputs, claims, totals, seals. Nothing is computed here."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Kind(StrEnum):
    """What a document is, told by its content. Source: SPEC R-1."""

    CARD = "card"  # a run card with results[]
    SEALED_CARD = "sealed_card"  # as the harness seals it: its outputs, if any, come as per-entry rows
    REPORT = "report"  # a harness test report, or its run log
    OUTPUTS = "outputs"  # plain outputs


class Seal(StrEnum):
    """What became of checking a hash."""

    ABSENT = "absent"
    VERIFIED = "verified"
    BROKEN = "broken"  # of a 0.1.x card that its own harness changed after sealing: kept, its claims not shown


@dataclass(frozen=True, slots=True)
class ParsedOutput:
    """What a method predicted for one entry, and what the document says of it; None is “not stated”.

    `entry_id` is a text, "" where outputs come one a line. `predicted` is stored exactly as given. `error` is the
    harness's message, None without an error. Latency in seconds, cost in USD, `difficulty` 1-5.
    """

    entry_id: str
    predicted: str
    place: str
    source: str | None = None
    expected: str | None = None
    error: str | None = None
    latency_s: float | None = None
    cost_usd: float | None = None
    difficulty: int | None = None
    domain: str | None = None
    segment: str | None = None
    prompt_tokens: float | None = None
    completion_tokens: float | None = None


@dataclass(frozen=True, slots=True)
class Configuration:
    """How the run was set up, as stated; None is “not stated”. `temperature` keeps the number's text form."""

    run_id: str | None = None
    model: str | None = None
    condition: str | None = None
    temperature: str | None = None
    prompt_version: str | None = None
    system_prompt_sha256: str | None = None
    system_prompt: str | None = None
    batch_size: int | None = None
    tools: Any = None
    coaching: str | None = None
    api_provider: str | None = None
    harness_version: str | None = None
    timestamp: str | None = None
    method_name: str | None = None
    method_class: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-serialisable form."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class CorpusReference:
    """What the document says of its corpus: id, version, digest; `hint` is a file name that proves nothing."""

    id: str | None = None
    version: str | None = None
    sha256: str | None = None
    language_pair: str | None = None
    entry_count: int | None = None
    hint: str | None = None


@dataclass(frozen=True, slots=True)
class Totals:
    """Cost and speed. None is unknown and never 0; a free run is 0. USD and seconds. Source: SPEC R-6."""

    cost_usd: float | None = None
    cost_per_entry_usd: float | None = None
    cost_per_source_character_usd: float | None = None
    mean_latency_s: float | None = None
    median_latency_s: float | None = None
    p95_latency_s: float | None = None
    elapsed_s: float | None = None
    prompt_tokens: float | None = None
    completion_tokens: float | None = None

    def to_dict(self) -> dict[str, float | None]:
        """Return a JSON-serialisable form."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True)
class ParsedRun:
    """A document that can be taken as a run.

    `sha256` is over the bytes as received. `card` is the card or report object as parsed, None for plain outputs.
    `outputs` is empty for a card without rows: such a run is “claimed, not recomputed”. `claimed` is metric to figure
    as claimed, empty where the seal is broken. `identity` is what makes two runs runs of one method version.
    """

    kind: Kind
    sha256: str
    card: dict[str, Any] | None
    outputs: tuple[ParsedOutput, ...]
    configuration: Configuration
    corpus: CorpusReference
    claimed: dict[str, Any] = field(default_factory=dict)
    totals: Totals = field(default_factory=Totals)
    fingerprint: str | None = None
    fingerprint_components: dict[str, Any] | None = None
    fingerprint_seal: Seal = Seal.ABSENT
    run_card_hash: str | None = None
    run_card_seal: Seal = Seal.ABSENT
    file_name: str = ""

    @property
    def names_entries(self) -> bool:
        """Whether outputs carry entry ids; if not, they come one a line in the corpus's order."""
        return all(output.entry_id for output in self.outputs)
