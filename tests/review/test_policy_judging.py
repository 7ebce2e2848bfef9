"""The verdict of V-8: meets, does not meet, not clear yet, held; the look, the extension, stopping early."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from champollion.stats.allocation import allocate
from review.grades import Grade
from review.judging import Evidence, Met, Outcome, Rule, Stage, Verdict, judge, judge_early
from review.policy import COMMUNITY_1, TWO_SPEAKERS_70, BoundsPolicy, Policy
from review.sampling import NO_OUTPUT
from review.verdicts import ItemRatings, analyse

R, G, A, E = Grade.REJECT, Grade.GIST, Grade.ACCEPTABLE, Grade.EXCELLENT
LEFT = 40


def items_of(*groups: tuple[str, int, Grade | None], raters: int = 3) -> list[ItemRatings]:
    """Make items: so many in a stratum, each given one grade by all its raters, or none."""
    items: list[ItemRatings] = []
    for stratum, count, grade in groups:
        ratings = () if grade is None else (grade,) * raters
        items += [ItemRatings(f"{len(items) + i}", stratum, ratings) for i in range(count)]
    return items


def judged(
    *groups: tuple[str, int, Grade | None],
    sizes: dict[str, int],
    policy: Policy = COMMUNITY_1,
    overlap: int = 3,
    **evidence: object,
) -> Verdict:
    figures = analyse(items_of(*groups, raters=overlap), sizes=sizes, overlap=overlap)
    return judge(figures, policy=policy, evidence=Evidence(**({"extension_left": LEFT} | evidence)))


def line(verdict: Verdict, rule: Rule):
    return next(line for line in verdict.lines if line.rule is rule)


# The figures


@pytest.mark.parametrize(
    "sizes",
    [
        [30],
        [50],
        [1, 8, 50],
        [15, 38, 45, 37, 15],
        [500, 300, 20, 5, 1, 200],
        [100, 1],
        [17_000, 17_000, 17_000, 17_000, 17_000, 17_000],
        [90, 3, 3, 3, 3],
    ],
)
@pytest.mark.parametrize("total", [100, 150])
def test_perfect_sample_meets(sizes: list[int], total: int) -> None:
    names = [*"12345", "not given"][: len(sizes)]
    counts = allocate(sizes, total=total)
    groups = [(name, count, E) for name, count in zip(names, counts, strict=True)]
    verdict = judged(*groups, sizes=dict(zip(names, sizes, strict=True)))
    assert verdict.outcome is Outcome.MEETS
    assert {line.met for line in verdict.lines} == {Met.YES}
    assert not verdict.is_extension_offered


@given(
    sizes=st.lists(st.one_of(st.integers(1, 100), st.integers(1, 10**6)), min_size=1, max_size=6),
    total=st.sampled_from([100, 150]),
)
def test_perfect_sample_meets_whatever_the_strata(sizes: list[int], total: int) -> None:
    if sum(sizes) < 30:
        return
    names = [*"12345", "not given"][: len(sizes)]
    groups = [(name, count, A) for name, count in zip(names, allocate(sizes, total=total), strict=True)]
    assert judged(*groups, sizes=dict(zip(names, sizes, strict=True))).outcome is Outcome.MEETS


def test_perfect_look_meets_in_even_strata_and_is_unclear_where_one_stratum_is_nearly_all() -> None:
    def look(**sizes: int) -> Outcome:
        counts = allocate(list(sizes.values()), total=60)
        groups = [(name[1:], count, A) for name, count in zip(sizes, counts, strict=True)]
        by_stratum = {name[1:]: size for name, size in sizes.items()}
        return judged(*groups, sizes=by_stratum, stage=Stage.LOOK).outcome

    assert look(d1=100, d2=250, d3=300, d4=250, d5=100) is Outcome.MEETS
    # Floors of eight leave 28 of 60 items for over 99 % of the entries: at 99.5 % that is too little to end it here.
    assert look(d1=24, d2=18, d3=16, d4=67_478, d5=232) is Outcome.NOT_CLEAR_YET


def test_nothing_usable_does_not_meet() -> None:
    assert judged(("3", 100, R), sizes={"3": 1000}).outcome is Outcome.DOES_NOT_MEET


def test_many_rejects_do_not_meet_whatever_is_usable() -> None:
    verdict = judged(("3", 72, E), ("3", 28, R), sizes={"3": 100})
    assert line(verdict, Rule.USABLE).met is Met.YES
    assert line(verdict, Rule.REJECT).met is Met.NO
    assert verdict.outcome is Outcome.DOES_NOT_MEET


def test_gists_are_no_rejects() -> None:
    verdict = judged(("3", 72, E), ("3", 28, G), sizes={"3": 100})
    assert line(verdict, Rule.REJECT).met is Met.YES
    assert verdict.outcome is Outcome.MEETS


def test_census_of_fifty_meets_at_exactly_seventy_and_fifteen() -> None:
    # 70 usable, 15 rejected of 100, without a split: no variance, both bounds are the shares themselves.
    assert judged(("3", 70, A), ("3", 15, G), ("3", 15, R), sizes={"3": 100}).outcome is Outcome.MEETS
    assert judged(("3", 35, A), ("3", 15, G), sizes={"3": 50}).outcome is Outcome.MEETS


def test_census_one_item_short_does_not_meet() -> None:
    assert judged(("3", 34, A), ("3", 16, G), sizes={"3": 50}).outcome is Outcome.DOES_NOT_MEET
    assert judged(("3", 84, A), ("3", 16, R), sizes={"3": 100}).outcome is Outcome.DOES_NOT_MEET


def test_between_the_bounds_is_not_clear_yet_and_offers_the_extension() -> None:
    verdict = judged(("3", 75, A), ("3", 25, G), sizes={"3": 1000})
    assert verdict.outcome is Outcome.NOT_CLEAR_YET
    assert line(verdict, Rule.USABLE).met is Met.UNCLEAR
    assert verdict.is_extension_offered
    assert verdict.is_final


def test_smallest_count_of_100_from_many_that_meets() -> None:
    # n* = 99 · p̃(1−p̃)/(p̃(1−p̃)) = 99 without splits: Clopper-Pearson(p̂·99, 99) at one-sided 97 %.
    assert judged(("3", 79, A), ("3", 21, G), sizes={"3": 10**7}).outcome is Outcome.MEETS
    assert judged(("3", 78, A), ("3", 22, G), sizes={"3": 10**7}).outcome is Outcome.NOT_CLEAR_YET


def test_only_errors_are_descriptive_for_nothing_was_shown() -> None:
    verdict = judged(sizes={NO_OUTPUT: 100})
    assert verdict.is_descriptive_only
    assert line(verdict, Rule.USABLE).met is Met.NO


def test_errors_weigh_against_the_method() -> None:
    assert judged(("3", 70, E), sizes={"3": 70, NO_OUTPUT: 10}).outcome is Outcome.MEETS
    assert judged(("3", 70, E), sizes={"3": 70, NO_OUTPUT: 13}).outcome is Outcome.DOES_NOT_MEET


# Descriptive only


def test_under_thirty_items_only_describes() -> None:
    verdict = judged(("3", 29, E), sizes={"3": 29})
    assert verdict.is_descriptive_only
    assert verdict.outcome is Outcome.NOT_CLEAR_YET
    assert not judged(("3", 30, E), sizes={"3": 30}).is_descriptive_only


def test_one_rater_an_item_only_describes() -> None:
    assert judged(("3", 100, E), sizes={"3": 100}, overlap=1).is_descriptive_only
    assert judged(("3", 100, E), sizes={"3": 100}, overlap=2).outcome is Outcome.MEETS


def test_worst_sample_under_thirty_still_only_describes() -> None:
    assert judged(("3", 29, R), sizes={"3": 29}).outcome is Outcome.NOT_CLEAR_YET


# Held


def test_confirmed_harm_holds() -> None:
    verdict = judged(("3", 100, E), sizes={"3": 100}, harm_confirmed=1)
    assert verdict.outcome is Outcome.HELD
    assert line(verdict, Rule.HARM).met is Met.NO
    assert not verdict.is_extension_offered


def test_open_harm_flag_holds_until_it_is_decided() -> None:
    verdict = judged(("3", 100, E), sizes={"3": 100}, harm_open=2)
    assert verdict.outcome is Outcome.HELD
    assert line(verdict, Rule.HARM).met is Met.UNCLEAR
    assert line(verdict, Rule.HARM).found == {"open": 2, "confirmed": 0}


def test_harm_does_not_soften_a_method_that_does_not_meet() -> None:
    assert judged(("3", 100, R), sizes={"3": 100}, harm_open=1).outcome is Outcome.DOES_NOT_MEET


def test_agreement_fails_only_under_three_quarters() -> None:
    assert judged(("3", 100, E), sizes={"3": 100}, agreement_upper=0.749).outcome is Outcome.HELD
    assert judged(("3", 100, E), sizes={"3": 100}, agreement_upper=0.75).outcome is Outcome.MEETS
    assert judged(("3", 100, E), sizes={"3": 100}, agreement_upper=None).outcome is Outcome.MEETS


def test_failed_agreement_takes_the_extension_away() -> None:
    unclear = [("3", 75, A), ("3", 25, G)]
    assert judged(*unclear, sizes={"3": 1000}, agreement_upper=0.9).is_extension_offered
    assert not judged(*unclear, sizes={"3": 1000}, agreement_upper=0.7).is_extension_offered


def test_weak_stratum_of_eight_holds_with_one_usable_and_not_with_two() -> None:
    weak = judged(("3", 92, E), ("5", 1, A), ("5", 7, G), sizes={"3": 92, "5": 8})
    assert weak.outcome is Outcome.HELD
    assert line(weak, Rule.STRATA).found["failing"] == ["5"]
    assert judged(("3", 92, E), ("5", 2, A), ("5", 6, G), sizes={"3": 92, "5": 8}).outcome is Outcome.MEETS


def test_stratum_of_seven_is_not_looked_at() -> None:
    assert judged(("3", 93, E), ("5", 7, G), sizes={"3": 93, "5": 7}).outcome is Outcome.MEETS


def test_entries_without_output_are_no_weak_stratum() -> None:
    assert judged(("3", 92, E), sizes={"3": 92, NO_OUTPUT: 8}).outcome is Outcome.MEETS


# Look and extension


def test_look_asks_for_more_to_meet_than_the_close() -> None:
    groups = [("3", 50, A), ("3", 10, G)]
    sizes = {"3": 1000}
    at_look = judged(*groups, sizes=sizes, stage=Stage.LOOK)
    assert at_look.outcome is Outcome.NOT_CLEAR_YET
    assert judged(*groups, sizes=sizes).outcome is Outcome.MEETS
    assert line(at_look, Rule.USABLE).found["lower_level"] == 0.995
    assert line(at_look, Rule.USABLE).found["upper_level"] == 0.95


def test_look_asks_for_less_to_fail_than_the_close() -> None:
    groups = [("3", 35, A), ("3", 25, G)]
    assert judged(*groups, sizes={"3": 1000}, stage=Stage.LOOK).outcome is Outcome.DOES_NOT_MEET
    assert judged(*groups, sizes={"3": 1000}).outcome is Outcome.NOT_CLEAR_YET


def test_unclear_look_neither_ends_the_campaign_nor_offers_the_extension() -> None:
    verdict = judged(("3", 45, A), ("3", 15, G), sizes={"3": 1000}, stage=Stage.LOOK)
    assert not verdict.is_final
    assert not verdict.is_extension_offered


def test_clear_look_ends_the_campaign() -> None:
    assert judged(("3", 60, A), sizes={"3": 1000}, stage=Stage.LOOK).is_final
    assert judged(("3", 60, R), sizes={"3": 1000}, stage=Stage.LOOK).is_final


def test_held_look_does_not_end_the_campaign() -> None:
    assert not judged(("3", 60, A), sizes={"3": 1000}, stage=Stage.LOOK, harm_open=1).is_final


def test_extension_is_offered_once() -> None:
    groups = [("3", 105, A), ("3", 35, G)]
    assert not judged(*groups, sizes={"3": 1000}, stage=Stage.EXTENDED).is_extension_offered


def test_extension_is_not_offered_where_nothing_is_left_or_planned() -> None:
    groups = [("3", 75, A), ("3", 25, G)]
    without = BoundsPolicy(name="no-extension", extension_size=0)
    assert not judged(*groups, sizes={"3": 1000}, extension_left=0).is_extension_offered
    assert not judged(*groups, sizes={"3": 1000}, policy=without).is_extension_offered


# Stopping early


def early(*groups: tuple[str, int, Grade | None], sizes: dict[str, int], **evidence: object) -> Verdict | None:
    return judge_early(items_of(*groups), sizes=sizes, overlap=3, policy=COMMUNITY_1, evidence=Evidence(**evidence))


def test_campaign_stops_when_the_rest_cannot_undo_that_it_meets() -> None:
    verdict = early(("3", 85, A), ("3", 15, None), sizes={"3": 100})
    assert verdict is not None
    assert (verdict.outcome, verdict.is_early) == (Outcome.MEETS, True)


def test_campaign_goes_on_while_one_more_reject_would_matter() -> None:
    assert early(("3", 84, A), ("3", 16, None), sizes={"3": 100}) is None


def test_campaign_stops_when_the_rest_cannot_make_it_meet() -> None:
    verdict = early(("3", 31, G), ("3", 69, None), sizes={"3": 100})
    assert verdict is not None
    assert verdict.outcome is Outcome.DOES_NOT_MEET
    assert line(verdict, Rule.USABLE).met is Met.NO


def test_nothing_rated_settles_nothing() -> None:
    assert early(("3", 100, None), sizes={"3": 100}) is None


def test_complete_campaign_is_not_early() -> None:
    assert early(("3", 100, A), sizes={"3": 100}) is None


def test_early_stop_keeps_the_agreement_of_what_is_rated() -> None:
    verdict = early(("3", 90, A), ("3", 10, None), sizes={"3": 100}, agreement_upper=0.7)
    assert verdict is not None
    assert verdict.outcome is Outcome.HELD


def test_small_sample_never_stops_early() -> None:
    assert early(("3", 28, A), ("3", 1, None), sizes={"3": 29}) is None


@given(
    rated=st.lists(st.sampled_from([R, G, A, E]), min_size=20, max_size=60),
    rest=st.lists(st.sampled_from([R, G, A, E]), min_size=1, max_size=20),
)
def test_verdict_reached_early_is_the_verdict_at_the_end(rated: list[Grade], rest: list[Grade]) -> None:
    sizes = {"3": 3 * (len(rated) + len(rest))}
    verdict = early(*[("3", 1, grade) for grade in rated], ("3", len(rest), None), sizes=sizes)
    if verdict is not None:
        assert verdict.outcome is judged(*[("3", 1, grade) for grade in rated + rest], sizes=sizes).outcome


# The prize rule


def prize(*items: ItemRatings, sizes: dict[str, int], **evidence: object) -> Verdict:
    figures = analyse(items, sizes=sizes, overlap=2)
    return judge(figures, policy=TWO_SPEAKERS_70, evidence=Evidence(**evidence))


def pairs(stratum: str, **counts: int) -> list[ItemRatings]:
    """Make items with two ratings, named by their initials: pairs("3", AA=20, AG=10)."""
    by_letter = {"R": R, "G": G, "A": A, "E": E}
    return [
        ItemRatings(f"{stratum}-{letters}-{i}", stratum, tuple(by_letter[letter] for letter in letters))
        for letters, count in counts.items()
        for i in range(count)
    ]


def test_prize_is_met_at_21_of_30_and_not_at_20() -> None:
    assert prize(*pairs("3", AE=21, AG=9), sizes={"3": 30}).outcome is Outcome.MEETS
    assert prize(*pairs("3", AE=20, AG=10), sizes={"3": 30}).outcome is Outcome.DOES_NOT_MEET


def test_prize_needs_thirty_entries_of_difficulty_two_to_five() -> None:
    verdict = prize(*pairs("3", AA=29), *pairs("1", AA=20), sizes={"3": 29, "1": 20})
    assert verdict.is_descriptive_only
    assert line(verdict, Rule.ITEMS).found == {"count": 29}


def test_prize_does_not_count_difficulty_one() -> None:
    assert prize(*pairs("3", AA=30), *pairs("1", RR=30), sizes={"3": 30, "1": 30}).outcome is Outcome.MEETS


def test_prize_weighs_by_stratum() -> None:
    items = [*pairs("2", AA=20), *pairs("5", RR=20)]
    assert prize(*items, sizes={"2": 80, "5": 20}).outcome is Outcome.MEETS
    assert prize(*items, sizes={"2": 60, "5": 40}).outcome is Outcome.DOES_NOT_MEET


def test_prize_counts_entries_without_output_as_failed() -> None:
    assert prize(*pairs("3", AA=35), sizes={"3": 35, NO_OUTPUT: 15}).outcome is Outcome.MEETS
    assert prize(*pairs("3", AA=35), sizes={"3": 35, NO_OUTPUT: 16}).outcome is Outcome.DOES_NOT_MEET


def test_prize_is_not_clear_while_entries_that_matter_lack_a_rating() -> None:
    verdict = prize(*pairs("3", AA=30, A=14), sizes={"3": 44})
    assert verdict.outcome is Outcome.NOT_CLEAR_YET
    assert line(verdict, Rule.PASS_SHARE).found == pytest.approx({"lower": 30 / 44, "upper": 1})
    assert not verdict.is_descriptive_only


def test_prize_stops_early_when_open_entries_cannot_matter() -> None:
    def early_prize(**counts: int) -> Verdict | None:
        items = pairs("3", **counts)
        return judge_early(items, sizes={"3": len(items)}, overlap=2, policy=TWO_SPEAKERS_70, evidence=Evidence())

    settled = early_prize(AA=32, A=8)
    assert settled is not None
    assert settled.outcome is Outcome.MEETS
    assert early_prize(AA=27, A=13) is None


def test_prize_is_held_by_harm_and_not_by_agreement() -> None:
    items = pairs("3", AA=40)
    assert prize(*items, sizes={"3": 40}, harm_confirmed=1).outcome is Outcome.HELD
    assert prize(*items, sizes={"3": 40}, agreement_upper=0.1).outcome is Outcome.MEETS


# As data


def test_verdict_is_json() -> None:
    verdict = judged(("3", 100, E), sizes={"3": 100})
    stored = json.loads(json.dumps(verdict.to_dict()))
    assert stored["outcome"] == "meets"
    assert stored["is_final"] is True
    assert [line["rule"] for line in stored["lines"]] == [
        "usable",
        "reject",
        "strata",
        "agreement",
        "harm",
        "items",
        "raters",
    ]
