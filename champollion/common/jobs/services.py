"""The life of a job. Tasks call these; nothing else writes to ``Job``.

Every task may run twice, be killed at any line, or arrive late (SPEC Q-2): a job is claimed by a conditional
UPDATE with a lease, and the sweeper sends again what nobody holds.
"""

import logging
from datetime import datetime, timedelta
from typing import Any

from celery import current_app
from django.db import IntegrityError, transaction
from django.db.models import F, Q
from django.db.models.functions import Coalesce
from django.utils import timezone
from kombu.exceptions import OperationalError

from champollion.common.models import Heartbeat, Job

logger = logging.getLogger(__name__)

LEASE = timedelta(seconds=60)
#: How long a job whose work went to other tasks may be without a sign of them.
HANDED_ON_LEASE = timedelta(minutes=10)
RESEND_AFTER = timedelta(seconds=30)
ATTEMPTS_AT_MOST = 10


def job_start(task: str, *, subject: str, arguments: dict[str, Any] | None = None, total_count: int = 0) -> Job:
    """Write a job and send it after the commit; a live job for the same subject is returned instead.

    Must run inside the transaction that makes the work necessary.
    """
    try:
        with transaction.atomic():
            job = Job.objects.create(task=task, subject=subject, arguments=arguments or {}, total_count=total_count)
    except IntegrityError:
        return Job.objects.get(task=task, subject=subject, status__in=[Job.Status.QUEUED, Job.Status.RUNNING])
    transaction.on_commit(lambda: job_send(job))
    return job


def job_send(job: Job) -> bool:
    """Hand a job to the broker; False, and a line in the log, where the broker does not answer."""
    try:
        _send(job)
    except (OperationalError, OSError) as error:
        logger.warning("Broker unreachable, job %s waits in the database: %s", job.pk, type(error).__name__)
        return False
    Job.objects.filter(pk=job.pk).update(sent_at=timezone.now())
    return True


def _send(job: Job) -> None:
    if current_app.conf.task_always_eager:
        if job.task not in current_app.tasks:
            # Only then: importing sets Django up once more, and the handlers of the log anew.
            current_app.loader.import_default_modules()
        current_app.tasks[job.task].apply(args=[job.pk])
    else:
        current_app.send_task(job.task, args=[job.pk], retry=False)


def job_claim(job_id: int, *, now: datetime | None = None) -> Job | None:
    """Take a queued job, or one whose holder's lease ran out; None if somebody else holds or finished it."""
    now = now or timezone.now()
    free = Q(status=Job.Status.QUEUED) | Q(status=Job.Status.RUNNING, lease_until__lt=now)
    taken = Job.objects.filter(free, pk=job_id).update(
        status=Job.Status.RUNNING,
        started_at=Coalesce(F("started_at"), now),
        lease_until=now + LEASE,
        attempt_count=F("attempt_count") + 1,
    )
    return Job.objects.get(pk=job_id) if taken else None


def job_progress(job: Job, *, done_count: int, message: str = "", lease: timedelta = LEASE) -> None:
    """Say how far a job is and renew its lease."""
    Job.objects.filter(pk=job.pk, status=Job.Status.RUNNING).update(
        done_count=done_count, message=message, lease_until=timezone.now() + lease
    )


def job_hand_on(job: Job, *, done_count: int, total_count: int) -> None:
    """Leave the rest of a job to tasks of its own; the sweeper sends the job again where none of them is heard of."""
    Job.objects.filter(pk=job.pk, status=Job.Status.RUNNING).update(
        done_count=done_count, total_count=total_count, lease_until=timezone.now() + HANDED_ON_LEASE
    )


def job_part_done(job: Job, *, done_count: int) -> None:
    """Say how far a job is whose tasks run beside each other: the count only rises, and whoever raises it renews."""
    Job.objects.filter(pk=job.pk, status=Job.Status.RUNNING, done_count__lt=done_count).update(
        done_count=done_count, lease_until=timezone.now() + LEASE
    )


def job_take_back(job: Job) -> bool:
    """Make a job that was handed on free to be claimed for its last step; True for the one caller that did it."""
    now = timezone.now()
    freed = Job.objects.filter(pk=job.pk, status=Job.Status.RUNNING, done_count__lt=F("total_count"))
    return freed.update(done_count=F("total_count"), lease_until=now - LEASE) == 1


def job_finish(job: Job) -> None:
    Job.objects.filter(pk=job.pk, status=Job.Status.RUNNING).update(
        status=Job.Status.DONE, finished_at=timezone.now(), done_count=F("total_count"), lease_until=None
    )


def job_fail(job: Job, *, error: str) -> None:
    """End a live job with a reason for people; the reason holds no secret text."""
    Job.objects.filter(pk=job.pk, status__in=[Job.Status.QUEUED, Job.Status.RUNNING]).update(
        status=Job.Status.FAILED, finished_at=timezone.now(), error=error[:500], lease_until=None
    )


def jobs_sweep(*, now: datetime | None = None) -> int:
    """Send again every job that is queued and unsent, sent long ago, or held by a worker that died."""
    now = now or timezone.now()
    waiting = Job.objects.filter(
        Q(status=Job.Status.QUEUED) & (Q(sent_at=None) | Q(sent_at__lt=now - RESEND_AFTER))
        | Q(status=Job.Status.RUNNING, lease_until__lt=now)
    ).order_by("pk")
    sent_count = 0
    for job in waiting[:500]:
        if job.attempt_count >= ATTEMPTS_AT_MOST:
            job_fail(job, error="gave up after several attempts; a maintainer can start it again")
        elif job_send(job):
            sent_count += 1
        else:
            break
    return sent_count


def heartbeat_record(name: str) -> None:
    Heartbeat.objects.update_or_create(name=name, defaults={"seen_at": timezone.now()})
