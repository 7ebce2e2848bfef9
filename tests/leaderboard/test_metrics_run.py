"""Chunks and their reduction: order, doubling, breakdowns, intervals, and both ways to count errors.

Source: SPEC M-1, M-2, M-6, R-5; 90-harness-facts 1.3, 4.0, 5, 13.3.
"""

import json
import random

import numpy as np
import pytest
from sacrebleu.metrics.chrf import CHRF as SacreCHRF

from leaderboard.metrics.base import MetricSettings, Pair
from leaderboard.metrics.registry import METRICS, column_slices
from leaderboard.scoring.chunks import ChunkError, ChunkStats, score_chunk
from leaderboard.scoring.composite import Profile, composite
from leaderboard.scoring.harness import HarnessCounting, counting_for
from leaderboard.scoring.run import ScoreOptions, reduce_chunks
from leaderboard.scoring.tiers import Tier
from tests.shared import SHARED_DATA

needs_data = pytest.mark.skipif(not SHARED_DATA.is_dir(), reason="../shared/data is not here")
LATIN = MetricSettings(target_scripts=frozenset({"Latin"}))
FOUR = [
    Pair("1", "Hello.", "Ola.", ("Ola.",)),
    Pair("2", "Thank you.", "Moitas grazas.", ("Grazas.",)),
    Pair("3", "Good night.", "", ("Boas noites.",)),
    Pair("4", "Bread.", "", ("Pan.",), errored=True),
]
GROUPS = {"difficulty": [1, 2, 1, 2], "domain": ["ui", "conv", "conv", ""]}


def scores_of(pairs, **kwargs):
    return reduce_chunks([score_chunk(pairs, LATIN)], [pair.entry_id for pair in pairs], **kwargs)


def sacrebleu_chrf(pairs):
    outputs = ["" if pair.errored else pair.output for pair in pairs]
    return round(SacreCHRF(word_order=2).corpus_score(outputs, [[pair.references[0] for pair in pairs]]).score, 2)


def flaky_pairs(version="0.1.1"):
    path = SHARED_DATA / "harness" / version / "flaky" / "run_card_entries_rows.json"
    rows = json.loads(path.read_text(encoding="utf-8"))
    return [
        Pair(row["entry_id"], row["source"], row["predicted"], (row["expected"],), errored=bool(row["error"]))
        for row in rows
    ]


def some_pairs(count, seed=7):
    rng = random.Random(seed)
    words = ["ola", "pan", "noite", "casa", "Hello", "bread", "ver", "sitio"]
    return [
        Pair(str(i), "Hello bread", " ".join(rng.choices(words, k=3)), (" ".join(rng.choices(words, k=3)),))
        for i in range(count)
    ]


def test_chunks_in_any_order_and_size_give_the_same_scores_to_the_last_bit():
    pairs = some_pairs(57)
    ids = [pair.entry_id for pair in pairs]
    groups = {"difficulty": [i % 5 + 1 for i in range(57)], "domain": ["ui", "conv", ""] * 19}
    whole = reduce_chunks([score_chunk(pairs, LATIN)], ids, groups=groups)
    parts = [score_chunk(pairs[start : start + 8], LATIN) for start in range(0, 57, 8)]
    split = reduce_chunks(reversed(parts), ids, groups=groups)
    assert whole.to_dict() == split.to_dict()
    for name, values in whole.per_entry.items():
        assert values.tobytes() == split.per_entry[name].tobytes()


def test_a_chunk_that_comes_twice_counts_once():
    chunk = score_chunk(FOUR, LATIN)
    assert reduce_chunks([chunk, chunk], list("1234")).to_dict() == reduce_chunks([chunk], list("1234")).to_dict()


def test_chunk_bytes_are_deterministic_and_come_back_equal():
    chunk = score_chunk(FOUR, LATIN)
    data = chunk.to_bytes()
    assert data == score_chunk(FOUR, LATIN).to_bytes()
    back = ChunkStats.from_bytes(data)
    assert back.entry_ids == chunk.entry_ids
    assert np.array_equal(back.statistics, chunk.statistics)
    assert np.array_equal(back.flags, chunk.flags)
    assert back.to_bytes() == data


def test_an_empty_chunk_is_a_chunk():
    assert ChunkStats.from_bytes(score_chunk([], LATIN).to_bytes()).entry_ids == ()


@pytest.mark.parametrize("spoil", [lambda data: b"", lambda data: data[:-9], lambda data: b"x" + data])
def test_damaged_bytes_are_refused(spoil):
    with pytest.raises(ChunkError):
        ChunkStats.from_bytes(spoil(score_chunk(FOUR, LATIN).to_bytes()))


def test_lacking_and_foreign_entries_are_refused():
    chunk = score_chunk(FOUR, LATIN)
    with pytest.raises(ChunkError, match="1 of 5"):
        reduce_chunks([chunk], list("12345"))
    with pytest.raises(ChunkError, match="Entry 4"):
        reduce_chunks([chunk], list("123"))
    with pytest.raises(ChunkError, match="domain"):
        reduce_chunks([chunk], list("1234"), groups={"domain": ["ui"]})


def test_the_headline_counts_errored_and_empty_outputs_as_empty():
    scores = scores_of(FOUR)
    assert scores.metrics["exact_match_rate"] == 0.25
    assert scores.metrics["code_switching_rate"] == 0.5
    assert scores.metrics["hallucination_rate"] == 0.5
    assert scores.share_affected == {"code_switching_rate": 0.5, "hallucination_rate": 0.5}
    assert (scores.total.errored, scores.total.missing, scores.total.empty) == (1, 0, 2)


def test_both_counting_rules_of_the_harness_stand_beside_the_headline():
    """As in 90-harness-facts 5: 0.1.x leaves the errored entry out, later versions score it as empty."""
    scores = scores_of(FOUR)
    early, late = scores.harness[HarnessCounting.LEAVES_OUT], scores.harness[HarnessCounting.AS_EMPTY]
    assert early.metrics["chrf_plus_plus"] == sacrebleu_chrf(FOUR[:3])
    assert late.metrics["chrf_plus_plus"] == scores.metrics["chrf_plus_plus"] == sacrebleu_chrf(FOUR)
    assert early.metrics["chrf_plus_plus"] > late.metrics["chrf_plus_plus"]
    assert early.metrics["exact_match_rate"] == late.metrics["exact_match_rate"] == 0.3333
    assert (early.evaluated, early.errored, early.avg_chrf, early.metrics["length_ratio"]) == (3, 1, 49.8, 1.0)
    assert early.metrics["code_switching_rate"] == 0.0


def test_a_missing_entry_is_an_error_of_ours_and_unknown_to_the_harness():
    pairs = [*FOUR[:2], Pair("9", "Bread.", "", ("Pan.",), missing=True)]
    scores = scores_of(pairs)
    assert scores.total.missing == 1
    assert scores.metrics["exact_match_rate"] == 0.3333
    for counting in HarnessCounting:
        view = scores.harness[counting]
        assert (view.evaluated, view.errored, view.metrics["exact_match_rate"]) == (2, 0, 0.5)


@needs_data
@pytest.mark.parametrize(
    ("counting", "chrf", "ter", "composite_value"),
    [(HarnessCounting.LEAVES_OUT, 52.09, 64.2, 0.5443), (HarnessCounting.AS_EMPTY, 49.91, 65.48, None)],
)
def test_the_flaky_run_is_reproduced_as_both_harness_versions_report_it(counting, chrf, ter, composite_value):
    view = scores_of(flaky_pairs()).harness[counting]
    reported = {
        "chrf_plus_plus": chrf,
        "exact_match_rate": 0.0,
        "code_switching_rate": 0.0769,
        "hallucination_rate": 0.0077,
        "length_ratio": 1.0039,
        "corpus_bleu": 23.93,
        "ter": ter,
    }
    assert {name: view.metrics[name] for name in reported} == reported
    assert composite_value is None or view.composite == composite_value


@needs_data
def test_our_headline_of_the_flaky_run_is_lower_than_the_harness_says():
    scores = scores_of(flaky_pairs())
    assert scores.metrics["chrf_plus_plus"] == 49.91
    assert scores.metrics["code_switching_rate"] == round((1 + 1 + 1) / 14, 4)  # echo, empty and errored
    assert scores.composite.value < scores.harness[HarnessCounting.LEAVES_OUT].composite


def test_all_errored_gives_no_harness_figures_and_our_lowest():
    pairs = [Pair(str(i), "Hello", "", ("Ola",), errored=True) for i in range(3)]
    scores = scores_of(pairs)
    assert scores.harness[HarnessCounting.LEAVES_OUT].metrics["chrf_plus_plus"] is None
    assert scores.harness[HarnessCounting.AS_EMPTY].metrics["chrf_plus_plus"] == 0.0
    assert scores.harness[HarnessCounting.LEAVES_OUT].composite is None
    assert (scores.composite.value, scores.tier) == (0.0, Tier.BASELINE)


def test_no_entries_are_unscored():
    scores = scores_of([])
    assert (scores.composite.value, scores.tier, scores.intervals) == (None, Tier.UNSCORED, {})


@pytest.mark.parametrize(
    ("version", "counting"),
    [
        ("0.1.0", "0.1"),
        ("0.1.1", "0.1"),
        ("3.0.0", "0.1"),
        (None, "0.1"),
        ("", "0.1"),
        ("0.2.0", "0.2"),
        ("0.4.0", "0.2"),
        ("0.10.0", "0.2"),
        ("1.0", "0.2"),
    ],
)
def test_the_counting_rule_belongs_to_the_harness_version(version, counting):
    assert counting_for(version) == counting


def test_a_group_has_corpus_chrf_of_its_entries_and_the_harness_mean_beside():
    scores = scores_of(FOUR, groups=GROUPS)
    first = scores.breakdowns["difficulty"]["1"]
    assert first.metrics["chrf_plus_plus"] == sacrebleu_chrf([FOUR[0], FOUR[2]])
    assert (first.count, first.avg_chrf) == (2, 50.0)
    assert scores.breakdowns["difficulty"]["2"].avg_chrf == 49.4
    assert scores.breakdowns["domain"]["conv"].count == 2


def test_a_group_scores_as_a_run_of_its_entries_alone():
    pairs = some_pairs(40)
    domains = ["ui" if i % 3 else "conv" for i in range(40)]
    group = scores_of(pairs, groups={"domain": domains}).breakdowns["domain"]["conv"]
    alone = scores_of([pair for pair, domain in zip(pairs, domains, strict=True) if domain == "conv"])
    assert group == alone.total


def test_not_given_is_a_group_of_its_own_and_stands_last():
    scores = scores_of(FOUR, groups={"difficulty": [0, None, 2, 1], "domain": ["ui", "", "ui", "conv"]})
    assert list(scores.breakdowns["difficulty"]) == ["1", "2", ""]
    assert scores.breakdowns["difficulty"][""].count == 2
    assert {cell: group.count for cell, group in scores.cells.items()} == {
        ("", ""): 1,
        ("", "ui"): 1,
        ("1", "conv"): 1,
        ("2", "ui"): 1,
    }


def test_per_entry_values_follow_the_given_order():
    scores = reduce_chunks([score_chunk(FOUR, LATIN)], list("4321"))
    assert scores.entry_ids == ("4", "3", "2", "1")
    assert scores.per_entry["exact_match_rate"].tolist() == [0.0, 0.0, 0.0, 1.0]
    assert round(scores.per_entry["chrf_plus_plus"][2], 4) == 49.4031


def test_the_interval_equals_resampling_done_entry_by_entry():
    pairs = some_pairs(12)
    chunk = score_chunk(pairs, LATIN)
    scores = reduce_chunks([chunk], [pair.entry_id for pair in pairs], options=ScoreOptions(draws=40, seed=3))
    rng = np.random.default_rng(3)
    chrf, composites = [], []
    for _ in range(40):
        picked = [pairs[i] for i in rng.integers(0, 12, 12)]
        chrf.append(
            SacreCHRF(word_order=2)
            .corpus_score([pair.output for pair in picked], [[pair.references[0] for pair in picked]])
            .score
        )
        sums = score_chunk(picked, LATIN).statistics.sum(axis=0).astype(float)
        made = {m.name: float(m.aggregate(sums[column_slices()[m.name]], np.array(12.0))) for m in METRICS}
        values = {name: value for name, value in made.items() if not np.isnan(value)}
        composites.append(composite(values, Profile.SURFACE).value)
    interval = scores.intervals["chrf_plus_plus"]
    assert (interval.lower, interval.upper) == (sorted(chrf)[1], sorted(chrf)[38])
    assert scores.intervals["composite"].lower == pytest.approx(sorted(composites)[1], abs=1e-4)
    assert scores.intervals["composite"].upper == pytest.approx(sorted(composites)[38], abs=1e-4)


def test_the_interval_holds_the_score_and_records_its_seed():
    scores = scores_of(some_pairs(50))
    interval = scores.intervals["composite"]
    assert interval.lower <= scores.composite.value <= interval.upper
    assert (interval.seed, interval.draws, interval.entries, interval.few_entries) == (12345, 1000, 50, False)
    assert interval == scores_of(some_pairs(50)).intervals["composite"]


def test_few_entries_warn_and_one_has_no_interval():
    assert scores_of(some_pairs(29)).intervals["chrf_plus_plus"].few_entries
    assert not scores_of(some_pairs(30)).intervals["chrf_plus_plus"].few_entries
    assert scores_of(some_pairs(2)).intervals
    assert scores_of(some_pairs(1)).intervals == {}


def test_scores_are_json():
    scores = scores_of(FOUR, groups=GROUPS)
    assert json.loads(json.dumps(scores.to_dict()))["scorer"]["scorer_version"] == scores.scorer["scorer_version"]
