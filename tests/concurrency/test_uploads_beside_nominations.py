"""A second run comes in while the first one of its method is put forward: neither act may stop the other (SPEC Q-2).

The upload holds the organisation's audit chain when, at its commit, the database looks at the method version that the
new run points to. Whoever puts the first run forward holds that version and waits for the chain. With a lock of the
version that also keeps others from pointing to it, each would wait for the other, and the database would end one.
"""

from __future__ import annotations

import io
import threading
import time

import pytest
from celery import current_app
from django.db import connection, transaction

from champollion.accounts.models import Role
from champollion.accounts.services import organisations as acts
from corpora.formats.base import ReadOptions
from corpora.services.imports import Attestation, corpus_import
from leaderboard.models import MethodVersion, Run
from leaderboard.services.intake import MethodChoice, run_receive
from leaderboard.services.scoring import run_score
from review.models import Nomination
from review.services.nominations import run_consider
from tests.factories.flow import member, organisation, person

pytestmark = [pytest.mark.concurrency, pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
#: Ends of the names of two real reports of one set-up, both over the bound.
FIRST, SECOND = "8f6428", "11d0cc"


@pytest.fixture
def stage(shared_data, monkeypatch):
    """A developer, and a scored run of theirs that leads to a candidate but was not considered yet."""
    monkeypatch.setattr(current_app.conf, "task_always_eager", False)
    org = organisation()
    corpus_import(
        actor=member(org, "curator", Role.CURATOR),
        organisation=org,
        stream=io.BytesIO((shared_data / "corpora" / "eng-cym-dev-v1.json").read_bytes()),
        filename="eng-cym-dev-v1.json",
        options=ReadOptions(),
        attestation=Attestation(name="the contributors of Tatoeba"),
    )
    developer = person("developer")
    acts.installation_role_give(actor=None, user=developer, kind="developer")
    team = acts.team_create(name="Unit team", slug="unit-team", members=[developer])

    def upload(end: str) -> Run:
        data = next((shared_data / "reports").glob(f"*_{end}_report.json")).read_bytes()
        return run_receive(actor=developer, data=data, choice=MethodChoice(name="Unit method", team=team)).runs[0]

    return upload


def wait_until_it_waits_for_us() -> None:
    end = time.monotonic() + 20
    with connection.cursor() as cursor:
        while time.monotonic() < end:
            # Inside a transaction PostgreSQL shows the same activity again unless it is told to look anew.
            cursor.execute("SELECT pg_stat_clear_snapshot()")
            cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))")
            if cursor.fetchone()[0]:
                return
            time.sleep(0.05)
    raise AssertionError("the other act never waited")


def test_an_upload_and_a_nomination_of_the_same_method_do_not_stop_each_other(stage):
    first = stage(FIRST)
    run_score(first)
    Nomination.objects.all().delete()
    results: list[object] = []

    def put_forward() -> None:
        try:
            results.append(run_consider(first))
        except Exception as error:  # noqa: BLE001 - the test looks at what came
            results.append(error)
        finally:
            connection.close()

    other = threading.Thread(target=put_forward, daemon=True)
    with transaction.atomic():
        second = stage(SECOND)
        other.start()
        wait_until_it_waits_for_us()
    other.join(30)

    assert [type(result) for result in results] == [Nomination]
    assert second.method_version == first.method_version
    assert MethodVersion.objects.get().runs.count() == 2
