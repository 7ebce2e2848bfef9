"""Child processes that end with the tests, however those end."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path


class ServiceError(RuntimeError):
    """A service did not start; the message holds the end of its log."""


class ReservedPort:
    """A free loopback port, kept from other programs until the service takes it."""

    def __init__(self) -> None:
        self._socket = socket.socket()
        self._socket.bind(("127.0.0.1", 0))
        self.number: int = self._socket.getsockname()[1]

    def release(self) -> None:
        self._socket.close()


class OwnedProcess:
    """One process in its own group, with a log, told to end when its parent dies."""

    def __init__(
        self,
        command: list[str],
        *,
        log: Path,
        user: str | None = None,
        env: dict[str, str] | None = None,
        stop_signal: signal.Signals = signal.SIGTERM,
    ) -> None:
        self.log = log
        self.stop_signal = stop_signal
        with log.open("ab") as out:
            self.popen = subprocess.Popen(
                as_user(command, user, stop_signal),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                env=env,
                start_new_session=True,
            )

    @property
    def pid(self) -> int:
        return self.popen.pid

    def is_running(self) -> bool:
        return self.popen.poll() is None

    def wait_until(self, is_ready: Callable[[], bool], *, seconds: float = 30) -> None:
        """Return once ``is_ready()``.

        Raises:
            ServiceError: the process ended, or the time is over.
        """
        end = time.monotonic() + seconds
        while not is_ready():
            if not self.is_running():
                raise ServiceError(f"{self.popen.args} ended with {self.popen.returncode}:\n{self.log_tail()}")
            if time.monotonic() > end:
                self.stop()
                raise ServiceError(f"{self.popen.args} was not ready after {seconds} s:\n{self.log_tail()}")
            time.sleep(0.05)

    def log_tail(self, *, characters: int = 3000) -> str:
        return self.log.read_text(errors="replace")[-characters:]

    def stop(self, *, seconds: float = 10) -> None:
        """End the process kindly, then its whole group."""
        if self.is_running():
            self.popen.send_signal(self.stop_signal)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.popen.wait(timeout=seconds)
        self.kill()

    def kill(self) -> None:
        """SIGKILL to the process and everything it started, at once."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.popen.pid, signal.SIGKILL)
        self.popen.wait()


def as_user(command: list[str], user: str | None, stop_signal: signal.Signals) -> list[str]:
    """Prefix a command with ``setpriv``: another user, and the end of the child when its parent dies."""
    setpriv = shutil.which("setpriv")
    if not setpriv:
        if user:
            raise ServiceError("setpriv is missing: apt-get install util-linux")
        return command
    prefix = [setpriv, "--pdeathsig", stop_signal.name.removeprefix("SIG")]
    if user:
        prefix += [f"--reuid={user}", f"--regid={user}", "--clear-groups"]
    return [*prefix, "--", *command]
