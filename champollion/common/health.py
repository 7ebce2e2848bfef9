"""What an operator can get wrong: one check per part of the installation (SPEC I-5 ``doctor``, Q-2).

Each check returns a ``Finding`` and changes nothing lasting. A part that a later release adds registers a check of
its own with ``@check``; ``findings()`` runs them all, and one that raises is a finding, not a crash.
"""

from __future__ import annotations

import dataclasses
import enum
import secrets
from collections.abc import Callable, Collection
from datetime import datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.core import mail
from django.core.cache import cache
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from champollion.celery import app
from champollion.common.models import Heartbeat, Job

#: Beat sends a heartbeat every 20 s; three missed ones count as silence.
SILENT_AFTER = timedelta(seconds=75)
#: A job that nobody took for so long is stuck.
STUCK_AFTER = timedelta(minutes=5)
#: What must be well for the installation to do its work.
READINESS = frozenset({"database", "migrations", "broker", "worker"})
CLOCK_TOLERANCE = timedelta(seconds=5)
SECRET_KEY_LENGTH = 50


class Level(enum.StrEnum):
    OK = "ok"
    WARNING = "warning"
    PROBLEM = "problem"


@dataclasses.dataclass(frozen=True)
class Finding:
    """How a part is: ``message`` says it in a sentence, ``remedy`` what to do about it."""

    name: str
    level: Level
    message: str
    remedy: str = ""


Check = Callable[[], Finding]
_CHECKS: dict[str, Check] = {}


def check(name: str) -> Callable[[Check], Check]:
    """Register a check under the name of the part that it looks at."""

    def register(function: Check) -> Check:
        _CHECKS[name] = function
        return function

    return register


def findings(names: Collection[str] | None = None) -> list[Finding]:
    """Run every check, or the named ones, in the order of registration."""
    return [_run(name, function) for name, function in _CHECKS.items() if names is None or name in names]


def _run(name: str, function: Check) -> Finding:
    try:
        return function()
    except Exception as error:  # a check that cannot run is what the operator asked about
        return Finding(name, Level.PROBLEM, f"{type(error).__name__}: {_first_line(error)}")


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0] if str(error).strip() else ""


@check("database")
def database() -> Finding:
    """The database answers; SQLite serves one web process only."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    processes = int(getattr(settings, "WEB_PROCESSES", 1))
    if connection.vendor == "sqlite" and processes > 1:
        return Finding(
            "database",
            Level.PROBLEM,
            _("SQLite with %(count)s web processes loses writes.") % {"count": processes},
            _("Set CHAMPOLLION_WEB_PROCESSES=1, or DATABASE_URL to a PostgreSQL."),
        )
    return Finding("database", Level.OK, _("%(vendor)s answers.") % {"vendor": connection.display_name})


@check("migrations")
def migrations() -> Finding:
    """Every migration of the code is applied."""
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if plan:
        message = ngettext(
            "%(count)s migration is not applied: %(name)s.",
            "%(count)s migrations are not applied, first %(name)s.",
            len(plan),
        )
        values = {"count": len(plan), "name": plan[0][0]}
        return Finding("migrations", Level.PROBLEM, message % values, "manage.py migrate")
    return Finding("migrations", Level.OK, _("All applied."))


@check("secret_key")
def secret_key() -> Finding:
    """The key that signs sessions is long and not one of the development settings'."""
    key = str(settings.SECRET_KEY)
    if key.endswith("only-not-secret") or len(key) < SECRET_KEY_LENGTH:
        level = Level.WARNING if settings.DEBUG or settings.DEMO else Level.PROBLEM
        return Finding(
            "secret_key",
            level,
            _("CHAMPOLLION_SECRET_KEY is short or publicly known."),
            _("Set it to %(count)s random characters or more.") % {"count": SECRET_KEY_LENGTH},
        )
    return Finding("secret_key", Level.OK, _("Long and private."))


@check("broker")
def broker() -> Finding:
    """The broker takes a connection. Where it does not, work waits in the database."""
    if app.conf.task_always_eager:
        return Finding("broker", Level.WARNING, _("No broker: tasks run inside the request."), "CELERY_BROKER_URL")
    with app.connection_for_write() as link:
        try:
            link.ensure_connection(max_retries=1, interval_start=0, timeout=3)
        except Exception as error:  # every transport raises its own
            message = _("%(url)s does not answer (%(error)s); work waits in the database.")
            url, kind = link.as_uri(), type(error).__name__
            return Finding("broker", Level.PROBLEM, message % {"url": url, "error": kind}, _("Start the broker."))
        return Finding("broker", Level.OK, _("%(url)s answers.") % {"url": link.as_uri()})


@check("worker")
def worker() -> Finding:
    """A worker has done a task lately. Its heartbeat is a task that beat sends, so silence can be beat's fault."""
    if app.conf.task_always_eager:
        return Finding("worker", Level.WARNING, _("Tasks run inside the request; no worker is asked for."))
    silence = _silence_of("worker")
    if silence is not None and silence <= SILENT_AFTER:
        return Finding("worker", Level.OK, _("Seen %(seconds)s s ago.") % {"seconds": int(silence.total_seconds())})
    if _workers_that_answer():
        return Finding("worker", Level.OK, _("Answers, though beat has not asked for a heartbeat."))
    return Finding(
        "worker",
        Level.PROBLEM,
        _never_or_ago(silence),
        "celery -A champollion worker -Q default,scoring,review,sandbox",
    )


@check("beat")
def beat() -> Finding:
    """Beat sends the periodic tasks: the heartbeat that a worker did lately is one of them."""
    if app.conf.task_always_eager:
        return Finding("beat", Level.WARNING, _("No periodic tasks run with these settings."))
    silence = _silence_of("worker")
    if silence is not None and silence <= SILENT_AFTER:
        return Finding("beat", Level.OK, _("Periodic tasks run."))
    if _workers_that_answer():
        return Finding("beat", Level.PROBLEM, _never_or_ago(silence), "celery -A champollion beat")
    return Finding("beat", Level.WARNING, _("Cannot be told while no worker runs."), "celery -A champollion beat")


@check("jobs")
def jobs() -> Finding:
    """No work waits for longer than the sweeper and a worker need."""
    waiting = Job.objects.filter(status=Job.Status.QUEUED, created_at__lt=timezone.now() - STUCK_AFTER).count()
    failed = Job.objects.filter(status=Job.Status.FAILED).count()
    if waiting:
        message = ngettext(
            "%(count)s job has waited for more than %(minutes)s minutes.",
            "%(count)s jobs have waited for more than %(minutes)s minutes.",
            waiting,
        )
        values = {"count": waiting, "minutes": int(STUCK_AFTER.total_seconds() // 60)}
        return Finding("jobs", Level.PROBLEM, message % values, _("Look at broker, worker and beat."))
    if failed:
        message = ngettext("%(count)s job failed.", "%(count)s jobs failed.", failed) % {"count": failed}
        return Finding("jobs", Level.WARNING, message, _("See their reasons."))
    return Finding("jobs", Level.OK, _("None waits."))


def _silence_of(name: str) -> timedelta | None:
    """How long ago a part was seen; None if it never was."""
    seen_at = Heartbeat.objects.filter(name=name).values_list("seen_at", flat=True).first()
    return timezone.now() - seen_at if seen_at else None


def _never_or_ago(silence: timedelta | None) -> str:
    if silence is None:
        return _("Never seen: it is stopped or was never started.")
    return _("Last seen %(minutes)s minutes ago: it is stopped.") % {"minutes": int(silence.total_seconds() // 60)}


def _workers_that_answer() -> list[str]:
    """Ask the workers themselves; a broker in a file cannot carry the question."""
    if not str(app.conf.broker_url).startswith(("redis", "rediss", "amqp")):
        return []
    try:
        return sorted(app.control.inspect(timeout=1.5).ping() or {})
    except Exception:  # the broker's own check says what is wrong with it
        return []


@check("mail")
def send_mail() -> Finding:
    """The mail server takes a connection; a backend that sends nothing is no fault in the demo."""
    backend = settings.EMAIL_BACKEND.rsplit(".", 2)[-2]
    if backend != "smtp":
        level = Level.OK if settings.DEMO or settings.DEBUG else Level.WARNING
        return Finding(
            "mail", level, _("Mail is not sent, it goes to: %(backend)s.") % {"backend": backend}, "EMAIL_URL"
        )
    server = f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT}"
    link = mail.get_connection(timeout=5)
    try:
        link.open()
    except OSError as error:
        message = _("%(server)s does not take mail (%(error)s).") % {"server": server, "error": type(error).__name__}
        return Finding("mail", Level.PROBLEM, message, "EMAIL_URL")
    link.close()
    return Finding("mail", Level.OK, _("%(server)s answers.") % {"server": server})


@check("static_files")
def static_files() -> Finding:
    """The collected files that pages link to by a hash of their content are there."""
    if "Manifest" not in settings.STORAGES["staticfiles"]["BACKEND"]:
        return Finding("static_files", Level.OK, _("Served from the source folders."))
    manifest = Path(settings.STATIC_ROOT) / "staticfiles.json"
    if not manifest.exists():
        return Finding("static_files", Level.PROBLEM, _("Not collected."), "manage.py collectstatic --no-input")
    return Finding("static_files", Level.OK, _("Collected in %(folder)s.") % {"folder": settings.STATIC_ROOT})


@check("cache")
def shared_cache() -> Finding:
    """The cache keeps what it is given, and every process sees the same one: rate limits live in it."""
    token = secrets.token_hex(8)
    try:
        cache.set("doctor", token, timeout=30)
        kept = cache.get("doctor") == token
    except Exception as error:  # every backend raises its own
        message = _("The cache does not answer (%(error)s).") % {"error": type(error).__name__}
        return Finding("cache", Level.PROBLEM, message, "CACHE_URL; manage.py createcachetable")
    backend = settings.CACHES["default"]["BACKEND"].rsplit(".", 1)[-1]
    if not kept:
        return Finding("cache", Level.PROBLEM, _("%(backend)s keeps nothing.") % {"backend": backend}, "CACHE_URL")
    if backend == "LocMemCache":
        return Finding(
            "cache", Level.PROBLEM, _("Each process has a cache of its own; limits do not hold."), "CACHE_URL"
        )
    return Finding("cache", Level.OK, _("%(backend)s, shared.") % {"backend": backend})


@check("clock")
def clock() -> Finding:
    """This machine's clock agrees with the database's and has not run backwards past what is recorded."""
    now = timezone.now()
    newest = Job.objects.order_by("-created_at").values_list("created_at", flat=True).first()
    if newest and newest - now > CLOCK_TOLERANCE:
        return Finding("clock", Level.PROBLEM, _("The clock is behind the newest record."), _("Synchronise the clock."))
    difference = abs(_database_now() - timezone.now())
    if difference > CLOCK_TOLERANCE:
        message = _("%(seconds)s s apart from the database's clock.") % {"seconds": int(difference.total_seconds())}
        return Finding("clock", Level.PROBLEM, message, _("Synchronise both clocks."))
    return Finding("clock", Level.OK, now.isoformat(timespec="seconds"))


def _database_now() -> datetime:
    """The database's own time; SQLite has none but ours."""
    if connection.vendor != "postgresql":
        return timezone.now()
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        return cursor.fetchone()[0]
