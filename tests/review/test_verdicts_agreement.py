"""Agreement of a campaign: first ratings only, on both sides of the usable line (V-7)."""

import pytest

from review.agreement import agreement_of
from review.grades import Grade
from review.judging import Evidence, Met, Rule, judge
from review.policy import COMMUNITY_1
from review.verdicts import Analysis, ItemRatings, analyse

R, G, A, E = Grade.REJECT, Grade.GIST, Grade.ACCEPTABLE, Grade.EXCELLENT
SEED = "5eed" * 16


def campaign(*rows: tuple[int, tuple[Grade, ...]], overlap: int = 3) -> Analysis:
    items = [ItemRatings(f"{n}-{i}", "3", ratings) for n, (count, ratings) in enumerate(rows) for i in range(count)]
    return analyse(items, sizes={"3": len(items)}, overlap=overlap)


def test_fourth_rating_is_not_part_of_agreement() -> None:
    with_fourth = campaign((40, (A, A, A)), (10, (A, A, G, R)))
    without = campaign((40, (A, A, A)), (10, (A, A, G)))
    assert agreement_of(with_fourth, seed=SEED) == agreement_of(without, seed=SEED)


def test_acceptable_and_excellent_agree_and_gist_and_acceptable_do_not() -> None:
    assert agreement_of(campaign((30, (A, E, A))), seed=SEED).pairwise.value == 1
    assert agreement_of(campaign((30, (A, G, A))), seed=SEED).pairwise.value == pytest.approx(1 / 3)


def test_one_rater_an_item_has_no_agreement() -> None:
    assert agreement_of(campaign((30, (A,)), overlap=1), seed=SEED).pairwise.value is None


def test_raters_who_guess_fail_the_policys_agreement() -> None:
    figures = campaign((25, (A, G, A, A)), (25, (R, E, G, R)), (50, (A, A, A)))
    upper = agreement_of(figures, seed=SEED).pairwise.upper
    verdict = judge(figures, policy=COMMUNITY_1, evidence=Evidence(agreement_upper=upper))
    assert upper < 0.75
    assert next(line for line in verdict.lines if line.rule is Rule.AGREEMENT).met is Met.NO


def test_good_raters_do_not_fail_it() -> None:
    figures = campaign((20, (A, G, A, A)), (80, (A, A, E)))
    assert agreement_of(figures, seed=SEED).pairwise.upper > 0.75
