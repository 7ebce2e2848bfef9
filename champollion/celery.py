"""The Celery application; workers start with ``celery -A champollion worker``."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "champollion.settings.local")

app = Celery("champollion")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.autodiscover_tasks(["champollion.common"], related_name="jobs.tasks")
