"""The demo: one machine, SQLite, a real Celery worker whose broker is a file, no second factor (SPEC I-1)."""

from .base import *

DEBUG = False
DEMO = True
SECRET_KEY = SECRET_KEY or "demo-only-not-secret"
ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]"]
SECOND_FACTOR_REQUIRED = False
CELERY_BROKER_URL = f"sqla+sqlite:///{STATE_DIR / 'broker.sqlite3'}"
# Given to the database engine: how long to wait, in seconds, while another process writes.
CELERY_BROKER_TRANSPORT_OPTIONS = {"connect_args": {"timeout": 20}}
CELERY_BEAT_SCHEDULE_FILENAME = str(STATE_DIR / "beat")
CELERY_TASK_ROUTES = {}
EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
