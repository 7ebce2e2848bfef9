"""A method's page: people first, runs with dates and corpus versions, versions, who sees where it is held."""

import json

from leaderboard.models import Run, Standing

from .stage import good_outputs, held, report_document, table


def text_of(response) -> str:
    return response.content.decode()


def page_of(run) -> str:
    return f"/methods/{run.method_version.method.uid}/"


def test_it_shows_tier_verification_runs_and_versions(client, stage):
    version = stage.corpus()
    run = stage.receive(table(good_outputs()), version=version, configuration={"model": "unit/a"}).runs[0]
    stage.receive(table(good_outputs(wrong=3)), version=version, configuration={"model": "unit/b"})
    response = client.get(page_of(run))
    page = text_of(response)
    assert "Unit method" in page
    assert "Functional" in page
    assert "Self-benchmarked" in page
    assert "not asked yet" in page
    assert len(response.context["runs"]) == 2
    assert [one.version.number for one in response.context["versions"]] == [2, 1]


def test_what_people_said_stands_first(client, stage):
    version = stage.corpus()
    run = stage.receive(table(good_outputs()), version=version, configuration={"model": "unit/a"}).runs[0]
    stage.receive(table(good_outputs(wrong=3)), version=version, configuration={"model": "unit/b"})
    asked = Standing.objects.order_by("pk").last()
    Standing.objects.filter(pk=asked.pk).update(human_share=0.84, human_low=0.8, human_high=0.88, human_rating_count=30)
    response = client.get(page_of(run))
    assert response.context["standings"][0].pk == asked.pk
    assert "30 ratings" in text_of(response)


def test_claims_stand_beside_ours(client, stage):
    stage.corpus()
    run = stage.receive(json.dumps(report_document(overall={"corpus_chrf": 50.0}))).runs[0]
    Run.objects.filter(pk=run.pk).update(
        claim_verdicts={"composite": {"claimed": 0.9, "ours": 1.0, "verdict": "differs"}}
    )
    assert "0.9 differs" in text_of(client.get(page_of(run)))


def test_a_method_with_only_an_unanchored_run_is_for_its_team(client, stage):
    run = stage.receive(json.dumps(report_document())).runs[0]
    assert client.get(page_of(run)).status_code == 404
    client.force_login(stage.developer)
    assert client.get(page_of(run)).status_code == 200


def test_where_a_method_is_held_is_seen_by_the_holder_alone(client, stage):
    stage.corpus(segment="gold_standard")
    run = stage.receive(json.dumps(report_document()), actor=stage.steward, held=held()).runs[0]
    page = text_of(client.get(page_of(run)))
    assert "held by Unit council" in page
    assert "safe of the council" not in page
    client.force_login(stage.steward)
    assert "safe of the council" in text_of(client.get(page_of(run)))


def test_the_number_of_queries_does_not_grow_with_runs(client, stage, django_assert_max_num_queries):
    version = stage.corpus()
    for wrong in range(6):
        run = stage.receive(
            table(good_outputs(wrong=wrong)), version=version, configuration={"model": str(wrong)}
        ).runs[0]
    with django_assert_max_num_queries(8):
        client.get(page_of(run))
