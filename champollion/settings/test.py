"""The tests: plain static storage, mail in memory, tasks in the request unless a broker is given."""

import os

from .base import *

DEBUG = False
SECRET_KEY = "tests-only-not-secret"  # noqa: S105 - never used outside the tests
ALLOWED_HOSTS = ["localhost", "127.0.0.1", "testserver"]
SECOND_FACTOR_REQUIRED = False
if not os.environ.get("DATABASE_URL"):
    DATABASES["default"]["NAME"] = ":memory:"
    DATABASES["default"]["OPTIONS"] = {"transaction_mode": "IMMEDIATE", "timeout": 20}
if os.environ.get("CHAMPOLLION_TEST_SQLITE_FILE"):
    # A file, so that threads and a worker process meet in one database, as they do in the demo.
    DATABASES["default"]["TEST"] = {"NAME": os.environ["CHAMPOLLION_TEST_SQLITE_FILE"]}
CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
STORAGES = {**STORAGES, "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
CELERY_TASK_ALWAYS_EAGER = not os.environ.get("CELERY_BROKER_URL")
CELERY_TASK_EAGER_PROPAGATES = True
#: Only the test runner may drop the audit log's triggers around a flush (SPEC S-9).
AUDIT_TRIGGERS_DROPPABLE = True
REST_FRAMEWORK = {**REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": {"anon": "100000/min", "user": "100000/min"}}
TEMPLATES[0]["OPTIONS"]["debug"] = True
