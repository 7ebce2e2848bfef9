"""The programs outside Python that tests use: where they are looked for and how to get them."""

from __future__ import annotations

import functools
import shutil
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Program:
    """A program that some tests need."""

    name: str
    commands: tuple[str, ...]
    how_to_get: str
    folders: tuple[str, ...] = ()

    def find(self) -> Path | None:
        """Return the first of ``commands`` found on the path or in ``folders``, newest version first."""
        return _find(self)


@functools.cache
def _find(program: Program) -> Path | None:
    for command in program.commands:
        found = shutil.which(command)
        if found:
            return Path(found)
        for pattern in program.folders:
            matches = sorted(Path("/").glob(f"{pattern.lstrip('/')}/{command}"), key=_version, reverse=True)
            if matches:
                return matches[0]
    return None


def _version(path: Path) -> tuple[int, ...]:
    return tuple(int(part) for piece in path.parts for part in piece.split(".") if part.isdigit())


POSTGRESQL = Program(
    "PostgreSQL", ("postgres",), "apt-get install postgresql", folders=("/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin")
)
REDIS = Program("Redis", ("redis-server", "valkey-server"), "apt-get install redis-server")
CHROMIUM = Program("Chromium", ("chromium", "chromium-browser", "google-chrome"), "apt-get install chromium")

#: marker -> what a test with it needs
NEEDS: dict[str, tuple[Program, ...]] = {
    "browser": (CHROMIUM,),
    "worker": (REDIS,),
    "redis": (REDIS,),
    "postgres": (POSTGRESQL,),
    "concurrency": (POSTGRESQL,),
    "e2e": (CHROMIUM, REDIS, POSTGRESQL),
}
