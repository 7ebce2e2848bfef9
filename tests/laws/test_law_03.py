"""LAW-3 No rating lost, none doubled. Killed servers and twenty posts at once are in ``review`` and ``e2e``."""

from uuid import uuid4

import pytest

from champollion.common.errors import ConflictError, NotVisible, StateError
from review.models import Rating, RatingVersion
from review.services.assignment import block_lease
from review.services.campaigns import campaign_suspend
from review.services.ratings import rating_submit
from tests.factories import flow as factory

pytestmark = pytest.mark.django_db


@pytest.fixture
def flow():
    return factory.flow()


@pytest.fixture
def leased(flow):
    return block_lease(rater=flow.speakers[0], campaign=flow.campaign)[0].item


def submit(flow, item, **act):
    given = {"rater": flow.speakers[0], "item_uid": item.uid, "key": uuid4(), "grade": 3, **act}
    return rating_submit(**given)


def test_the_same_act_twice_counts_once(flow, leased):
    key = uuid4()
    first, again = submit(flow, leased, key=key), submit(flow, leased, key=key)
    assert (first.is_repeat, again.is_repeat) == (False, True)
    assert Rating.objects.count() == RatingVersion.objects.count() == 1


def test_a_change_is_another_version_and_both_are_kept(flow, leased):
    submit(flow, leased, grade=2, sequence=1)
    submit(flow, leased, grade=4, sequence=2)
    assert [version.grade for version in RatingVersion.objects.order_by("sequence")] == [2, 4]
    assert Rating.objects.get().grade == 4


def test_what_arrives_late_is_kept_but_does_not_win(flow, leased):
    submit(flow, leased, grade=4, sequence=2)
    late = submit(flow, leased, grade=1, sequence=1)
    assert not late.is_current and Rating.objects.get().grade == 4
    assert RatingVersion.objects.count() == 2


def test_a_key_is_one_act_alone(flow, leased):
    key = uuid4()
    submit(flow, leased, key=key)
    other = block_lease(rater=flow.speakers[1], campaign=flow.campaign)[0].item
    with pytest.raises(ConflictError):
        submit(flow, other, key=key, rater=flow.speakers[1])
    assert RatingVersion.objects.count() == 1


def test_what_was_saved_before_a_suspension_stays_and_nothing_is_taken_in_it(flow, leased):
    submit(flow, leased)
    campaign_suspend(actor=flow.stewards[0], campaign=flow.campaign, reason="a pause")
    with pytest.raises(StateError):
        submit(flow, leased, grade=1)
    assert Rating.objects.get().grade == 3 and RatingVersion.objects.count() == 1


def test_nobody_rates_what_was_not_leased_to_them(flow, leased):
    with pytest.raises(NotVisible):
        submit(flow, leased, rater=flow.speakers[1])
