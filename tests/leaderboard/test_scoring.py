"""Scoring as a service: the same figures however the work was split, repeated or interrupted (SPEC M, Q-2)."""

import json

import pytest

from champollion.audit.models import AuditEvent
from champollion.common.errors import StateError
from champollion.common.jobs.services import job_claim, jobs_sweep
from champollion.common.models import Job
from corpora import vault
from leaderboard.models import Run, Score, ScoreChunk, ScoreSet
from leaderboard.scoring.chunks import ChunkError, ChunkStats
from leaderboard.services import scoring
from leaderboard.services.intake import MethodChoice, run_receive
from leaderboard.signals import run_scored
from leaderboard.tasks import score_run

from .stage import good_outputs, held, report_document, table


def received(stage, *, wrong: int = 4, count: int = 12, version=None, model: str = "unit/a") -> Run:
    """Hand in a run and leave its scoring to the test: the transaction of the test never commits."""
    version = version or stage.corpus(count=count)
    choice = MethodChoice(name="Unit method", team=stage.team, configuration={"model": model})
    data = table(good_outputs(count, wrong=wrong)).encode()
    return run_receive(actor=stage.developer, data=data, choice=choice, version=version).runs[0]


def figures(score_set: ScoreSet) -> list[tuple]:
    rows = score_set.scores.order_by("cut", "key", "metric")
    return list(rows.values_list("cut", "key", "metric", "value", "low", "high", "entry_count"))


def chunk_bytes(run: Run) -> list[bytes]:
    return [bytes(chunk.content) for chunk in ScoreChunk.objects.filter(run=run).order_by("index")]


@pytest.fixture
def small_chunks(monkeypatch):
    monkeypatch.setattr(scoring, "CHUNK_SIZE", 5)


def test_a_score_set_holds_figures_signatures_and_what_a_second_scoring_needs(stage):
    score_set = scoring.run_score(received(stage))
    assert (score_set.number, score_set.entry_count, score_set.profile) == (1, 12, "surface-only")
    assert score_set.settings["signatures"]["chrf_plus_plus"].startswith("nrefs:1")
    assert {"seed", "draws", "libraries", "scripts", "bounds"} <= score_set.settings.keys()
    assert sum(part["points"] for part in score_set.contributions) == pytest.approx(score_set.composite, abs=5e-5)


def test_every_figure_equals_sacrebleu_s(stage):
    from sacrebleu.metrics import CHRF

    from .stage import reference_of

    score_set = scoring.run_score(received(stage))
    outputs = good_outputs(wrong=4)
    expected = CHRF(word_order=2).corpus_score(list(outputs.values()), [[reference_of(n) for n in range(1, 13)]]).score
    assert score_set.scores.get(cut="all", metric="chrf_plus_plus").value == pytest.approx(expected, abs=0.005)
    assert score_set.scores.get(cut="all", metric="exact_match_rate").value == pytest.approx(8 / 12, abs=1e-4)


def test_figures_do_not_depend_on_the_size_of_the_chunks(stage, monkeypatch):
    version = stage.corpus()
    found = []
    for size in (1, 5, 12, 500):
        monkeypatch.setattr(scoring, "CHUNK_SIZE", size)
        run = received(stage, version=version, model=f"unit/{size}", wrong=4) if not found else Run.objects.get()
        Run.objects.filter(pk=run.pk).update(status=Run.Status.RECEIVED, score_set=None)
        run.refresh_from_db()
        score_set = scoring.run_score(run)
        assert score_set.chunk_count == -(-12 // size)
        found.append(figures(score_set))
    assert found[0] == found[1] == found[2] == found[3]
    assert Run.objects.get().score_sets.count() == 4


def test_a_scoring_that_died_in_the_middle_goes_on_where_it_was(stage, small_chunks):
    undisturbed = received(stage, model="unit/undisturbed", wrong=4)
    expected = figures(scoring.run_score(undisturbed))
    run = received(stage, version=undisturbed.corpus_version, model="unit/killed", wrong=5)
    settings, options = scoring.scoring_settings(run), scoring.scoring_options(run)
    key = scoring.scoring_key(run, settings, options)
    scoring._chunk_write(run, index=1, settings=settings, key=key)
    before = ScoreChunk.objects.get(run=run)
    score_set = scoring.run_score(run)
    assert ScoreChunk.objects.filter(run=run).count() == 3
    assert ScoreChunk.objects.get(run=run, index=1).pk == before.pk
    assert score_set.scores.get(cut="all", metric="exact_match_rate").value == pytest.approx(7 / 12, abs=1e-4)
    assert len(figures(score_set)) == len(expected)


def test_the_same_scoring_twice_is_one_score_set_one_record_and_one_piece_of_news(stage):
    news = []

    def listen(run, **_kwargs):
        news.append(run.pk)

    run_scored.connect(listen)
    try:
        run = received(stage)
        first = scoring.run_score(run)
        # A worker that died after the commit: the task comes again, with the run as it was read anew.
        again = scoring.run_score(Run.objects.get(pk=run.pk))
        stale = scoring.run_score(run)
    finally:
        run_scored.disconnect(listen)
    assert first.pk == again.pk == stale.pk
    assert (ScoreSet.objects.count(), AuditEvent.objects.filter(act="run.scored").count()) == (1, 1)
    assert Score.objects.filter(score_set=first, cut="all", metric="composite").count() == 1


def test_chunks_of_a_second_worker_change_nothing(stage, small_chunks):
    run = received(stage)
    settings, options = scoring.scoring_settings(run), scoring.scoring_options(run)
    key = scoring.scoring_key(run, settings, options)
    for _worker in range(2):
        for index in range(3):
            scoring._chunk_write(run, index=index, settings=settings, key=key)
    once = chunk_bytes(run)
    assert len(once) == 3
    score_set = scoring.run_score(run)
    assert chunk_bytes(run) == once
    assert score_set.chunk_count == 3


def test_a_changed_scorer_makes_a_new_score_set_and_keeps_the_old_one(stage, monkeypatch):
    run = received(stage)
    first = scoring.run_score(run)
    monkeypatch.setattr(scoring, "SCORER_VERSION", "unit-2")
    second = scoring.run_score(Run.objects.get(pk=run.pk))
    assert (first.number, second.number) == (1, 2)
    assert Run.objects.get(pk=run.pk).score_set == second
    assert figures(first) == figures(second)


def test_a_withdrawn_run_is_not_scored_and_stays_withdrawn(stage):
    run = received(stage)
    Run.objects.filter(pk=run.pk).update(status=Run.Status.WITHDRAWN)
    with pytest.raises(StateError):
        scoring.run_score(Run.objects.get(pk=run.pk))
    job = Job.objects.get()
    score_run(job.pk)
    job.refresh_from_db()
    run.refresh_from_db()
    assert (job.status, run.status) == (Job.Status.FAILED, Run.Status.WITHDRAWN)
    assert not ScoreSet.objects.exists()


def test_a_run_withdrawn_while_it_is_scored_stays_withdrawn(stage, monkeypatch):
    run = received(stage)
    chunk_write = scoring._chunk_write

    def withdraw_meanwhile(*args, **kwargs):
        chunk_write(*args, **kwargs)
        Run.objects.filter(pk=run.pk).update(status=Run.Status.WITHDRAWN)

    monkeypatch.setattr(scoring, "_chunk_write", withdraw_meanwhile)
    with pytest.raises(StateError):
        scoring.run_score(run)
    assert Run.objects.get(pk=run.pk).status == Run.Status.WITHDRAWN
    assert not ScoreSet.objects.exists()


def test_the_task_says_how_far_it_is_and_ends_its_job(stage, small_chunks):
    run = received(stage)
    job = Job.objects.get(subject=f"run:{run.uid}")
    assert job.arguments == {"run": str(run.uid)}
    score_run(job.pk)
    job.refresh_from_db()
    assert (job.status, job.done_count) == (Job.Status.DONE, job.total_count)
    score_run(job.pk)
    assert ScoreSet.objects.count() == 1


def test_a_job_that_another_worker_holds_is_left_alone(stage):
    run = received(stage)
    job = Job.objects.get()
    assert job_claim(job.pk) is not None
    score_run(job.pk)
    run.refresh_from_db()
    assert run.status == Run.Status.RECEIVED


def test_a_scoring_that_fails_names_no_text_of_a_secret_entry(stage, monkeypatch, caplog):
    stage.corpus(segment="gold_standard")
    choice = MethodChoice(name="Unit method", team=stage.team, held=held())
    data = json.dumps(report_document()).encode()
    run = run_receive(actor=stage.steward, data=data, choice=choice).runs[0]

    def broken(pairs, settings):
        raise ValueError(f"cannot score {next(iter(pairs)).source}")

    monkeypatch.setattr(scoring, "score_chunk", broken)
    score_run(Job.objects.get(subject=f"run:{run.uid}").pk)
    run.refresh_from_db()
    assert (run.status, run.failure) == (Run.Status.FAILED, "ValueError")
    assert "unit sentence" not in caplog.text
    assert "unit sentence" not in Job.objects.get(subject=f"run:{run.uid}").error


def test_per_entry_statistics_of_secret_runs_lie_sealed(stage):
    stage.corpus(segment="gold_standard")
    run = stage.receive(json.dumps(report_document()), actor=stage.steward, held=held()).runs[0]
    for content in chunk_bytes(run):
        with pytest.raises(ChunkError):
            ChunkStats.from_bytes(content)
        assert ChunkStats.from_bytes(vault.unseal_bytes(run.corpus_version.corpus, content)).entry_ids[0] == "unit_1"


def test_a_run_that_nobody_took_is_sent_again_by_the_sweeper(stage, django_capture_on_commit_callbacks):
    run = received(stage)
    job = Job.objects.get()
    assert job.sent_at is None
    assert jobs_sweep() == 1
    run.refresh_from_db()
    assert run.status == Run.Status.SCORED
