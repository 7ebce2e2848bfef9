"""LAW-9 Raters are blind until their campaign is over: no method, model, score or another rater's rating."""

import json

import pytest
from django.core import mail

from champollion.common.errors import StateError
from leaderboard.access import may_read_outputs, outputs_withheld
from review.analysis import campaign_figures, estimate_visible
from tests.security.world import COMMENT, HARM

pytestmark = pytest.mark.django_db


def told_to_rater(world, client) -> str:
    campaign = world.open.uid
    pages = [client.get(f"/review/{campaign}/rate/", {"item": str(item.uid)}) for item in world.open.items.all()]
    pages += [client.get("/review/"), client.get("/api/v1/items/"), client.get("/api/v1/ratings/")]
    sent = json.dumps({"campaign": str(campaign)})
    pages.append(client.post("/api/v1/items/", sent, content_type="application/json"))
    return "".join(page.content.decode() for page in pages)


def test_nothing_for_raters_names_the_method_the_score_or_another_rater(world, client_of):
    rater = world.raters[1]
    text = told_to_rater(world, client_of(rater))
    version = world.open_run.method_version
    run = type(world.open_run).objects.get(pk=world.open_run.pk)
    hidden = [
        version.method.name, version.method.slug, str(version.method.uid), version.model_name, world.team.name,
        str(run.uid), str(run.score_set.composite), COMMENT, HARM, world.raters[0].name, world.raters[0].email,
    ]  # fmt: skip
    assert [word for word in hidden if word in text] == []
    assert "source" in text and len(text) > 10_000


def test_no_mail_to_a_rater_names_the_method(world):
    raters = {rater.email for rater in world.raters}
    for message in [*world.mails, *mail.outbox]:
        if raters & set(message.to):
            assert world.open_run.method_version.method.name not in message.subject + message.body


def test_the_runs_outputs_are_withheld_while_people_rate_and_given_back_after(world):
    assert outputs_withheld(world.open_run) and not outputs_withheld(world.decided_run)
    assert not may_read_outputs(world.raters[0], world.open_run)
    assert may_read_outputs(world.person("curator"), world.decided_run)


def test_the_board_says_in_review_and_names_no_campaign(world, client):
    page = client.get("/leaderboard/en--cy/").content.decode()
    assert str(world.open.uid) not in page and str(world.decided.uid) not in page


def test_estimates_are_nobodys_before_the_close(world):
    for person in (world.person("steward"), world.person("coordinator"), world.raters[0]):
        assert not estimate_visible(world.open, person)
    with pytest.raises(StateError):
        campaign_figures(world.open)


def test_once_it_is_over_the_stewards_see_them_and_a_coordinator_never_does(world):
    assert estimate_visible(world.decided, world.person("steward"))
    assert not estimate_visible(world.decided, world.person("coordinator"))
    assert campaign_figures(world.decided).share == 1.0
