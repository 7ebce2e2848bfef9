"""Stop a worker at a chosen line: another transaction holds what it is about to write, so it waits in the database."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from django.db import connection

from tests.services.worker import WorkerProcess

from .site import until

_WAITING = (
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    " AND pid <> pg_backend_pid()"
)


@contextmanager
def held(statement: str, values: Sequence[Any] = ()) -> Iterator[None]:
    """Run a statement in a transaction of its own, keep what it locks, and roll it back at the end."""
    other = connection.copy()
    other.set_autocommit(False)
    try:
        with other.cursor() as cursor:
            cursor.execute(statement, values)
        yield
    finally:
        other.rollback()
        other.close()


def wait_for_the_worker() -> None:
    """Return once a connection waits for what is held."""
    until(_waiting, what="a worker that waits for a lock")


def cut_power(worker: WorkerProcess) -> None:
    """SIGKILL the worker, and take its connection too: what it was about to write is never written."""
    worker.kill()
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT pg_terminate_backend(pid) FROM ({_WAITING}) waiting")
    until(lambda: not _waiting(), what="the end of the killed worker's connection")


def _waiting() -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(_WAITING)
        return cursor.fetchall()
