"""LAW-8 Versions do not change, and scores on different versions are never compared."""

import pytest
from django.db import DatabaseError, transaction

from champollion.common.errors import ConflictError
from corpora.models import Entry
from leaderboard.models import Standing
from tests.leaderboard import stage as stages

pytestmark = pytest.mark.django_db


@pytest.fixture
def stage():
    return stages.stage_make()


@pytest.mark.parametrize(
    "change", [{"source": "other"}, {"reference": "other"}, {"difficulty": 5}, {"segment": "diagnostic"}]
)
def test_the_database_keeps_a_published_entry(change, stage):
    version = stage.corpus()
    with pytest.raises(DatabaseError), transaction.atomic():
        Entry.objects.filter(version=version, entry_id="unit_1").update(**change)


def test_the_same_version_with_other_content_is_refused(stage):
    version = stage.corpus()
    changed = stages.corpus_document()
    changed["entries"][0]["source"] = "Another sentence stands here"
    with pytest.raises(ConflictError) as refusal:
        stage.store(changed)
    assert refusal.value.code == "corpus.version_taken"
    assert version.entries.get(entry_id="unit_1").source == stages.source_of(1)


def test_the_same_again_is_the_version_that_is_here(stage):
    assert stage.corpus() == stage.corpus()


def test_another_version_is_another_and_each_has_a_board_of_its_own(stage):
    first = stage.corpus()
    second = stage.store(stages.corpus_document(version="1.1"))
    assert second != first and second.corpus == first.corpus
    for version, wrong in ((first, 0), (second, 3)):
        stage.receive(stages.table(stages.good_outputs(wrong=wrong)), name=f"On {version.version}", version=version)
    standings = Standing.objects.order_by("corpus_version__order_key")
    assert [(s.corpus_version.version, s.rank_low, s.rank_high) for s in standings] == [("1.0", 1, 1), ("1.1", 1, 1)]
    assert standings[0].composite > standings[1].composite
