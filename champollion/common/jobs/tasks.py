"""Periodic tasks of the installation itself."""

from celery import shared_task

from champollion.common.jobs import services


@shared_task(name="common.sweep_jobs")
def sweep_jobs() -> None:
    """Send again what the broker or a dead worker lost."""
    services.jobs_sweep()


@shared_task(name="common.worker_heartbeat")
def worker_heartbeat() -> None:
    """Say that a worker is alive; beat sent it, so beat is alive too."""
    services.heartbeat_record("worker")
