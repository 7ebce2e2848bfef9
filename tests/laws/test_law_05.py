"""LAW-5 Our numbers are ours: a score that is shown was recomputed here, a submitted one is a claim."""

import json

import pytest

from leaderboard.models import Run, Standing
from tests.leaderboard import stage as stages

pytestmark = pytest.mark.django_db


@pytest.fixture
def stage():
    return stages.stage_make()


def handed_in(stage, **overall) -> Run:
    stage.corpus()
    report = stages.report_document(overall=overall, entries={1: {"predicted": "something else"}})
    run = stage.receive(json.dumps(report)).runs[0]
    run.refresh_from_db()
    return run


def test_the_board_shows_what_we_computed_whatever_was_claimed(stage):
    run = handed_in(stage, corpus_chrf=99.9, exact_match_rate=1.0)
    standing = Standing.objects.get(run=run)
    assert standing.exact_match == 0.9167
    assert run.claimed["exact_match_rate"] == 1.0 and run.claim_verdicts["exact_match_rate"]["verdict"] == "differs"


def test_a_true_claim_is_confirmed(stage):
    run = handed_in(stage, exact_match_rate=round(11 / 12, 4))
    assert run.claim_verdicts["exact_match_rate"]["verdict"] == "confirmed"


def test_a_card_without_outputs_is_a_claim_without_a_rank(stage, shared_data):
    folder = shared_data / "harness" / "0.1.1" / "corpus_gt"
    card = json.loads((folder / "run_card.json").read_text())
    version = stage.corpus()
    receipt = stage.receive(json.dumps(card), version=version)
    run = receipt.runs[0]
    assert run.status == Run.Status.CLAIMED and run.score_set is None
    standing = Standing.objects.get(run=run)
    assert (standing.composite, standing.is_ranked, standing.unranked_reason) == (None, False, "claimed")
