"""Comparison, visible marks and forbidden characters. Source: SPEC C-4, R-4, M-1."""

import pytest

from champollion.common.text import forbidden_characters, has_hidden, normalise_exact, same_text, show_hidden


@pytest.mark.parametrize(
    ("first", "second"), [("café", "cafe\u0301"), (" a  b ", "a b"), ("a\u00a0b", "a b"), ("a\r\nb", "a b")]
)
def test_normal_form_and_white_space_make_no_difference(first, second):
    assert same_text(first, second)


@pytest.mark.parametrize(("first", "second"), [("Café", "café"), ("a b", "ab"), ("a.", "a"), ("ﬁ", "fi")])
def test_case_punctuation_and_compatibility_forms_make_a_difference(first, second):
    assert not same_text(first, second)


def test_exact_form_lowers_but_does_not_fold():
    assert normalise_exact("Café\u00a0 Olé") == normalise_exact("cafe\u0301 olé")
    assert normalise_exact("Straße") != normalise_exact("STRASSE")


def test_a_zero_width_space_is_kept_in_the_exact_form():
    assert normalise_exact("a\u200bb") != normalise_exact("ab")


def test_hidden_characters_become_marks_and_lose_their_power():
    assert show_hidden("a\u202eb\u200bc\x07\u2066") == "a⟨RLO⟩b⟨ZWSP⟩c⟨U+0007⟩⟨LRI⟩"
    assert not has_hidden(show_hidden("\u202a\u202e\u2067\ufeff\x00\u00ad"))


def test_plain_text_of_any_script_stays_as_it_is():
    for text in ("ŵyf i\nyma", "هل استمتعت؟", "ለምን አትበላም።", "<script>alert(1)</script>"):
        assert show_hidden(text) == text


@pytest.mark.parametrize(
    ("text", "position", "kind"),
    [
        ("a\x00", 1, "control"),
        ("\x1b[0m", 0, "control"),
        ("\x85", 0, "control"),
        ("ab\u202e", 2, "override"),
        ("\u202dx\u202c", 0, "override"),
        ("a\u202bb", 1, "embedding"),
        ("a\u202c", 1, "embedding"),
        ("\u202ba\nb\u202c", 0, "embedding"),
        ("\u2067\u202ba\u2069", 1, "embedding"),
        ("\ud83d", 0, "surrogate"),
    ],
)
def test_forbidden_characters_are_found_with_their_place(text, position, kind):
    first = forbidden_characters(text)[0]
    assert (first.position, first.kind) == (position, kind)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a\tb\r\n",
        "\u202bab\u202c",
        "\u2067a\u2069",
        "\u2066open",
        "\u200e\u200f\u061c",
        "क\u094d\u200dष",
        "x\u200cy",
    ],
)
def test_marks_isolates_joiners_and_paired_embeddings_are_kept(text):
    assert forbidden_characters(text) == []


def test_an_override_with_its_pop_is_reported_once():
    assert len(forbidden_characters("a\u202eb\u202c")) == 1
