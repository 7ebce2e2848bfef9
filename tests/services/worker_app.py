"""The product's Celery application, which says by a file when its worker takes tasks."""

from __future__ import annotations

import os
from pathlib import Path

import django
from celery.signals import worker_ready

from champollion.celery import app

django.setup()
__all__ = ["app"]

if size := os.environ.get("CHAMPOLLION_TEST_CHUNK_SIZE"):
    # Smaller slices, so that a real run of 200 outputs has a middle in which a worker can be killed.
    from leaderboard.services import scoring

    scoring.CHUNK_SIZE = int(size)


@worker_ready.connect
def say_ready(**_: object) -> None:
    """Touch the file that the test waits for."""
    Path(os.environ["CHAMPOLLION_WORKER_READY_FILE"]).touch()
