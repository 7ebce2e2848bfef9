"""What people said goes out with a run's card: share, items with a verdict, distinct speakers (SPEC R-8, V-7)."""

import pytest

from leaderboard.models import Standing
from leaderboard.people import human_evidence
from review.models import Rating

from .closed_campaigns import SIZES, closed
from .reviewed_runs import stage_make
from .test_decisions import propose, sign

pytestmark = pytest.mark.django_db


def test_an_approval_s_evidence_counts_items_and_speakers():
    stage = stage_make(sizes=SIZES)
    campaign = closed(stage)
    sign(stage, propose(stage, campaign))
    ratings = Rating.objects.filter(item__campaign=campaign, first_grade__isnull=False)
    evidence = human_evidence(Standing.objects.get())
    assert evidence == {
        "class": "speaker",
        "share": 1.0,
        "n": 40,
        "reviewers": ratings.values("rater").distinct().count(),
    }
    assert evidence["reviewers"] >= 3


def test_a_refusal_exports_no_evidence():
    stage = stage_make(sizes=SIZES)
    campaign = closed(stage)
    sign(stage, propose(stage, campaign, kind="refuse"))
    assert human_evidence(Standing.objects.get()) is None
