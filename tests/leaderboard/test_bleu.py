"""BLEU: tokens, smoothing, brevity, several references. Source: SPEC M-1; 90-harness-facts 4.2, 13.3."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from leaderboard.metrics.bleu import bleu_from_statistics, tokens_13a

from .surface import ours, pair


def bleu(output, *references):
    return ours("corpus_bleu", [pair(output, *references)])[0]


@pytest.mark.parametrize(
    ("output", "reference", "score"),
    [
        ("Ola.", "Ola.", 0.0),
        ("ver sitio", "ver sitio", 0.0),
        ("ver o sitio web agora", "ver o sitio web agora", 100.00000000000004),
        ("", "the cat", 0.0),
    ],
)
def test_bleu_of_one_pair_is_the_published_value(output, reference, score):
    assert bleu(output, reference) == pytest.approx(score, abs=1e-9)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Hello, world.", ["Hello", ",", "world", "."]),
        ("3.14 and 1,000", ["3.14", "and", "1,000"]),
        ("page 5.", ["page", "5", "."]),
        ("1990-2000", ["1990", "-", "2000"]),
        ("well-known", ["well-known"]),
        ("a &amp; b", ["a", "&", "b"]),
        ("don't (ever)", ["don't", "(", "ever", ")"]),
        ("a..5 1..2", ["a", ".", ".5", "1", ".", ".", "2"]),
        ("hyphen-\nated", ["hyphenated"]),
        ("<skipped>gone", ["gone"]),
    ],
)
def test_tokens_are_those_of_mteval_13a(text, tokens):
    assert tokens_13a([text]) == [Tokenizer13a()(text.rstrip()).split()]
    assert tokens_13a([text]) == [tokens]


@given(st.lists(st.text(alphabet="a1.,- &;\n!'é", max_size=12), max_size=6))
def test_points_commas_and_dashes_in_any_order_split_as_in_mteval_13a(texts):
    assert tokens_13a(texts) == [Tokenizer13a()(text.rstrip()).split() for text in texts]


def test_the_rules_of_one_text_do_not_reach_into_the_next():
    texts = ["ends with a dot.", ".begins with one", "5", "-3", "", ",", "7."]
    assert tokens_13a(texts) == [tokens for text in texts for tokens in tokens_13a([text])]
    assert tokens_13a([]) == []


def test_an_output_shorter_than_its_reference_is_marked_down():
    long, short = bleu("a b c d e f g h", "a b c d e f g h"), bleu("a b c d e f", "a b c d e f g h")
    assert short == pytest.approx(long * np.exp(1 - 8 / 6))


def test_of_several_references_any_may_match_and_the_closest_length_counts():
    assert bleu("a b c d e", "a b c d x", "y b c d e") > bleu("a b c d e", "a b c d x")


def test_scores_of_many_sums_are_those_of_each():
    sums = np.array([[8, 8, 6, 4, 2, 0, 8, 7, 6, 5], [3, 4, 3, 2, 1, 0, 3, 2, 1, 0], [0, 4, 0, 0, 0, 0, 0, 0, 0, 0]])
    together = bleu_from_statistics(sums.astype(float))
    assert together.tolist() == [float(bleu_from_statistics(row.astype(float))) for row in sums]
    assert together[1:].tolist() == [0.0, 0.0]
