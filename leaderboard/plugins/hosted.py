"""A tool in a process of its own, as its user sees it: a question, an answer, or a failure with the tool's name.

The process gets neither the environment nor the settings of the installation. It is ended when it takes too long, and
when its user is done.
"""

import contextlib
import json
import os
import selectors
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from leaderboard.metrics.tools import FailureKind, ToolFailure

_READ_SIZE = 1 << 16
#: After so many processes that hung or died nobody starts another: the metric is null anyway.
STARTS_AT_MOST = 3
ANSWER_LIMIT_BYTES = 16_000_000
MEMORY_LIMIT = 4_000_000_000  # bytes, for analysers: a file of 300 MB needs less


@dataclass(frozen=True)
class Limits:
    """Seconds that a tool has to start and to answer one question."""

    start: float = 120.0
    answer: float = 20.0


class HostedTool:
    """One tool. Not started before the first question; one question at a time."""

    def __init__(self, opening: Mapping[str, Any], *, name: str, limits: Limits | None = None) -> None:
        """Take what the host has to open and the name by which failures are reported."""
        self.name = name
        self._limits = limits or Limits()
        self._opening = opening
        self._process: subprocess.Popen[bytes] | None = None
        self._starts = 0
        self._given_up: ToolFailure | None = None
        self._lock = threading.Lock()

    def ask(self, **request: Any) -> Any:
        """Return the tool's answer, as JSON gives it.

        Raises ToolFailure where it raises, hangs, dies or answers what is no JSON. After it raised, it can be asked on;
        where it could not be started, or hung or died three times, every further question fails at once.
        """
        with self._lock:
            if self._given_up is not None:
                raise self._given_up
            if self._process is None:
                self._start()
            return self._exchange(request, self._limits.answer)

    def close(self) -> None:
        """End the process."""
        with self._lock:
            self._end()

    def _start(self) -> None:
        self._starts += 1
        self._process = subprocess.Popen(  # our own module, by our own interpreter
            [sys.executable, "-m", "leaderboard.plugins.host"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            env=_environment(),
            start_new_session=True,
        )
        # The process ends itself a little later than its user would, should the user be gone.
        limits = {"start_limit": self._limits.start + 5, "answer_limit": self._limits.answer + 5}
        try:
            self._exchange({**self._opening, **limits}, self._limits.start)
        except ToolFailure as failure:
            self._end()
            self._given_up = failure
            raise

    def _exchange(self, request: Mapping[str, Any], limit: float) -> Any:
        try:
            line = self._line(json.dumps(request).encode() + b"\n", deadline=time.monotonic() + limit)
        except ToolFailure as failure:
            self._end()
            if self._starts >= STARTS_AT_MOST:
                self._given_up = failure
            raise
        try:
            answer = json.loads(line)
            if "error" in answer:
                raise ToolFailure(FailureKind.RAISED, tool=self.name, error=str(answer["error"]))
            return answer["value"]
        except (ValueError, TypeError, KeyError) as error:
            raise self.nonsense() from error

    def nonsense(self) -> ToolFailure:
        """Return the failure of a tool whose answer is not of the kind that was asked for."""
        return ToolFailure(FailureKind.NONSENSE, tool=self.name)

    def _line(self, data: bytes, *, deadline: float) -> bytes:
        """Write a line and read one, both within the time: a tool that hangs reads nothing either."""
        process = self._process
        assert process is not None and process.stdin is not None and process.stdout is not None  # noqa: S101
        received = bytearray()
        with selectors.DefaultSelector() as selector:
            os.set_blocking(process.stdin.fileno(), False)
            selector.register(process.stdin, selectors.EVENT_WRITE)
            selector.register(process.stdout, selectors.EVENT_READ)
            while not received.endswith(b"\n"):
                ready = selector.select(max(0.0, deadline - time.monotonic()))
                if not ready:
                    raise ToolFailure(FailureKind.HUNG, tool=self.name)
                if len(received) > ANSWER_LIMIT_BYTES:
                    raise self.nonsense()
                for key, _events in ready:
                    if key.fileobj is process.stdin:
                        data = self._written(process, data)
                        if not data:
                            selector.unregister(process.stdin)
                    else:
                        received += self._read(process)
        return bytes(received)

    def _written(self, process: subprocess.Popen[bytes], data: bytes) -> bytes:
        try:
            return data[os.write(process.stdin.fileno(), data) :]  # type: ignore[union-attr]
        except BlockingIOError:
            return data
        except OSError as error:
            raise ToolFailure(FailureKind.DIED, tool=self.name) from error

    def _read(self, process: subprocess.Popen[bytes]) -> bytes:
        piece = os.read(process.stdout.fileno(), _READ_SIZE)  # type: ignore[union-attr]
        if not piece:
            raise ToolFailure(FailureKind.DIED, tool=self.name)
        return piece

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        process.wait()


def _environment() -> dict[str, str]:
    """Return all that the process gets to know: where modules lie, and that text is UTF-8."""
    places = [str(Path(__file__).resolve().parents[2]), *filter(None, sys.path)]
    return {"PYTHONPATH": os.pathsep.join(places), "PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8"}
