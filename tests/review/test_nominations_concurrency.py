"""Two workers, or a signal and the sweep, meet at one run: one nomination, one campaign, attempts without a gap."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from review.models import Campaign, Nomination
from review.services.campaigns import campaign_draft
from review.services.nominations import run_consider

from .reviewed_runs import method_make, run_make, stage_make

pytestmark = [pytest.mark.postgres, pytest.mark.concurrency, pytest.mark.django_db(transaction=True)]
WORKERS = 6


def at_once(*acts) -> list:
    """Run the acts in threads of their own, begun together; return what each gave or raised."""
    gate = Barrier(len(acts))

    def run(act):
        try:
            gate.wait()
            return act()
        except Exception as error:
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(run, acts))


def test_run_considered_at_once_is_nominated_once(settings):
    settings.CELERY_TASK_ALWAYS_EAGER = True
    run = run_make(stage_make(segment="gold_standard", sizes={2: 10}))

    found = at_once(*[lambda: run_consider(run)] * WORKERS)

    assert not [one for one in found if isinstance(one, Exception)]
    assert len([one for one in found if one is not None]) == 1
    assert Nomination.objects.get().attempt == 1


def test_draft_asked_for_at_once_is_made_once():
    nomination = run_consider(run_make(stage_make(segment="gold_standard", sizes={2: 10})))
    Campaign.objects.all().delete()

    found = at_once(*[lambda: campaign_draft(nomination=nomination)] * WORKERS)

    assert {one.pk for one in found} == {Campaign.objects.get().pk}


def test_two_versions_of_a_team_nominated_at_once_have_two_attempt_numbers():
    stage = stage_make(segment="gold_standard", sizes={2: 10})
    runs = [run_make(stage, version=method_make(stage, name=f"method-{n}", is_held=True)) for n in range(4)]

    at_once(*[lambda run=run: run_consider(run) for run in runs])

    assert sorted(Nomination.objects.values_list("attempt", flat=True)) == [1, 2, 3, 4]
