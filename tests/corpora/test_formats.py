"""Reading corpus files: the three JSON shapes, encodings, what entries keep."""

import io
import json

import pytest

from champollion.common.canonical import EncodingProblem
from corpora.formats import EntryRecord, Problem, ReadOptions, UnknownFormat, decoding, read
from corpora.formats.decoding import TextSource
from corpora.formats.language_pair import read_pair

from .files import as_stream, document, entry


def _read(value, options=ReadOptions()):
    stream = value if isinstance(value, io.BytesIO) else as_stream(value)
    envelope, items = read(stream, options)
    items = list(items)
    return (
        envelope,
        [item for item in items if isinstance(item, EntryRecord)],
        [item for item in items if isinstance(item, Problem)],
    )


def test_the_envelope_of_the_specification_is_read():
    envelope, records, problems = _read(document(entry(1), entry(2)))
    assert (envelope.id, envelope.version, envelope.license) == ("django-gl", "1.0", "BSD-3-Clause")
    assert (envelope.source_language, envelope.target_language, envelope.pair_label) == ("en", "gl", "EN→GL")
    assert envelope.provenance == ("corpus",)
    assert [record.entry_id for record in records] == [1, 2]
    assert not problems


def test_the_flat_envelope_is_read_though_it_ends_after_the_entries():
    flat = {
        "corpus_id": "tatoeba-eng-cym-dev",
        "version": "0.1.0",
        "language_pair": {"source": "eng", "target": "cym"},
        "segment": "diagnostic",
        "entries": [entry(1, segment=None), entry(2, segment="")],
        "created": "2026-06-05T10:43:04+00:00",
        "provenance": {"builder": "a builder", "license": "CC-BY-2.0"},
    }
    envelope, records, problems = _read(flat)
    assert (envelope.id, envelope.license, envelope.source_language) == ("tatoeba-eng-cym-dev", "CC-BY-2.0", "eng")
    assert envelope.provenance_from_entries
    assert envelope.rest == {"provenance_details": {"builder": "a builder", "license": "CC-BY-2.0"}}
    assert [record.segment for record in records] == ["diagnostic", "diagnostic"]
    assert not problems


def test_a_bare_array_has_an_empty_envelope_and_development_entries():
    envelope, records, problems = _read([{"id": "a", "source": "View site", "reference": "Ver sitio"}])
    assert envelope.id == ""
    assert (records[0].segment, records[0].difficulty, records[0].rest) == ("development", None, {})
    assert not problems


def test_options_override_the_envelope_and_are_named():
    options = ReadOptions(id="other", version="1.0", license="MIT", segment="gold_standard", domain="edu")
    envelope, records, _ = _read(document(entry(1, segment=None, domain=None), entry(2)), options)
    assert (envelope.id, envelope.license) == ("other", "MIT")
    assert set(envelope.overridden) == {"id", "license", "segment", "domain"}  # the version was the same
    assert [(record.segment, record.domain) for record in records] == [("gold_standard", "edu"), ("development", "ui")]


def test_ids_keep_their_json_type_and_unknown_fields_are_kept():
    _, records, _ = _read(document(entry(1, id="007", metadata={"clauses": [1, 2.5]}), entry(2, id=7)))
    assert [record.entry_id for record in records] == ["007", 7]
    assert records[0].rest == {"metadata": {"clauses": [1, 2.5]}}


def test_texts_are_kept_to_the_letter():
    text = "  cafe\u0301\u00a0\u200f “x”\r\n\ty  "
    _, records, _ = _read(document(entry(1, source=text, reference=text + ".")))
    assert (records[0].source, records[0].reference) == (text, text + ".")


def test_other_names_of_the_two_texts_are_read():
    _, records, problems = _read([{"id": 1, "src": "View site", "target": "Ver sitio", "note": "x"}])
    assert (records[0].source, records[0].reference, records[0].rest) == ("View site", "Ver sitio", {"note": "x"})
    assert not problems


@pytest.mark.parametrize(
    ("changes", "field", "code"),
    [
        ({"id": None}, "id", "missing_field"),
        ({"id": ""}, "id", "missing_field"),
        ({"id": True}, "id", "wrong_type"),
        ({"id": 1.0}, "id", "wrong_type"),
        ({"id": "  "}, "id", "bad_id"),
        ({"id": "x" * 201}, "id", "bad_id"),
        ({"source": None}, "source", "missing_field"),
        ({"reference": ["a"]}, "reference", "wrong_type"),
        ({"difficulty": "3"}, "difficulty", "bad_difficulty"),
        ({"difficulty": 3.0}, "difficulty", "bad_difficulty"),
        ({"difficulty": True}, "difficulty", "bad_difficulty"),
        ({"provenance": 3}, "provenance", "wrong_type"),
        ({"variants": "Ver sitio"}, "variants", "wrong_type"),
        ({"variants": [1]}, "variants", "wrong_type"),
        ({"notes": {"a": 1}}, "notes", "wrong_type"),
    ],
)
def test_a_field_that_is_missing_or_of_a_wrong_type_is_named(changes, field, code):
    _, records, problems = _read(document(entry(1), entry(2, **changes)))
    assert [(problem.place, problem.field, problem.code) for problem in problems] == [("entry 2", field, code)]
    assert len(records) == 2


def test_an_entry_that_is_no_object_is_named():
    _, records, problems = _read({"dataset": {}, "entries": [entry(1), "View site"]})
    assert [(problem.place, problem.code) for problem in problems] == [("entry 2", "not_an_object")]
    assert len(records) == 1


def test_a_file_that_breaks_off_gives_what_came_before_and_the_place():
    text = json.dumps(document(entry(1), entry(2)))[:-30]
    envelope, records, problems = _read(io.BytesIO(text.encode()))
    assert len(records) == 1
    assert [problem.code for problem in problems] == ["not_parseable"]
    assert problems[0].place.startswith("line 1, column ")
    assert not envelope.is_complete


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le-bom", "utf-16-be-bom"])
def test_utf8_and_utf16_with_mark_are_read(encoding):
    text = json.dumps(document(), ensure_ascii=False, indent=1).replace("\n", "\r\n")
    marks = {"utf-16-le-bom": (b"\xff\xfe", "utf-16-le"), "utf-16-be-bom": (b"\xfe\xff", "utf-16-be")}
    mark, name = marks.get(encoding, (b"", encoding))
    _, records, problems = _read(io.BytesIO(mark + text.encode(name)))
    assert records[0].reference == "Eliminar múltiples obxectos"
    assert not problems


@pytest.mark.parametrize("block", [1, 5, 1 << 18])
def test_the_first_bad_byte_is_told_with_offset_and_line(monkeypatch, block):
    monkeypatch.setattr(decoding, "BLOCK", block)
    data = "[\n1,\n“é”".encode() + b"\xe9 x"
    source = TextSource(io.BytesIO(data))
    with pytest.raises(EncodingProblem) as raised:
        while source.read():
            pass
    assert (raised.value.offset, raised.value.line) == (data.index(b"\xe9 x"), 3)


def test_latin_1_is_refused_with_the_place():
    data = json.dumps(document(), ensure_ascii=False, indent=1).encode("latin-1", errors="replace")
    _, _, problems = _read(io.BytesIO(data))
    offset = problems[-1].params["offset"]
    line = data[:offset].count(b"\n") + 1
    assert data[offset] >= 0x80
    assert (problems[-1].code, problems[-1].place) == ("bad_encoding", f"line {line}")


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32"])
def test_utf16_without_mark_and_utf32_are_refused(encoding):
    _, records, problems = _read(io.BytesIO(json.dumps(document()).encode(encoding)))
    assert not records
    assert [problem.code for problem in problems] == ["bad_encoding"]


@pytest.mark.parametrize("data", [b"", b"  \n", b"id\tsource\treference\n", b"<tmx>"])
def test_content_that_no_reader_knows_is_refused(data):
    with pytest.raises(UnknownFormat):
        read(io.BytesIO(data), ReadOptions())


def test_a_format_without_a_reader_is_refused():
    with pytest.raises(UnknownFormat):
        read(as_stream(document()), ReadOptions(format="docx"))


@pytest.mark.parametrize(
    ("pair", "tags"),
    [
        ("EN→CRK", ("EN", "CRK")),
        ("eng>cym", ("eng", "cym")),
        ("en-gl", ("en", "gl")),
        ("en:gl", ("en", "gl")),
        ("en_gl", ("en", "gl")),
        ("nb-NO → nn-NO", ("nb-NO", "nn-NO")),
        ({"source": "eng", "target": "cym", "source_name": "English"}, ("eng", "cym")),
        ("zh-Hans-CN", ("", "")),
        ({"source": "eng"}, ("", "")),
        (7, ("", "")),
        (None, ("", "")),
    ],
)
def test_language_pairs_of_real_files_are_read(pair, tags):
    assert read_pair(pair)[1:] == tags
