"""Composite, weights and cost against the specification's page and the verified examples.

Source: SPEC M-3, M-5; 90-harness-facts 3.6, 13.1.
"""

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboard.scoring.composite import RESERVED, WEIGHTS, CompositeError, Profile, composite, normalise, profile_for
from leaderboard.scoring.cost import cost_adjusted, cost_per_entry, cost_per_source_character, latency_summary
from leaderboard.scoring.tiers import Tier, tier_for
from tests.shared import SHARED_SPEC

A, B, NONE = Profile.ANALYSER, Profile.SURFACE, Profile.NO_REFERENCE
SEVEN = {
    "semantic_score": 0.8,
    "chrf_plus_plus": 60,
    "equivalent_match_rate": 0.5,
    "exact_match_rate": 0.2,
    "code_switching_rate": 0.1,
    "terminology_adherence": 0.9,
    "hallucination_rate": 0.05,
}
EMPTY = {"chrf_plus_plus": 0, "exact_match_rate": 0, "code_switching_rate": 0, "hallucination_rate": 0}
COLUMN_METRICS = {
    "FST": "fst_acceptance_rate",
    "morph.": "morphological_accuracy",
    "chrF++": "chrf_plus_plus",
    "semantic": "semantic_score",
    "equivalent": "equivalent_match_rate",
    "code-sw.": "code_switching_rate",
    "term.": "terminology_adherence",
    "halluc.": "hallucination_rate",
    "exact": "exact_match_rate",
    "orthographic": "orthographic_accuracy",
}


@pytest.mark.skipif(not SHARED_SPEC.is_dir(), reason="../shared/spec is not here")
@pytest.mark.parametrize(("row", "profile"), [("profile A", A), ("profile B", B)])
def test_weights_are_those_of_the_specifications_table(row, profile):
    lines = (SHARED_SPEC / "30-scoring.md").read_text(encoding="utf-8").splitlines()
    heads = next(line for line in lines if line.startswith("| | FST |")).strip("|").split("|")
    cells = next(line for line in lines if line.startswith(f"| {row}")).strip("|").split("|")
    table = {
        COLUMN_METRICS[head.strip()]: float(re.match(r"\.\d+", cell.strip()).group())
        for head, cell in zip(heads[1:], cells[1:], strict=True)
        if cell.strip()
    }
    assert table == dict(WEIGHTS[profile])


@pytest.mark.parametrize(("profile", "count"), [(A, 9), (B, 8), (NONE, 4)])
def test_weights_are_positive_and_sum_to_one(profile, count):
    weights = WEIGHTS[profile]
    assert len(weights) == count
    assert round(sum(weights.values()), 10) == 1.0
    assert all(weight > 0 for weight in weights.values())


def test_structure_weighs_forty_per_cent_in_a_and_nothing_in_b():
    assert round(WEIGHTS[A]["fst_acceptance_rate"] + WEIGHTS[A]["morphological_accuracy"], 10) == 0.40
    assert "fst_acceptance_rate" not in WEIGHTS[B]


@pytest.mark.parametrize(
    ("metric", "value", "normalised"),
    [
        ("chrf_plus_plus", 100, 1.0),
        ("chrf_plus_plus", 0, 0.0),
        ("chrf_plus_plus", 72.5, 0.725),
        ("code_switching_rate", 0.0, 1.0),
        ("code_switching_rate", 1.0, 0.0),
        ("code_switching_rate", 0.1, 0.9),
        ("hallucination_rate", 0.0, 1.0),
        ("hallucination_rate", 1.0, 0.0),
        *[
            (metric, 0.75, 0.75)
            for metric in (
                "exact_match_rate",
                "equivalent_match_rate",
                "fst_acceptance_rate",
                "morphological_accuracy",
                "semantic_score",
                "terminology_adherence",
                "orthographic_accuracy",
            )
        ],
    ],
)
def test_values_are_normalised_to_0_1_higher_better(metric, value, normalised):
    assert normalise(metric, value) == normalised


@pytest.mark.parametrize(
    ("values", "profile", "expected"),
    [
        ({"fst_acceptance_rate": 1.0, "chrf_plus_plus": 80, "exact_match_rate": 0.6}, A, 0.8889),
        ({"chrf_plus_plus": 80, "exact_match_rate": 0.6}, B, 0.7429),
        (SEVEN, B, 0.6605),
        ({**SEVEN, "orthographic_accuracy": 0.0}, B, 0.6605),
        ({**SEVEN, "fst_acceptance_rate": 0.9, "morphological_accuracy": 0.7}, A, 0.7375),
        ({**SEVEN, "fst_acceptance_rate": 0.9}, A, 0.7441),
        ({"chrf_plus_plus": 80}, A, 0.8),
        ({"chrf_plus_plus": 130}, B, 1.0),
        ({"chrf_plus_plus": -5}, B, 0.0),
        ({"code_switching_rate": 1.0, "hallucination_rate": 1.0}, B, 0.0),
        (EMPTY, B, 0.3),
        ({**EMPTY, "fst_acceptance_rate": 0}, A, 0.1818),
        (
            {
                "fst_acceptance_rate": 0.9,
                "code_switching_rate": 0.1,
                "hallucination_rate": 0.2,
                "terminology_adherence": 0.5,
            },
            NONE,
            0.82,
        ),
        ({}, B, None),
        (dict.fromkeys(WEIGHTS[A]), A, None),
        ({"exact_match_rate": "0.5", "chrf_plus_plus": 50}, B, 0.5),
        ({"exact_match_rate": True}, B, 1.0),
        ({"exact_match_rate": 0.84995}, B, 0.8499),
        ({"exact_match_rate": 0.69996}, B, 0.7),
        ({"exact_match_rate": 0.69994}, B, 0.6999),
        ({"chrf_plus_plus": 80, "exact_match_rate": 0.6, "comet_score": 0.1, "corpus_bleu": 3}, B, 0.7429),
        (
            {"chrf_plus_plus": 55.24, "exact_match_rate": 0, "code_switching_rate": 0, "hallucination_rate": 0},
            B,
            0.5762,
        ),
        (
            {
                "chrf_plus_plus": 52.09,
                "exact_match_rate": 0,
                "code_switching_rate": 0.0769,
                "hallucination_rate": 0.0077,
            },
            B,
            0.5443,
        ),
        ({"chrf_plus_plus": 55, "exact_match_rate": 0.5}, B, 0.5357),
    ],
)
def test_verified_examples(values, profile, expected):
    assert composite(values, profile).value == expected


def test_nine_perfect_metrics_give_one():
    perfect = {**dict.fromkeys(WEIGHTS[A], 1.0), "chrf_plus_plus": 100}
    perfect |= {"code_switching_rate": 0.0, "hallucination_rate": 0.0}
    assert composite(perfect, A).value == 1.0


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_nan_and_infinity_are_errors(bad):
    with pytest.raises(CompositeError, match="chrf_plus_plus"):
        composite({"chrf_plus_plus": bad}, B)


def test_an_unknown_profile_is_an_error():
    with pytest.raises(CompositeError, match="deep-coverage"):
        composite({"chrf_plus_plus": 80}, "deep-coverage")


@pytest.mark.parametrize(("coverage", "expected"), [(0.25, 0.6792), (0.2499, 0.7389), (0.2, 0.7389)])
def test_morphology_enters_from_a_quarter_of_coverage(coverage, expected):
    values = {
        "fst_acceptance_rate": 0.9,
        "chrf_plus_plus": 55,
        "exact_match_rate": 0.5,
        "morphological_accuracy": 0.5,
    }
    assert composite(values, A, morphology_coverage=coverage).value == expected


def test_a_metric_left_out_is_named_and_does_not_count():
    values = {"chrf_plus_plus": 80, "exact_match_rate": 0.6, "code_switching_rate": 0.5}
    made = composite(values, B, left_out={"code_switching_rate"})
    assert (made.value, made.left_out) == (0.7429, ("code_switching_rate",))
    assert composite(values, B).value != made.value


def test_changed_weights_count():
    assert composite({"chrf_plus_plus": 80, "exact_match_rate": 0.6}, B, weights={"exact_match_rate": 2.0}).value == 0.6


def test_contributions_add_up_to_the_composite():
    made = composite(SEVEN, B)
    assert round(sum(part.points for part in made.contributions), 4) == made.value
    assert round(sum(part.share for part in made.contributions), 10) == 1.0
    assert set(made.unavailable) == RESERVED
    assert set(made.metrics) == set(SEVEN)


@given(st.dictionaries(st.sampled_from(sorted(WEIGHTS[A])), st.floats(0, 1), min_size=1))
def test_a_composite_lies_between_its_parts(values):
    made = composite(values, A)
    parts = [part.normalised for part in made.contributions]
    assert min(parts) - 1e-4 <= made.value <= max(parts) + 1e-4


def test_the_profile_is_the_languages():
    assert profile_for(analyser_exists=True) is A
    assert profile_for(analyser_exists=False) is B


@pytest.mark.parametrize(
    ("value", "cost", "adjusted"),
    [
        (0.75, 0, 0.75),
        (0.75, 0.01, 0.2168),
        (0.8, 0.001, 0.8),
        (0.8, 0.0001, 0.8),
        (0.5762, 0.005, 0.2229),
        (0.9, 0.05, 0.1587),
        (0.9, 1.0, 0.0903),
        (None, 0.01, None),
        (0.75, None, None),
        (0.75, -1, 0.75),
    ],
)
def test_cost_adjusted_score(value, cost, adjusted):
    assert cost_adjusted(value, cost) == adjusted


def test_unknown_cost_stays_unknown_and_free_stays_free():
    assert cost_per_entry(None, 14) is None
    assert cost_per_entry(0.0, 14) == 0.0
    assert cost_per_entry(0.01, 2) == 0.005
    assert cost_per_source_character(None, ["ab"]) is None
    assert cost_per_source_character(0.0, ["ab"]) == 0.0
    assert cost_per_source_character(0.01, ["ab", "e\u0301"]) == 0.0025


def test_latency_takes_the_upper_median_and_the_harness_p95():
    four = latency_summary([4.0, 2.0, 1.0, 3.0])
    assert (four.mean, four.median, four.p95) == (2.5, 3.0, 4.0)
    nineteen = latency_summary([float(number) for number in range(1, 20)])
    assert (nineteen.mean, nineteen.median, nineteen.p95) == (10.0, 10.0, 19.0)
    assert latency_summary([None]).median is None


def test_the_tier_uses_the_rounded_composite():
    assert tier_for(composite({"exact_match_rate": 0.84995}, B).value) is Tier.DEPLOYABLE
    assert tier_for(composite({"exact_match_rate": 0.69996}, B).value) is Tier.DEPLOYABLE
    assert tier_for(composite({"exact_match_rate": 0.69994}, B).value) is Tier.FUNCTIONAL
