"""From ratings to item verdicts and to the figures of a campaign (V-7)."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.estimation import ShareOf
from review.grades import Grade
from review.sampling import NO_OUTPUT
from review.verdicts import Analysis, ItemRatings, Missing, analyse, analyse_dict, item_verdict

R, G, A, E = Grade.REJECT, Grade.GIST, Grade.ACCEPTABLE, Grade.EXCELLENT

grades = st.sampled_from(list(Grade))


# Item verdicts


@pytest.mark.parametrize(
    ("ratings", "expected"),
    [
        ([E, E, A], E),
        ([A, E, A], A),
        ([R, G, G], G),
        ([R, G, R], R),
    ],
)
def test_three_on_one_side_give_their_median(ratings: list[Grade], expected: Grade) -> None:
    assert item_verdict(ratings, overlap=3).grade is expected


@pytest.mark.parametrize("ratings", [[A, G, A], [E, A, R], [R, R, E], [G, A, G]])
def test_three_across_the_line_need_a_fourth(ratings: list[Grade]) -> None:
    verdict = item_verdict(ratings, overlap=3)
    assert (verdict.grade, verdict.missing) == (None, Missing.NEEDS_FOURTH)


def test_spread_of_two_levels_always_needs_a_fourth() -> None:
    for ratings in ([R, A, G], [G, E, A], [R, E, G]):
        assert item_verdict(ratings, overlap=3).missing is Missing.NEEDS_FOURTH


@pytest.mark.parametrize(
    ("ratings", "expected"),
    [([A, G, E, E], E), ([A, R, A, E], A), ([R, E, G, R], R), ([G, A, R, G], G)],
)
def test_three_of_four_decide_by_the_median_of_the_three(ratings: list[Grade], expected: Grade) -> None:
    assert item_verdict(ratings, overlap=3).grade is expected


def test_two_against_two_need_a_talk() -> None:
    verdict = item_verdict([A, G, E, R], overlap=3)
    assert (verdict.grade, verdict.missing) == (None, Missing.NEEDS_TALK)


def test_talk_settles_two_against_two() -> None:
    verdict = item_verdict([A, G, E, R], overlap=3, talk=A)
    assert (verdict.grade, verdict.missing, verdict.is_from_talk) == (A, None, True)


def test_talk_settles_what_speakers_could_not_judge() -> None:
    assert item_verdict([], overlap=3, talk=G).grade is G
    assert item_verdict([A, A], overlap=3, talk=G).grade is G


def test_talk_does_not_overrule_ratings_that_decide() -> None:
    verdict = item_verdict([A, A, E], overlap=3, talk=R)
    assert (verdict.grade, verdict.is_from_talk) == (A, False)


def test_fourth_rating_is_ignored_where_three_agree() -> None:
    assert item_verdict([A, A, E, R], overlap=3).grade is A


def test_overlap_two_on_one_side_gives_the_lower_grade() -> None:
    assert item_verdict([E, A], overlap=2).grade is A
    assert item_verdict([G, R], overlap=2).grade is R


def test_overlap_two_split_needs_a_talk() -> None:
    assert item_verdict([A, G], overlap=2).missing is Missing.NEEDS_TALK
    assert item_verdict([A, G], overlap=2, talk=G).grade is G


def test_overlap_one_gives_the_rating() -> None:
    assert item_verdict([G], overlap=1).grade is G


@pytest.mark.parametrize(("ratings", "overlap"), [([], 1), ([A], 2), ([A, A], 3)])
def test_too_few_ratings_are_no_verdict(ratings: list[Grade], overlap: int) -> None:
    assert item_verdict(ratings, overlap=overlap).missing is Missing.UNRATED


@pytest.mark.parametrize("overlap", [0, 4])
def test_other_overlaps_are_refused(overlap: int) -> None:
    with pytest.raises(ValueError, match="overlap"):
        item_verdict([A], overlap=overlap)


@given(ratings=st.lists(grades, max_size=4), overlap=st.sampled_from([1, 2, 3]))
def test_verdict_lies_on_the_side_of_most_ratings_or_is_missing(ratings: list[Grade], overlap: int) -> None:
    verdict = item_verdict(ratings, overlap=overlap)
    assert (verdict.grade is None) != (verdict.missing is None)
    if verdict.grade is not None:
        counted = ratings[:overlap]
        if len({grade.is_usable for grade in counted}) == 2:
            counted = ratings[:4]
        same_side = [grade for grade in counted if grade.is_usable == verdict.grade.is_usable]
        assert verdict.grade in same_side
        assert 2 * len(same_side) > len(counted)


# Campaigns


def campaign(*groups: tuple[str, int, tuple[Grade, ...]]) -> list[ItemRatings]:
    """Make items: so many in a stratum with these ratings."""
    items = []
    for stratum, count, ratings in groups:
        items += [ItemRatings(f"{len(items) + i}", stratum, ratings) for i in range(count)]
    return items


def census(*groups: tuple[str, int, tuple[Grade, ...]]) -> Analysis:
    items = campaign(*groups)
    sizes = {item.stratum: 0 for item in items}
    for item in items:
        sizes[item.stratum] += 1
    return analyse(items, sizes=sizes, overlap=3)


def test_census_of_fifty_without_splits_is_certain() -> None:
    figures = census(("3", 35, (A, A, A)), ("4", 15, (R, R, R)))
    assert figures.usable.p_hat == 0.70
    assert figures.usable.lower(0.97) == figures.usable.upper(0.97) == 0.70
    assert figures.reject.lower(0.97) == figures.reject.upper(0.97) == 0.30
    assert figures.is_complete


def test_census_with_splits_is_not_certain() -> None:
    items = campaign(("3", 30, (A, A, A)), ("3", 10, (A, A, G, A)), ("3", 10, (G, G, G)))
    figures = analyse(items, sizes={"3": 50}, overlap=3)
    assert figures.usable.split_share == 0.2
    assert figures.usable.p_hat == 0.80
    assert figures.usable.lower(0.97) < 0.80 < figures.usable.upper(0.97)


def test_only_errors_are_all_rejected_with_certainty() -> None:
    figures = analyse([], sizes={NO_OUTPUT: 60}, overlap=3)
    assert figures.usable.p_hat == figures.usable.upper(0.995) == 0
    assert figures.reject.p_hat == figures.reject.lower(0.995) == 1
    assert figures.first_ratings_share is None


def test_errors_weigh_as_rejected_entries_of_the_population() -> None:
    items = campaign(("3", 40, (A, A, A)))
    figures = analyse(items, sizes={"3": 40, NO_OUTPUT: 10}, overlap=3)
    assert figures.usable.p_hat == 0.8
    assert figures.reject.p_hat == 0.2
    assert figures.usable.plain_share == 1


def test_items_without_a_verdict_count_against_below_and_for_above() -> None:
    items = campaign(("3", 30, (A, A, A)), ("3", 10, (R, R, R)), ("3", 10, ()))
    figures = analyse(items, sizes={"3": 50}, overlap=3)
    assert (figures.usable.lower(0.97), figures.usable.upper(0.97)) == (0.6, 0.8)
    assert (figures.reject.lower(0.97), figures.reject.upper(0.97)) == (0.2, 0.4)
    assert figures.missing_count == 10
    assert not figures.is_complete


def test_assumed_grade_fills_only_items_without_a_verdict() -> None:
    items = campaign(("3", 30, (R, R, R)), ("3", 10, (A, G, A)), ("3", 10, ()))
    figures = analyse(items, sizes={"3": 50}, overlap=3, assumed=E)
    assert figures.is_complete
    assert figures.usable.p_hat == 0.4
    assert figures.usable.split_share == 0.25


def test_each_line_has_its_own_share_of_splits() -> None:
    figures = census(("3", 20, (A, A, G, A)), ("3", 10, (R, G, R)), ("3", 10, (A, A, A)))
    assert figures.usable.split_share == 0.5
    assert figures.reject.split_share == 0.25


def test_unequal_sample_is_weighed_by_stratum() -> None:
    items = campaign(("2", 10, (A, A, A)), ("4", 10, (G, G, G)))
    figures = analyse(items, sizes={"2": 90, "4": 10}, overlap=3)
    assert figures.usable.p_hat == 0.9
    assert figures.usable.plain_share == 0.5


def test_grades_are_counted_stratum_by_stratum() -> None:
    items = campaign(("2", 3, (E, E, E)), ("2", 1, (A, A, A)), ("4", 2, (R, R, R)), ("4", 1, ()))
    figures = analyse(items, sizes={"2": 4, "4": 3}, overlap=3)
    assert figures.grade_counts == {"2": {R: 0, G: 0, A: 1, E: 3}, "4": {R: 2, G: 0, A: 0, E: 0}}


def test_first_ratings_take_the_majority_before_fourth_and_talk() -> None:
    items = campaign(("3", 8, (A, A, A)))
    items += [ItemRatings(f"talk-{i}", "3", (A, A, G, G), talk=G) for i in range(2)]
    figures = analyse(items, sizes={"3": 10}, overlap=3)
    assert figures.usable.p_hat == 0.8
    assert figures.first_ratings_share == 1.0
    assert figures.is_gap_marked


def test_gap_of_exactly_five_points_is_not_marked() -> None:
    items = [*campaign(("3", 19, (A, A, A))), ItemRatings("talk", "3", (A, A, G, G), talk=G)]
    figures = analyse(items, sizes={"3": 20}, overlap=3)
    assert figures.first_ratings_gap == pytest.approx(-0.05)
    assert not figures.is_gap_marked


def test_tie_of_two_first_ratings_counts_half() -> None:
    items = [ItemRatings("a", "3", (A, G), talk=A), ItemRatings("b", "3", (A, A))]
    assert analyse(items, sizes={"3": 2}, overlap=2).first_ratings_share == 0.75


def test_figures_are_json_and_can_be_computed_again_from_it() -> None:
    items = campaign(("1", 1, (A, A, A)), ("3", 20, (A, G, A, E)), ("3", 5, (A, G, A, R)), ("not given", 4, ()))
    figures = analyse(items, sizes={"1": 1, "3": 400, "not given": 4, NO_OUTPUT: 3}, overlap=3)
    stored = json.loads(json.dumps(figures.to_dict()))
    again = analyse_dict(stored)
    assert again == figures
    assert json.loads(json.dumps(again.to_dict())) == stored


def test_item_twice_or_in_an_unknown_stratum_is_refused() -> None:
    with pytest.raises(ValueError, match="twice"):
        analyse([ItemRatings("a", "3"), ItemRatings("a", "3")], sizes={"3": 9}, overlap=3)
    with pytest.raises(ValueError, match="strata of items and sizes differ: 4"):
        analyse([ItemRatings("a", "3"), ItemRatings("b", "4")], sizes={"3": 9}, overlap=3)


def test_stratum_with_entries_and_no_item_is_refused() -> None:
    with pytest.raises(ValueError, match="differ: 5"):
        analyse([ItemRatings("a", "3")], sizes={"3": 9, "5": 1}, overlap=3)


ratings_lists = st.lists(st.tuples(st.sampled_from("1234"), st.lists(grades, max_size=4)), min_size=1, max_size=40)


@given(rows=ratings_lists, extra=st.integers(0, 300), no_output=st.integers(0, 20))
def test_any_campaign_has_ordered_bounds(rows, extra: int, no_output: int) -> None:
    items = [ItemRatings(str(i), stratum, tuple(ratings)) for i, (stratum, ratings) in enumerate(rows)]
    sizes = {item.stratum: 0 for item in items}
    for item in items:
        sizes[item.stratum] += 1
    sizes = {stratum: size + extra for stratum, size in sizes.items()} | {NO_OUTPUT: no_output}
    figures = analyse(items, sizes=sizes, overlap=3)
    for estimate in (figures.usable, figures.reject):
        assert 0 <= estimate.lower(0.97) <= estimate.p_hat + 1e-9
        assert estimate.p_hat - 1e-9 <= estimate.upper(0.97) <= 1
        assert estimate.lower(0.995) <= estimate.lower(0.95) + 1e-12
        low, high = estimate.interval
        assert 0 <= low <= high <= 1
    assert figures.usable.share_of is ShareOf.USABLE
    assert figures.usable.positive + figures.reject.positive + figures.missing_count <= len(items)
