"""From what is recorded of a language's tools to handles that answer. A worker opens them once per scoring."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from leaderboard.metrics.glossary import Glossary
from leaderboard.metrics.semantic import cosine
from leaderboard.metrics.tools import LanguageFacts, ToolFacts, Tools
from leaderboard.metrics.variants import VariantClasses
from leaderboard.plugins.hosted import MEMORY_LIMIT, HostedTool, Limits
from leaderboard.plugins.protocols import Group

#: Words whose analyses are kept: most words come again.
WORDS_KEPT = 200_000


@dataclass(frozen=True)
class Places:
    """Where a worker finds what the facts only name: analyser file, model folder, glossaries, variant classes."""

    analyser: Path | None = None
    embedding: Path | None = None
    glossary: Glossary | None = None
    own_glossary: Glossary | None = None
    variants: VariantClasses | None = None


@contextmanager
def tools_open(facts: LanguageFacts, places: Places | None = None, *, limits: Limits | None = None) -> Iterator[Tools]:
    """Give handles for the tools that `facts` name, and end their processes afterwards. Nothing starts before use."""
    where = places or Places()
    with ExitStack() as stack:

        def host(opening: dict[str, Any], tool: ToolFacts) -> HostedTool:
            hosted = HostedTool(opening, name=tool.name, limits=limits)
            stack.callback(hosted.close)
            return hosted

        yield Tools(
            analyse=_analyser(facts.analyser, where.analyser, host),
            is_equivalent=_asks(facts.equivalence, Group.EQUIVALENCE, "is_equivalent", host, _is_equivalent),
            verdict=_asks(facts.semantic, Group.SEMANTIC, "verdict", host, _verdict),
            similarity=_embedding(facts.embedding, where.embedding, host),
            count_terms=_asks(facts.terminology, Group.TERMINOLOGY, "terms", host, _terms),
            glossary=where.glossary,
            own_glossary=where.own_glossary,
            variants=where.variants,
        )


Host = Callable[[dict[str, Any], ToolFacts], HostedTool]


def _plugin(tool: ToolFacts, group: Group, method: str) -> dict[str, Any]:
    package, _colon, name = tool.name.partition(":")
    return {"kind": "plugin", "group": group.value, "package": package, "name": name, "method": method}


def _asks(
    tool: ToolFacts | None, group: Group, method: str, host: Host, ask: Callable[..., Any]
) -> Callable[..., Any] | None:
    return partial(ask, host(_plugin(tool, group, method), tool)) if tool else None


def _analyser(tool: ToolFacts | None, path: Path | None, host: Host) -> Callable[..., Any] | None:
    if tool is None:
        return None
    if tool.kind == "plugin":
        return _Analyses(host(_plugin(tool, Group.ANALYSER, "analyses"), tool))
    return _Analyses(host({"kind": "hfst", "path": str(path), "memory": MEMORY_LIMIT}, tool))


def _embedding(tool: ToolFacts | None, folder: Path | None, host: Host) -> Callable[..., Any] | None:
    if tool is None:
        return None
    opening = {**_plugin(tool, Group.EMBEDDING, "embed"), "kind": "embedding", "path": str(folder)}
    return partial(_similarity, host(opening, tool))


class _Analyses:
    """The analyses of words, each asked for once while it is remembered."""

    def __init__(self, hosted: HostedTool) -> None:
        self._hosted = hosted
        self._known: dict[str, tuple[str, ...]] = {}

    def __call__(self, words: Sequence[str]) -> list[tuple[str, ...]]:
        unknown = list(dict.fromkeys(word for word in words if word not in self._known))
        if unknown:
            if len(self._known) + len(unknown) > WORDS_KEPT:
                self._known.clear()
                unknown = list(dict.fromkeys(words))
            self._known.update(zip(unknown, self._ask(unknown), strict=True))
        return [self._known[word] for word in words]

    def _ask(self, words: list[str]) -> list[tuple[str, ...]]:
        answer = self._hosted.ask(words=words)
        if not isinstance(answer, list) or len(answer) != len(words):
            raise self._hosted.nonsense()
        return [tuple(found) for found in answer]


def _is_equivalent(hosted: HostedTool, source: str, output: str, references: Sequence[str]) -> bool:
    answer = hosted.ask(source=source, output=output, references=list(references))
    if not isinstance(answer, bool):
        raise hosted.nonsense()
    return answer


def _verdict(hosted: HostedTool, source: str, output: str, references: Sequence[str]) -> str:
    answer = hosted.ask(source=source, output=output, references=list(references))
    if not isinstance(answer, str):
        raise hosted.nonsense()
    return answer


def _terms(hosted: HostedTool, source: str, output: str) -> tuple[int, int]:
    answer = hosted.ask(source=source, output=output)
    if not isinstance(answer, list) or len(answer) != 2 or not all(type(one) is int for one in answer):
        raise hosted.nonsense()
    kept, present = answer
    if not 0 <= kept <= present:
        raise hosted.nonsense()
    return kept, present


def _similarity(hosted: HostedTool, output: str, references: Sequence[str]) -> float:
    vectors = hosted.ask(texts=[output, *references])
    if not isinstance(vectors, list) or len(vectors) != 1 + len(references):
        raise hosted.nonsense()
    try:
        return max((cosine(vectors[0], other) for other in vectors[1:]), default=0.0)
    except (TypeError, ValueError) as error:
        raise hosted.nonsense() from error
