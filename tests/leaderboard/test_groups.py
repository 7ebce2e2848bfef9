"""Figures of parts of a run: every dimension, corpus-level metrics, intervals of their own (SPEC M-6, C-7)."""

import json

import numpy as np
import pytest
from sacrebleu.metrics import CHRF

from leaderboard.metrics.registry import CHRF as OUR_CHRF
from leaderboard.metrics.registry import column_slices
from leaderboard.scoring.bootstrap import SEED, bootstrap_intervals
from leaderboard.scoring.chunks import score_chunk
from leaderboard.scoring.composite import Profile, composite
from leaderboard.scoring.run import MOST_GROUPS, group_seed, reduce_chunks
from leaderboard.services.entry_groups import LONGEST_KEY, _numbered, _short, entry_groups
from leaderboard.services.intake import MethodChoice, run_receive
from leaderboard.services.scoring import run_score

from .stage import corpus_document, good_outputs, reference_of, table
from .surface import SETTINGS
from .test_paired import pairs_of


def reduced(count, keys, *, dimension="difficulty", right=7):
    chunk = score_chunk(pairs_of(right, count), SETTINGS)
    return chunk, reduce_chunks([chunk], chunk.entry_ids, groups={dimension: keys})


def received(stage, document, *, wrong=4):
    version = stage.store(document)
    choice = MethodChoice(name="Unit method", team=stage.team)
    outputs = good_outputs(len(document["entries"]), wrong=wrong)
    return run_receive(
        actor=stage.developer, data=table(outputs).encode(), choice=choice, version=version
    ).runs[0]  # fmt: skip


def test_a_group_s_interval_can_be_drawn_again_from_its_recorded_seed():
    chunk, scores = reduced(40, [1 + n % 2 for n in range(40)])
    found = scores.breakdowns["difficulty"]["2"].intervals["exact_match_rate"]
    assert (found.seed, found.entries, found.draws) == (SEED + 2, 20, 1000)
    again = bootstrap_intervals(chunk.statistics[1::2], composite({}, Profile.SURFACE), seed=found.seed)
    assert again["exact_match_rate"] == found
    other = bootstrap_intervals(chunk.statistics[1::2], composite({}, Profile.SURFACE), seed=1)["chrf_plus_plus"]
    assert other != scores.breakdowns["difficulty"]["2"].intervals["chrf_plus_plus"]


def test_facts_81_a_difficulty_has_its_own_seed_and_the_other_groups_the_run_s():
    assert [group_seed("difficulty", key) for key in ("1", "5", "")] == [12346, 12350, 12345]
    assert group_seed("domain", "ui") == 12345


@pytest.mark.parametrize(
    ("size", "has_interval", "warns"), [(1, False, None), (2, True, True), (29, True, True), (30, True, False)]
)
def test_under_two_entries_there_is_no_interval_and_under_thirty_a_warning(size, has_interval, warns):
    _chunk, scores = reduced(40, ["a"] * size + ["b"] * (40 - size), dimension="register")
    intervals = scores.breakdowns["register"]["a"].intervals
    assert bool(intervals) is has_interval
    if has_interval:
        assert intervals["composite"].few_entries is warns


def test_an_interval_holds_its_value_and_has_a_json_form():
    _chunk, scores = reduced(40, [1] * 20 + [2] * 20)
    group = scores.breakdowns["difficulty"]["1"]
    assert group.intervals["chrf_plus_plus"].lower <= group.metrics["chrf_plus_plus"]
    assert group.metrics["chrf_plus_plus"] <= group.intervals["chrf_plus_plus"].upper
    assert json.loads(json.dumps(scores.to_dict()))["breakdowns"]["difficulty"]["1"]["intervals"]["composite"]["seed"]


def test_of_very_many_groups_the_largest_have_figures():
    keys = [f"k{n}" if n >= 5 else "big" for n in range(2 * MOST_GROUPS)]
    _chunk, scores = reduced(2 * MOST_GROUPS, keys, dimension="variant_class")
    assert len(scores.breakdowns["variant_class"]) == MOST_GROUPS
    assert scores.breakdowns["variant_class"]["big"].count == 5


def test_every_dimension_is_stored_with_intervals(stage):
    document = corpus_document(count=12)
    for number, entry in enumerate(document["entries"]):
        entry |= {"register": "formal" if number % 3 else "plain", "variant_class": f"class {number // 6}"}
    score_set = run_score(received(stage, document))
    rows = score_set.scores.filter(metric="composite").exclude(cut="all")
    found = {(row.cut, row.key): row for row in rows}
    assert {cut for cut, _key in found} == {"difficulty", "domain", "register", "provenance", "variant_class"}
    assert {key for cut, key in found if cut == "variant_class"} == {"class 0", "class 1"}
    assert found["register", "plain"].entry_count == 4
    assert all(row.low - 1e-4 <= row.value <= row.high + 1e-4 for row in found.values())  # values have four places
    assert score_set.settings["group_seeds"]["3"] == 12348


def test_chrf_of_a_group_is_sacrebleu_s_of_that_group(stage):
    score_set = run_score(received(stage, corpus_document(count=12)))
    outputs = good_outputs(12, wrong=4)
    numbers = [n for n in range(1, 13) if 1 + (n - 1) % 5 == 2]
    expected = CHRF(word_order=2).corpus_score(
        [outputs[f"unit_{n}"] for n in numbers], [[reference_of(n) for n in numbers]]
    )
    stored = score_set.scores.get(cut="difficulty", key="2", metric="chrf_plus_plus")
    assert stored.value == round(expected.score, OUR_CHRF.decimals)
    chunk = score_chunk(pairs_of(7, 12), SETTINGS)
    sums = chunk.statistics[3:9, column_slices()["chrf_plus_plus"]].sum(axis=0).astype(float)
    part = pairs_of(7, 12)[3:9]
    exact = CHRF(word_order=2).corpus_score([one.output for one in part], [[one.references[0] for one in part]]).score
    assert float(OUR_CHRF.aggregate(sums, np.array(6.0))) == pytest.approx(exact, abs=1e-9)


def test_keys_that_are_too_long_to_be_stored_stay_apart():
    keys = _short(["x" * 80 + "a", "x" * 80 + "b", "x" * 80 + "a", "plain", ""])
    assert keys[0] == keys[2] != keys[1]
    assert keys[3:] == ["plain", ""]
    assert max(map(len, keys)) <= LONGEST_KEY


def test_classes_of_a_secret_segment_are_named_by_number_and_small_ones_by_none():
    """What a class is called is secret text, and figures of a few entries are those of single entries."""
    assert _numbered(["ask"] * 4 + ["thank"] * 5 + [""]) == [""] * 4 + ["1"] * 5 + [""]


def test_a_corpus_without_variant_classes_has_no_such_dimension(stage):
    _ids, groups = entry_groups(received(stage, corpus_document(count=12)))
    assert "variant_class" not in groups
    assert set(groups["provenance"]) == {"corpus"}
