"""The figures of a campaign from its ratings in the database, and who may see them (SPEC V-7, V-8, S-1)."""

import json
from statistics import NormalDist, median

import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from champollion.common.errors import StateError
from champollion.common.needs import count_of, needs_of
from review.analysis import (
    campaign_figures,
    estimate_visible,
    figures_compute,
    has_closed_figures,
    look_compute,
    look_visible,
)
from review.models import Campaign, HarmFlag, Rating, SampleItem
from review.selectors import campaign_progress
from review.services.campaigns import (
    campaign_close,
    campaign_configure,
    campaign_draft,
    campaign_extend,
    campaign_open,
    campaign_suspend,
    campaign_withdraw,
    look_take,
)
from review.services.nominations import nomination_make, run_consider

from .reviewed_runs import NOW, rate, rate_all, run_make, stage_make, talk_hold

pytestmark = pytest.mark.django_db
EXCELLENT, ACCEPTABLE, GIST, REJECT = 4, 3, 2, 1


@pytest.fixture
def stage():
    return stage_make(sizes={2: 20, 3: 20})


def draft(stage, **run) -> Campaign:
    nomination = run_consider(run_make(stage, **{"composite": 0.80, **run}))
    if nomination.status == "candidate":
        nomination = nomination_make(actor=stage.stewards[0], nomination=nomination)
    return campaign_draft(nomination=nomination)


def opened(stage, *, overlap: int = 3, **run) -> Campaign:
    campaign = campaign_configure(actor=stage.stewards[0], campaign=draft(stage, **run), overlap=overlap)
    return campaign_open(actor=stage.stewards[0], campaign=campaign, now=NOW)


def mixed_grade(item: SampleItem, rater: int) -> int:
    """Give grades that differ by item, difficulty and rater, now and then split."""
    number = item.output.position * 7 + rater * 3
    if number % 11 == 0:
        return GIST
    if item.output.position % 9 == 0:
        return REJECT if rater < 3 else GIST
    return EXCELLENT if number % 2 else ACCEPTABLE


def sampled(campaign: Campaign, **chosen) -> list[SampleItem]:
    return list(campaign.items.filter(**{"kind": "sample", **chosen}).select_related("output").order_by("pk"))


# Against a calculation done another way


def by_hand(campaign: Campaign) -> dict:
    """Compute V-7's estimate by plain loops over the rows, with nothing of the product's own arithmetic."""
    plan, items = campaign.plan, sampled(campaign)
    population = len(plan["frame"])
    by_stratum: dict[str, list[float]] = {}
    split = paired = agreeing = 0
    for item in items:
        grades = list(item.ratings.order_by("rank").values_list("first_grade", flat=True))
        usable = [grade for grade in grades[:3] if grade >= 3]
        split += len(usable) in (1, 2)
        paired += 3
        agreeing += 3 if len(usable) in (0, 3) else 1
        verdict = median(grades[:3]) if len(usable) in (0, 3) else None
        if verdict is None and len(grades) == 4:
            of_four = [grade for grade in grades if grade >= 3]
            verdict = {0: 1, 1: 1, 3: 3, 4: 3}.get(len(of_four))
        by_stratum.setdefault(item.stratum, []).append(1.0 if verdict is not None and verdict >= 3 else 0.0)
    s = split / len(items)
    a = 0.5 + (0.25 - s / 3) ** 0.5
    e = (1 - a) ** 2 * (1 + 2 * a)
    p = p_smooth = v = 0.0
    for row in plan["strata"]:
        values = by_stratum[row["stratum"]]
        n, k, size = len(values), sum(values), row["size"]
        weight, fraction, smooth = size / population, n / size, (k + 1) / (n + 2)
        p += weight * k / n
        p_smooth += weight * smooth
        v += weight**2 * ((1 - fraction) * smooth * (1 - smooth) / (n - 1) + fraction * e * (1 - e) / n)
    n_star = p_smooth * (1 - p_smooth) / v
    z = NormalDist().inv_cdf(0.975)
    centre = (p + z * z / (2 * n_star)) / (1 + z * z / n_star)
    half = z * (p * (1 - p) / n_star + z * z / (4 * n_star**2)) ** 0.5 / (1 + z * z / n_star)
    return {
        "p": p, "low": centre - half, "high": centre + half, "pairwise": agreeing / paired, "n": len(items),
        "k": sum(sum(values) for values in by_stratum.values()),
    }  # fmt: skip


def test_figures_equal_a_calculation_done_another_way():
    stage = stage_make()
    campaign = opened(stage, unusable=7)
    rate_all(sampled(campaign), stage.speakers[:3], mixed_grade)
    for item in sampled(campaign):
        usable = item.ratings.filter(first_grade__gte=3).count()
        if usable in (1, 2):
            rate(item, stage.speakers[3], ACCEPTABLE if usable == 2 else GIST, rank=4)
    expected = by_hand(campaign)

    figures = figures_compute(campaign)

    assert figures.share == pytest.approx(expected["p"], abs=1e-12)
    assert figures.interval == pytest.approx((expected["low"], expected["high"]), abs=1e-9)
    assert figures.agreement.pairwise.value == pytest.approx(expected["pairwise"])
    assert (figures.analysis.usable.shown, figures.analysis.usable.positive) == (expected["n"], expected["k"])
    assert figures.analysis.usable.population == 150
    assert figures.rating_count == Rating.objects.filter(item__campaign=campaign).count()
    assert figures.rater_count == 4
    assert 0.5 < figures.share < 0.95
    assert figures.is_complete


def test_all_usable_meets_and_none_usable_does_not(stage):
    good, bad = opened(stage), opened(stage)
    rate_all(sampled(good), stage.speakers[:3], lambda *_: EXCELLENT)
    rate_all(sampled(bad), stage.speakers[:3], lambda *_: GIST)

    assert (figures_compute(good).share, figures_compute(good).verdict.outcome) == (1.0, "meets")
    assert (figures_compute(bad).share, figures_compute(bad).verdict.outcome) == (0.0, "does_not_meet")


def test_entries_without_output_count_as_rejected(stage):
    campaign = opened(stage, unusable=8)
    rate_all(sampled(campaign), stage.speakers[:3], lambda *_: EXCELLENT)

    figures = figures_compute(campaign)

    assert figures.share == pytest.approx(32 / 40)
    assert figures.analysis.reject.p_hat == pytest.approx(8 / 40)
    assert figures.verdict.outcome == "does_not_meet"


def test_run_of_errors_alone_has_figures_all_the_same(stage):
    figures = figures_compute(opened(stage, unusable=40))

    assert (figures.share, figures.analysis.reject.p_hat, figures.rating_count) == (0.0, 1.0, 0)
    assert figures.is_complete
    assert figures.verdict.is_descriptive_only


# Which ratings count, and in which order


def test_rating_that_was_taken_back_does_not_count(stage):
    campaign = opened(stage)
    rating = rate(sampled(campaign)[0], stage.speakers[0], EXCELLENT, rank=1)
    assert figures_compute(campaign).rating_count == 1

    Rating.objects.filter(pk=rating.pk).update(grade=None, first_grade=None)
    assert figures_compute(campaign).rating_count == 0


def test_answer_before_the_reference_was_shown_counts(stage):
    campaign = opened(stage, overlap=1)
    item = sampled(campaign)[0]
    rating = rate(item, stage.speakers[0], GIST, rank=1)
    Rating.objects.filter(pk=rating.pk).update(grade=EXCELLENT, reference_shown_at=NOW)

    assert figures_compute(campaign).analysis.verdicts[str(item.uid)].grade == GIST


def test_first_three_by_rank_make_the_panel_and_the_fourth_decides(stage):
    campaign = opened(stage)
    item = sampled(campaign)[0]
    for rank, grade in [(3, GIST), (1, ACCEPTABLE), (2, GIST)]:
        rate(item, stage.speakers[rank - 1], grade, rank=rank)
    verdicts = figures_compute(campaign).analysis.verdicts
    assert (verdicts[str(item.uid)].grade, verdicts[str(item.uid)].missing) == (None, "needs_fourth")

    rate(item, stage.speakers[3], REJECT, rank=4)
    assert figures_compute(campaign).analysis.verdicts[str(item.uid)].grade == GIST


def test_talk_settles_what_ratings_could_not(stage):
    campaign = opened(stage)
    item = sampled(campaign)[0]
    for rank, grade in enumerate([ACCEPTABLE, GIST, EXCELLENT, REJECT], start=1):
        rate(item, stage.speakers[rank - 1], grade, rank=rank)
    assert figures_compute(campaign).analysis.verdicts[str(item.uid)].missing == "needs_talk"

    talk_hold(item, stage, ACCEPTABLE)
    verdict = figures_compute(campaign).analysis.verdicts[str(item.uid)]
    assert (verdict.grade, verdict.is_from_talk) == (ACCEPTABLE, True)


def test_extension_counts_only_once_the_campaign_is_extended():
    stage = stage_make()
    campaign = opened(stage)
    items = sampled(campaign)
    rate_all(
        items, stage.speakers[:3], lambda item, _: GIST if item.pk in {i.pk for i in items[::3][:28]} else EXCELLENT
    )
    campaign = campaign_close(actor=stage.stewards[0], campaign=campaign)
    assert campaign_figures(campaign).analysis.usable.shown == 100

    campaign = campaign_extend(actor=stage.stewards[0], campaign=campaign)
    figures = figures_compute(campaign)
    assert (figures.analysis.usable.shown, figures.missing_count, figures.is_complete) == (140, 40, False)


# Harm flags


@pytest.mark.parametrize(("status", "outcome"), [("open", "held"), ("confirmed", "held"), ("dismissed", "meets")])
def test_harm_flag_holds_a_method_until_it_is_dismissed(stage, status, outcome):
    campaign = opened(stage)
    rate_all(sampled(campaign), stage.speakers[:3], lambda *_: EXCELLENT)
    HarmFlag.objects.create(item=sampled(campaign)[0], raised_by=stage.speakers[0], status=status)

    figures = figures_compute(campaign)

    assert figures.verdict.outcome == outcome
    assert {"open": figures.harm_open, "confirmed": figures.harm_confirmed, "dismissed": figures.harm_dismissed} == {
        "open": 0, "confirmed": 0, "dismissed": 0, status: 1,
    }  # fmt: skip


# As JSON


def test_figures_as_json_hold_no_text_and_are_the_same_each_time():
    stage = stage_make(segment="gold_standard", sizes={2: 20, 3: 20})
    campaign = opened(stage)
    rate_all(sampled(campaign), stage.speakers[:3], mixed_grade)

    written = json.dumps(figures_compute(campaign).to_dict(), sort_keys=True)

    assert written == json.dumps(figures_compute(campaign).to_dict(), sort_keys=True)
    assert not any(word in written for word in ("source ", "reference ", "output "))
    assert not any(speaker.email in written or str(speaker.uid) in written for speaker in stage.speakers)


def test_generated_ratings_are_said_to_be_generated(stage):
    campaign = opened(stage)
    assert not figures_compute(campaign).has_generated_ratings
    Campaign.objects.filter(pk=campaign.pk).update(has_generated_ratings=True)
    assert figures_compute(Campaign.objects.get(pk=campaign.pk)).to_dict()["has_generated_ratings"]


def test_board_gets_share_interval_count_and_verdict(stage):
    campaign = opened(stage)
    rate_all(sampled(campaign), stage.speakers[:3], lambda *_: EXCELLENT)

    assert figures_compute(campaign).human() == {
        "share": 1.0, "low": 1.0, "high": 1.0, "rating_count": 120, "verdict": "meets",
    }  # fmt: skip


# Who may see what, and when


def closed(stage) -> Campaign:
    campaign = opened(stage)
    rate_all(sampled(campaign), stage.speakers[:3], lambda *_: EXCELLENT)
    return campaign_close(actor=stage.stewards[0], campaign=campaign)


def test_figures_are_hidden_until_the_close(stage):
    campaign = opened(stage)
    rate_all(sampled(campaign), stage.speakers[:3], lambda *_: EXCELLENT)

    with pytest.raises(StateError) as refused:
        campaign_figures(campaign)
    assert refused.value.code == "campaign.figures_hidden"
    assert not estimate_visible(campaign, stage.stewards[0])
    suspended = campaign_suspend(actor=stage.stewards[0], campaign=campaign, reason="a question")
    assert not has_closed_figures(suspended)


def test_stewards_see_the_estimate_after_the_close_and_coordinators_never(stage):
    campaign = closed(stage)
    other = stage_make(slug="other", sizes={2: 1})

    assert campaign_figures(campaign).share == 1.0
    assert estimate_visible(campaign, stage.stewards[0])
    for person in (stage.coordinator, stage.speakers[0], stage.developer, other.stewards[0], AnonymousUser()):
        assert not estimate_visible(campaign, person)


def test_estimate_of_a_withdrawn_campaign_is_visible_only_if_it_was_closed(stage):
    running = campaign_withdraw(actor=stage.stewards[0], campaign=opened(stage), reason="sent back")
    ended = campaign_withdraw(actor=stage.stewards[0], campaign=closed(stage), reason="sent back")

    assert not estimate_visible(running, stage.stewards[0])
    assert estimate_visible(ended, stage.stewards[0])


def test_look_shows_its_own_figures_alone_and_not_to_whoever_rates():
    stage = stage_make()
    campaign = opened(stage)
    assert not look_visible(campaign, stage.stewards[0])
    rate_all(sampled(campaign, is_in_look=True), stage.speakers[:3], lambda *_: EXCELLENT)
    assert look_compute(campaign).analysis.usable.shown == 60
    look_take(campaign=campaign)
    campaign.refresh_from_db()

    assert look_visible(campaign, stage.stewards[0])
    assert not look_visible(campaign, stage.coordinator)
    assert not estimate_visible(campaign, stage.stewards[0])
    rate(sampled(campaign, is_in_look=False)[0], stage.stewards[0], EXCELLENT, rank=1)
    assert not look_visible(campaign, stage.stewards[0])
    assert look_visible(campaign, stage.stewards[1])


# The number of queries


@pytest.mark.parametrize("count", [1, 50, 500])
def test_number_of_queries_does_not_grow_with_items(count, django_assert_num_queries):
    stage = stage_make(sizes={2: count})
    campaign = draft(stage)
    campaign = campaign_configure(actor=stage.stewards[0], campaign=campaign, size=count)
    campaign = campaign_open(actor=stage.stewards[0], campaign=campaign)
    rate_all(sampled(campaign), stage.speakers[:3], lambda *_: EXCELLENT)

    with django_assert_num_queries(3):
        assert figures_compute(campaign).rating_count == 3 * count
    with django_assert_num_queries(5):
        assert campaign_progress(campaign).total.done == count


# How far a campaign is


def test_progress_counts_items_by_stratum_and_says_nothing_of_grades(stage):
    campaign = opened(stage, unusable=2)
    items = sampled(campaign, stratum="2")
    rate_all(items[:4], stage.speakers[:3], lambda *_: EXCELLENT)
    for rank, grade in enumerate([ACCEPTABLE, GIST, ACCEPTABLE], start=1):
        rate(items[4], stage.speakers[rank - 1], grade, rank=rank)
    SampleItem.objects.filter(pk=items[5].pk).update(needs_talk=True)

    progress = campaign_progress(campaign)

    two, three, none = progress.strata
    assert (two.stratum, two.items, two.done, two.needs_fourth, two.needs_talk) == ("2", 20, 4, 1, 1)
    assert (two.ratings, two.ratings_asked_for) == (15, 60)
    assert (three.stratum, three.items, three.done) == ("3", 18, 0)
    assert (none.stratum, none.items, none.done) == ("no output", 2, 2)
    assert (progress.total.items, progress.total.done, progress.rater_count) == (40, 6, 3)
    assert not progress.is_done


def test_progress_is_done_when_every_item_has_a_verdict(stage):
    campaign = opened(stage)
    rate_all(sampled(campaign), stage.speakers[:3], lambda *_: GIST)

    assert campaign_progress(campaign).is_done


# Where a person is needed


def urls_of(user) -> list[str]:
    return [need.url for need in needs_of(user)]


def test_speaker_is_asked_to_rate_and_told_nothing_of_the_method(stage):
    campaign = opened(stage)
    speaker = stage.speakers[0]

    [need] = needs_of(speaker)

    assert need.url == f"/review/{campaign.uid}/rate/"
    assert str(campaign.run.method_version.method) not in f"{need.what} {need.how_long}"
    assert count_of("review", speaker) == 1


def test_speaker_who_rated_everything_is_not_asked_again(stage):
    campaign = opened(stage)
    rate_all(sampled(campaign), stage.speakers[:1], lambda *_: EXCELLENT)

    assert urls_of(stage.speakers[0]) == []
    assert urls_of(stage.speakers[1]) == [f"/review/{campaign.uid}/rate/"]
    assert urls_of(stage.developer) == []


def test_steward_is_asked_for_candidates_drafts_and_reports(stage):
    candidate = run_consider(run_make(stage))
    waiting = draft(stage)
    ended = closed(stage)

    assert sorted(urls_of(stage.stewards[0])) == sorted(
        [
            f"/governance/nominations/{candidate.uid}/",
            f"/governance/campaigns/{waiting.uid}/",
            f"/governance/campaigns/{ended.uid}/report/",
        ]
    )
    assert urls_of(stage.coordinator) == []
    assert urls_of(AnonymousUser()) == []


def test_proposal_of_one_steward_waits_for_another(stage):
    campaign = closed(stage)
    decision = campaign.decisions.create(
        kind="approve", reason="good", proposed_by=stage.stewards[0], evidence_sha256="0" * 64, outcome="meets",
        created_at=timezone.now(),
    )  # fmt: skip
    decision.signatures.create(steward=stage.stewards[0])

    assert urls_of(stage.stewards[0]) == []
    assert urls_of(stage.stewards[1]) == [f"/governance/decisions/{decision.uid}/"]
