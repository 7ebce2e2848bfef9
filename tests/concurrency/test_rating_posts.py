"""Twenty posts at once make one rating (LAW-3, SPEC V-5)."""

from __future__ import annotations

from uuid import uuid4

import pytest

from champollion.common.errors import StateError
from review.models import Campaign, Rating, RatingVersion
from review.services.assignment import block_lease
from review.services.ratings import rating_submit
from tests.concurrency.racing import race
from tests.factories import flow as make
from tests.factories.flow import NOW

pytestmark = [
    pytest.mark.concurrency,
    pytest.mark.postgres,
    pytest.mark.sqlite,
    pytest.mark.django_db(transaction=True),
]

POSTS = 20


def test_twenty_identical_posts_make_one_rating():
    flow = make.flow(speakers=1)
    user, campaign = flow.speakers[0], flow.campaign
    item = block_lease(rater=user, campaign=campaign, now=NOW)[0].item
    key = uuid4()
    results = race(
        [lambda: rating_submit(rater=user, item_uid=item.uid, key=key, grade=3, sequence=1, now=NOW)] * POSTS
    )
    assert Rating.objects.count() == RatingVersion.objects.count() == 1
    assert sorted(result.is_repeat for result in results) == [False] + [True] * (POSTS - 1)
    assert {result.rating.pk for result in results} == {Rating.objects.get().pk}


def test_acts_of_many_tabs_at_once_are_all_kept_and_the_highest_sequence_wins():
    flow = make.flow(speakers=1)
    user = flow.speakers[0]
    item = block_lease(rater=user, campaign=flow.campaign, now=NOW)[0].item
    acts = [
        lambda n=number: rating_submit(rater=user, item_uid=item.uid, key=uuid4(), grade=1 + n % 4, sequence=n, now=NOW)
        for number in range(1, POSTS + 1)
    ]
    results = race(acts)
    assert not [result for result in results if isinstance(result, Exception)]
    assert RatingVersion.objects.count() == POSTS
    assert (Rating.objects.get().sequence, Rating.objects.get().grade) == (POSTS, 1 + POSTS % 4)


def test_raters_who_save_at_once_get_different_ranks():
    flow = make.flow(speakers=3, count=1)
    item = flow.items()[0]
    for user in flow.speakers:
        block_lease(rater=user, campaign=flow.campaign, now=NOW)
    race(
        [
            lambda user=user: rating_submit(rater=user, item_uid=item.uid, key=uuid4(), grade=3, now=NOW)
            for user in flow.speakers
        ]
    )
    assert sorted(Rating.objects.values_list("rank", flat=True)) == [1, 2, 3]


def test_what_is_saved_while_the_campaign_closes_is_either_acknowledged_or_refused():
    flow = make.flow(speakers=4, count=4)
    held = {user: block_lease(rater=user, campaign=flow.campaign, now=NOW) for user in flow.speakers[:3]}
    acts = [
        lambda user=user, lease=lease: rating_submit(rater=user, item_uid=lease.item.uid, key=uuid4(), grade=4, now=NOW)
        for user, leases in held.items()
        for lease in leases
    ]
    results = race([*acts, lambda: Campaign.objects.filter(pk=flow.campaign.pk).update(status="closed")])
    saved = [result for result in results[:-1] if not isinstance(result, Exception)]
    refused = [result for result in results[:-1] if isinstance(result, Exception)]
    assert all(isinstance(error, StateError) and error.code == "rating.campaign_closed" for error in refused), refused
    assert Rating.objects.count() == len(saved)
