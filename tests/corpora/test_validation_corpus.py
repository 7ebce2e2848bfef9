"""C-1 and C-4 on the file as a whole: envelope, options, and the warnings about the corpus."""

import pytest

from corpora.formats import ReadOptions
from corpora.validation import ValidationOptions, validate, version_key
from corpora.validation.languages import language_name, normal_tag, scripts_of
from corpora.validation.licences import normal_licence
from corpora.validation.scripts import foreign_letters, script_of

from .files import PAIRS, as_stream, document, entry


def _validate(value, **options):
    return validate(as_stream(value), ValidationOptions(**options))


def _envelope_problems(**changes):
    log = _validate(document(entry(1), **changes)).log
    return [
        (problem.severity, problem.field, problem.code)
        for problem in log.errors + log.warnings
        if problem.place == "envelope"
    ]


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({}, []),
        ({"id": None}, [("error", "id", "envelope_missing")]),
        ({"id": "a/b"}, [("error", "id", "bad_corpus_id")]),
        ({"id": 7}, [("error", "id", "envelope_type")]),
        ({"version": ""}, [("error", "version", "envelope_missing")]),
        ({"version": 1.0}, [("error", "version", "envelope_type")]),
        ({"version": "1"}, [("error", "version", "bad_version")]),
        ({"version": "1.0.0.0"}, [("error", "version", "bad_version")]),
        ({"version": "1.2.3"}, []),
        ({"created": "yesterday"}, [("error", "created", "bad_created")]),
        ({"created": "2026-06-05T10:40:55.910231+00:00"}, []),
        ({"created": None}, [("error", "created", "envelope_missing")]),
        ({"license": "CC BY 4.0"}, [("error", "license", "bad_licence")]),
        ({"license": "unknown"}, [("error", "license", "bad_licence")]),
        ({"license": "LicenseRef-Council AND CC-BY-4.0"}, []),
        ({"provenance": None}, [("error", "provenance", "envelope_missing")]),
        ({"provenance": []}, [("error", "provenance", "envelope_missing")]),
        ({"provenance": "corpus"}, [("error", "provenance", "envelope_type")]),
        ({"provenance": ["synthetic data"]}, [("error", "provenance", "machine_reference")]),
        ({"segment": "train"}, [("error", "segment", "unknown_segment")]),
        ({"source_language": "engl_ish-"}, [("error", "source_language", "bad_language")]),
        ({"target_language": "xx", "language_pair": None}, [("warning", "target_language", "unregistered_language")]),
        ({"target_language": None, "language_pair": "EN→GL"}, []),
        ({"target_language": None, "language_pair": None}, [("error", "target_language", "envelope_missing")]),
        ({"language_pair": None}, []),
        ({"language_pair": 5}, [("error", "language_pair", "bad_language_pair")]),
        ({"language_pair": "EN→CRK"}, [("warning", "language_pair", "pair_differs")]),
        ({"language_pair": {"source": "eng", "target": "glg"}}, []),
        ({"target_language": "en", "language_pair": None}, [("error", "target_language", "same_languages")]),
        ({"entry_count": 12}, [("warning", "entry_count", "entry_count_differs")]),
        ({"entry_count": 1}, []),
        ({"description": "a\x00b"}, [("error", "dataset.description", "control_character")]),
    ],
)
def test_the_envelope_is_checked(changes, found):
    assert _envelope_problems(**changes) == found


def test_the_envelope_is_put_in_normal_form():
    envelope = _validate(document(source_language="ENG", target_language="glg", license="bsd-3-clause")).envelope
    assert (envelope.source_language, envelope.target_language, envelope.license) == ("en", "gl", "BSD-3-Clause")


def test_what_a_bare_array_cannot_say_is_asked_for_by_option():
    log = _validate([entry(1, provenance=None)]).log
    asked = {problem.field: problem.params["option"] for problem in log.errors}
    assert asked == {
        "id": "--id",
        "version": "--version",
        "source_language": "--source-language",
        "target_language": "--target-language",
        "created": "--created",
        "license": "--license",
        "provenance": "--provenance",
    }


def test_the_options_give_what_a_bare_array_lacks_and_change_the_identity():
    options = ReadOptions(
        id="a", version="1.0", source_language="en", target_language="gl", created="2026-06-07", license="MIT"
    )
    result = _validate([entry(1), entry(2, provenance="elicited")], read=options)
    assert not result.log.has_errors
    assert result.envelope.provenance == ("corpus", "elicited")
    assert not result.is_raw_identity
    assert _validate(document()).is_raw_identity


def test_an_option_that_says_the_same_changes_nothing():
    assert _validate(document(), read=ReadOptions(version="1.0", license="BSD-3-Clause")).is_raw_identity


@pytest.mark.parametrize(
    ("version", "key"),
    [
        ("1.0", (1, 0, 0)),
        ("1.0.0", (1, 0, 0)),
        ("0.10.2", (0, 10, 2)),
        ("1", None),
        ("v1.0", None),
        ("1.0 ", None),
        ("١.٠", None),
    ],
)
def test_versions_have_an_order(version, key):
    assert version_key(version) == key


@pytest.mark.parametrize(
    ("tag", "normal"),
    [
        ("ENG", "en"),
        ("CRK", "crk"),
        ("nn-no", "nn-NO"),
        ("zh-hant", "zh-Hant"),
        ("", None),
        ("a", None),
        ("12", None),
        ("english", None),
    ],
)
def test_language_tags_are_normalised(tag, normal):
    assert normal_tag(tag) == normal


def test_languages_have_names():
    assert (language_name("crk"), language_name("cy", "de"), language_name("xx")) == ("Plains Cree", "Walisisch", "xx")


@pytest.mark.parametrize(
    ("licence", "normal"),
    [
        ("cc-by-4.0", "CC-BY-4.0"),
        ("MIT OR Apache-2.0", "MIT OR Apache-2.0"),
        ("GPL-2.0-or-later WITH Classpath-exception-2.0", "GPL-2.0-or-later WITH Classpath-exception-2.0"),
        ("LicenseRef-Council", "LicenseRef-Council"),
        ("CC-BY-2.0-FR", None),
        ("MIT OR", None),
        ("(", None),
        (" ", None),
    ],
)
def test_licences_are_spdx_expressions(licence, normal):
    assert normal_licence(licence) == normal


def test_scripts_of_languages_and_letters():
    assert scripts_of("cy") == {"Latn"}
    assert scripts_of("crk") == {"Cans", "Latn"}
    assert scripts_of("crk-Latn") == {"Latn"}
    assert scripts_of("ja") == {"Hira", "Kana", "Hani"}
    assert [script_of(char) for char in "aжבʼ1 ᓀ"] == ["Latn", "Cyrl", "Hebr", "", "", "", "Cans"]
    assert foreign_letters("Aвa вид", frozenset({"Latn"})) == {"Cyrl": "вид"}
    assert foreign_letters("abc", frozenset()) == {}


def _warned(*entries, **changes):
    log = _validate(document(*entries, **changes)).log
    return {
        problem.code: problem for problem in log.warnings if problem.place == "corpus" or problem.params.get("count")
    }


def _good(count=60, **changes):
    texts = [
        (f"{source} ({number})", f"{reference} ({number})") for number, (source, reference) in enumerate(PAIRS * 10)
    ]
    return [
        entry(number, source=source, reference=reference, **changes)
        for number, (source, reference) in zip(range(1, count + 1), texts, strict=False)
    ]


def test_a_balanced_corpus_has_no_warning():
    assert _validate(document(*_good())).log.warning_count == 0


@pytest.mark.parametrize(
    ("segment", "count", "is_small"),
    [
        ("development", 29, True),
        ("development", 30, False),
        ("diagnostic", 9, True),
        ("diagnostic", 10, False),
        ("gold_standard", 49, True),
        ("gold_standard", 50, False),
        ("held_out", 9, True),
        ("held_out", 10, False),
    ],
)
def test_a_segment_below_its_minimum_is_a_warning(segment, count, is_small):
    assert ("segment_small" in _warned(*_good(count, segment=segment))) is is_small


def test_entries_without_provenance_are_counted():
    warned = _warned(*_good(58), *(entry(100 + number, provenance=None) for number in range(2)))
    assert warned["without_provenance"].params == {"count": 2}


@pytest.mark.parametrize(("religious", "is_warned"), [(30, False), (31, True)])
def test_more_than_half_religious_is_a_warning(religious, is_warned):
    entries = _good()
    for one in entries[:religious]:
        one["domain"] = "religious"
    assert ("mostly_religious" in _warned(*entries)) is is_warned


def test_levels_of_difficulty_are_looked_at():
    assert {"few_levels", "empty_levels", "few_middle_levels"} <= set(_warned(*_good(difficulty=1)))
    assert "few_levels" in _warned(*_good(difficulty=None))
    three = _good()
    for number, one in enumerate(three):
        one["difficulty"] = 2 + number % 3
    warned = _warned(*three)
    assert "few_levels" not in warned
    assert "few_middle_levels" not in warned
    assert warned["empty_levels"].value == "1, 5"


def test_fewer_than_two_registers_is_a_warning():
    assert "few_registers" in _warned(*_good(register="formal"))
    assert "few_registers" in _warned(*_good(register=None))


def test_mixed_normal_forms_are_a_warning_and_one_form_throughout_is_none():
    composed, decomposed = {"reference": "Pa\u0301xina"}, {"reference": "Páxina"}
    assert "mixed_normalisation" in _warned(entry(1, **composed), entry(2, **decomposed))
    assert "mixed_normalisation" not in _warned(entry(1, **composed), entry(2, **composed))


def test_letters_of_a_foreign_script_are_a_warning_for_each_field():
    warned = _validate(document(entry(1, reference="Вид сайта"), entry(2, reference="Ver sіtio"))).log.warnings
    found = [problem for problem in warned if problem.code == "foreign_script"]
    assert [(problem.place, problem.field, problem.params) for problem in found] == [
        ("entry 1", "reference", {"count": 2, "script": "Cyrl"})
    ]
