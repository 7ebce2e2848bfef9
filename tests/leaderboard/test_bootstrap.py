"""Draws are sacreBLEU's draws; scores of the same draws are its scores. Source: SPEC M-6; 90-harness-facts 4.11."""

import numpy as np
import pytest
from sacrebleu.significance import _bootstrap_resample

from leaderboard.metrics.registry import METRICS, column_slices
from leaderboard.scoring import bootstrap
from leaderboard.scoring.bootstrap import DRAWS, SEED, bootstrap_intervals, drawn_sums
from leaderboard.scoring.chunks import score_chunk
from leaderboard.scoring.composite import Profile, composite
from tests.shared import SHARED_DATA

from .surface import BY_NAME, SACREBLEU, SETTINGS, real_runs, statistics

pytestmark = pytest.mark.skipif(not SHARED_DATA.is_dir(), reason="../shared/data is not here")
metrics = pytest.mark.parametrize("name", SACREBLEU)


@pytest.fixture(autouse=True)
def sacrebleus_own_seed(monkeypatch):
    monkeypatch.delenv("SACREBLEU_SEED", raising=False)


def a_run():
    return list(real_runs().values())[3]


def numbers_of_metrics():
    """Return the matrix without the columns behind the metrics', which are no counts."""
    return score_chunk(a_run(), SETTINGS).statistics[:, : column_slices()[METRICS[-1].name].stop]


def theirs(name, pairs):
    """Return sacreBLEU's metric and its whole numbers per entry."""
    metric = SACREBLEU[name]()
    outputs, references = [pair.output for pair in pairs], [[pair.references[0] for pair in pairs]]
    return metric, np.array(metric._extract_corpus_statistics(outputs, references))


@metrics
def test_each_draw_has_sacrebleus_score_of_the_same_entries(name):
    """Its indices are drawn all at once, ours a draw at a time: the generator gives the same either way."""
    pairs = a_run()
    metric, numbers = theirs(name, pairs)
    drawn = np.random.default_rng(SEED).choice(len(pairs), size=(DRAWS, len(pairs)), replace=True)
    expected = [metric._compute_score_from_stats(numbers[indices].sum(axis=0).tolist()).score for indices in drawn]
    sums = drawn_sums(statistics(name, pairs))
    found = BY_NAME[name].aggregate(sums, np.full(DRAWS, float(len(pairs))))
    assert found == pytest.approx(expected, abs=1e-9)
    interval = bootstrap_intervals(score_chunk(pairs, SETTINGS).statistics, composite({}, Profile.SURFACE))[name]
    lower, upper = sorted(expected)[DRAWS // 40], sorted(expected)[DRAWS - DRAWS // 40 - 1]  # as its estimate_ci takes
    assert (interval.lower, interval.upper) == pytest.approx((lower, upper), abs=1e-9)


@metrics
def test_sacrebleus_own_bootstrap_differs_only_by_its_single_precision(name):
    pairs = a_run()
    metric, numbers = theirs(name, pairs)
    seed, scores = _bootstrap_resample(numbers.tolist(), metric, DRAWS)
    found = BY_NAME[name].aggregate(drawn_sums(statistics(name, pairs)), np.full(DRAWS, float(len(pairs))))
    assert seed == str(SEED)
    assert found == pytest.approx([score.score for score in scores], rel=1e-5)


@pytest.mark.parametrize(("cells", "entries"), [(1, 1), (100, 7), (5000, 16), (16_000_000, 16_384)])
def test_blocks_of_any_size_give_the_same_sums(monkeypatch, cells, entries):
    numbers = numbers_of_metrics()
    whole = drawn_sums(numbers, draws=50)
    monkeypatch.setattr(bootstrap, "_BLOCK_CELLS", cells)
    monkeypatch.setattr(bootstrap, "_BLOCK_ENTRIES", entries)
    assert np.array_equal(drawn_sums(numbers, draws=50), whole)


def test_another_seed_gives_other_draws_and_the_same_seed_the_same():
    numbers = numbers_of_metrics()
    assert np.array_equal(drawn_sums(numbers, seed=1), drawn_sums(numbers, seed=1))
    assert not np.array_equal(drawn_sums(numbers, seed=1), drawn_sums(numbers, seed=2))


def test_each_draw_takes_as_many_entries_as_there_are():
    ones = np.ones((40, 2), dtype=np.int64)
    ones[:, 1] = 0
    assert (drawn_sums(ones, draws=30) == [40, 0]).all()
