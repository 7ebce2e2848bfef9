"""Paired tests of two runs, and the rank ranges made of them. Source: SPEC M-6, L-4; 90-harness-facts 4.11, 13.7."""

import itertools

import numpy as np
import pytest
from sacrebleu.metrics import CHRF
from sacrebleu.significance import PairedTest

from leaderboard.metrics.base import Pair
from leaderboard.scoring.chunks import score_chunk
from leaderboard.scoring.composite import Profile, composite
from leaderboard.scoring.paired import common_entries, paired_tests
from leaderboard.scoring.ranks import composite_draws, rank_ranges
from leaderboard.scoring.run import reduce_chunks
from tests.shared import SHARED_DATA

from .surface import SETTINGS, real_runs

EXACT = "exact_match_rate"


def pairs_of(right, count=20):
    """`count` entries of which the first `right` are as people wrote them."""
    return [
        Pair(str(n), f"source {n}", f"cyfieithiad {n}" if n < right else "xyz", (f"cyfieithiad {n}",))
        for n in range(count)
    ]


def chunk_of(right, count=20):
    return score_chunk(pairs_of(right, count), SETTINGS)


def made_of(chunk):
    return reduce_chunks([chunk], chunk.entry_ids).composite


def compared(first, second, **given):
    return paired_tests(first.statistics, second.statistics, made_of=(made_of(first), made_of(second)), **given)


def test_facts_78_identical_systems_have_p_1_and_no_winner():
    result = compared(chunk_of(13), chunk_of(13))
    assert {one.p_bootstrap for one in result.differences} == {1.0}
    assert {one.p_randomisation for one in result.differences} == {1.0}
    assert {one.winner for one in result.differences} == {""}


def test_facts_78_all_right_against_all_wrong():
    found = compared(chunk_of(20), chunk_of(0)).of(EXACT)
    assert found.difference == 1.0
    assert (round(found.p_randomisation, 3), round(found.p_bootstrap, 3)) == (0.001, 0.001)
    assert found.winner == "first"
    assert compared(chunk_of(0), chunk_of(20)).of(EXACT).winner == "second"


def test_facts_79_all_right_against_half():
    """Of 2^10 ways to swap the ten pairs that differ, two are as extreme: p is 0.002 beside the chance of the draws."""
    found = compared(chunk_of(20), chunk_of(10)).of(EXACT)
    assert found.difference == 0.5
    assert round(found.p_bootstrap, 3) == 0.001
    assert (found.lower, found.upper) == pytest.approx((0.3, 0.75), abs=0.051)
    assert found.p_randomisation == pytest.approx(0.002, abs=0.0021)
    many = compared(chunk_of(20), chunk_of(10), draws=20_000).of(EXACT)
    assert many.p_randomisation == pytest.approx(2 / 1024, abs=0.001)


def test_facts_80_unequal_lengths_are_an_error_and_without_entries_nothing_is_found():
    with pytest.raises(ValueError, match="same entries"):
        paired_tests(chunk_of(3).statistics, chunk_of(3, 19).statistics, made_of=(made_of(chunk_of(3)),) * 2)
    empty = chunk_of(0, 0)
    nothing = composite({}, Profile.SURFACE)
    assert paired_tests(empty.statistics, empty.statistics, made_of=(nothing, nothing)).differences == ()


def test_one_entry_is_no_test():
    found = compared(chunk_of(1, 1), chunk_of(0, 1)).of(EXACT)
    assert (found.difference, found.lower, found.p_bootstrap, found.p_randomisation) == (1.0, None, 1.0, 1.0)


@pytest.mark.parametrize(("count", "warning"), [(9, "too_few"), (10, "few"), (29, "few"), (30, "")])
def test_it_warns_below_10_as_the_harness_does_and_below_30(count, warning):
    assert compared(chunk_of(3, count), chunk_of(5, count)).warning == warning


def test_fewer_faults_win_where_lower_is_better():
    result = compared(chunk_of(20), chunk_of(0))
    assert result.of("ter").difference < 0
    assert result.of("ter").winner == "first"
    assert result.of("length_ratio").winner == ""


def test_the_same_seed_gives_the_same_and_another_seed_another_interval():
    first, second = chunk_of(11), chunk_of(7)
    assert compared(first, second) == compared(first, second)
    assert compared(first, second, seed=1).of(EXACT) != compared(first, second).of(EXACT)


def test_common_entries_are_aligned_by_id_whatever_their_order():
    first, second = pairs_of(4, 8), pairs_of(2, 9)[::-1]
    ids, one, other = common_entries(score_chunk(first, SETTINGS), score_chunk(second, SETTINGS))
    assert ids == tuple(str(n) for n in range(8))
    assert (one == chunk_of(4, 8).statistics).all()
    assert (other == chunk_of(2, 8).statistics).all()


def two_real_runs():
    """Two real runs with other outputs on the same entries."""
    for one, other in itertools.combinations(real_runs().values(), 2):
        same = [pair.references for pair in one] == [pair.references for pair in other]
        if same and [pair.output for pair in one] != [pair.output for pair in other]:
            return one, other
    raise AssertionError("no two runs on the same entries")


@pytest.mark.skipif(not SHARED_DATA.is_dir(), reason="../shared/data is not here")
def test_randomisation_has_sacrebleus_p(monkeypatch):
    monkeypatch.delenv("SACREBLEU_SEED", raising=False)
    one, other = two_real_runs()
    systems = [("first", [pair.output for pair in one]), ("second", [pair.output for pair in other])]
    metrics = {"chrF++": CHRF(word_order=2, references=[[pair.references[0] for pair in one]])}
    theirs = PairedTest(systems, metrics, None, test_type="ar", n_samples=1000)()[1]["chrF2++"][1].p_value
    statistics = [score_chunk(run, SETTINGS).statistics for run in (one, other)]
    ours = paired_tests(*statistics, made_of=(composite({}, Profile.SURFACE),) * 2).of("chrf_plus_plus")
    assert ours.p_randomisation == pytest.approx(theirs, abs=1e-12)


def ranges_of(*rights, count=40):
    drawn = [composite_draws(chunk.statistics, made_of(chunk)) for chunk in (chunk_of(n, count) for n in rights)]
    return rank_ranges([value for value, _draws in drawn], [draws for _value, draws in drawn])


def test_methods_that_differ_beyond_chance_have_a_rank_each():
    assert ranges_of(38, 20, 2) == [(1, 1), (2, 2), (3, 3)]


def test_methods_whose_difference_may_be_chance_share_ranks():
    assert ranges_of(30, 29, 2) == [(1, 2), (1, 2), (3, 3)]


def test_a_middle_method_may_share_with_both_that_differ_from_one_another():
    """1 + the better ones to N − the worse ones: the range of the middle spans both."""
    first, middle, last = ranges_of(30, 28, 26)
    assert (first, middle, last) == ((1, 2), (1, 3), (2, 3))


def test_equal_methods_and_methods_on_too_few_entries_share_all_ranks():
    assert ranges_of(20, 20, 20) == [(1, 3)] * 3
    assert ranges_of(1, 0, count=1) == [(1, 2)] * 2


def test_ranges_of_a_board_are_paired_tests_of_each_two():
    chunks = [chunk_of(n, 40) for n in (30, 27, 24)]
    results = {(i, j): compared(chunks[i], chunks[j]).of("composite") for i, j in itertools.permutations(range(3), 2)}
    expected = []
    for i in range(3):
        of_i = [results[i, j] for j in range(3) if j != i]
        significant = [one for one in of_i if one.p_bootstrap < 0.05]
        better = sum(one.better == "second" for one in significant)
        worse = sum(one.better == "first" for one in significant)
        expected.append((1 + better, 3 - worse))
    assert ranges_of(30, 27, 24) == expected


def test_no_methods_have_no_ranges():
    assert rank_ranges([], []) == []
    assert np.isnan(composite_draws(chunk_of(0, 0).statistics, composite({}, Profile.SURFACE))[0])
