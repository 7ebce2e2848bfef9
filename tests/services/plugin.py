"""Pytest plug-in: databases and brokers for the tests, and the account of what was missing.

It is loaded by ``-p`` in pyproject.toml, since the settings are read before any conftest. The address of the PostgreSQL
is decided here at once; the server starts when a test first needs it, or, with several processes, before they start.

CHAMPOLLION_TEST_DATABASE: unset takes PostgreSQL where there is one; ``sqlite`` takes a SQLite file; anything else is
the URL of a server that runs already. REQUIRE_ALL=1 turns each skip into a failure, but for tests/exemptions.txt.
"""

from __future__ import annotations

import fnmatch
import os
import shutil
import tempfile
from collections import Counter
from pathlib import Path

import pytest

from .postgres import PostgresService
from .programs import NEEDS, POSTGRESQL, Program
from .redis import RedisService

EXEMPTIONS = Path(__file__).resolve().parents[1] / "exemptions.txt"
IS_XDIST_WORKER = "PYTEST_XDIST_WORKER" in os.environ


class Services:
    """What this run started; the processes of xdist find the addresses in the environment."""

    def __init__(self) -> None:
        self.postgres: PostgresService | None = None
        self.redis: RedisService | None = None
        self._folder: str | None = None
        if not IS_XDIST_WORKER:
            self._choose_database(os.environ.get("CHAMPOLLION_TEST_DATABASE", ""))

    def _choose_database(self, wish: str) -> None:
        os.environ.pop("CELERY_BROKER_URL", None)
        os.environ.pop("CHAMPOLLION_TEST_REDIS", None)
        if wish and wish != "sqlite":
            os.environ["DATABASE_URL"] = wish
        elif not wish and POSTGRESQL.find():
            self.postgres = PostgresService()
            os.environ["DATABASE_URL"] = self.postgres.url
        else:
            os.environ.pop("DATABASE_URL", None)
            self._folder = tempfile.mkdtemp(prefix="champollion-sqlite-")
            os.environ["CHAMPOLLION_TEST_SQLITE_FILE"] = str(Path(self._folder) / "test.sqlite3")

    def start_database(self) -> None:
        if self.postgres:
            self.postgres.start()

    def start_redis(self) -> None:
        if "CHAMPOLLION_TEST_REDIS" not in os.environ and _found("worker"):
            self.redis = RedisService()
            self.redis.start()
            os.environ["CHAMPOLLION_TEST_REDIS"] = self.redis.url().rsplit("/", 1)[0]

    def stop(self) -> None:
        for service in (self.postgres, self.redis):
            if service:
                service.stop()
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)


services = Services()


def on_postgres() -> bool:
    """Say whether the tests of this run use PostgreSQL."""
    return os.environ.get("DATABASE_URL", "").startswith(("postgres", "psql"))


def redis_url() -> str:
    """Return the URL of a Redis database that this test process has for itself."""
    services.start_redis()
    number = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    return f"{os.environ['CHAMPOLLION_TEST_REDIS']}/{number}"


def _found(marker: str) -> bool:
    return all(program.find() for program in NEEDS[marker])


def _missing(item: pytest.Item) -> Program | None:
    """Return the first program that a test needs and that is not there, or not used in this run."""
    for marker, programs in NEEDS.items():
        if item.get_closest_marker(marker) is None:
            continue
        for program in programs:
            if program.find() is None or (program is POSTGRESQL and not _database_suits(item)):
                return program
    return None


def _database_suits(item: pytest.Item) -> bool:
    return on_postgres() or item.get_closest_marker("sqlite") is not None


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    is_controller = not IS_XDIST_WORKER and getattr(session.config.option, "numprocesses", None)
    if is_controller and not session.config.option.collectonly:
        services.start_database()
        services.start_redis()


def pytest_unconfigure(config: pytest.Config) -> None:
    if not IS_XDIST_WORKER:
        services.stop()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    program = _missing(item)
    if program:
        pytest.skip(f"{program.name} is missing ({program.how_to_get})")


def exemptions(path: Path = EXEMPTIONS) -> dict[str, str]:
    """Read ``pattern: reason`` lines; the pattern is a test id with ``*`` and ``?``.

    Raises:
        ValueError: a line without a reason.
    """
    found: dict[str, str] = {}
    for line in path.read_text().splitlines() if path.exists() else []:
        if not line.strip() or line.startswith("#"):
            continue
        pattern, _, reason = line.partition(": ")
        if not reason.strip():
            raise ValueError(f"{path.name}: {line!r} gives no reason")
        found[pattern.strip()] = reason.strip()
    return found


def is_exempt(node_id: str, patterns: dict[str, str]) -> bool:
    return any(fnmatch.fnmatchcase(node_id, pattern) for pattern in patterns)


def _refuse_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    """Turn a skip into a failure where everything is asked for."""
    if os.environ.get("REQUIRE_ALL") != "1" or not report.skipped or hasattr(report, "wasxfail"):
        return
    if is_exempt(report.nodeid, exemptions()):
        return
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    report.outcome = "failed"
    report.longrepr = f"REQUIRE_ALL=1 allows no skip. {reason}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    _refuse_skip(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    report = yield
    _refuse_skip(report)
    return report


def pytest_terminal_summary(terminalreporter) -> None:
    """Name what was missing and how to get it."""
    reasons: Counter[str] = Counter()
    for report in terminalreporter.stats.get("skipped", []):
        if isinstance(report.longrepr, tuple):
            reasons[report.longrepr[2].removeprefix("Skipped: ")] += 1
    if reasons:
        terminalreporter.section("Not tested here")
        for reason, count in sorted(reasons.items()):
            terminalreporter.write_line(f"{count:4d} skipped: {reason}")


def pytest_report_header(config: pytest.Config) -> str:
    if IS_XDIST_WORKER:
        return ""
    return f"database: {'PostgreSQL' if on_postgres() else 'SQLite'}"
