"""The demo's corpora: real, complete, the same every time, and with an output for every entry that is run."""

from collections import Counter

import pytest

from champollion.demo import apertium, catalogues
from champollion.demo.catalogues import PAIRS, SEGMENT_SIZES

#: SPEC C-4: smallest sizes without a warning.
SMALLEST = {"development": 30, "diagnostic": 10, "gold_standard": 50, "held_out": 10}

pytestmark = pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.slug)


def test_the_selection_is_the_same_every_time(pair):
    assert catalogues.corpus_document(pair) == catalogues.corpus_document(pair)


def test_each_segment_has_the_size_that_is_asked_for(pair):
    counts = Counter(entry["segment"] for entry in catalogues.corpus_document(pair)["entries"])
    assert counts == SEGMENT_SIZES
    assert all(counts[segment] >= size for segment, size in SMALLEST.items())


def test_no_text_stands_in_two_entries_and_no_id_twice(pair):
    entries = catalogues.corpus_document(pair)["entries"]
    for field in ("id", "source", "reference"):
        assert len({entry[field] for entry in entries}) == len(entries)


def test_the_public_and_the_gold_segment_hold_every_level(pair):
    entries = catalogues.corpus_document(pair)["entries"]
    for segment in ("development", "gold_standard"):
        assert {entry["difficulty"] for entry in entries if entry["segment"] == segment} == {1, 2, 3, 4, 5}


def test_translators_are_credited_by_name_alone(pair):
    names = catalogues.corpus_document(pair)["dataset"]["contributors"]
    assert len(names) >= 3
    assert not any("@" in name or "<" in name for name in names)


def test_every_entry_that_is_run_has_an_output_and_held_out_has_none(pair):
    outputs = apertium.outputs_read(pair)
    entries = catalogues.corpus_document(pair)["entries"]
    assert set(outputs) == {entry["id"] for entry in entries if entry["segment"] != "held_out"}
    assert all(outputs.values())
