"""The fixed points of V-8: how often community-1 says "meets", in simulated campaigns judged as the product judges."""

import pytest

from benchmarks.policy_fixed_points import (
    ROWS,
    USABLE_SHARES,
    campaign_at,
    judge_all,
    share_that_meets,
    simulate,
    stratum_sizes,
    usable_counts,
)
from review.judging import Evidence, Outcome, Stage, judge
from review.policy import COMMUNITY_1
from review.verdicts import analyse

# The table rests on 8,000 runs a cell (standard error up to .005). Here are four times as many, so that the tolerance
# of .01 is left to the table.
RUNS = 32_000


@pytest.mark.parametrize(("population", "size"), list(ROWS))
@pytest.mark.parametrize("place", [0, 1, 2])
def test_policy_meets_as_often_as_the_specification_says(population: int, size: int, place: int) -> None:
    first, extended = share_that_meets(simulate(population, size, USABLE_SHARES[place], runs=RUNS, seed=1))
    expected_first, expected_extended = ROWS[population, size]
    assert first == pytest.approx(expected_first[place], abs=0.01)
    if expected_extended is None:
        assert extended is None
    else:
        assert extended == pytest.approx(expected_extended[place], abs=0.01)


@pytest.mark.parametrize(("population", "size"), list(ROWS))
def test_simulated_verdicts_are_those_of_the_product(population: int, size: int) -> None:
    simulation = simulate(population, size, 0.78, runs=25, seed=2)
    sizes = {str(h + 1): n for h, n in enumerate(simulation.sizes)}
    level = COMMUNITY_1.level
    stages = [(Stage.CLOSE, simulation.sample, level, level), (Stage.EXTENDED, simulation.extended, level, level)]
    stages.append((Stage.LOOK, simulation.look, COMMUNITY_1.look_meets_level, COMMUNITY_1.look_fails_level))
    for stage, counts, meets_level, fails_level in stages:
        if counts is None:
            continue
        judged = judge_all(simulation, counts, meets_level=meets_level, fails_level=fails_level)
        for run in range(25):
            figures = analyse(campaign_at(simulation, run, counts), sizes=sizes, overlap=3)
            outcome = judge(figures, policy=COMMUNITY_1, evidence=Evidence(stage=stage)).outcome
            assert (outcome is Outcome.MEETS) == judged.meets[run]
            assert (outcome is Outcome.DOES_NOT_MEET) == judged.fails[run]
            assert (outcome is Outcome.HELD) == judged.held[run]


def test_population_is_the_one_of_the_specification() -> None:
    assert stratum_sizes(150) == [15, 38, 45, 37, 15]
    for population in (50, 100, 150, 300, 1000):
        sizes = stratum_sizes(population)
        assert sum(sizes) == population
        assert sum(usable_counts(sizes, 0.7)) == round(0.7 * population)
