"""C-5: words that say a machine made the references."""

import pytest

from corpora.validation import ValidationOptions, validate
from corpora.validation.machine_words import machine_word, machine_word_in

from .files import as_stream, document, entry


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Machine translation, checked", "Machine translation"),
        ("machine-translated", "machine-translated"),
        ("MACHINE_TRANSLATED", "MACHINE_TRANSLATED"),
        ("machine\u2011translated", "machine\u2011translated"),
        ("synthetic", "synthetic"),
        ("back-translation of news", "back-translation"),
        ("pseudo-parallel", "pseudo-parallel"),
        ("by DeepL, post-edited", "DeepL"),
        ("google translate", "google translate"),
        ("GPT-4", "GPT-4"),
        ("opus-mt", "opus-mt"),
        ("apertium_output", "apertium"),
    ],
)
def test_a_word_of_the_list_is_found(text, word):
    assert machine_word(text) == word


@pytest.mark.parametrize(
    "text",
    [
        "aligned by machine",
        "machine-aligned",
        "elicited",
        "textbook on sewing machines",
        "photosynthetic plants",
        "pseudonym of the author kept",
        "translated by people",
        "The five books of Moses",
        "deeply idiomatic",
        "tatoeba",
        "",
    ],
)
def test_other_words_are_not(text):
    assert machine_word(text) == ""


def test_objects_are_looked_through_but_not_their_addresses():
    assert machine_word_in({"source_name": "web", "notes": ["by DeepL"]}) == "DeepL"
    assert machine_word_in({"source_name": "web", "url": "https://example.org/gpt-4/"}) == ""


def test_the_message_names_the_word_and_a_statement_turns_it_into_a_warning():
    value = document(entry(1, provenance="Gemini, journal of the Gemini society"))
    refused = validate(as_stream(value), ValidationOptions()).log
    assert [problem.code for problem in refused.errors] == ["machine_reference"]
    assert "“Gemini”" in refused.errors[0].remedy
    stated = validate(as_stream(value), ValidationOptions(machine_word_statement="The name of a printed journal.")).log
    assert not stated.has_errors
    assert "machine_word_stated" in [problem.code for problem in stated.warnings]


def test_a_blank_statement_is_none():
    value = document(entry(1, provenance="synthetic"))
    assert validate(as_stream(value), ValidationOptions(machine_word_statement="  ")).log.has_errors
