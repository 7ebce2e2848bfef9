"""The canonical export: stable bytes, the public edition, and back again without a change."""

import io
import json

from hypothesis import given
from hypothesis import strategies as st

from champollion.common.canonical import sha256_hex
from corpora.formats import EntryRecord, ReadOptions, read
from corpora.formats.canonical import canonical_lines, digest_of, entry_to_dict, public_lines
from corpora.validation import ValidationOptions, checked, validate

from .files import as_stream, document, entry

GOLDEN = """{"dataset": {"created": "2026-06-07", "id": "django-gl", \
"language_pair": {"source": "en", "target": "gl"}, \
"license": "BSD-3-Clause", "provenance": ["corpus"], "source_language": "en", "target_language": "gl", \
"version": "1.0"}, "entries": [
{"difficulty": 1, "domain": "ui", "id": 1, "provenance": "corpus", "reference": "Eliminar múltiples obxectos", \
"register": "technical", "segment": "development", "source": "Delete multiple objects"},
{"difficulty": 2, "domain": "ui", "id": "b", "provenance": "corpus", "reference": "Ver sitio", \
"register": "formal", "segment": "development", "source": "View site"}
]}
"""


def _load(value):
    stream = value if isinstance(value, io.BytesIO) else as_stream(value)
    envelope = validate(stream, ValidationOptions()).envelope
    return envelope, list(checked(stream, ReadOptions()))


def test_the_bytes_are_these():
    envelope, records = _load(document(entry(1), entry(2, id="b")))
    assert b"".join(canonical_lines(envelope, records)).decode() == GOLDEN
    assert digest_of(canonical_lines(envelope, records)) == sha256_hex(GOLDEN.encode())


def test_key_order_and_layout_of_the_file_do_not_matter():
    value = document(entry(1), entry(2, id="b"))
    value["entries"] = [dict(reversed(list(one.items()))) for one in value["entries"]]
    envelope, records = _load(io.BytesIO(json.dumps(value, indent=4).encode("utf-16")))
    assert b"".join(canonical_lines(envelope, records)).decode() == GOLDEN


def test_unknown_fields_and_objects_are_given_back():
    given_entry = entry(1, metadata={"b": 1, "a": [1.5, None]}, provenance={"source_name": "tatoeba", "url": "x"})
    envelope, records = _load(document(given_entry, contact="the council"))
    written = json.loads(b"".join(canonical_lines(envelope, records)))
    assert written["entries"] == [given_entry]
    assert written["dataset"]["contact"] == "the council"


def test_the_public_edition_holds_public_segments_only_and_no_unknown_field_of_the_envelope():
    secret = entry(3, segment="gold_standard")
    envelope, records = _load(document(entry(1), secret, entry(2, segment="diagnostic"), contact="the council"))
    written = b"".join(public_lines(envelope, records, has_secret=True))
    assert [one["id"] for one in json.loads(written)["entries"]] == [1, 2]
    assert secret["source"].encode() not in written
    assert "contact" not in json.loads(written)["dataset"]


def test_without_secret_segments_the_public_edition_is_the_whole():
    envelope, records = _load(document(entry(1), contact="the council"))
    assert digest_of(public_lines(envelope, records, has_secret=False)) == digest_of(canonical_lines(envelope, records))


def test_an_export_reads_back_as_it_was_and_has_the_same_digest():
    envelope, records = _load(document(entry(1, notes=" a "), entry(2, id="x", variants=["Ver o sitio"])))
    written = io.BytesIO(b"".join(canonical_lines(envelope, records)))
    again_envelope, again = _load(written)
    assert again == records
    assert digest_of(canonical_lines(again_envelope, again)) == digest_of(canonical_lines(envelope, records))


_TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40)
_RECORDS = st.builds(
    EntryRecord,
    number=st.just(1),
    entry_id=st.one_of(_TEXTS.filter(str.strip), st.integers(-(10**20), 10**20)),
    source=_TEXTS,
    reference=_TEXTS,
    segment=st.sampled_from(["development", "held_out"]),
    difficulty=st.none() | st.integers(1, 5),
    provenance=st.none() | _TEXTS | st.dictionaries(_TEXTS, _TEXTS, min_size=1, max_size=3),
    notes=st.none() | _TEXTS,
    variants=st.lists(_TEXTS, max_size=3).map(tuple),
    rest=st.dictionaries(_TEXTS.map(lambda name: "x" + name), _TEXTS | st.integers() | st.booleans(), max_size=3),
)


@given(_RECORDS)
def test_any_text_survives_export_and_import(record):
    envelope, _ = read(as_stream(document()), ReadOptions())
    written = io.BytesIO(b"".join(canonical_lines(envelope, [record])))
    _, items = read(written, ReadOptions())
    assert list(items) == [record]
    assert entry_to_dict(record)["source"] == record.source
