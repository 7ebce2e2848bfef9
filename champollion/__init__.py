"""Champollion: where a language community decides whether a translation method is deployable."""

from champollion.celery import app as celery_app

__all__ = ["celery_app"]
__version__ = "0.1.0"
