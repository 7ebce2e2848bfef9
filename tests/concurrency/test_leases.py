"""Ten raters ask at once for the last free slot: one gets it (SPEC V-4).

Two things make it so, the lock on the item and the unique constraint; each alone is enough. Without either the test
fails, which the control shows.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import connection

from review.models import Lease, SampleItem
from review.services import assignment
from review.services.assignment import block_lease, item_skip
from tests.concurrency.racing import race
from tests.factories import flow as make
from tests.factories.flow import NOW

pytestmark = [pytest.mark.concurrency, pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

RATERS = 10


def winners_of_the_last_slot() -> int:
    """Let ten raters ask for one slot at once; return how many got it."""
    flow = make.flow(speakers=RATERS, count=1, overlap=1)
    results = race(
        [lambda user=user: block_lease(rater=user, campaign=flow.campaign, now=NOW) for user in flow.speakers]
    )
    assert all(isinstance(result, list) for result in results), results
    got = sum(len(result) for result in results)
    assert got == Lease.objects.filter(status="held").count()
    return got


@contextmanager
def constraint_dropped() -> Iterator[None]:
    constraint = next(one for one in Lease._meta.constraints if one.name == "lease_slot_taken_once")
    with connection.schema_editor() as editor:
        editor.remove_constraint(Lease, constraint)
    try:
        yield
    finally:
        Lease.objects.all().delete()
        with connection.schema_editor() as editor:
            editor.add_constraint(Lease, constraint)


@pytest.fixture
def lock_off(monkeypatch) -> None:
    """Read items without a lock, and let all raters see the slot free before any of them takes it."""
    everybody_saw = threading.Barrier(RATERS)
    first_look = threading.local()
    slots_free = assignment._slots_free

    def unlocked(items, *, is_patient):
        return list(SampleItem.objects.filter(pk__in=items).order_by("pk").values_list("pk", flat=True))

    def seen_by_all(*args):
        free = slots_free(*args)
        if not getattr(first_look, "is_over", False):
            first_look.is_over = True
            everybody_saw.wait(60)
        return free

    monkeypatch.setattr(assignment, "_items_lock", unlocked)
    monkeypatch.setattr(assignment, "_slots_free", seen_by_all)


def test_one_of_ten_gets_the_last_free_slot():
    assert winners_of_the_last_slot() == 1


def test_the_constraint_alone_is_enough(lock_off):
    assert winners_of_the_last_slot() == 1


def test_the_lock_alone_is_enough():
    with constraint_dropped():
        assert winners_of_the_last_slot() == 1


def test_control_without_lock_and_constraint_all_ten_get_it(lock_off):
    with constraint_dropped():
        assert winners_of_the_last_slot() == RATERS


def test_many_raters_at_once_fill_every_slot_and_no_more():
    flow = make.flow(speakers=8, count=20, overlap=3)
    results = race(
        [lambda user=user: block_lease(rater=user, campaign=flow.campaign, now=NOW) for user in flow.speakers]
    )
    assert all(isinstance(result, list) and result for result in results), results
    per_item = Counter(Lease.objects.values_list("item", flat=True))
    assert max(per_item.values()) <= 3
    assert sum(per_item.values()) == sum(len(result) for result in results)
    # Whoever got less than ten in the crowd gets the rest now; 60 slots are there for 8 raters.
    assert sum(per_item.values()) <= 60


def test_two_tabs_of_one_rater_get_one_block():
    flow = make.flow(speakers=1, count=50)
    user = flow.speakers[0]
    results = race([lambda: block_lease(rater=user, campaign=flow.campaign, now=NOW) for _tab in range(4)])
    blocks = {tuple(sorted(lease.pk for lease in result)) for result in results}
    assert len(blocks) == 1
    assert Lease.objects.count() == 10


def test_skipped_slot_goes_to_exactly_one_of_those_who_wait():
    flow = make.flow(speakers=6, count=1, overlap=1)
    holder, *others = flow.speakers
    lease = block_lease(rater=holder, campaign=flow.campaign, now=NOW)[0]
    item_skip(rater=holder, item_uid=lease.item.uid, now=NOW)
    results = race([lambda user=user: block_lease(rater=user, campaign=flow.campaign, now=NOW) for user in others])
    assert sum(len(result) for result in results) == 1
