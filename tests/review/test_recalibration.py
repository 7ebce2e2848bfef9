"""The page that holds metrics against speakers: figures, small numbers, who may see it, proposals only (SPEC M-7)."""

import re

import numpy as np
import pytest
from django.urls import reverse

from champollion.accounts.models import GovernedLanguage
from champollion.stats.intervals import clopper_pearson_lower
from leaderboard.services.intake import MethodChoice, run_receive
from leaderboard.services.scoring import run_score
from review.models import Campaign
from review.recalibration import COMPOSITE, Judged, judged_read, recalibrate
from tests.factories import flow as make
from tests.leaderboard.stage import good_outputs, member, stage_make, table

from .reviewed_runs import rate_all

pytestmark = pytest.mark.django_db


def judged(count: int, **changes) -> Judged:
    """Outputs whose grades follow their composite and chrF++, and have nothing to do with a third score."""
    rng = np.random.default_rng(7)
    scores, unrelated = rng.random(count), rng.random(count)
    grades = np.clip(np.round(1 + 3 * (scores + rng.normal(0, 0.2, count))), 1, 4).astype(int)
    found = Judged(
        grades=grades.tolist(),
        scores={COMPOSITE: scores.tolist(), "chrf_plus_plus": (scores**2).tolist(), "noise": unrelated.tolist()},
        rating_count=count,
        campaign_count=1,
        methods={1},
    )
    for name, value in changes.items():
        setattr(found, name, value)
    return found


def surely_usable(found: Judged, *, over: float) -> float:
    """The one-sided 95 % bound of the usable share of outputs that score at least so much."""
    chosen = [good for score, good in zip(found.scores[COMPOSITE], found.usable, strict=True) if score >= over]
    return clopper_pearson_lower(sum(chosen), len(chosen), level=0.95)


SHARES = {"chrf_plus_plus": 0.5, "noise": 0.3, COMPOSITE: 0.2}


@pytest.mark.parametrize("count", [0, 5])
def test_of_no_or_five_ratings_nothing_is_concluded(count):
    found = recalibrate(judged(count), shares=SHARES)
    assert sum(band.count for band in found.bands) == count
    assert all(row.found.correlation is None and row.proposed is None for row in found.rows)
    assert (found.curve, found.at_bound, found.proposed_bound, found.has_proposal) == ((), None, None, False)


def test_of_500_ratings_bands_rise_and_what_predicts_gets_the_weight():
    found = recalibrate(judged(500), shares=SHARES)
    shares = [band.share for band in found.bands]
    assert shares[0] < 0.2 < 0.8 < shares[-1]
    assert found.composite.interval[0] > 0.7
    rows = {row.metric: row for row in found.rows}
    assert rows["noise"].proposed == 0.0
    assert sum(row.proposed for row in found.rows) == pytest.approx(1, abs=0.002)
    assert found.proposed_bound == 0.4
    assert surely_usable(found.judged, over=0.4) >= found.bar > surely_usable(found.judged, over=0.35)
    assert 0 < found.at_bound.taken < found.at_bound.found < 1


def test_generated_ratings_propose_nothing():
    found = recalibrate(judged(500, has_generated_ratings=True), shares=SHARES)
    assert not found.has_proposal


def address(tag: str = "cy") -> str:
    return reverse("review:recalibration", args=[tag])


def decided(count: int, *, status: str = Campaign.Status.DECIDED, grade_of=None, **changes):
    """Score a real run of `count` outputs, the first third of them wrong, and let one speaker judge each."""
    stage = stage_make()
    version = stage.corpus(count=count)
    data = table(good_outputs(count, wrong=count // 3)).encode()
    choice = MethodChoice(name="Unit method", team=stage.team, configuration={"model": "unit/a"})
    run = run_receive(actor=stage.developer, data=data, choice=choice, version=version).runs[0]
    run_score(run)
    run.refresh_from_db()
    campaign = make.campaign(run, overlap=1, status=status)
    Campaign.objects.filter(pk=campaign.pk).update(**changes)
    right = {item.pk: item.output.entry.reference == item.output.text for item in campaign.items.all()}
    rate_all(list(campaign.items.all()), [stage.speaker], grade_of or (lambda item, number: 4 if right[item.pk] else 1))
    return stage


def page(client, stage) -> str:
    client.force_login(stage.steward)
    response = client.get(address())
    assert response.status_code == 200
    return re.sub(r"\s+", " ", response.content.decode())


def test_without_ratings_the_page_says_so(client):
    text = page(client, stage_make())
    assert "No output of a decided campaign has been judged yet" in text
    assert "ch-calibration" not in text


def test_five_ratings_are_shown_and_nothing_is_concluded(client):
    text = page(client, decided(5))
    assert "This rests on 5 ratings." in text
    assert "Too few outputs to tell" in text
    assert "Too few to draw a curve" in text
    assert "Nothing is proposed" in text


def test_sixty_ratings_give_figures_that_name_what_they_rest_on(client):
    stage = decided(60)
    text = page(client, stage)
    assert "This rests on 60 ratings. 60 outputs were judged, 40 found usable. They come from 1 method." in text
    assert "Fewer than 8 methods" in text
    assert text.count("ch-calibration") == 2
    assert "Nothing here is applied." in text
    found, shares = judged_read(GovernedLanguage.objects.get(tag="cy"))
    assert sum(shares.values()) == pytest.approx(1)
    # An output equal to its reference has every metric of the composite whole, so its composite is 1.
    pairs = list(zip(found.scores[COMPOSITE], found.grades, strict=True))
    assert [score for score, grade in pairs if grade == 4] == [1.0] * 40
    assert recalibrate(found, shares=shares).composite.area == 1.0


def test_a_campaign_that_is_not_decided_counts_for_nothing(client):
    assert "No output of a decided campaign" in page(client, decided(5, status=Campaign.Status.CLOSED))


def test_generated_ratings_are_named(client):
    assert "Ratings were generated" in page(client, decided(5, has_generated_ratings=True))


def test_a_run_scored_by_another_version_is_left_out_and_counted(client, monkeypatch):
    stage = decided(5)
    monkeypatch.setattr("leaderboard.scoring.chunks.SCORER_VERSION", "unit-2")
    assert "1 decided campaign is left out" in page(client, stage)


def test_stewards_of_the_language_alone_see_it(client):
    stage = stage_make()
    for user, status in ((stage.speaker, 403), (stage.curator, 403), (stage.developer, 404)):
        client.force_login(user)
        assert client.get(address()).status_code == status
    other = stage_make(slug="other-council", languages=("gd",))
    client.force_login(other.steward)
    assert client.get(address()).status_code == 404
    assert client.get(address("gd")).status_code == 200
    assert client.get(address("xx")).status_code == 404
    client.logout()
    assert client.get(address()).status_code == 302


def test_nothing_can_be_posted_to_it(client):
    stage = stage_make()
    client.force_login(stage.steward)
    assert client.post(address()).status_code == 405


def test_the_desk_leads_a_steward_to_it_and_a_coordinator_not(client):
    stage = stage_make()
    coordinator = member(stage, "coordinator@unit-council.example", "coordinator")
    for user, is_there in ((stage.steward, True), (coordinator, False)):
        client.force_login(user)
        assert (address() in client.get(reverse("review:governance")).content.decode()) is is_there
