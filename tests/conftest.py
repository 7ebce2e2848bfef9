"""Fixtures for every test: the database's start, real input, a real worker, a browser."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import hypothesis
import kombu.pools
import pytest
from django.conf import settings
from django.db import connection
from django.test import TransactionTestCase

from champollion.audit import triggers

from .services import plugin
from .services.programs import CHROMIUM
from .services.worker import WorkerProcess, database_url
from .shared import SHARED_DATA, SHARED_SPEC

# Two busy cores make single examples slow; that is no finding.
hypothesis.settings.register_profile("champollion", deadline=None, print_blob=True)
hypothesis.settings.load_profile("champollion")


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """Start the database server when the first test asks for a database."""
    plugin.services.start_database()


@pytest.fixture(scope="session", autouse=True)
def _audit_log_gives_way_to_a_flush() -> Iterator[None]:
    """Drop the audit log's triggers around the flush that ends a transactional test, and nowhere else (SPEC S-9)."""
    flush = TransactionTestCase._fixture_teardown

    def flush_without_triggers(self: TransactionTestCase) -> None:
        if not settings.AUDIT_TRIGGERS_DROPPABLE:
            raise RuntimeError("only the tests' own database may be flushed")
        editor = SimpleNamespace(connection=connection)
        triggers.drop(None, editor)
        try:
            _empty_tables() if connection.vendor == "postgresql" else flush(self)
        finally:
            triggers.create(None, editor)

    TransactionTestCase._fixture_teardown = flush_without_triggers
    yield
    TransactionTestCase._fixture_teardown = flush


def _empty_tables() -> None:
    """Do what Django's flush does, fifty times as fast: DELETE instead of TRUNCATE, content types left as they are."""
    kept = {"django_content_type", "auth_permission"}
    names = connection.introspection.django_table_names(only_existing=True, include_views=False)
    statements = "; ".join(f"DELETE FROM {connection.ops.quote_name(name)}" for name in names if name not in kept)
    with connection.cursor() as cursor:
        # Foreign keys are not looked at: every table is emptied.
        cursor.execute(f"SET session_replication_role = replica; {statements}; SET session_replication_role = origin")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real input files; skips where it does not lie beside the repository."""
    if not SHARED_DATA.is_dir():
        pytest.skip("the real input files are missing (../shared/data beside the repository)")
    return SHARED_DATA


@pytest.fixture(scope="session")
def shared_spec() -> Path:
    """The folder of the specification; skips where it does not lie beside the repository."""
    if not SHARED_SPEC.is_dir():
        pytest.skip("the specification is missing (../shared/spec beside the repository)")
    return SHARED_SPEC


@pytest.fixture
def broker_url(settings) -> Iterator[str]:
    """Point the product's Celery application at an empty Redis database, tasks no longer run in the request."""
    import redis

    from champollion.celery import app

    url = plugin.redis_url()
    client = redis.Redis.from_url(url)
    client.flushdb()
    before = {name: app.conf[name] for name in ("broker_url", "broker_transport_options", "task_always_eager")}
    settings.CELERY_BROKER_URL = url
    settings.CELERY_TASK_ALWAYS_EAGER = False
    # Celery keeps its own copy of the settings and a pool of connections to the former broker.
    app.conf.update(broker_url=url, broker_transport_options={}, task_always_eager=False)
    _forget_connections(app)
    yield url
    app.conf.update(before)
    _forget_connections(app)
    client.flushdb()
    client.close()


def _forget_connections(app) -> None:
    kombu.pools.reset()
    app._pool = None
    app.amqp._producer_pool = None


@pytest.fixture
def worker_process(transactional_db: None, broker_url: str) -> Iterator[Callable[..., WorkerProcess]]:
    """Return a function that makes a worker process, with beat where asked; the test starts, kills and restarts it."""
    made: list[WorkerProcess] = []

    def make(*, beat: bool = False) -> WorkerProcess:
        worker = WorkerProcess(broker_url=broker_url, database=database_url(connection), beat=beat)
        made.append(worker)
        return worker

    yield make
    for worker in made:
        worker.close()


@pytest.fixture
def worker(worker_process: Callable[..., WorkerProcess]) -> WorkerProcess:
    """A running worker on Redis and the test database."""
    return worker_process().start()


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict) -> dict:
    """Start the system's Chromium: no sandbox as root, and nothing of its own on the network."""
    # The browser's event loop runs from here on, and the test database may be made only after it.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    flags = [
        "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
        "--disable-component-update", "--disable-sync", "--disable-default-apps",
    ]  # fmt: skip
    if os.geteuid() == 0:
        flags.append("--no-sandbox")
    return {**browser_type_launch_args, "executable_path": str(CHROMIUM.find()), "args": flags}


@pytest.fixture(autouse=True)
def _sync_browser_beside_the_database(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Playwright's synchronous API runs an event loop in this thread, which Django would take for asynchronous code."""
    if request.node.get_closest_marker("browser") or request.node.get_closest_marker("e2e"):
        monkeypatch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
