"""TER: tercom's search found again, with what cannot matter left out. Source: SPEC M-1; 90-harness-facts 4.2."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.lib_ter import _perform_shift, translation_edit_rate

from leaderboard.metrics.ter import PARTS, ter_statistics
from leaderboard.metrics.ter_distance import BEAM, Reference, cell_of
from leaderboard.metrics.ter_search import MOST_CANDIDATES, Shift, edits

from .surface import ours, pair

words = st.lists(st.sampled_from("abcdef"), max_size=14)


def tercom(output, reference):
    return translation_edit_rate(list(output), list(reference))[0]


def ter(output, *references):
    return ours("ter", [pair(output, *references)])[0]


def moved_about(rng, reference, changes):
    """Return the words with some runs moved and some words replaced, left out or put in."""
    output = list(reference)
    for _ in range(changes):
        kind, place = rng.random(), rng.randrange(len(output) + 1)
        run = output[place : place + rng.randint(1, 12)]
        if kind < 0.6:
            del output[place : place + len(run)]
            at = rng.randrange(len(output) + 1)
            output[at:at] = run
        elif kind < 0.8:
            output[place : place + 1] = [rng.choice(reference)]
        elif kind < 0.9:
            del output[place : place + 1]
        else:
            output.insert(place, rng.choice(reference))
    return output


@pytest.mark.parametrize(
    ("output", "reference", "score"),
    [
        ("the cat sat", "the cat", 50.0),
        ("The cat", "the cat", 0.0),
        ("a b c d", "d a b c", 25.0),
        ("", "the cat", 100.0),
        ("the cat", "", 100.0),
        ("", "", 0.0),
        ("a b c", "x", 300.0),
    ],
)
def test_ter_of_one_pair_is_the_published_value(output, reference, score):
    assert ter(output, reference) == score


@settings(deadline=None, max_examples=300)
@given(words, words)
def test_short_texts_need_tercoms_edits(output, reference):
    assert edits(output, reference) == tercom(output, reference)


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 2**32), st.integers(2, 30), st.integers(15, 34), st.integers(0, 6))
def test_texts_of_moved_runs_need_tercoms_edits(seed, vocabulary, size, changes):
    rng = random.Random(seed)
    reference = [str(rng.randrange(vocabulary)) for _ in range(size)]
    output = moved_about(rng, reference, changes)
    assert edits(output, reference) == tercom(output, reference)


@pytest.mark.parametrize(
    ("seed", "length", "size", "vocabulary"),
    [
        (1, 60, 60, 500),
        (2, 55, 90, 60),
        (3, 90, 40, 60),
        (4, 45, 70, 20),
        (5, 5, 140, 40),
        (6, 1, 150, 9),
        (7, 140, 3, 9),
    ],
)
def test_where_the_beam_is_too_narrow_for_the_true_distance_tercoms_is_given(seed, length, size, vocabulary):
    rng = random.Random(seed)
    output, reference = ([str(rng.randrange(vocabulary)) for _ in range(count)] for count in (length, size))
    assert edits(output, reference) == tercom(output, reference)


def test_the_beam_gives_more_than_the_true_distance_where_texts_are_far_apart():
    """A run of 40 words stands 30 words later: the true distance goes far round the diagonal, tercom's may not."""
    run, other = [chr(0x100 + place) for place in range(40)], [chr(0x200 + place) for place in range(40)]
    output = [chr(0x300 + place) for place in range(30)] + run
    reference = Reference("".join(run + other))
    true = cell_of(reference.advance("".join(output), reference.first_row), len(output), 80)
    assert not reference.is_within_beam(true, len(output))
    assert reference.table("".join(output)).distance > true
    assert edits(output, run + other) == tercom(output, run + other)


def test_texts_shorter_than_the_beam_have_their_true_distance():
    short = Reference("a" * (BEAM - 1))
    assert short.is_within_beam(10_000, 1)
    assert not Reference("a" * BEAM).is_within_beam(10_000, BEAM)


@pytest.mark.parametrize(
    ("shift", "words"),
    [
        (Shift(2, 5, 1), "afgbcdehij"),
        (Shift(2, 1, 7), "adefgbchij"),
        (Shift(2, 1, 10), "adefghijbc"),
        (Shift(3, 1, 2), "aebcdfghij"),
        (Shift(3, 1, 4), "aefgbcdhij"),
        (Shift(3, 1, 1), "abcdefghij"),
    ],
)
def test_a_shift_moves_as_tercom_does_and_says_how_far_it_reaches(shift, words):
    before = "abcdefghij"
    assert (
        shift.apply(before) == "".join(_perform_shift(list(before), shift.start, shift.length, shift.target)) == words
    )
    start, stop = shift.reach
    assert words[:start] == before[:start]
    assert words[stop:] == before[stop:]


def test_so_many_equal_words_that_the_search_gives_up_need_tercoms_edits():
    output, reference = list("ab" * 12 + "c"), list("c" + "ba" * 12)
    assert len(output) ** 2 > MOST_CANDIDATES / 2
    assert edits(output, reference) == tercom(output, reference)


def test_rows_of_bits_hold_the_same_distances_as_the_table():
    rng = random.Random(8)
    for _ in range(50):
        output, reference = ("".join(rng.choices("abcd", k=rng.randint(0, 20))) for _ in range(2))
        measured = Reference(reference)
        rows = [measured.first_row, *measured.rows(output, measured.first_row)]
        table = measured.table(output)
        for i, row in enumerate(rows):
            assert [table.cell(i, j) for j in range(len(reference) + 1)] == [
                cell_of(row, i, j) for j in range(len(reference) + 1)
            ]


def test_the_mean_length_of_references_is_kept_in_whole_parts():
    assert ter_statistics("a b", ("a b", "a", "a b c")) == (0, 2 * PARTS)
    assert ter_statistics("a", ("a b", "a b", "a b c")) == (1, 7 * PARTS // 3)
    assert all(PARTS % count == 0 for count in range(1, 11))


def test_corpus_ter_is_edits_over_words_not_a_mean_of_entries():
    corpus, entries = ours("ter", [pair("a b c", "a"), pair("a b c d e f g h", "a b c d e f g h")])
    assert entries.tolist() == [200.0, 0.0]
    assert corpus == pytest.approx(100 * 2 / 9)
    assert np.mean(entries) != corpus
