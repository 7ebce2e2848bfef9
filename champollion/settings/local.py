"""A developer's machine: SQLite, mail on the console, tasks in the request."""

from .base import *

DEBUG = True
SECRET_KEY = SECRET_KEY or "local-only-not-secret"
ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]"]
SECOND_FACTOR_REQUIRED = False
CELERY_TASK_ALWAYS_EAGER = CELERY_BROKER_URL == "memory://"
STORAGES = {**STORAGES, "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
