"""The desk and the upload: who gets there, what a person reads on an error, and that a double click stores once."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from champollion.accounts.models import Team
from leaderboard.models import Document, Method, MethodVersion, Run

from .stage import corpus_document, good_outputs, person_developer, report_document, table

UPLOAD = "/submit/run/"


def text_of(response) -> str:
    return response.content.decode()


def upload(client, content, *, name="run.json", **fields):
    data = content if isinstance(content, bytes) else content.encode()
    form = {"method_class": "raw-llm", "method_name": "Unit method", **fields}
    return client.post(UPLOAD, {"file": SimpleUploadedFile(name, data), **form})


@pytest.fixture
def developer(client, stage):
    client.force_login(stage.developer)
    return stage


def nothing_stored() -> bool:
    return not (Run.objects.exists() or Document.objects.exists() or Method.objects.exists())


def test_visitors_are_sent_to_sign_in_and_members_without_the_right_hear_why(client, stage):
    assert client.get("/submit/").status_code == 302
    assert client.get(UPLOAD).status_code == 302
    client.force_login(stage.speaker)
    response = client.get(UPLOAD)
    assert response.status_code == 403
    assert "Runs are handed in by developers." in text_of(response)
    assert client.get("/submit/").status_code == 403


def test_the_empty_desk_says_what_comes_next(client, developer):
    page = text_of(client.get("/submit/"))
    assert "You have not handed in a run yet." in page
    assert f'href="{UPLOAD}"' in page


def test_an_upload_leads_to_the_run(client, developer, django_capture_on_commit_callbacks):
    developer.corpus()
    with django_capture_on_commit_callbacks(execute=True):
        response = upload(client, json.dumps(report_document()), team=developer.team.slug)
    run = Run.objects.get()
    assert response["Location"] == f"/runs/{run.uid}/"
    assert run.status == Run.Status.SCORED
    desk = text_of(client.get("/submit/"))
    assert "Its figures are on the board." in desk
    assert "Unit method" in desk


def test_a_double_click_stores_once_and_leads_to_the_same_run(client, developer):
    developer.corpus()
    first = upload(client, json.dumps(report_document()), team=developer.team.slug)
    second = client.post(
        UPLOAD,
        {
            "file": SimpleUploadedFile("run.json", json.dumps(report_document()).encode()),
            "method_class": "raw-llm",
            "method_name": "Unit method",
            "team": developer.team.slug,
        },
        follow=True,
    )
    assert second.redirect_chain[0][0] == first["Location"]
    assert "This file is here already." in text_of(second)
    assert (Run.objects.count(), Document.objects.count(), MethodVersion.objects.count()) == (1, 1, 1)


def test_all_problems_are_listed_with_place_value_and_remedy(client, developer):
    developer.corpus()
    bad = report_document(entries={3: {"expected": "Rhywbeth arall"}, 5: {"source": "Another source"}})
    response = upload(client, json.dumps(bad), team=developer.team.slug)
    page = text_of(response)
    assert response.status_code == 422
    assert "Nothing was stored: 2 things to put right" in page
    assert "Rhywbeth arall" in page
    assert "The corpus has “Dyma frawddeg uned rhif 3” here." in page
    assert "<title>Error:" in page
    assert nothing_stored()


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b'{"run_id": ', "This is no valid JSON from line 1"),
        ("caf\u00e9 à la crème".encode("latin-1"), "is not valid UTF-8"),
        (json.dumps({"a": 1}), "This is neither a run card, nor a harness test report"),
        (json.dumps(report_document(overall={"corpus_chrf": float("nan")})), "A score must be a finite number."),
        (json.dumps(report_document(overall={"exact_match_rate": 87.5})), "divide it by 100"),
        (json.dumps(report_document(entries={2: {"predicted": "a" * 200_000}})), "this one has 200000"),
        (b"", "empty"),
    ],
)
def test_what_a_person_reads_about_a_bad_file(client, developer, content, sentence):
    developer.corpus()
    response = upload(client, content, team=developer.team.slug)
    assert response.status_code == 422
    assert sentence in text_of(response)
    assert nothing_stored()


def test_a_line_too_many_is_said_with_both_numbers(client, developer):
    developer.corpus()
    lines = "\n".join(["Dyma"] * 13) + "\n"
    response = upload(
        client, lines, name="out.txt", team=developer.team.slug, version="unit-en-cy 1.0", segment="development"
    )
    assert "The outputs have 13 lines, the corpus has 12 entries." in text_of(response)


def test_a_file_over_the_limit_is_refused_before_it_is_read(client, developer, settings):
    settings.MAX_DOCUMENT_BYTES = 100
    response = upload(client, json.dumps(report_document()), team=developer.team.slug)
    assert "at most 100 are taken. Nothing was stored." in text_of(response)
    assert nothing_stored()


def test_two_corpora_that_fit_are_asked_about_and_the_form_offers_them(client, developer):
    developer.corpus()
    developer.corpus(corpus_id="unit-other")
    response = upload(client, json.dumps(report_document()), team=developer.team.slug)
    assert "stand in several corpus versions" in text_of(response)
    assert '<option value="unit-other 1.0">' in text_of(response)
    chosen = upload(client, json.dumps(report_document()), team=developer.team.slug, version="unit-other 1.0")
    assert chosen.status_code == 302
    assert Run.objects.get().corpus_version.corpus.corpus_id == "unit-other"


def test_a_run_on_a_secret_segment_is_refused_in_words_and_the_segment_not_offered(client, developer):
    developer.corpus(segment="gold_standard")
    page = text_of(client.get(UPLOAD))
    assert 'value="gold_standard"' not in page
    assert "held_sha256" not in page
    response = upload(client, json.dumps(report_document()), team=developer.team.slug)
    assert response.status_code == 403
    assert "handed in by a steward of the organisation" in text_of(response)
    assert nothing_stored()


def test_a_steward_names_the_held_method_whole_or_not_at_all(client, stage, django_capture_on_commit_callbacks):
    stage.corpus(segment="gold_standard")
    client.force_login(stage.steward)
    fields = {"team": stage.team.slug, "held_file_name": "m.tar.gz", "held_sha256": "b" * 64}
    response = upload(client, json.dumps(report_document()), **fields)
    assert response.status_code == 422
    assert "A held method needs its file name, its SHA-256 and its place." in text_of(response)
    with django_capture_on_commit_callbacks(execute=True):
        done = upload(client, json.dumps(report_document()), **fields, held_place="safe", held_parts=["code", "readme"])
    assert done.status_code == 302
    run = Run.objects.get()
    assert run.is_organisation_run
    assert run.method_version.held_parts == ["code", "readme"]


def test_a_new_team_has_its_developer_and_is_not_left_behind_by_a_refused_file(client, stage):
    developer = person_developer("new@unit.example")
    client.force_login(developer)
    stage.corpus()
    upload(client, b"{", team_name="New team")
    assert not Team.objects.filter(name="New team").exists()
    assert upload(client, json.dumps(report_document()), team_name="New team").status_code == 302
    assert list(Team.objects.get(name="New team").memberships.values_list("user", flat=True)) == [developer.pk]


def test_a_team_of_others_cannot_be_taken_by_its_name(client, stage):
    client.force_login(person_developer("new@unit.example"))
    stage.corpus()
    response = upload(client, json.dumps(report_document()), team_name=stage.team.slug)
    assert "Another team is called" in text_of(response)
    assert nothing_stored()


def test_a_method_needs_a_team(client, developer):
    response = upload(client, json.dumps(report_document()), team="")
    assert response.status_code == 422
    assert "Choose the team that made the method, or name a new one." in text_of(response)


def test_developers_are_offered_their_own_methods_and_teams_only(client, stage):
    stage.corpus()
    stage.receive(table(good_outputs()))
    client.force_login(person_developer("stranger@unit.example"))
    page = text_of(client.get(UPLOAD))
    assert stage.team.name not in page
    assert "Unit method" not in page


def test_plain_outputs_are_stored_with_their_stated_set_up(client, developer):
    developer.corpus()
    upload(client, table(good_outputs()), name="o.tsv", team=developer.team.slug, model="unit/m", condition="naive")
    run = Run.objects.get()
    assert (run.model_name, run.condition, run.method_version.model_name) == ("unit/m", "naive", "unit/m")


def test_several_segments_lead_to_the_desk(client, developer):
    value = corpus_document()
    for entry in value["entries"][:4]:
        entry["segment"] = "diagnostic"
    developer.store(value)
    response = upload(client, json.dumps(report_document()), team=developer.team.slug)
    assert response["Location"] == "/submit/"
    assert Run.objects.count() == 2


def test_the_desk_s_queries_do_not_grow_with_runs(client, developer, django_assert_max_num_queries):
    version = developer.corpus()
    for wrong in range(5):
        developer.receive(table(good_outputs(wrong=wrong)), version=version, configuration={"model": str(wrong)})
    with django_assert_max_num_queries(16):
        client.get("/submit/")
