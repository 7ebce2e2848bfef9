"""LAW-4 The sample is honest: re-derived from its record, extended at most, never drawn again."""

import pytest
from django.db import DatabaseError, transaction

from champollion.audit.models import AuditEvent
from champollion.common.errors import StateError
from review.models import Campaign, SampleItem
from review.services.campaigns import campaign_configure, campaign_discard
from review.services.samples import sample_differences

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", ["draft", "open", "decided"])
def test_the_sample_is_the_one_that_the_record_gives(name, world):
    assert sample_differences(getattr(world, name)) == []


def test_an_exchanged_item_shows(world):
    items = list(SampleItem.objects.filter(campaign=world.open).order_by("pk")[:2])
    with transaction.atomic():
        SampleItem.objects.filter(pk=items[0].pk).update(place=99)
    assert sample_differences(world.open)


def test_an_open_campaign_is_not_drawn_again(world):
    for act in (
        lambda: campaign_configure(actor=world.second_steward, campaign=world.open, size=5),
        lambda: campaign_discard(actor=world.second_steward, campaign=world.open, reason="another sample"),
    ):
        with pytest.raises(StateError):
            act()


def test_the_database_keeps_the_plan_of_an_open_campaign(world):
    for change in ({"plan": {}}, {"seed": "0" * 64}, {"plan_sha256": "0" * 64}):
        with pytest.raises(DatabaseError), transaction.atomic():
            Campaign.objects.filter(pk=world.open.pk).update(**change)


def test_the_plan_was_in_the_log_before_the_first_rating(world):
    opened = AuditEvent.objects.get(act="campaign.opened", object_id=str(world.open.uid))
    assert world.open.plan_sha256 in str(opened.details)
    first = (
        world.open.items.filter(ratings__isnull=False)
        .order_by("ratings__created_at")
        .values_list("ratings__created_at", flat=True)[0]
    )
    assert opened.recorded_at <= first
