"""The real corpora: each is read, found right, and survives export and import."""

import io
import json

import pytest

from corpora.formats import ReadOptions
from corpora.formats.canonical import canonical_lines, entry_to_dict
from corpora.validation import ValidationOptions, checked, validate

REAL = {
    "eng-amh-dev-v1": (73, "tatoeba-eng-amh-dev", "en", "am"),
    "eng-arb-dev-v1": (200, "tatoeba-eng-arb-dev", "en", "arb"),
    "eng-cym-dev-v1": (47, "tatoeba-eng-cym-dev", "en", "cy"),
    "eng-pam-dev-v1": (48, "tatoeba-eng-pam-dev", "en", "pam"),
    "eng-sna-dev-v1": (47, "tatoeba-eng-sna-dev", "en", "sn"),
    "spa-que-dev-v1": (95, "tatoeba-spa-que-dev", "es", "qu"),
}


@pytest.mark.parametrize("name", REAL)
def test_a_real_corpus_is_right_as_it_is(shared_data, name):
    data = (shared_data / "corpora" / f"{name}.json").read_bytes()
    result = validate(io.BytesIO(data), ValidationOptions())
    envelope = result.envelope
    assert result.log.errors == []
    assert (result.counts.total, envelope.id, envelope.source_language, envelope.target_language) == REAL[name]
    assert (envelope.version, envelope.license, envelope.provenance) == ("0.1.0", "CC-BY-2.0", ("tatoeba",))
    assert result.is_raw_identity


@pytest.mark.parametrize("name", REAL)
def test_a_real_corpus_survives_export_and_import(shared_data, name):
    data = (shared_data / "corpora" / f"{name}.json").read_bytes()
    envelope = validate(io.BytesIO(data), ValidationOptions()).envelope
    records = list(checked(io.BytesIO(data), ReadOptions()))
    written = io.BytesIO(b"".join(canonical_lines(envelope, records)))
    assert list(checked(written, ReadOptions())) == records
    given = json.loads(data)["entries"]
    assert [entry_to_dict(record) for record in records] == [{**one, "segment": "development"} for one in given]


@pytest.mark.parametrize("name", ["corpus_dict", "corpus_gt", "corpus_seed_arrow", "corpus_strid"])
def test_the_harness_corpora_are_right_with_each_form_of_pair(shared_data, name):
    data = (shared_data / "harness" / "inputs" / f"{name}.json").read_bytes()
    result = validate(io.BytesIO(data), ValidationOptions())
    assert result.log.errors == []
    assert (result.envelope.source_language, result.envelope.target_language) == ("en", "gl")
