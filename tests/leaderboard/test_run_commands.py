"""`import_run` and `score_run`: what they print, and that they fail loudly."""

import io
import json

import pytest
from django.core.management import CommandError, call_command

from leaderboard.models import Run

from .stage import good_outputs, report_document, table


def run_command(name, *args) -> str:
    out = io.StringIO()
    call_command(name, *[str(arg) for arg in args], stdout=out, stderr=out)
    return out.getvalue()


@pytest.fixture
def report(tmp_path):
    path = tmp_path / "report.json"
    path.write_text(json.dumps(report_document()))
    return path


def test_a_report_is_stored_and_named_in_a_line(stage, report, django_capture_on_commit_callbacks):
    stage.corpus()
    with django_capture_on_commit_callbacks(execute=True):
        told = run_command("import_run", report, "--team", stage.team.slug)
    run = Run.objects.get()
    assert told == f"report.json was stored as {run.uid} (development, received).\n"
    run.refresh_from_db()
    assert run.status == Run.Status.SCORED
    assert "is here already" in run_command("import_run", report, "--team", stage.team.slug)
    assert Run.objects.count() == 1


def test_json_names_the_runs(stage, report):
    stage.corpus()
    told = json.loads(
        run_command("import_run", report, "--team", stage.team.slug, "--actor", stage.developer.email, "--json")
    )
    assert told["stored"] is True
    assert told["runs"] == [{"run": str(Run.objects.get().uid), "status": "received", "segment": "development"}]
    assert Run.objects.get().submitted_by == stage.developer


def test_a_held_method_is_named_by_its_three_facts(stage, report):
    stage.corpus(segment="gold_standard")
    args = ["--team", stage.team.slug, "--actor", stage.steward.email, "--held-file-name", "m.tar"]
    with pytest.raises(CommandError, match="needs --held-file-name"):
        run_command("import_run", report, *args)
    run_command("import_run", report, *args, "--held-sha256", "c" * 64, "--held-place", "safe", "--held-part", "code")
    assert Run.objects.get().method_version.held_parts == ["code"]


def test_outputs_one_a_line_with_corpus_version_and_segment(stage, tmp_path):
    stage.corpus()
    path = tmp_path / "out.tsv"
    path.write_text(table(good_outputs()))
    run_command(
        "import_run", path, "--team", stage.team.slug, "--corpus", "unit-en-cy", "--version", "1.0", "--model", "unit/m"
    )
    assert Run.objects.get().model_name == "unit/m"


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["--team", "nobody"], "no team with the slug nobody"),
        (["--method", "nothing"], "no method with the slug nothing"),
        (["--corpus", "unit-en-cy"], "belong together"),
        (["--corpus", "unit-en-cy", "--version", "9.9"], "no corpus unit-en-cy 9.9"),
        (["--actor", "nobody@unit.example"], "nobody with the address"),
        ([], "Say which team made the method."),
    ],
)
def test_what_cannot_be_done_is_said_and_stores_nothing(stage, report, args, told):
    stage.corpus()
    with pytest.raises(CommandError, match=told):
        run_command("import_run", report, *args)
    assert not Run.objects.exists()


def test_a_missing_file_is_named(stage, tmp_path):
    with pytest.raises(CommandError, match="cannot be read"):
        run_command("import_run", tmp_path / "nothing.json", "--team", stage.team.slug)


def test_problems_are_printed_one_a_line(stage, tmp_path):
    stage.corpus()
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(report_document(entries={3: {"expected": "Arall"}})))
    out = io.StringIO()
    with pytest.raises(CommandError):
        call_command("import_run", str(path), "--team", stage.team.slug, stdout=out, stderr=out)
    assert "(unit_3): expected “Arall” The corpus has" in out.getvalue()


def test_score_run_scores_here_and_now_and_a_second_time_changes_nothing(stage, report):
    stage.corpus()
    run_command("import_run", report, "--team", stage.team.slug)
    run = Run.objects.get()
    assert run.status == Run.Status.RECEIVED
    assert run_command("score_run", run.uid) == f"Run {run.uid} is scored: composite 1.0000, fluent.\n"
    told = json.loads(run_command("score_run", run.uid, "--json"))
    assert told["composite"] == 1.0
    assert run.score_sets.count() == 1


def test_score_run_takes_a_failed_run_up_again(stage, report):
    stage.corpus()
    run_command("import_run", report, "--team", stage.team.slug)
    Run.objects.update(status=Run.Status.FAILED, failure="Unit reason")
    run_command("score_run", Run.objects.get().uid)
    assert (Run.objects.get().status, Run.objects.get().failure) == (Run.Status.SCORED, "")


def test_score_run_says_what_has_nothing_to_score(stage, report):
    run_command("import_run", report, "--team", stage.team.slug)
    with pytest.raises(CommandError, match="nothing to score"):
        run_command("score_run", Run.objects.get().uid)
    with pytest.raises(CommandError, match="There is no run"):
        run_command("score_run", "00000000-0000-0000-0000-000000000000")
