"""Where two texts differ: parts that join to the text, letters kept whole."""

from hypothesis import given
from hypothesis import strategies as st

from champollion.common.text_difference import LONGEST_BY_CHARACTER, characters, text_difference


def marked(first, second):
    sides = text_difference(first, second)
    return tuple("".join(f"[{part.text}]" if part.differs else part.text for part in side) for side in sides)


def test_what_the_other_lacks_is_marked():
    found = marked("Dyma frawddeg uned rhif 1", "Dyma frawddeg rhif 1")
    assert found == ("Dyma frawddeg [uned ]rhif 1", "Dyma frawddeg rhif 1")


def test_equal_texts_have_no_difference_and_others_have_all():
    assert marked("cath", "cath") == ("cath", "cath")
    assert marked("", "cath") == ("", "[cath]")
    assert marked("xyz", "cath") == ("[xyz]", "[cath]")


def test_a_letter_stays_whole_with_its_marks():
    assert characters("e\u0301a\u200db") == ["e\u0301", "a\u200db"]
    assert marked("cafe\u0301s", "cafes") == ("caf[e\u0301]s", "caf[e]s")


def test_long_texts_are_compared_by_word():
    text = "gair " * LONGEST_BY_CHARACTER
    assert marked(text + "ci", text + "cath") == (text + "[ci]", text + "[cath]")


@given(st.text(max_size=60), st.text(max_size=60))
def test_the_parts_join_to_the_texts(first, second):
    one, other = text_difference(first, second)
    assert ("".join(part.text for part in one), "".join(part.text for part in other)) == (first, second)
