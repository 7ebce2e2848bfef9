"""Rank ranges of a board: tested in a task, kept while the board is the same, simple until then (SPEC L-4)."""

import pytest
from django.test import TestCase

from champollion.common.models import Job
from leaderboard.models import CutStanding, Run, ScoreChunk, Standing
from leaderboard.services import standings
from leaderboard.services.intake import MethodChoice, run_receive
from leaderboard.services.rank_ranges import board_rank
from leaderboard.services.scoring import run_score
from leaderboard.services.standings import RANK_TASK, ranks_refresh, standing_refresh, standing_set_claim
from leaderboard.tasks import rank_board

from .stage import good_outputs, held, table

COUNT = 40
#: Two that may be equal and one far behind, on 40 entries.
WRONG = {"A": 9, "B": 10, "C": 40}
SHARED = {"A": (1, 2), "B": (1, 2), "C": (3, 3)}


def hand_in(stage, version, name, *, wrong, **given) -> Run:
    run = stage.receive(
        table(good_outputs(COUNT, wrong=wrong)), version=version, configuration={"model": name}, name=name, **given
    ).runs[0]
    run.refresh_from_db()
    return run


@pytest.fixture
def version(stage):
    return stage.corpus(count=COUNT)


@pytest.fixture
def runs(stage, version):
    return {name: hand_in(stage, version, name, wrong=wrong) for name, wrong in WRONG.items()}


def ranks():
    rows = Standing.objects.select_related("method_version__method")
    return {row.method_version.method.name: (row.rank_low, row.rank_high) for row in rows}


def board_of(version):
    return {"corpus_version": version, "segment": "development"}


def test_methods_whose_difference_may_be_chance_share_a_rank(runs):
    assert ranks() == SHARED
    assert not Standing.objects.filter(rank_digest="").exists()
    assert set(Job.objects.filter(task=RANK_TASK).values_list("status", flat=True)) == {Job.Status.DONE}


def test_each_domain_has_ranges_of_its_own_and_difficulties_none(runs):
    cuts = CutStanding.objects.filter(cut="domain", key="ui").select_related("standing__method_version__method")
    found = {cut.standing.method_version.method.name: (cut.rank_low, cut.rank_high) for cut in cuts}
    assert found == SHARED
    assert not CutStanding.objects.filter(cut="difficulty", rank_low__isnull=False).exists()


def test_until_the_task_is_done_ranks_are_by_composite_and_marked(stage, version, runs, client):
    """The transaction of the test never commits, so the task of this run does not start."""
    choice = MethodChoice(name="D", team=stage.team, configuration={"model": "D"})
    data = table(good_outputs(COUNT, wrong=20)).encode()
    run_score(run_receive(actor=stage.developer, data=data, choice=choice, version=version).runs[0])
    assert ranks() == {"A": (1, 1), "B": (2, 2), "D": (3, 3), "C": (4, 4)}
    assert set(Standing.objects.values_list("rank_digest", flat=True)) == {""}
    page = client.get(f"/leaderboard/{version.corpus.pair}/?segment=development").content.decode()
    assert "Ranks are by composite for now" in page
    rank_board(Job.objects.get(task=RANK_TASK, status=Job.Status.QUEUED).pk)
    assert ranks()["A"] == (1, 2)
    page = client.get(f"/leaderboard/{version.corpus.pair}/?segment=development").content.decode()
    assert "Methods whose difference may be chance share a rank." in page


def test_one_job_a_board_however_often_it_changes(version, runs):
    Standing.objects.update(rank_digest="")
    for _again in range(3):
        ranks_refresh(**board_of(version))
    assert Job.objects.filter(task=RANK_TASK, status=Job.Status.QUEUED).count() == 1


def test_a_change_that_leaves_rows_and_scores_alone_keeps_the_tested_ranges(version, runs):
    done = Job.objects.filter(task=RANK_TASK).count()
    ranks_refresh(**board_of(version))
    assert ranks() == SHARED
    assert Job.objects.filter(task=RANK_TASK).count() == done
    standing_set_claim(run=runs["A"], claim="candidate")
    assert ranks() == SHARED


def test_run_twice_it_stores_the_same(version, runs):
    before = list(Standing.objects.order_by("pk").values("rank_low", "rank_high", "rank_digest"))
    board_rank(**board_of(version))
    assert list(Standing.objects.order_by("pk").values("rank_low", "rank_high", "rank_digest")) == before
    job = Job.objects.filter(task=RANK_TASK).first()
    rank_board(job.pk)  # a finished job is left alone
    assert list(Standing.objects.order_by("pk").values("rank_low", "rank_high", "rank_digest")) == before


def test_a_row_that_leaves_the_board_changes_the_ranges(runs):
    Run.objects.filter(pk=runs["A"].pk).update(status=Run.Status.WITHDRAWN)
    with TestCase.captureOnCommitCallbacks(execute=True):
        standing_refresh(
            method_version=runs["A"].method_version, corpus_version=runs["A"].corpus_version, segment="development"
        )
    assert ranks() == {"A": (None, None), "B": (1, 1), "C": (2, 2)}


def test_a_board_that_changes_while_it_is_tested_is_tested_once_more(version, runs, monkeypatch):
    asked = []
    digest = standings.ranking_digest

    def changed_once(**board):
        asked.append(board)
        return "of before" if len(asked) == 1 else digest(**board)

    monkeypatch.setattr("leaderboard.services.rank_ranges.ranking_digest", changed_once)
    board_rank(**board_of(version))
    assert len(asked) == 4  # drawn and stored, twice
    assert set(Standing.objects.values_list("rank_digest", flat=True)) == {digest(**board_of(version))}


def test_without_statistics_the_simple_ranks_stay_and_the_job_says_why(version, runs):
    ScoreChunk.objects.all().delete()
    Standing.objects.update(rank_digest="")
    ranks_refresh(**board_of(version))
    job = Job.objects.get(task=RANK_TASK, status=Job.Status.QUEUED)
    rank_board(job.pk)
    job.refresh_from_db()
    assert (job.status, "have no statistics yet" in job.error) == (Job.Status.FAILED, True)
    assert ranks() == {"A": (1, 1), "B": (2, 2), "C": (3, 3)}


def test_only_the_first_rows_are_tested(version, runs, monkeypatch):
    for module in ("standings", "rank_ranges"):
        monkeypatch.setattr(f"leaderboard.services.{module}.MOST_TESTED", 2)
    Standing.objects.update(rank_digest="")
    ranks_refresh(**board_of(version))
    board_rank(**board_of(version))
    assert ranks() == SHARED
    last = Standing.objects.get(method_version__method__name="C")
    assert last.rank_digest == ""


def test_statistics_of_a_secret_segment_are_read_in_the_worker(stage):
    version = stage.corpus(count=COUNT, segment="gold_standard")
    for digit, (name, wrong) in enumerate(WRONG.items()):
        hand_in(stage, version, name, wrong=wrong, actor=stage.steward, held=held(digit=str(digit)))
    assert ranks() == SHARED
