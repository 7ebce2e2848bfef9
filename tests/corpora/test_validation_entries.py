"""C-4 on single entries: each error with its place, id, field, value and remedy; each with a case that passes."""

import io
import json

import pytest

from corpora.constants import SEGMENT_MINIMA, Domain, Segment
from corpora.formats import ReadOptions
from corpora.formats.messages import REMEDIES
from corpora.validation import ValidationOptions, validate
from corpora.vocabulary import DOMAINS, MINIMUM_SIZES, SEGMENTS

from .files import as_stream, document, entry


def _validate(value, **options):
    return validate(as_stream(value), ValidationOptions(**options))


def _errors(*entries, **options):
    log = _validate(document(*entries), **options).log
    return [(problem.place, problem.field, problem.code) for problem in log.errors]


def _warnings(*entries, **options):
    log = _validate(document(*entries), **options).log
    return [(problem.place, problem.field, problem.code) for problem in log.warnings if problem.place != "corpus"]


def test_a_right_file_has_no_error():
    assert _errors(*(entry(number) for number in range(1, 7))) == []


@pytest.mark.parametrize(
    ("changes", "field", "code"),
    [
        ({"source": " \t\u00a0"}, "source", "empty_text"),
        ({"reference": ""}, "reference", "empty_text"),
        ({"variants": ["Ver sitio", " "]}, "variants", "empty_text"),
        ({"segment": "train"}, "segment", "unknown_segment"),
        ({"segment": "Development"}, "segment", "unknown_segment"),
        ({"domain": "general"}, "domain", "unknown_domain"),
        ({"difficulty": 0}, "difficulty", "bad_difficulty"),
        ({"difficulty": 6}, "difficulty", "bad_difficulty"),
        ({"source": "View\x00 site"}, "source", "control_character"),
        ({"notes": "\x1b[31m"}, "notes", "control_character"),
        ({"id": "a\x07"}, "id", "control_character"),
        ({"metadata": {"x": ["\x00"]}}, "metadata", "control_character"),
        ({"reference": "Ver \u202esitio"}, "reference", "bidi_override"),
        ({"reference": "Ver \u202dsitio\u202c"}, "reference", "bidi_override"),
        ({"reference": "Ver \u202bsitio"}, "reference", "bidi_unpaired"),
        ({"reference": "Ver sitio\u202c"}, "reference", "bidi_unpaired"),
        ({"source": "x" * 10_001}, "source", "text_too_long"),
        ({"variants": ["x" * 10_001]}, "variants", "text_too_long"),
        ({"register": "x" * 61}, "register", "text_too_long"),
        ({"provenance": "machine-translated"}, "provenance", "machine_reference"),
    ],
)
def test_an_error_of_an_entry_names_place_and_field(changes, field, code):
    found = _errors(entry(1), entry(2, **changes))
    assert found[0][0] == "entry 2"
    assert found[0][1].split(".")[0] == field
    assert [one[2] for one in found] == [code]


@pytest.mark.parametrize(
    "changes",
    [
        {"source": "x" * 10_000},
        {"reference": "\u200fVer\u200e \u061csitio\u2067x\u2069 a\u200db\u200c"},
        {"reference": "Ver \u202bsitio\u202c"},
        {"reference": "Ver\r\n\tsitio"},
        {"difficulty": 5, "segment": "held_out", "domain": "subtitles"},
        {
            "segment": "",
            "domain": "",
            "difficulty": None,
            "provenance": {"source_name": "tatoeba", "license": "unknown"},
        },
        {"variants": ["Ver o sitio"], "variant_class": "ver"},
    ],
)
def test_what_is_allowed_is_no_error(changes):
    assert _errors(entry(2, **changes)) == []


def test_half_a_surrogate_pair_is_an_error_and_the_report_can_be_written():
    text = json.dumps(document(entry(1))).replace("View site", "View").replace("Delete", "\\ud800elete")
    log = validate(io.BytesIO(text.encode()), ValidationOptions()).log
    assert [(problem.field, problem.code) for problem in log.errors] == [("source", "surrogate")]
    assert "⟨U+D800⟩" in json.dumps(log.to_dict(), ensure_ascii=False).encode("utf-8").decode()


def test_ids_collide_as_texts():
    assert _errors(entry(1), entry(2, id="1")) == [("entry 2", "id", "duplicate_id")]
    assert _errors(entry(1, id="1"), entry(2, id="01")) == []


def test_the_same_text_in_a_public_and_a_secret_segment_is_an_error():
    secret = entry(1, id="s", segment="gold_standard", source=" Delete  multiple objects ")
    assert _errors(entry(1), secret) == [("entry 2", "segment", "public_and_secret")]
    assert _errors(secret, entry(1, segment="diagnostic")) == [("entry 2", "segment", "public_and_secret")]


def test_the_same_text_in_two_segments_of_one_kind_is_a_warning_only():
    assert _errors(entry(1), entry(1, id="d", segment="diagnostic")) == []
    assert _errors(entry(1, segment="held_out"), entry(1, id="g", segment="gold_standard")) == []
    assert ("entry 2", "source", "duplicate_pair") in _warnings(entry(1), entry(1, id="d", segment="diagnostic"))


def test_same_source_with_another_reference_wants_a_variant_class():
    other = {"id": "b", "reference": "Borrar múltiples obxectos"}
    assert ("entry 2", "variant_class", "source_without_variant_class") in _warnings(entry(1), entry(1, **other))
    both = [entry(1, variant_class="a"), entry(1, variant_class="a", **other)]
    assert "source_without_variant_class" not in [code for _, _, code in _warnings(*both)]


def test_a_reference_equal_to_its_source_is_a_warning():
    assert _warnings(entry(1, reference="Delete  multiple objects")) == [
        ("entry 1", "reference", "reference_is_source")
    ]


def test_unknown_registers_and_contexts_are_kept_with_one_warning_each():
    entries = [entry(number, register="functional", context="legal notice") for number in (1, 2, 3)]
    result = _validate(document(*entries))
    found = {problem.code: problem.params["count"] for problem in result.log.warnings if "count" in problem.params}
    assert (found["unknown_register"], found["unknown_context"]) == (3, 3)
    assert not result.log.has_errors


def test_all_problems_are_reported_at_once_with_remedies():
    log = _validate(document(entry(1, difficulty=9, domain="x", source=""), entry(1, segment="y"), version="1")).log
    assert {problem.code for problem in log.errors} == {
        "bad_version",
        "empty_text",
        "unknown_domain",
        "bad_difficulty",
        "unknown_segment",
        "duplicate_id",
    }
    first = next(problem for problem in log.errors if problem.code == "bad_difficulty")
    assert (first.place, first.entry_id, first.value) == ("entry 1", "1", "9")
    assert first.remedy == "Use a whole number from 1 to 5, without quotes."


def test_the_first_200_problems_are_printed_and_the_rest_counted():
    log = _validate(document(*(entry(1, id=number, domain="x") for number in range(250)))).log
    assert (len(log.errors), log.error_count) == (200, 250)
    assert log.counts("error") == {"unknown_domain": 250}


def test_every_remedy_can_be_filled():
    def names(text):
        return {part.split(")")[0]: "" for part in text.split("%(")[1:]}

    for text in REMEDIES.values():
        assert "%(" not in text % names(text)


def test_a_file_over_the_limit_is_refused_unread():
    result = _validate(document(), file_limit=10)
    assert [problem.code for problem in result.log.errors] == ["file_too_large"]


@pytest.mark.parametrize("value", [{"dataset": {}}, {"dataset": {}, "entries": []}, [], {}])
def test_a_file_without_entries_is_an_error(value):
    assert "no_entries" in [problem.code for problem in _validate(value).log.errors]


def test_a_broken_file_is_not_called_incomplete_otherwise():
    data = json.dumps({"entries": [entry(1), entry(2)]}).encode()[:-4]
    log = validate(io.BytesIO(data), ValidationOptions()).log
    assert [problem.code for problem in log.errors] == ["not_parseable"]


def test_the_codes_are_those_of_the_models():
    assert tuple(Segment.values) == SEGMENTS
    assert tuple(Domain.values) == DOMAINS
    assert {str(segment): size for segment, size in SEGMENT_MINIMA.items()} == MINIMUM_SIZES


def test_progress_is_told_now_and_then():
    told = []
    entries = [entry(number) for number in range(1, 10_002)]
    validate(as_stream(document(*entries)), ValidationOptions(read=ReadOptions(), progress=told.append))
    assert told == [5_000, 10_000]
