"""A PostgreSQL of the tests' own: a fresh cluster in a temporary folder, thrown away afterwards."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

from .process import OwnedProcess, ReservedPort, ServiceError, as_user
from .programs import POSTGRESQL

#: Safe only because the data is thrown away.
FAST = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "max_connections": "300",
    "shared_buffers": "128MB",
    "autovacuum": "off",
}


class PostgresService:
    """One server on a loopback port; ``url`` is known before it starts."""

    def __init__(self) -> None:
        self._port = ReservedPort()
        self._process: OwnedProcess | None = None
        self._folder: Path | None = None

    @property
    def url(self) -> str:
        return f"postgres://champollion@127.0.0.1:{self._port.number}/champollion"

    def start(self) -> None:
        """Make the cluster and wait until it answers; a second call does nothing.

        Raises:
            ServiceError: with the end of the server's log.
        """
        if self._process:
            return
        postgres = POSTGRESQL.find()
        if postgres is None:
            raise ServiceError(f"PostgreSQL is missing: {POSTGRESQL.how_to_get}")
        postgres = postgres.resolve()  # a link on the path has no initdb beside it
        user = _unprivileged_user()
        self._folder = _folder_of(user)
        data = self._folder / "data"
        _init_cluster(postgres.parent / "initdb", data, user)
        self._port.release()
        options = [piece for name, value in FAST.items() for piece in ("-c", f"{name}={value}")]
        self._process = OwnedProcess(
            [
                str(postgres),
                "-D",
                str(data),
                "-p",
                str(self._port.number),
                "-h",
                "127.0.0.1",
                "-k",
                str(self._folder),
                *options,
            ],  # fmt: skip
            log=self._folder / "postgres.log",
            user=user,
            stop_signal=signal.SIGINT,  # PostgreSQL's "fast shutdown"
        )
        self._process.wait_until(lambda: self._answers(postgres.parent / "pg_isready"))

    def _answers(self, pg_isready: Path) -> bool:
        command = [str(pg_isready), "-q", "-h", "127.0.0.1", "-p", str(self._port.number)]
        return subprocess.run(command, check=False).returncode == 0

    def stop(self) -> None:
        if self._process:
            self._process.stop()
            self._process = None
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)


def _unprivileged_user() -> str | None:
    """Return the user to run as when we are root, which PostgreSQL refuses; None keeps ours."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


def _folder_of(user: str | None) -> Path:
    """Make a temporary folder that ``user`` owns."""
    folder = Path(tempfile.mkdtemp(prefix="champollion-postgres-"))
    if user:
        entry = pwd.getpwnam(user)
        os.chown(folder, entry.pw_uid, entry.pw_gid)
    return folder


def _init_cluster(initdb: Path, data: Path, user: str | None) -> None:
    command = [
        str(initdb), "-D", str(data), "-U", "champollion", "-A", "trust",
        "-E", "UTF8", "--locale=C.UTF-8", "--no-sync", "--no-instructions",
    ]  # fmt: skip
    done = subprocess.run(
        as_user(command, user, signal.SIGTERM), check=False, capture_output=True, text=True, cwd=data.parent
    )
    if done.returncode:
        raise ServiceError(f"initdb failed:\n{done.stdout}\n{done.stderr}")
