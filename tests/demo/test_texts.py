"""The rules by which the demo's corpora are described."""

import pytest

from champollion.demo import texts


@pytest.mark.parametrize("text", ["Log in", "Dette feltet er påkrevd.", "¿Está seguro?", "Really, are you sure?"])
def test_a_sentence_is_plain(text):
    assert texts.is_plain(text)


@pytest.mark.parametrize(
    "text",
    [
        "%(count)s rows",
        "{name} was added",
        "<b>Bold</b>",
        "A &amp; B",
        "two\nlines",
        " padded",
        "12:30",
        "a/b",
        "see https:x",
    ],
)
def test_placeholders_markup_and_addresses_are_not_plain(text):
    assert not texts.is_plain(text)


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("Logg", 1),
        ("Logg inn", 2),
        ("Logg inn nå på nytt", 3),
        ("Skriv inn navnet, og passordet", 4),
        ("en to tre fire fem seks sju åtte ni", 3),
        ("en to tre fire fem seks sju åtte ni ti", 4),
        (" ".join(["ord"] * 19), 5),
    ],
)
def test_difficulty_grows_with_words_and_clauses(text, level):
    assert texts.difficulty(text) == level


def test_a_diagnostic_text_names_its_phenomenon():
    assert texts.phenomenon("Er du sikker?") == "question"
    assert texts.phenomenon("Fra 1 til 2") == "numbers"
    assert texts.phenomenon("Logg inn") is None
