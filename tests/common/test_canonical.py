"""Canonical JSON and strict reading. Source: SPEC R-3; 90-harness-facts 2.1, 2.4."""

import codecs

import pytest

from champollion.common.canonical import (
    EncodingProblem,
    StrictJsonProblem,
    canonical_json,
    canonical_sha256,
    decode_text,
    loads_strict,
)


def test_keys_are_sorted_and_separators_have_a_space():
    assert canonical_json({"b": [1, 2], "a": None}) == b'{"a": null, "b": [1, 2]}'


def test_letters_are_not_escaped():
    assert canonical_json({"m": "modèle"}) == '{"m": "modèle"}'.encode()


@pytest.mark.parametrize(
    ("value", "text"), [(0.0, b"0.0"), (0, b"0"), (1e-05, b"1e-05"), (True, b"true"), (55.24, b"55.24")]
)
def test_numbers_keep_their_kind(value, text):
    assert canonical_json(value) == text


def test_zero_and_zero_point_zero_have_different_digests():
    assert canonical_sha256({"t": 0}) != canonical_sha256({"t": 0.0})


def test_canonical_json_refuses_nan():
    with pytest.raises(ValueError, match="JSON"):
        canonical_json({"x": float("nan")})


def test_reading_back_gives_the_same_bytes():
    raw = b'{"a": 0.0, "b": 0, "c": 1e-05, "d": "\xc3\xa9"}'
    assert canonical_json(loads_strict(raw)) == raw


@pytest.mark.parametrize("raw", [b'{"x": NaN}', b'{"x": Infinity}', b'{"x": -Infinity}', b'{"x": 1e999}', b"1" * 5000])
def test_numbers_that_are_not_finite_are_refused(raw):
    with pytest.raises(StrictJsonProblem) as caught:
        loads_strict(raw)
    assert caught.value.code == "not_finite"


def test_a_key_twice_is_refused_and_named():
    with pytest.raises(StrictJsonProblem, match="“a”") as caught:
        loads_strict(b'{"a": 1, "a": 2}')
    assert caught.value.code == "duplicate_key"


def test_not_json_says_line_and_column():
    with pytest.raises(StrictJsonProblem) as caught:
        loads_strict(b'{\n "a": }')
    assert (caught.value.code, caught.value.line, caught.value.column) == ("not_json", 2, 7)


def test_half_a_surrogate_is_refused_and_a_whole_pair_is_kept():
    assert loads_strict(rb'"\ud83d\ude00"') == "😀"
    with pytest.raises(StrictJsonProblem) as caught:
        loads_strict(rb'{"a": ["\ud83d"]}')
    assert (caught.value.code, caught.value.value) == ("bad_surrogate", "U+D83D")


def test_deep_nesting_is_refused():
    with pytest.raises(StrictJsonProblem) as caught:
        loads_strict(b"[" * 200_000)
    assert caught.value.code == "too_deep"


@pytest.mark.parametrize(
    "raw",
    [
        "ŵy".encode(),
        codecs.BOM_UTF8 + "ŵy".encode(),
        codecs.BOM_UTF16_LE + "ŵy".encode("utf-16-le"),
        codecs.BOM_UTF16_BE + "ŵy".encode("utf-16-be"),
    ],
)
def test_utf8_and_utf16_with_mark_are_read(raw):
    assert decode_text(raw) == "ŵy"


def test_latin_1_is_refused_with_the_place_of_the_first_bad_byte():
    with pytest.raises(EncodingProblem) as caught:
        decode_text("ŵ\nab".encode() + "é".encode("latin-1"))
    assert (caught.value.offset, caught.value.line) == (5, 2)


def test_utf16_with_half_a_unit_is_refused_with_its_place():
    with pytest.raises(EncodingProblem) as caught:
        decode_text(codecs.BOM_UTF16_LE + "a".encode("utf-16-le") + b"\x00")
    assert caught.value.offset == 4
