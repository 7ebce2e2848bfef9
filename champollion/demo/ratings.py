"""Generated ratings, for looking at reports only: no speaker said any of this, and every page that shows them says so.

A program grades each output by its likeness to the reference, with a seeded wobble from rater to rater. It goes through
leases and ratings as people do; the campaign and each rating are marked as generated, in the audit log too.
"""

from __future__ import annotations

import random
import uuid
from difflib import SequenceMatcher

from django.db import transaction

from champollion.accounts.models import Role, User
from champollion.audit import services as audit
from champollion.demo.accounts import role_user
from champollion.demo.people import people_of
from corpora.access import open_entry
from review.access import output_text
from review.grades import Grade
from review.models import Campaign, Rating, SampleItem
from review.services.assignment import block_lease
from review.services.campaign_course import campaign_close
from review.services.ratings import rating_submit
from review.services.talks import talk_record, talk_speakers

#: Likeness of output and reference, 0-1, from which a grade is given.
BOUNDS = ((0.92, Grade.EXCELLENT), (0.72, Grade.ACCEPTABLE), (0.45, Grade.GIST))
#: How often a rater is one grade off.
WOBBLE = 0.12


def ratings_generate(campaign: Campaign) -> Campaign:
    """Rate every item of an open campaign by a program, record the talks, and close it as its steward."""
    _mark(campaign)
    slug = campaign.organisation.slug
    speakers = [role_user("speaker", slug, number=n + 1) for n in range(_speaker_count(slug))]
    while sum(_rate_block(speaker, campaign) for speaker in speakers):
        pass
    Rating.objects.filter(item__campaign=campaign).update(is_generated=True)
    for item in campaign.items.filter(needs_talk=True, talk__isnull=True):
        _talk(item, coordinator=role_user("coordinator", slug))
    return campaign_close(
        actor=role_user("steward", slug), campaign=campaign, reason="Generated ratings, to look at the report."
    )


@transaction.atomic
def _mark(campaign: Campaign) -> None:
    Campaign.objects.filter(pk=campaign.pk).update(has_generated_ratings=True)
    audit.record("campaign.ratings_generated", actor=None, organisation=campaign.organisation, obj=campaign)


def _speaker_count(slug: str) -> int:
    return sum(person.role == Role.SPEAKER for person in people_of(slug))


def _rate_block(speaker: User, campaign: Campaign) -> int:
    """Rate what a speaker is given next; return how much that was."""
    leases = block_lease(rater=speaker, campaign=campaign)
    for lease in leases:
        rating_submit(
            rater=speaker,
            item_uid=lease.item.uid,
            key=uuid.uuid5(lease.uid, "generated"),
            grade=int(grade_for(lease.item, rater=speaker.email)),
            focused_seconds=8.0,
        )
    return len(leases)


def grade_for(item: SampleItem, *, rater: str) -> Grade:
    """Return the generated grade of an item: the same for the same rater and texts every time."""
    entry = item.output.entry
    if entry is None:
        raise ValueError("only a run that is tied to a corpus has a campaign")
    reference = open_entry(entry, item.campaign.nomination.corpus_version.corpus).reference
    output = output_text(item, item.campaign)
    likeness = SequenceMatcher(None, output.lower(), reference.lower()).ratio()
    grade = next((grade for bound, grade in BOUNDS if likeness >= bound), Grade.REJECT)
    chance = random.Random(f"{rater}\n{entry.entry_id}")  # noqa: S311 - no secret
    if chance.random() < WOBBLE:
        grade = Grade(min(4, max(1, grade + chance.choice((-1, 1)))))
    return grade


def _talk(item: SampleItem, *, coordinator: User) -> None:
    fresh, rated = talk_speakers(item)
    first, second = [*fresh, *rated][:2]
    talk_record(
        actor=coordinator,
        item=item,
        first_speaker=first,
        second_speaker=second,
        grade=int(grade_for(item, rater="talk")),
        reason="Generated: no two speakers talked about this.",
    )
