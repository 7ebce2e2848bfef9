"""What a language brings to scoring beside its texts: analyser, glossaries, plug-ins, and what is recorded of them.

`LanguageFacts` says what there is, as plain values for the scoring key and the stored score set. `Tools` are the live
handles that a worker opens for it (`leaderboard.plugins.opening`); a metric that finds its handle lacking is null.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from leaderboard.metrics.glossary import Glossary
from leaderboard.metrics.variants import VariantClasses

Analyse = Callable[[Sequence[str]], Sequence[tuple[str, ...]]]
"""Words to their analyses, such as `atim+N+Sg`; none for a word that the analyser does not know."""


class FailureKind(IntEnum):
    """How a tool failed at an entry; the number lies in the metric's statistics."""

    NONE = 0
    RAISED = 1
    HUNG = 2
    DIED = 3
    NONSENSE = 4


class ToolFailure(Exception):
    """A tool that raised, hung, died or answered nonsense. Holds no text of an entry."""

    def __init__(self, kind: FailureKind, *, tool: str, error: str = "") -> None:
        self.kind = kind
        self.tool = tool
        self.error = error
        super().__init__(f"{tool}: {kind.name.lower()}{f' ({error})' if error else ''}")


@dataclass(frozen=True)
class Tools:
    """Live handles; None where a language has none. Each call may raise ToolFailure.

    `is_equivalent` and `verdict` take source, output and references; `similarity` takes output and references and
    returns 0-1; `count_terms` takes source and output and returns terms kept and terms present. `variants` knows the
    company of entries with a variant class; who makes the pairs asks it.
    """

    analyse: Analyse | None = None
    is_equivalent: Callable[[str, str, Sequence[str]], bool] | None = None
    verdict: Callable[[str, str, Sequence[str]], str] | None = None
    similarity: Callable[[str, Sequence[str]], float] | None = None
    count_terms: Callable[[str, str], tuple[int, int]] | None = None
    glossary: Glossary | None = None
    own_glossary: Glossary | None = None
    variants: VariantClasses | None = None


@dataclass(frozen=True)
class ToolFacts:
    """What is recorded of a tool.

    `kind` is `hfst` or `plugin`, `name` says whose it is (a file, or a package with its entry point), `version` as its
    maker gives it, `sha256` that of the file, empty for a plug-in.
    """

    kind: str
    name: str
    version: str = ""
    sha256: str = ""

    def to_dict(self) -> dict[str, str]:
        """Return a JSON-serialisable form."""
        return {"kind": self.kind, "name": self.name, "version": self.version, "sha256": self.sha256}

    @classmethod
    def from_dict(cls, data: Mapping[str, str]) -> "ToolFacts":
        """Read what `to_dict` wrote."""
        return cls(**data)


_TOOLS = ("analyser", "equivalence", "semantic", "embedding", "terminology", "glossary", "own_glossary")


@dataclass(frozen=True)
class LanguageFacts:
    """What language and corpus version bring, the same for each chunk of a run.

    `has_variants`: an entry of the segment has variants or a variant class; `has_gold_analyses`: one has a gold
    analysis. `problems` is metric to a code that says why a tool that was set up is not used.
    """

    has_variants: bool = False
    has_gold_analyses: bool = False
    analyser: ToolFacts | None = None
    equivalence: ToolFacts | None = None
    semantic: ToolFacts | None = None
    embedding: ToolFacts | None = None
    terminology: ToolFacts | None = None
    glossary: ToolFacts | None = None
    own_glossary: ToolFacts | None = None
    problems: Mapping[str, str] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-serialisable form; tools that there are not are left out."""
        tools = {name: getattr(self, name).to_dict() for name in _TOOLS if getattr(self, name) is not None}
        return {
            "has_variants": self.has_variants,
            "has_gold_analyses": self.has_gold_analyses,
            "tools": tools,
            "problems": dict(self.problems),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "LanguageFacts":
        """Read what `to_dict` wrote."""
        return cls(
            has_variants=data["has_variants"],
            has_gold_analyses=data["has_gold_analyses"],
            problems=dict(data["problems"]),
            **{name: ToolFacts.from_dict(facts) for name, facts in data["tools"].items()},
        )
