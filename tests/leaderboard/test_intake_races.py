"""Two at once: the same bytes, the same new method, two runs on one board; on real connections (SPEC Q-2)."""

import contextlib
import threading

import pytest
from celery import current_app

from champollion.common.errors import DomainError
from leaderboard.models import Document, Method, Run, RunOutput, ScoreSet, Standing
from leaderboard.services import scoring, standings
from leaderboard.services.intake import MethodChoice, Receipt, run_receive
from tests.concurrency.racing import race

from .stage import good_outputs, stage_make, table

pytestmark = [pytest.mark.concurrency, pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def arrival():
    """A stage with a corpus; returns a function that hands in outputs in its own connection."""
    stage = stage_make()
    version = stage.corpus()

    def hand_in(wrong: int = 0, model: str = "unit/a", name: str = "Unit method") -> Receipt:
        choice = MethodChoice(name=name, team=stage.team, configuration={"model": model})
        data = table(good_outputs(wrong=wrong)).encode()
        return run_receive(actor=stage.developer, data=data, choice=choice, version=version)

    return hand_in


def test_the_same_bytes_at_the_same_moment_are_stored_once(arrival):
    receipts = race([arrival] * 6)
    assert all(isinstance(one, Receipt) for one in receipts), receipts
    assert {one.runs[0].pk for one in receipts} == {Run.objects.get().pk}
    assert sum(not one.was_known for one in receipts) == 1
    assert (Document.objects.count(), RunOutput.objects.count(), ScoreSet.objects.count()) == (1, 12, 1)


def test_a_new_method_that_comes_twice_at_once_is_one(arrival):
    receipts = race([lambda wrong=wrong: arrival(wrong, model=f"unit/{wrong}") for wrong in range(4)])
    assert not [one for one in receipts if isinstance(one, Exception)], receipts
    assert Method.objects.count() == 1
    assert sorted(Method.objects.get().versions.values_list("number", flat=True)) == [1, 2, 3, 4]


def _ranked_at_once(monkeypatch, first: Run, second: Run) -> list[tuple[int, int]]:
    """Refresh two rows so that each has written its own before either makes the ranks, if nothing keeps them apart."""
    Standing.objects.all().delete()
    # The task that tests a board's ranks would mend them afterwards; here it waits for a worker, as in production.
    monkeypatch.setattr(current_app.conf, "task_always_eager", False)
    both_wrote = threading.Barrier(2)
    ranks_refresh = standings.ranks_refresh

    def wait_then_rank(**board):
        with contextlib.suppress(threading.BrokenBarrierError):
            both_wrote.wait(2)
        ranks_refresh(**board)

    monkeypatch.setattr(standings, "ranks_refresh", wait_then_rank)

    def refresh(run: Run):
        return standings.standing_refresh(
            method_version=run.method_version, corpus_version=run.corpus_version, segment=run.segment
        )

    results = race([lambda: refresh(first), lambda: refresh(second)])
    assert not [one for one in results if isinstance(one, Exception)], results
    return sorted(Standing.objects.values_list("rank_low", "rank_high"))


@pytest.fixture
def two_runs(arrival):
    runs = [arrival(wrong, model=name, name=name).runs[0] for name, wrong in (("A", 0), ("B", 4))]
    return [Run.objects.select_related("method_version", "corpus_version").get(pk=run.pk) for run in runs]


def test_two_runs_scored_at_once_are_ranked_one_after_the_other(monkeypatch, two_runs):
    assert _ranked_at_once(monkeypatch, *two_runs) == [(1, 1), (2, 2)]


def test_without_the_lock_both_would_be_first(monkeypatch, two_runs):
    """The control: it shows that the test above would notice."""
    monkeypatch.setattr(standings, "_board_lock", lambda corpus_version: None)

    def without_lock() -> list[tuple[int, int]]:
        with monkeypatch.context() as patch:
            return _ranked_at_once(patch, *two_runs)

    # On a busy machine the two may miss each other; one meeting is enough to show what the lock prevents.
    assert any(without_lock() == [(1, 1), (1, 1)] for _ in range(6))


def test_two_workers_on_one_run_make_one_score_set(arrival):
    run = arrival().runs[0]
    run.refresh_from_db()
    Run.objects.filter(pk=run.pk).update(status=Run.Status.RECEIVED, score_set=None)
    Standing.objects.all().delete()
    ScoreSet.objects.all().delete()
    run.chunks.all().delete()

    def work():
        return scoring.run_score(Run.objects.select_related("corpus_version__corpus", "method_version").get(pk=run.pk))

    results = race([work, work])
    made = [one for one in results if isinstance(one, ScoreSet)]
    # The slower one either finds the finished scoring or is told that the run moved on.
    assert made
    assert all(isinstance(one, ScoreSet | DomainError) for one in results), results
    assert ScoreSet.objects.count() == 1
    assert Run.objects.get().status == Run.Status.SCORED
