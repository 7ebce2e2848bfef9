"""How languages are written."""

import pytest

from champollion.common.writing import name_in, own_name, script_of_text, writing_of


@pytest.mark.parametrize(
    ("tag", "lang", "direction", "script"),
    [
        ("cym", "cy", "ltr", "Latn"),
        ("arb", "arb", "rtl", "Arab"),
        ("ur", "ur", "rtl", "Aran"),
        ("am", "am", "ltr", "Ethi"),
        ("iu", "iu", "ltr", "Cans"),
        ("crk", "crk", "ltr", "Cans"),
        ("crk-Latn", "crk-Latn", "ltr", "Latn"),
        ("ff-Adlm", "ff-Adlm", "rtl", "Adlm"),
        ("hi", "hi", "ltr", "indic"),
        ("km", "km", "ltr", "tall"),
        ("ja", "ja", "ltr", "han"),
    ],
)
def test_tag_direction_and_fonts_of_a_language(tag, lang, direction, script):
    how = writing_of(tag)
    assert (how.tag, how.direction, how.script) == (lang, direction, script)


@pytest.mark.parametrize("tag", ["", "!!", "not a tag", "und"])
def test_what_is_no_language_is_undetermined_and_left_to_right(tag):
    assert (writing_of(tag).tag, writing_of(tag).direction) == ("und", "ltr")


def test_latin_with_marks_that_have_no_letter_of_their_own_is_stacked():
    yoruba = writing_of("yo")
    assert script_of_text("ẹ̀tọ́", yoruba) == "stacked"
    assert script_of_text("e\u0301", yoruba) == "Latn"
    assert script_of_text("ẹ̀", writing_of("am")) == "Ethi"


def test_languages_are_named_in_themselves_and_in_the_interface_language():
    assert own_name("cy") == "Cymraeg"
    assert own_name("nn") == "Norsk nynorsk"
    assert name_in("cy", "de") == "Walisisch"
    assert name_in("cy", "en") == "Welsh"


def test_a_language_without_a_known_name_is_its_tag():
    assert own_name("qxq-unknown") == own_name("qxq-unknown")
    assert own_name("xx") == "xx"
    assert name_in("xx", "en") == "xx"
