"""The process in which one tool lives: reads requests as JSON lines, answers on another line, writes nothing else.

Started by `hosted.HostedTool`; runs as `python -m leaderboard.plugins.host`.
"""

import inspect
import json
import os
import resource
import signal
import sys
from collections.abc import Callable, Mapping
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, BinaryIO

Ask = Callable[[Mapping[str, Any]], Any]


def main() -> None:
    """Open the tool that the first line names, then answer line by line until the input ends."""
    answers = _answers_alone()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    opening = json.loads(sys.stdin.buffer.readline() or b"{}")
    if opening.get("memory"):
        resource.setrlimit(resource.RLIMIT_AS, (opening["memory"], opening["memory"]))
    # Whatever the tool does, it ends with its time: an alarm that nobody handles ends the process.
    signal.setitimer(signal.ITIMER_REAL, opening["start_limit"])
    try:
        ask = _open(opening)
    except BaseException as error:
        _answer(answers, {"error": type(error).__name__})
        return
    _answer(answers, {"value": None})
    for line in sys.stdin.buffer:
        signal.setitimer(signal.ITIMER_REAL, opening["answer_limit"])
        try:
            answer = {"value": ask(json.loads(line))}
        except Exception as error:
            answer = {"error": type(error).__name__}
        signal.setitimer(signal.ITIMER_REAL, 0)
        _answer(answers, answer)


def _answers_alone() -> BinaryIO:
    """Return the way out for answers; what the tool prints, which may hold text of entries, goes nowhere."""
    answers = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    return answers


def _answer(answers: BinaryIO, value: Mapping[str, Any]) -> None:
    try:
        line = json.dumps(value)
    except (TypeError, ValueError, RecursionError):
        line = json.dumps({"nonsense": True})
    answers.write(line.encode() + b"\n")
    answers.flush()


def _open(opening: Mapping[str, Any]) -> Ask:
    if opening["kind"] == "hfst":
        from leaderboard.plugins.hfst import HfstAnalyser

        return _asks_analyser(HfstAnalyser(Path(opening["path"])))
    tool = _load(opening)
    if opening["kind"] == "embedding":
        model = tool(Path(opening["path"]))
        return lambda request: [[float(one) for one in vector] for vector in model.embed(request["texts"])]
    if inspect.isclass(tool):
        tool = tool()
    return _ASKS[opening["method"]](tool)


def _load(opening: Mapping[str, Any]) -> Any:
    found = entry_points(group=opening["group"], name=opening["name"])
    chosen = [one for one in found if one.dist is not None and one.dist.name == opening["package"]]
    return chosen[0].load()


def _asks_analyser(tool: Any) -> Ask:
    return lambda request: [[str(one) for one in tool.analyses(word)] for word in request["words"]]


def _asks_equivalence(tool: Any) -> Ask:
    return lambda request: tool.is_equivalent(**request)


def _asks_semantic(tool: Any) -> Ask:
    return lambda request: tool.verdict(**request)


def _asks_terminology(tool: Any) -> Ask:
    return lambda request: list(tool.terms(**request))


_ASKS: Mapping[str, Callable[[Any], Ask]] = {
    "analyses": _asks_analyser,
    "is_equivalent": _asks_equivalence,
    "verdict": _asks_semantic,
    "terms": _asks_terminology,
}

if __name__ == "__main__":
    main()
