"""A database for a load test: a PostgreSQL of its own, gone afterwards. What is written there is generated and says so.

Nothing of it is a corpus, and no figure made of it is a result about a method.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tests.services.postgres import PostgresService
from tests.services.redis import RedisService

if TYPE_CHECKING:
    from champollion.accounts.models import Organisation
    from corpora.models import CorpusVersion

MARK = "load test"
"""Every name of what is written holds it."""


@contextmanager
def throwaway(*, broker: bool = False) -> Iterator[str]:
    """Start the servers, set Django up and migrate; gives the broker's address, "" without one.

    Django's settings are read here, so models are imported inside of it only.
    """
    postgres, redis = PostgresService(), RedisService()
    try:
        postgres.start()
        _database_make(postgres.url)
        os.environ |= {"DJANGO_SETTINGS_MODULE": "champollion.settings.test", "DATABASE_URL": postgres.url}
        os.environ.pop("CELERY_BROKER_URL", None)
        if broker:
            redis.start()
            os.environ["CELERY_BROKER_URL"] = redis.url()
        _set_up()
        yield redis.url() if broker else ""
    finally:
        _close()
        redis.stop()
        postgres.stop()


def _database_make(url: str) -> None:
    import psycopg

    server, _slash, name = url.rpartition("/")
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        connection.execute(psycopg.sql.SQL("CREATE DATABASE {}").format(psycopg.sql.Identifier(name)))


def _set_up() -> None:
    import django
    from django.core.management import call_command
    from django.test.utils import setup_test_environment

    django.setup()
    setup_test_environment(debug=False)
    call_command("migrate", verbosity=0)


def _close() -> None:
    from django.conf import settings
    from django.db import connections

    if settings.configured:
        connections.close_all()


def analyse() -> None:
    """Let PostgreSQL count what was written; the tests' server has no autovacuum."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def organisation_make(language: str) -> Organisation:
    """Write an organisation that is a load test."""
    from champollion.accounts.services.organisations import organisation_create

    return organisation_create(actor=None, name=f"Organisation of a {MARK}", slug="load-test", languages=[language])


def corpus_make(organisation: Organisation, *, count: int, language: str) -> CorpusVersion:
    """Write a version whose entries say what they are: rows alone, since the figure is not the importer's."""
    from django.utils import timezone

    from corpora.models import Corpus, CorpusVersion

    corpus = Corpus.objects.create(
        corpus_id="load-test", organisation=organisation, source_language="en", target_language=language
    )
    return CorpusVersion.objects.create(
        corpus=corpus,
        version="1.0",
        order_key="1.0",
        sha256="0" * 64,
        canonical_sha256="0" * 64,
        license="none: generated for a load test, no corpus",
        created_as_given="2026-11-30",
        source_format="json",
        entry_count=count,
        attested_by_name=f"nobody: {MARK}",
        attested_at=timezone.now(),
    )


def percentile(seconds: Sequence[float], share: float) -> str:
    """Return a percentile in milliseconds, as it is printed."""
    return f"{1000 * float(np.quantile(seconds, share)):.0f} ms"


def peak_memory(pid: int) -> int:
    """Return the highest resident memory that a process had, in MB; 0 where the system does not say."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    for line in status.splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) // 1024
    return 0
