"""Caveats and reference floors: found, named, and changing no number. Source: SPEC M-2."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from champollion.demo.catalogues import PAIRS, corpus_document
from leaderboard.caveats import detectors
from leaderboard.caveats.detectors import NormalForm
from leaderboard.caveats.floors import ReferenceFloors, floors_to_show
from leaderboard.caveats.marks import COLUMNS, CaveatMarks
from leaderboard.caveats.report import CaveatCode, caveat_masks, caveats_of, mean_length_ratio
from leaderboard.metrics.base import MetricSettings, Pair

LATIN = MetricSettings(target_scripts=frozenset({"Latin"}))


def clean(number, **changes):
    """An entry about which nothing is odd."""
    made = {
        "entry_id": str(number),
        "source": f"The sentence number {number} here",
        "output": f"Die Zeile Nummer {number} hier",
        "references": (f"Dies ist Satz Nummer {number}",),
    }
    return Pair(**{**made, **changes})


def found_in(pairs, settings=LATIN):
    marks = np.array([CaveatMarks().statistics(pair, settings) for pair in pairs], dtype=np.int64)
    return {
        one.code: one for one in caveats_of(marks.reshape(len(pairs), len(COLUMNS)), [pair.entry_id for pair in pairs])
    }


def with_odd(*odd, total=10):
    return [*odd, *(clean(number) for number in range(100, 100 + total - len(odd)))]


def test_a_clean_run_and_an_empty_one_have_no_caveat():
    assert found_in(with_odd()) == {}
    assert found_in([]) == {}


@pytest.mark.parametrize(
    "changes",
    [{"output": ""}, {"output": " \u00a0"}, {"output": "x", "errored": True}, {"output": "x", "missing": True}],
)
def test_empty_errored_and_missing_outputs(changes):
    found = found_in(with_odd(clean(1, **changes)))
    assert list(found) == [CaveatCode.EMPTY_OUTPUT]
    assert (found[CaveatCode.EMPTY_OUTPUT].entry_ids, found[CaveatCode.EMPTY_OUTPUT].share) == (("1",), 0.1)


@pytest.mark.parametrize(
    ("source", "output", "reference", "copied"),
    [
        ("Hello there", "hello  THERE", "Hallo", True),
        ("Café", "cafe\u0301", "Kaffee", True),
        ("Berlin", "Berlin", "berlin", False),  # people leave it as it is, too
        ("Hello", "Hallo", "Hallo", False),
        ("", "", "", False),
    ],
)
def test_source_copied(source, output, reference, copied):
    assert detectors.is_source_copied(source, output, (reference,)) is copied
    pair = clean(1, source=source, output=output, references=(reference,))
    assert (CaveatCode.SOURCE_COPIED in found_in([pair])) is copied


@pytest.mark.parametrize(
    ("count", "output", "is_caveat"),
    [
        (3, "Ich weiß es leider nicht", True),
        (2, "Ich weiß es leider nicht", False),
        (5, "Keine Ahnung", True),
        (4, "Keine Ahnung", False),
    ],
)
def test_one_output_for_many_sources(count, output, is_caveat):
    pairs = with_odd(*(clean(number, output=output) for number in range(count)), total=20)
    found = found_in(pairs)
    assert (CaveatCode.SAME_OUTPUT in found) is is_caveat
    if is_caveat:
        assert found[CaveatCode.SAME_OUTPUT].entry_ids == tuple(str(number) for number in range(count))


def test_one_output_is_right_for_one_source_and_where_it_equals_the_reference():
    same_source = [clean(number, source="Once more", output="Ich weiß es leider nicht") for number in range(9)]
    right = [clean(number, output="Noch ein Mal bitte", references=("noch ein mal bitte",)) for number in range(9)]
    assert CaveatCode.SAME_OUTPUT not in found_in(same_source)
    assert CaveatCode.SAME_OUTPUT not in found_in(right)


@pytest.mark.parametrize(
    ("length", "mean", "touched"), [(21, 2.1, 4), (20, 2.0, 0), (5, 0.5, 0), (4, 0.4, 4), (10, 1.0, 0)]
)
def test_length_far_off_goes_by_the_mean_ratio(length, mean, touched):
    output = "abcdefghijklmnopqrstu"[:length]
    pairs = [clean(number, output=output, references=("klmnopqrst",)) for number in range(4)]
    found = found_in([*pairs, clean(9, output="")]).get(CaveatCode.LENGTH_FAR_OFF)
    assert (found.entry_count if found else 0) == touched
    if found:
        assert found.mean_ratio == mean
        assert found.to_dict()["mean_ratio"] == mean


def test_length_names_only_the_entries_that_are_off():
    pairs = [clean(number, output="x" * 90, references=("y" * 10,)) for number in range(5)]
    pairs.append(clean(9, output="x" * 10, references=("y" * 10,)))
    assert found_in(pairs)[CaveatCode.LENGTH_FAR_OFF].entry_ids == ("0", "1", "2", "3", "4")


@pytest.mark.parametrize(
    ("output", "marks"),
    [
        ("O *word non", ["*word"]),
        ("Du har #ulagreir endringar", ["#ulagreir"]),
        ("@gan e *vir e *vir", ["@gan", "*vir"]),
        ("vin <unk> e </s>", ["<unk>", "</s>"]),
        ("▁Ola ⁇ to@@ do &apos;n", ["▁", "⁇", "@@", "&apos;"]),
        ("2 * 3, C#, a@b.example, **strong**, #1, https://a/#b", []),
        ("*args", []),  # stands in the source
        ("#tag", []),  # stands in the reference
    ],
)
def test_engine_marks(output, marks):
    assert detectors.engine_marks("see *args", output, ("#tag",)) == marks
    pair = clean(1, source="see *args", output=output, references=("#tag",))
    assert (CaveatCode.ENGINE_MARKS in found_in([pair])) is bool(marks)


@pytest.mark.parametrize(
    ("output", "reference", "targets", "wrong"),
    [
        ("Hello world", "Привет мир", {"Cyrillic"}, True),
        ("Привет Django", "Привет мир", {"Cyrillic"}, False),
        ("Django", "Django", {"Cyrillic"}, False),  # the reference has it so
        ("7 + 3", "Привет", {"Cyrillic"}, False),
        ("漢字", "ひらがな", {"Hiragana"}, False),
        ("ᏣᎳᎩ", "ᏣᎳᎩ", set(), False),
        ("Tsalagi", "ᏣᎳᎩ", set(), True),
        ("Tsalagi", "7", set(), False),
    ],
)
def test_wrong_script(output, reference, targets, wrong):
    assert detectors.is_wrong_script(output, (reference,), targets) is wrong
    settings = MetricSettings(target_scripts=frozenset(targets))
    pair = clean(1, output=output, references=(reference,))
    assert (CaveatCode.WRONG_SCRIPT in found_in([pair], settings)) is wrong


@pytest.mark.parametrize(
    ("text", "repeating"),
    [
        ("a b c a b c a b c", True),
        ("a b c a b c", False),
        ("nein nein nein nein", True),
        ("nein nein nein", False),
        ("1 1 1 1 1 1", False),
        ("これはこれはこれはこれはこれは", True),
        ("これはこれはこれは", False),
        ("----------------------", False),
        ("", False),
    ],
)
def test_repeated_ngrams(text, repeating):
    found = detectors.is_repeating(text)
    assert found is (repeating or text == "1 1 1 1 1 1")  # three figures thrice are a repetition as well
    assert not detectors.repeats_alone("s", text, (text,))
    assert not detectors.repeats_alone(text, text, ("r",))
    pair = clean(1, output=text)
    assert (CaveatCode.REPEATED_NGRAMS in found_in([pair])) is found


def test_normal_forms():
    composed, decomposed = "é", "e\u0301"
    assert detectors.normal_form("e") == NormalForm.PLAIN
    assert detectors.normal_form(composed) == NormalForm.COMPOSED
    assert detectors.normal_form(decomposed) == NormalForm.DECOMPOSED
    assert detectors.normal_form(composed + decomposed) == NormalForm.NEITHER


@pytest.mark.parametrize(
    ("endings", "touched"),
    [
        (["é", "é", "e"], ()),
        (["e\u0301", "e\u0301", "e"], ()),
        (["é", "é", "e\u0301"], ("2",)),
        (["é", "e\u0301", "e\u0301"], ("0",)),
        (["é", "e\u0301"], ("1",)),
        (["ée\u0301", "e"], ("0",)),
    ],
)
def test_mixed_normalisation(endings, touched):
    pairs = [clean(number, output=f"Nummer {number} {ending}") for number, ending in enumerate(endings)]
    found = found_in(pairs).get(CaveatCode.MIXED_NORMALISATION)
    assert (found.entry_ids if found else ()) == touched


def test_what_is_stored_in_the_open_names_no_entry():
    found = found_in(with_odd(clean(1, output="")))[CaveatCode.EMPTY_OUTPUT]
    assert found.to_dict() == {"code": "empty_output", "entry_count": 1, "share": 0.1}


outputs = st.sampled_from(
    [
        "",
        "Ich weiß es leider nicht",
        "Ola",
        "The sentence number 1 here",
        "*wort",
        "Привет",
        "a a a a a",
        "é",
        "e\u0301",
    ]
)


@given(st.lists(outputs, max_size=12), st.randoms(use_true_random=False))
def test_the_order_of_entries_changes_nothing(texts, random):
    pairs = [clean(number, output=text) for number, text in enumerate(texts)]
    mixed = random.sample(pairs, len(pairs))
    first, second = found_in(pairs), found_in(mixed)
    assert {code: set(one.entry_ids) for code, one in first.items()} == {
        code: set(one.entry_ids) for code, one in second.items()
    }
    assert all(0 < one.share <= 1 for one in first.values())


@given(st.lists(outputs, min_size=1, max_size=12), outputs)
def test_a_further_empty_output_never_takes_an_entry_out_of_a_caveat(texts, _text):
    pairs = [clean(number, output=text) for number, text in enumerate(texts)]
    before, after = found_in(pairs), found_in([*pairs, clean(99, output="")])
    assert all(set(one.entry_ids) <= set(after[code].entry_ids) for code, one in before.items())


@given(st.text(max_size=30), st.text(max_size=30), st.text(max_size=30))
def test_any_text_can_be_looked_at(source, output, reference):
    marks = CaveatMarks().statistics(clean(1, source=source, output=output, references=(reference,)), LATIN)
    assert len(marks) == len(COLUMNS)
    assert all(type(mark) is int and 0 <= mark < 2**53 for mark in marks)
    matrix = np.array([marks])
    assert set(caveat_masks(matrix)) == set(CaveatCode)
    assert mean_length_ratio(matrix) is None or mean_length_ratio(matrix) >= 0


@pytest.mark.parametrize(("pair", "floor"), [("nb-nn", 0.07), ("es-gl", 0.07), ("en-gl", 0.0)])
def test_people_who_translate_between_close_languages_score_over_the_floor(pair, floor):
    """The development entries of the demo's corpora, which translators of Django wrote."""
    document = corpus_document(next(one for one in PAIRS if one.slug == pair))
    texts = [(one["source"], one["reference"]) for one in document["entries"] if one["segment"] == "development"]
    settings = MetricSettings.detect(sources=[text[0] for text in texts], references=[text[1] for text in texts])
    floors = ReferenceFloors(settings)
    for source, reference in texts:
        floors.add(source=source, reference=reference)
    value = floors.values()["code_switching_rate"]
    assert value == pytest.approx(floor, abs=0.01)
    assert ("code_switching_rate" in floors_to_show(floors.values())) is (floor > 0)


def real_caveats(path):
    report = json.loads(path.read_text(encoding="utf-8"))
    entries = report["entries"]
    settings = MetricSettings.detect(
        sources=[one["source"] for one in entries], references=[one["expected"] for one in entries]
    )
    pairs = [Pair(str(one["id"]), one["source"], one["predicted"], (one["expected"],)) for one in entries]
    return {(one.code.value, one.entry_count, one.share) for one in found_in(pairs, settings).values()}


def test_of_eighteen_real_reports_one_copies_all_sources_and_one_slips_into_another_script(shared_data):
    found = [real_caveats(path) for path in sorted((shared_data / "reports").glob("*.json"))]
    assert len(found) == 18
    assert sorted(one for report in found for one in report) == [
        ("source_copied", 48, 1.0), ("wrong_script", 1, 1 / 73),
    ]  # fmt: skip


def test_without_references_there_is_no_floor():
    assert ReferenceFloors(LATIN).values() == {}


def test_a_floor_is_shown_over_two_hundredths_only():
    assert floors_to_show({"a": 0.02, "b": 0.0201}) == {"b": 0.0201}
