"""Outputs from files that are too large to hold: the same run as from a small one, and bounded memory (SPEC R-2)."""

import io
import json
import tracemalloc

import pytest
from django.core.management import call_command
from django.test import TestCase

from champollion.common.canonical import sha256_hex
from champollion.common.errors import AccessDenied, DomainError, ProblemList
from leaderboard.cards import streamed
from leaderboard.cards.problems import CardProblems, Problems
from leaderboard.cards.streamed import file_digest, is_streamable, stream_outputs
from leaderboard.models import Document, DocumentPart, Run
from leaderboard.services import documents, handing_in
from leaderboard.services.handing_in import MethodWish, run_hand_in
from leaderboard.services.intake_stream import run_receive_stream

from .stage import corpus_document, good_outputs, held, reference_of, report_document, source_of, table


def json_lines(outputs: dict[str, str], **more: str) -> str:
    rows = ({"entry_id": key, "predicted": text, **more} for key, text in outputs.items())
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def read(text: str | bytes, **given):
    problems = Problems()
    data = text if isinstance(text, bytes) else text.encode()
    outputs = list(stream_outputs(io.BytesIO(data), problems, **given))
    problems.raise_any()
    return [(output.entry_id, output.predicted) for output in outputs]


def refused(text: str | bytes, **given) -> list[str]:
    with pytest.raises(CardProblems) as caught:
        read(text, **given)
    return caught.value.codes


# Reading


@pytest.mark.parametrize(
    "text",
    [
        '{"entry_id": "1", "predicted": "a"}\n\n{"entry_id": 2, "predicted": "b"}',
        "entry_id,predicted\n1,a\n2,b\n",
        'predicted;entry_id\r\n"a";1\r\nb;2\r\n',
        "entry_id\tpredicted\n1\ta\n2\tb",
        b"\xef\xbb\xbfentry_id\tpredicted\n1\ta\n2\tb",
        "entry_id\tpredicted\n1\ta\n2\tb".encode("utf-16"),
    ],
)
def test_every_form_with_ids_is_read_line_by_line(text):
    assert read(text) == [("1", "a"), ("2", "b")]


def test_a_quoted_field_may_hold_lines():
    assert read('entry_id,predicted\n1,"a\nb"\n') == [("1", "a\nb")]


def test_only_files_with_ids_are_streamed():
    assert is_streamable(io.BytesIO(table({"1": "a"}).encode()))
    assert not is_streamable(io.BytesIO(b"one output\nanother output\n"))
    assert not is_streamable(io.BytesIO(json.dumps(report_document()).encode()))


@pytest.mark.parametrize(("count", "codes"), [(3, None), (4, ["too_many_results"])])
def test_the_number_of_results_has_a_limit(count, codes):
    text = table({str(number): "a" for number in range(count)})
    if codes is None:
        assert len(read(text, limit=3)) == count
    else:
        assert refused(text, limit=3) == codes


def test_the_limits_are_a_million_results_and_a_gigabyte():
    assert (streamed.RESULT_LIMIT, streamed.FILE_LIMIT, streamed.OUTPUT_LIMIT) == (1_000_000, 1_000_000_000, 100_000)


@pytest.mark.parametrize(("size", "is_taken"), [(20, True), (21, False)])
def test_a_file_has_a_limit(size, is_taken):
    if is_taken:
        assert file_digest(io.BytesIO(b"a" * size), problems=Problems(), limit=20) == (sha256_hex(b"a" * size), size)
    else:
        with pytest.raises(CardProblems) as caught:
            file_digest(io.BytesIO(b"a" * size), problems=Problems(), limit=20)
        assert caught.value.codes == ["too_large"]


@pytest.mark.parametrize("length", [100_000, 100_001])
@pytest.mark.parametrize("form", [table, json_lines])
def test_an_output_has_a_length_limit(length, form):
    text = form({"1": "\u1234" * length})
    if length == 100_000:
        assert read(text) == [("1", "\u1234" * length)]
    else:
        assert refused(text) == ["output_too_long"]


def test_a_line_without_end_is_not_read_to_its_end():
    assert refused("entry_id\tpredicted\n" + "a" * (streamed.LINE_LIMIT + 1)) == ["line_too_long"]


def test_a_bad_byte_is_named_with_its_place():
    with pytest.raises(CardProblems) as caught:
        file_digest(io.BytesIO(b"entry_id\tpredicted\n1\t\xff"), problems=Problems())
    assert caught.value.problems[0].params["offset"] == 21


def test_problems_are_collected_up_to_a_bound(monkeypatch):
    monkeypatch.setattr(streamed, "PROBLEMS_AT_MOST", 5)
    assert refused("entry_id\tpredicted\n" + "\tx\n" * 9) == ["missing_id"] * 5


def test_memory_does_not_grow_with_the_file():
    def lines(count):
        text = "".join(f"{number}\t{'a' * 200}\n" for number in range(count))
        return io.BytesIO(b"entry_id\tpredicted\n" + text.encode())

    def peak(stream):
        tracemalloc.start()
        assert sum(1 for _output in stream_outputs(stream, Problems())) > 0
        _now, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    small, large = lines(1000), lines(20_000)
    peak(lines(10))
    assert peak(large) < 2 * peak(small) + 100_000


# Taking in


def taken(stage, text: str, **given):
    choice = handing_in.MethodChoice(name="Streamed", team=stage.team, held=given.pop("held", None))
    with TestCase.captureOnCommitCallbacks(execute=True):
        return run_receive_stream(
            actor=given.pop("actor", stage.developer), stream=io.BytesIO(text.encode()), choice=choice, **given
        )


def test_a_streamed_file_gives_the_same_run_as_one_that_is_held(stage):
    version = stage.corpus()
    outputs = dict(reversed(good_outputs(wrong=4).items()))
    del outputs["unit_7"]
    streamed_run = taken(stage, json_lines(outputs)).runs[0]
    held_run = stage.receive(table(outputs), version=version).runs[0]
    streamed_run.refresh_from_db()
    held_run.refresh_from_db()
    rows = [
        list(run.outputs.order_by("position").values_list("position", "entry_key", "text", "is_missing"))
        for run in (streamed_run, held_run)
    ]
    assert rows[0] == rows[1]
    assert (streamed_run.status, streamed_run.corpus_version) == (Run.Status.SCORED, version)
    assert streamed_run.score_set.composite == held_run.score_set.composite
    assert streamed_run.score_set.missing_count == 1


def test_its_bytes_lie_in_parts_and_come_back_unchanged(client, stage, monkeypatch):
    monkeypatch.setattr(documents, "PART_BYTES", 50)
    stage.corpus()
    text = table(good_outputs())
    run = taken(stage, text, file_name="large.tsv").runs[0]
    assert DocumentPart.objects.count() == -(-len(text.encode()) // 50)
    response = client.get(f"/runs/{run.uid}/document/")
    assert response.getvalue() == text.encode()
    assert run.document.sha256 == sha256_hex(text.encode())
    assert taken(stage, text).was_known


def test_the_parts_of_a_secret_run_lie_sealed(client, stage, monkeypatch):
    monkeypatch.setattr(documents, "PART_BYTES", 50)
    stage.corpus(segment="gold_standard")
    text = table(good_outputs())
    run = taken(stage, text, actor=stage.steward, held=held()).runs[0]
    stored = b"".join(bytes(part.content) for part in DocumentPart.objects.all())
    assert b"Dyma" not in stored + bytes(run.document.content)
    assert not run.outputs.exclude(text="").exists()
    client.force_login(stage.steward)
    assert client.get(f"/runs/{run.uid}/document/").getvalue() == text.encode()


def test_a_file_on_two_segments_makes_two_runs(stage):
    value = corpus_document()
    for entry in value["entries"][:4]:
        entry["segment"] = "diagnostic"
    stage.store(value)
    runs = taken(stage, table(good_outputs())).runs
    assert [(run.segment, run.output_count) for run in runs] == [("development", 8), ("diagnostic", 4)]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (table({**good_outputs(), "unit_99": "x"}), "run.unknown_entry"),
        (table(good_outputs()) + "unit_3\tagain\n", "duplicate_id"),
        (json_lines(good_outputs(), source=source_of(1)), "run.text_differs"),
        (json_lines({"unit_1": reference_of(1)}) * 2, "duplicate_id"),
    ],
)
def test_what_does_not_fit_is_refused_and_leaves_nothing(stage, text, code):
    version = stage.corpus()
    with pytest.raises(ProblemList) as caught:
        taken(stage, text, version=version)
    assert {problem.code for problem in caught.value.problems} == {code}
    assert (Run.objects.count(), Document.objects.count(), DocumentPart.objects.count()) == (0, 0, 0)


def test_a_developer_s_large_file_on_a_secret_segment_is_refused(stage):
    version = stage.corpus(segment="gold_standard")
    with pytest.raises(AccessDenied):
        taken(stage, table(good_outputs()), version=version, segment="gold_standard")
    with pytest.raises(ProblemList) as caught:
        taken(stage, table(good_outputs()), version=version)
    assert {problem.code for problem in caught.value.problems} == {"run.unknown_entry"}
    assert not Run.objects.exists()


# The ways in


@pytest.fixture
def from_any_size(monkeypatch):
    monkeypatch.setattr(handing_in, "STREAMED_FROM", 0)


def test_command_and_page_stream_a_large_file(client, stage, from_any_size, tmp_path):
    stage.corpus()
    path = tmp_path / "outputs.jsonl"
    path.write_text(json_lines(good_outputs()))
    asked = ["--method-name", "By command", "--team", stage.team.slug]
    call_command("import_run", str(path), *asked, stdout=io.StringIO())
    assert Document.objects.get().parts.count() == 1
    client.force_login(stage.developer)
    upload = io.BytesIO(json_lines(good_outputs(wrong=1)).encode())
    upload.name = "outputs.jsonl"
    answer = client.post(
        "/submit/run/", {"file": upload, "team": stage.team.slug, "method_name": "By page", "method_class": "raw-llm"}
    )
    assert answer.status_code == 302
    assert [document.parts.count() for document in Document.objects.all()] == [1, 1]


def test_a_file_over_the_document_limit_is_taken_where_it_holds_outputs(client, stage, settings, from_any_size):
    settings.MAX_DOCUMENT_BYTES = 100
    stage.corpus()
    client.force_login(stage.developer)
    upload = io.BytesIO(json_lines(good_outputs()).encode())
    upload.name = "outputs.jsonl"
    fields = {"team": stage.team.slug, "method_name": "By page", "method_class": "raw-llm"}
    assert client.post("/submit/run/", {"file": upload, **fields}).status_code == 302


def test_a_small_file_of_an_unknown_corpus_is_kept_and_a_large_one_is_not(stage, settings, from_any_size):
    wish = MethodWish(name="Unit method", team=stage.team)
    data = table(good_outputs()).encode()
    assert run_hand_in(actor=stage.developer, data=io.BytesIO(data), wish=wish).runs[0].status == "unanchored"
    settings.MAX_DOCUMENT_BYTES = 100
    with pytest.raises(DomainError) as caught:
        run_hand_in(actor=stage.developer, data=io.BytesIO(data + b"\n"), wish=wish)
    assert caught.value.code == "run.large_unknown_corpus"


def test_the_api_streams_a_large_file_and_a_call_sent_twice_counts_once(client, stage, settings, from_any_size):
    settings.MAX_DOCUMENT_BYTES = 100
    stage.corpus()
    client.force_login(stage.developer)
    answers = []
    for _attempt in range(2):
        upload = io.BytesIO(json_lines(good_outputs()).encode())
        upload.name = "outputs.jsonl"
        fields = {"document": upload, "team": stage.team.slug, "method_name": "By API", "method_class": "raw-llm"}
        answers.append(client.post("/api/v1/runs/", fields, headers={"Idempotency-Key": "streamed-once"}))
    assert [answer.status_code for answer in answers] == [202, 202]
    assert answers[0].json() == answers[1].json()
    assert Document.objects.get().parts.count() == 1
