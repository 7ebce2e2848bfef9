"""A real Celery worker process on the tests' Redis and on the test database."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from .process import OwnedProcess

ROOT = Path(__file__).resolve().parents[2]
QUEUES = "default,scoring,review,sandbox"


def database_url(connection: Any) -> str:
    """Return the URL under which another process reaches the database of a Django connection."""
    settings = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{settings['NAME']}"
    return f"postgres://{settings['USER']}@{settings['HOST']}:{settings['PORT']}/{settings['NAME']}"


class WorkerProcess:
    """A worker that a test starts, kills and starts again.

    Args:
        broker_url: the Redis database that belongs to this test process alone.
        database: what ``database_url`` returned.
        beat: run the periodic tasks too.
    """

    def __init__(self, *, broker_url: str, database: str, beat: bool = False) -> None:
        self.broker_url = broker_url
        self._folder = Path(tempfile.mkdtemp(prefix="champollion-worker-"))
        self._beat = beat
        self._env = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "champollion.settings.test",
            "CELERY_BROKER_URL": broker_url,
            "DATABASE_URL": database,
            "PYTHONPATH": str(ROOT),
        }
        self._process: OwnedProcess | None = None

    def start(self) -> WorkerProcess:
        """Start and wait until the worker takes tasks."""
        ready = self._folder / "ready"
        ready.unlink(missing_ok=True)
        self._env["CHAMPOLLION_WORKER_READY_FILE"] = str(ready)
        command = [
            sys.executable, "-m", "celery", "-A", "tests.services.worker_app", "worker", "-Q", QUEUES,
            "--pool", "prefork", "--concurrency", "1", "--loglevel", "INFO", "--without-gossip", "--without-mingle",
        ]  # fmt: skip
        if self._beat:
            command += ["-B", "-s", str(self._folder / "beat")]
        self._process = OwnedProcess(command, log=self._folder / "worker.log", env=self._env)
        self._process.wait_until(ready.exists, seconds=60)
        return self

    @property
    def pid(self) -> int:
        """The process that has the pool; 0 where none runs."""
        return self._process.pid if self._process else 0

    @property
    def log(self) -> str:
        """Everything the worker has written."""
        path = self._folder / "worker.log"
        return path.read_text(errors="replace") if path.exists() else ""

    def kill(self) -> None:
        """SIGKILL the worker and its children: what a power cut does."""
        if self._process:
            self._process.kill()
            self._process = None

    def stop(self) -> None:
        """Let the worker finish its task and end."""
        if self._process:
            self._process.stop()
            self._process = None

    def close(self) -> None:
        """End it, and print the end of its log: shown where the test failed."""
        self.stop()
        print(self.log[-3000:])
        shutil.rmtree(self._folder, ignore_errors=True)
