"""Reading cards and plain outputs, told apart by content, with every problem at once. Source: SPEC R-1, R-2, R-3."""

import codecs
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leaderboard.cards.hashing import seal_card
from leaderboard.cards.identity import identity_components, method_identity
from leaderboard.cards.messages import REMEDIES
from leaderboard.cards.parsed import Kind, Seal
from leaderboard.cards.plain import assign_in_order
from leaderboard.cards.problems import CardProblems
from leaderboard.cards.reading import read_document
from tests.shared import SHARED_DATA

HARNESS = SHARED_DATA / "harness"
needs_data = pytest.mark.skipif(not HARNESS.is_dir(), reason="../shared/data is not here")

CARD = {
    "run_id": "r1",
    "harness_version": "0.1.1",
    "timestamp": "2026-06-12T12:00:00+00:00",
    "model_slug": "some/model",
    "condition": "naive",
    "temperature": 0.0,
    "system_prompt_sha256": "",
    "system_prompt_used": "",
    "batch_size": 5,
    "tools_enabled": False,
    "dataset": {"id": "corpus", "version": "1.0", "sha256": "a" * 64, "language_pair": "eng>glg", "entry_count": 2},
    "scores": {"chrf_plus_plus": 55.24, "exact_match_rate": 0.5, "composite": 0.6},
    "results": [
        {"entry_id": "1", "predicted": "Ola", "source": "Hello", "expected": "Ola", "difficulty": 0, "latency_s": 1.0},
        {"entry_id": 2, "predicted": None, "error": "timeout", "difficulty": "3", "cost_usd": 0.1},
    ],
}


def with_results(*results):
    return {**CARD, "results": list(results)}


def read(document, **kwargs):
    data = document if isinstance(document, bytes) else json.dumps(document, ensure_ascii=False).encode()
    return read_document(data, **kwargs)


def problems_of(document, **kwargs):
    with pytest.raises(CardProblems) as caught:
        read(document, **kwargs)
    assert all(problem.remedy and "%(" not in problem.remedy for problem in caught.value.problems)
    return caught.value.problems


def codes_of(document, **kwargs):
    return [problem.code for problem in problems_of(document, **kwargs)]


# --- Cards


def test_a_card_with_results_gives_outputs_configuration_and_claims():
    run = read(CARD, file_name="x.txt")
    assert (run.kind, run.file_name, run.fingerprint_seal, run.run_card_seal) == (
        Kind.CARD,
        "x.txt",
        Seal.ABSENT,
        Seal.ABSENT,
    )
    first, second = run.outputs
    assert (first.entry_id, first.predicted, first.source, first.difficulty, first.error) == (
        "1",
        "Ola",
        "Hello",
        None,
        None,
    )
    assert (second.entry_id, second.predicted, second.error, second.difficulty) == ("2", "", "timeout", 3)
    assert run.configuration.temperature == "0.0"
    assert run.corpus.sha256 == "a" * 64
    assert run.claimed == {"chrf_plus_plus": 55.24, "exact_match_rate": 0.5, "composite": 0.6}


def test_temperature_keeps_its_text_form_and_may_be_null():
    assert read({**CARD, "temperature": 0}).configuration.temperature == "0"
    assert read({**CARD, "temperature": None}).configuration.temperature is None


def test_raw_bytes_have_their_own_digest():
    assert read(json.dumps(CARD).encode()).sha256 != read(json.dumps(CARD, indent=1).encode()).sha256


def test_the_smallest_unknown_is_none_and_a_free_run_is_zero():
    free = [{"entry_id": str(n), "predicted": "x", "cost_usd": 0.0} for n in range(2)]
    assert read(with_results(*free)).totals.cost_usd == 0.0
    assert read(CARD).totals.cost_usd is None
    assert read({**CARD, "totals": {"total_cost_usd": 0.01}}).totals.cost_per_entry_usd == 0.005


def test_null_results_are_no_results():
    run = read({**CARD, "results": None})
    assert (run.kind, run.outputs) == (Kind.SEALED_CARD, ())


@pytest.mark.parametrize(
    ("difficulty", "read_as"), [(0, None), ("", None), ("x", None), ("9" * 5000, None), ("2", 2), (5, 5)]
)
def test_difficulty_is_a_level_or_not_given(difficulty, read_as):
    (output,) = read(with_results({"entry_id": "1", "predicted": "x", "difficulty": difficulty})).outputs
    assert output.difficulty == read_as


def test_latency_leaves_errored_entries_out():
    results = [{"entry_id": str(n), "predicted": "x", "latency_s": float(n)} for n in range(1, 5)]
    run = read(with_results(*results, {"entry_id": "5", "predicted": "", "error": "e", "latency_s": 99.0}))
    assert (run.totals.mean_latency_s, run.totals.median_latency_s, run.totals.p95_latency_s) == (2.5, 3.0, 4.0)


@needs_data
@pytest.mark.parametrize(
    ("folder", "fingerprint_version"), [("0.1.1/corpus_gt", 8), ("0.1.1/flaky", 8), ("0.4.0/flaky", 15)]
)
def test_a_sealed_card_with_and_without_its_rows(folder, fingerprint_version):
    card = (HARNESS / folder / "run_card.json").read_bytes()
    rows = (HARNESS / folder / "run_card_entries_rows.json").read_bytes()
    alone, whole = read(card), read(card, rows=rows)
    assert (alone.kind, alone.outputs, len(whole.outputs)) == (Kind.SEALED_CARD, (), 14)
    assert (whole.fingerprint_seal, whole.run_card_seal) == (Seal.VERIFIED, Seal.VERIFIED)
    assert len(whole.fingerprint_components) == fingerprint_version
    assert whole.totals.cost_usd is None
    assert whole.corpus.language_pair == "eng>glg"
    assert alone.totals.mean_latency_s == whole.totals.mean_latency_s
    assert alone.totals.p95_latency_s == whole.totals.p95_latency_s


@needs_data
def test_a_null_composite_of_a_later_harness_is_no_claim():
    assert "composite" not in read((HARNESS / "0.4.0/flaky/run_card.json").read_bytes()).claimed


@needs_data
def test_rows_of_another_card_are_refused():
    card = (HARNESS / "0.1.1/flaky/run_card.json").read_bytes()
    rows = (HARNESS / "0.1.1/corpus_gt/run_card_entries_rows.json").read_bytes()
    assert codes_of(card, rows=rows) == ["rows_mismatch"]


@needs_data
def test_a_database_row_is_read_for_the_card_in_it_also_on_one_line():
    row = json.loads((HARNESS / "0.1.1/flaky/run_cards_row.json").read_bytes())
    for document in (row, {"run_card_row": row}):
        run = read(json.dumps(document, ensure_ascii=False).encode())
        assert (run.kind, run.run_card_seal) == (Kind.SEALED_CARD, Seal.VERIFIED)


@needs_data
def test_claims_of_a_card_with_a_broken_seal_are_not_shown():
    card = json.loads((HARNESS / "0.1.1/corpus_gt/run_card.json").read_bytes())
    run = read({**card, "elapsed_seconds": 1.0})
    assert (run.run_card_seal, run.claimed) == (Seal.BROKEN, {})


@pytest.mark.parametrize(
    "name",
    [
        "model_slug",
        "condition",
        "temperature",
        "system_prompt_sha256",
        "system_prompt_used",
        "run_id",
        "harness_version",
        "timestamp",
    ],
)
def test_a_missing_required_field_is_named(name):
    card = {key: value for key, value in CARD.items() if key != name}
    assert [(p.code, p.place, p.field) for p in problems_of(card)] == [("missing_field", "card", name)]


@pytest.mark.parametrize("name", ["id", "version", "sha256"])
def test_a_missing_field_of_the_dataset_is_named(name):
    dataset = {key: value for key, value in CARD["dataset"].items() if key != name}
    assert [(p.code, p.field) for p in problems_of({**CARD, "dataset": dataset})] == [
        ("missing_field", f"dataset.{name}")
    ]


def test_all_problems_come_at_once():
    card = {**CARD, "model_slug": "", "scores": {"exact_match_rate": 41.2}, "results": [{"entry_id": "1"}, 5]}
    assert sorted(codes_of(card)) == ["missing_field", "missing_output", "not_object", "rate_over_one"]


@pytest.mark.parametrize("score", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_a_score_that_is_no_finite_number_is_refused(score):
    data = json.dumps(CARD).replace("55.24", score).encode()
    assert codes_of(data) == ["not_finite"]


@pytest.mark.parametrize(
    ("scores", "code"),
    [
        ({"exact_match_rate": 1.01}, "rate_over_one"),
        ({"composite": 57.6}, "rate_over_one"),
        ({"code_switching_rate": -0.01}, "out_of_range"),
        ({"chrf_plus_plus": 100.01}, "out_of_range"),
        ({"chrf_plus_plus": "55"}, "not_number"),
        ({"composite": True}, "not_number"),
    ],
)
def test_scores_out_of_range_or_type_are_refused(scores, code):
    assert codes_of({**CARD, "scores": scores}) == [code]


def test_duplicate_ids_are_compared_as_texts():
    (problem,) = problems_of(with_results({"entry_id": 1, "predicted": "a"}, {"entry_id": "1", "predicted": "b"}))
    assert (problem.code, problem.place, problem.params["first"]) == ("duplicate_id", "result 2", "result 1")


@pytest.mark.parametrize(("length", "refused"), [(100_000, False), (100_001, True), (200_000, True)])
def test_an_output_has_a_length_limit(length, refused):
    card = with_results({"entry_id": "1", "predicted": "x" * length})
    if not refused:
        assert len(read(card).outputs[0].predicted) == length
        return
    (problem,) = problems_of(card)
    assert (problem.code, problem.place, problem.params["length"]) == ("output_too_long", "result 1", length)
    assert len(problem.value) < 200


def test_hostile_but_storable_outputs_are_kept_exactly():
    text = "<script>alert(1)</script>\u202e\u2067\u200b =1+1\r\n\ttail "
    assert read(with_results({"entry_id": "1", "predicted": text})).outputs[0].predicted == text


def test_nul_cannot_be_stored():
    assert codes_of(with_results({"entry_id": "1", "predicted": "a\x00b"})) == ["nul_in_text"]


@pytest.mark.parametrize(
    ("result", "code"),
    [
        ({"predicted": "x"}, "missing_id"),
        ({"entry_id": " ", "predicted": "x"}, "missing_id"),
        ({"entry_id": True, "predicted": "x"}, "missing_id"),
        ({"entry_id": "1"}, "missing_output"),
        ({"entry_id": "1", "predicted": 5}, "missing_output"),
        ({"entry_id": "1", "predicted": "x", "latency_s": "fast"}, "not_number"),
    ],
)
def test_a_result_needs_id_and_output(result, code):
    assert codes_of(with_results(result)) == [code]


def test_no_results_at_all_are_refused():
    assert codes_of(with_results()) == ["no_outputs"]


def test_a_changed_card_is_refused_and_says_what_its_content_gives():
    sealed = seal_card(CARD)
    assert read(sealed).run_card_seal is Seal.VERIFIED
    (problem,) = problems_of({**sealed, "condition": "coached"})
    assert problem.code == "hash_mismatch"
    assert seal_card({**sealed, "condition": "coached"})["run_card_hash"] in problem.remedy


# --- Documents that are none


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty"),
        (b" \n", "empty"),
        (b'{"run_id": ', "not_json"),
        (b'{"run_id": "r", "run_id": "s"}', "duplicate_key"),
        (b'{"run_id": "\\ud800"}', "bad_surrogate"),
        (b'{"hello": 1}', "unknown_document"),
        (b"{}", "unknown_document"),
        (b"[]", "no_outputs"),
        ('{"model_slug": "é"}'.encode("latin-1"), "bad_encoding"),
    ],
)
def test_bad_documents_say_what_is_wrong(data, code):
    assert codes_of(data) == [code]


def test_brackets_nested_too_deeply_are_refused():
    assert codes_of(b'{"a": ' * 100_000) == ["too_deep"]


def test_the_place_of_a_bad_byte_is_told():
    (problem,) = problems_of('{"a":\n"é"}'.encode("latin-1"))
    assert (problem.params["offset"], problem.params["line"]) == (7, 2)


def test_the_limit_of_a_document_is_a_parameter():
    data = json.dumps(CARD).encode()
    assert read_document(data, limit=len(data)).kind is Kind.CARD
    assert codes_of(data, limit=len(data) - 1) == ["too_large"]


@pytest.mark.parametrize(("size", "code"), [(64_000_000, "empty"), (64_000_001, "too_large")])
def test_a_document_has_64_megabytes_at_most(size, code):
    assert codes_of(b" " * size) == [code]


def test_the_message_holds_no_text_of_the_document():
    error = CardProblems(problems_of(with_results({"entry_id": "secret text", "predicted": 5})))
    assert "secret" not in str(error)
    assert error.code == "card.problems"


def test_utf16_and_marks_are_read():
    text = json.dumps(CARD, ensure_ascii=False)
    assert len(read(codecs.BOM_UTF8 + text.encode()).outputs) == 2
    assert len(read(codecs.BOM_UTF16_LE + text.encode("utf-16-le")).outputs) == 2


# --- Plain outputs


@pytest.mark.parametrize(
    "data",
    [
        b'entry_id,predicted\n7,Ola\n8,"a, ""b""\nc"\n',
        b'predicted;entry_id\r\nOla;7\r\n"a, ""b""\nc";8\r\n',
        b'{"entry_id": "7", "predicted": "Ola"}\n\n{"entry_id": 8, "predicted": "a, \\"b\\"\\nc"}\n',
        b'[{"entry_id": "7", "predicted": "Ola"}, {"entry_id": 8, "predicted": "a, \\"b\\"\\nc"}]',
    ],
)
def test_outputs_with_ids_in_every_form(data):
    run = read(data)
    assert run.kind is Kind.OUTPUTS
    assert [(o.entry_id, o.predicted) for o in run.outputs] == [("7", "Ola"), ("8", 'a, "b"\nc')]
    assert run.names_entries


def test_tsv_is_taken_literally():
    run = read(b'entry_id\tpredicted\tlatency_s\n7\tsay "hi"\t0.5\n8\t\t\n')
    assert [(o.entry_id, o.predicted, o.latency_s) for o in run.outputs] == [("7", 'say "hi"', 0.5), ("8", "", None)]


def test_one_output_a_line_keeps_empty_lines_and_odd_separators():
    run = read("Ola\r\n\nfoo\u2028bar\x85\n{name} e [cousa]".encode())
    assert [o.predicted for o in run.outputs] == ["Ola", "", "foo\u2028bar\x85", "{name} e [cousa]"]
    assert not run.names_entries


def test_lines_get_the_corpus_ids_in_order():
    run = assign_in_order(read(b"Ola\nPan\n"), ["a", "b"])
    assert [(o.entry_id, o.predicted) for o in run.outputs] == [("a", "Ola"), ("b", "Pan")]


@pytest.mark.parametrize(("ids", "place"), [(["a"], "line 2"), (["a", "b", "c"], "end")])
def test_a_line_too_many_or_too_few_is_refused(ids, place):
    with pytest.raises(CardProblems) as caught:
        assign_in_order(read(b"Ola\nPan\n"), ids)
    (problem,) = caught.value.problems
    assert (problem.code, problem.place, problem.params) == ("line_count", place, {"found": 2, "expected": len(ids)})


@pytest.mark.parametrize(
    ("data", "code", "place"),
    [
        (b"entry_id,source\n1,a\n", "missing_column", "line 1"),
        (b"id,predicted\n1,a\n", "missing_column", "line 1"),
        (b"entry_id,predicted,predicted\n1,a,b\n", "duplicate_column", "line 1"),
        (b"entry_id,predicted\n1,a,b\n", "row_width", "line 2"),
        (b'entry_id,predicted\n1,"a\nb\n', "bad_quotes", "line 2"),
        (b"entry_id\tpredicted\n1\ta\n1\tb\n", "duplicate_id", "line 3"),
        (b"entry_id,predicted\n,b\n", "missing_id", "line 2"),
        (b"entry_id,predicted,cost_usd\n1,b,NaN\n", "not_number", "line 2"),
        (b"entry_id,predicted\n", "no_outputs", "document"),
        (b'{"entry_id": "1", "predicted": "a"}\nnot json\n', "not_json", "line 2"),
        (b'{"entry_id": "1", "predicted": "a"}\n{"entry_id": "1", "predicted": "b"}\n', "duplicate_id", "line 2"),
        (b'{"entry_id": "1", "predicted": "a", "cost_usd": NaN}\n', "not_finite", "line 1"),
        (b"a\nb\x00\n", "nul_in_text", "line 2"),
        (b"ok\n" + b"x" * 200_000 + b"\n", "output_too_long", "line 2"),
        (b"entry_id,predicted\n1," + b"x" * 200_000 + b"\n", "output_too_long", "line 2"),
        (b'{"entry_id": "1", "predicted": "' + b"x" * 200_000 + b'"}\n', "output_too_long", "line 1"),
    ],
    ids=lambda value: value[:24].decode() if isinstance(value, bytes) else value,
)
def test_bad_plain_outputs_say_where(data, code, place):
    assert [(p.code, p.place) for p in problems_of(data)] == [(code, place)]


# --- Method identity


def test_a_cards_identity_leaves_dataset_and_harness_version_out():
    identity = method_identity(read(CARD))
    assert set(identity.components) == {
        "model_slug",
        "condition",
        "system_prompt_sha256",
        "temperature",
        "batch_size",
        "tools_enabled",
    }
    elsewhere = {**CARD, "harness_version": "0.1.0", "dataset": {**CARD["dataset"], "sha256": "b" * 64}}
    assert method_identity(read(elsewhere)).sha256 == identity.sha256
    assert method_identity(read({**CARD, "temperature": 0.3})).sha256 != identity.sha256


def test_plain_outputs_are_identified_by_the_form():
    run = read(b"Ola\n")
    assert identity_components(run, form={"name": "apertium"}) == {"name": "apertium"}
    assert method_identity(run, form={"name": "a"}).sha256 != method_identity(run, form={"name": "b"}).sha256


# --- Nothing but CardProblems ever comes out

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=300)
@given(st.sampled_from(sorted(CARD)), json_values)
def test_any_value_in_any_field_is_read_or_refused(name, value):
    try:
        read({**CARD, name: value})
    except CardProblems as caught:
        assert caught.problems


@settings(max_examples=200)
@given(st.sampled_from(["overall", "entries", "config", "run_id"]), json_values)
def test_any_value_in_a_report_is_read_or_refused(name, value):
    report = {"run_id": "r", "config": {"model": "m"}, "overall": {}, "entries": [{"id": "1", "predicted": "x"}]}
    try:
        read({**report, name: value})
    except CardProblems as caught:
        assert caught.problems


@given(st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
def test_any_bytes_are_read_or_refused(data):
    try:
        read_document(data)
    except CardProblems as caught:
        assert caught.problems


def test_every_message_is_a_sentence():
    for text in REMEDIES.values():
        assert text[0].isupper()
        assert text.endswith(".")
