"""A Redis of the tests' own, in memory only."""

from __future__ import annotations

import shutil
import socket
import tempfile
from pathlib import Path

from .process import OwnedProcess, ReservedPort, ServiceError
from .programs import REDIS


class RedisService:
    """One server on a loopback port; ``url(database)`` is known before it starts."""

    def __init__(self) -> None:
        self._port = ReservedPort()
        self._process: OwnedProcess | None = None
        self._folder: Path | None = None

    def url(self, database: int = 0) -> str:
        return f"redis://127.0.0.1:{self._port.number}/{database}"

    def start(self) -> None:
        """Start and wait until it answers; a second call does nothing.

        Raises:
            ServiceError: with the end of the server's log.
        """
        if self._process:
            return
        program = REDIS.find()
        if program is None:
            raise ServiceError(f"Redis is missing: {REDIS.how_to_get}")
        self._folder = Path(tempfile.mkdtemp(prefix="champollion-redis-"))
        self._port.release()
        self._process = OwnedProcess(
            [
                str(program),
                "--port",
                str(self._port.number),
                "--bind",
                "127.0.0.1",
                "--save",
                "",
                "--appendonly",
                "no",
                "--databases",
                "64",
                "--dir",
                str(self._folder),
            ],  # fmt: skip
            log=self._folder / "redis.log",
        )
        self._process.wait_until(self.answers)

    def answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self._port.number), timeout=1) as connection:
                connection.sendall(b"PING\r\n")
                return connection.recv(16).startswith(b"+PONG")
        except OSError:
            return False

    def stop(self) -> None:
        if self._process:
            self._process.stop()
            self._process = None
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)
