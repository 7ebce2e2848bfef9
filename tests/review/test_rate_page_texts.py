"""Words that can be marked, and notes that would give the reference away (SPEC V-5)."""

from __future__ import annotations

import pytest

from review.note_checks import note_reveals
from review.words_of_text import mark_read, words_of


def test_words_have_places_in_code_points():
    words = words_of("𐐀b  c\ndé", marks=[])
    assert [(word.start, word.end, word.text) for word in words] == [(0, 2, "𐐀b"), (4, 5, "c"), (6, 8, "dé")]


def test_word_is_marked_where_a_mark_touches_it():
    assert [word.is_marked for word in words_of("one two three", marks=[[5, 9]])] == [False, True, True]
    assert [word.is_marked for word in words_of("one two three", marks=[[3, 4]])] == [False, False, False]


def test_text_without_spaces_is_one_word_and_without_anything_none():
    assert [word.value for word in words_of("ไม่มีช่องว่าง", marks=[])] == ["0-13"]
    assert words_of(" \n", marks=[]) == ()


@pytest.mark.parametrize(("sent", "read"), [
    ("3-7", [3, 7]), ("3", None), ("", None), ("a-b", None), ("-3-7", None), ("٣-٧", None), ("3-7-9", None),
])  # fmt: skip
def test_place_of_a_mark_is_read_or_left_out(sent, read):
    assert mark_read(sent) == read


@pytest.mark.parametrize(("note", "is_told"), [
    ("", False), ("Said on a boat.", False), ("Literally: the law", False), ("Use GYFRAITH here", True),
    ("dyma'r gyfraith", True), ("dim", False),
])  # fmt: skip
def test_note_that_holds_a_word_of_the_reference_gives_it_away(note, is_told):
    assert note_reveals(note, reference="Dyma'r gyfraith", source="This is the law") is is_told
