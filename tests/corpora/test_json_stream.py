"""The pull parser: places of errors, values cut by block borders, strictness."""

import io
import json

import pytest

from corpora.formats import decoding
from corpora.formats.json_stream import JsonProblem, JsonStream


def _array(text: str) -> list[object]:
    stream = JsonStream(io.BytesIO(text.encode()))
    values = list(stream.array())
    stream.end()
    return values


@pytest.mark.parametrize("block", [1, 2, 3, 7, 64])
def test_values_cut_at_any_place_are_read_whole(monkeypatch, block):
    monkeypatch.setattr(decoding, "BLOCK", block)
    values = [{"a": "é\\\n\u2028😀"}, 12, 12.5, -3, 1e-5, True, None, "x" * 100, [], {}, [1, [2]], "12"]
    assert _array(json.dumps(values)) == values
    assert _array(json.dumps(values, indent=40, ensure_ascii=False)) == values


def test_a_number_that_ends_the_block_is_not_taken_for_whole(monkeypatch):
    monkeypatch.setattr(decoding, "BLOCK", 3)
    assert _array("[1234567, 1.25]") == [1234567, 1.25]


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        ('[1,\n  {"a": 1 "b": 2}]', "not_parseable", 2, 11),
        ("[1,\n2", "not_parseable", 2, 2),
        ("[1] x", "not_parseable", 1, 5),
        ('[\n{"a": 1, "a": 2}]', "duplicate_key", 2, 1),
        ("[\n\nNaN]", "not_finite", 3, 1),
        ("[1e999]", "not_finite", 1, 2),
        ("[" + "9" * 5000 + "]", "not_finite", 1, 2),
        ("[" * 200_000, "too_deep", 1, 2),
        ('["a\nb"]', "not_parseable", 1, 4),
    ],
)
def test_what_is_not_strict_json_is_refused_with_its_place(text, code, line, column):
    with pytest.raises(JsonProblem) as raised:
        _array(text)
    assert (raised.value.code, raised.value.line, raised.value.column) == (code, line, column)


def test_the_place_is_right_after_many_blocks(monkeypatch):
    monkeypatch.setattr(decoding, "BLOCK", 16)
    with pytest.raises(JsonProblem) as raised:
        _array("[" + "1,\n" * 1000 + " ?]")
    assert (raised.value.line, raised.value.column) == (1001, 2)


def test_a_key_of_the_outermost_object_may_not_stand_twice():
    stream = JsonStream(io.BytesIO(b'{"a": 1, "a": 2}'))
    with pytest.raises(JsonProblem) as raised:
        for _key in stream.members():
            stream.value()
    assert (raised.value.code, raised.value.value) == ("duplicate_key", "a")


def test_a_value_that_never_ends_stops_at_the_limit(monkeypatch):
    monkeypatch.setattr("corpora.formats.json_stream.VALUE_LIMIT", 1000)
    monkeypatch.setattr(decoding, "BLOCK", 100)
    with pytest.raises(JsonProblem) as raised:
        _array('["' + "x" * 10_000)
    assert raised.value.code == "entry_too_large"
