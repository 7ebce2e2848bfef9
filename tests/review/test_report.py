"""The report's read model: its numbers against another calculation, its sentences, its order (SPEC V-7, V-9)."""

import math
from collections import Counter
from fractions import Fraction

import pytest
from scipy.stats import beta

from champollion.audit.models import AuditEvent
from champollion.common.errors import StateError
from review.access import words_seal
from review.annex import annex_of
from review.campaign_page import campaign_page
from review.models import Rating, SampleItem
from review.report import report_read
from review.report_sentences import comment_of, sentences_read
from review.services.campaigns import campaign_close
from review.services.decisions import decision_propose, decision_sign

from .closed_campaigns import GOLD, SIZES, all_of, closed, flagged, in_play, opened
from .reviewed_runs import NOW, method_make, rate, rate_all, run_make, stage_make

pytestmark = pytest.mark.django_db


@pytest.fixture
def stage():
    """150 entries of five difficulties: 100 sampled."""
    return stage_make()


def mixed(item: SampleItem, number: int) -> int:
    """Grades that differ by item and rater, the hard ones worse."""
    if int(item.stratum) >= 4 and item.place % 3 == 0:
        return (1, 2, 2)[number - 1]
    if item.place % 7 == 3:
        return (2, 3, 3)[number - 1]
    return (4, 3, 4)[number - 1]


def rated(stage):
    campaign = opened(stage)
    rate_all(in_play(campaign), stage.speakers[:3], mixed)
    for item in in_play(campaign):
        if mixed_splits(item):
            rate(item, stage.speakers[3], 3, rank=4)
    return campaign_close(actor=stage.stewards[0], campaign=campaign, now=NOW)


def mixed_splits(item) -> bool:
    return len({mixed(item, number) >= 3 for number in (1, 2, 3)}) == 2


def by_hand(campaign):
    """Work out estimate and bounds from the rating rows alone, by exact fractions, not by the product's code."""
    sizes = Counter(str(row["difficulty"]) for row in campaign.plan["frame"])
    grades: dict[int, list[int]] = {}
    for rating in Rating.objects.filter(item__campaign=campaign).order_by("item", "rank"):
        grades.setdefault(rating.item_id, []).append(rating.first_grade)
    usable, shown, split = Counter(), Counter(), 0
    for item in SampleItem.objects.filter(campaign=campaign, kind="sample"):
        three = grades[item.pk][:3]
        yes = sum(grade >= 3 for grade in three)
        split += yes in (1, 2)
        votes = grades[item.pk] if yes in (1, 2) else three
        usable[item.stratum] += sum(grade >= 3 for grade in votes) * 2 > len(votes)
        shown[item.stratum] += 1
    total = sum(sizes.values())
    a = 0.5 + math.sqrt(0.25 - split / sum(shown.values()) / 3)
    e = (1 - a) ** 2 * (1 + 2 * a)
    p_hat = sum(Fraction(sizes[h], total) * Fraction(usable[h], shown[h]) for h in sizes)
    p_tilde = sum(Fraction(sizes[h], total) * Fraction(usable[h] + 1, shown[h] + 2) for h in sizes)
    v = 0.0
    for h, size in sizes.items():
        smooth, f = (usable[h] + 1) / (shown[h] + 2), shown[h] / size
        drawn = 0 if f == 1 else (1 - f) * smooth * (1 - smooth) / (shown[h] - 1)
        v += (size / total) ** 2 * (drawn + f * e * (1 - e) / shown[h])
    n = float(p_tilde * (1 - p_tilde)) / v
    p = float(p_hat)
    lower = beta.ppf(0.03, p * n, n - p * n + 1)
    z = 1.959963984540054
    middle, half = (
        (p + z * z / (2 * n)) / (1 + z * z / n),
        z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)),
    )
    return {
        "usable": sum(usable.values()), "shown": sum(shown.values()), "p": p, "lower": lower,
        "low": round((middle - half) * total), "high": round((middle + half) * total), "by_stratum": usable,
    }  # fmt: skip


def test_the_reports_numbers_equal_a_calculation_done_another_way(stage):
    campaign = rated(stage)
    expected = by_hand(campaign)
    report = report_read(campaign, reader=stage.stewards[0])
    assert report.headline.count == (
        f"{expected['usable']} of {expected['shown']} sampled outputs were usable to your speakers."
    )
    assert report.headline.among_all == f"Among all 150, very likely {expected['low']} to {expected['high']}."
    assert report.counts[3] + report.counts[4] == expected["usable"]
    assert sum(report.counts.values()) == expected["shown"] == 100
    line = next(row for row in report.policy if row.title == "At least 70 % usable")
    shown = {"yes": f"{math.floor(100 * expected['lower'])} %"}
    assert line.found == shown.get(line.met, line.found)
    rows = {row["label"]: row["excellent"] + row["acceptable"] for row in report.strata}
    assert rows == dict(expected["by_stratum"])
    annex = {name: usable for name, usable, _reject in annex_of(campaign, report.figures).estimates}
    assert float(annex["p̂"]) == pytest.approx(expected["p"], abs=1e-6)
    assert float(annex["lower bound, one-sided 97 %"]) == pytest.approx(expected["lower"], abs=1e-6)


def test_the_weighted_estimate_stands_beside_a_plain_count_that_differs(stage):
    campaign = rated(stage)
    report = report_read(campaign, reader=stage.stewards[0])
    expected = by_hand(campaign)
    differs = abs(expected["p"] - expected["usable"] / expected["shown"]) >= 0.01
    assert bool(report.headline.weighed) == differs
    alike = report_read(closed(stage_make(slug="kernewek", sizes={1: 40})), reader=stage.stewards[0])
    assert alike.headline.weighed == ""


def test_rules_that_are_not_met_come_first(stage):
    campaign = opened(stage)
    rate_all(in_play(campaign), stage.speakers[:3], all_of(1))
    campaign = campaign_close(actor=stage.stewards[0], campaign=campaign)
    report = report_read(campaign, reader=stage.stewards[0])
    assert report.outcome == "does_not_meet"
    found = [row.met for row in report.policy]
    assert found == sorted(found, key=["no", "unclear", "yes"].index)
    assert report.policy[0].met == "no"
    assert report.headline.count == "0 of 100 sampled outputs were usable to your speakers."


def test_bounds_are_rounded_to_the_cautious_side(stage):
    report = report_read(closed(stage), reader=stage.stewards[0])
    reject = next(row for row in report.policy if row.title == "At most 15 % reject")
    upper = report.figures.analysis.reject.upper(0.97)
    assert reject.found == f"{math.ceil(100 * upper - 1e-9)} %"


def test_before_the_close_there_is_no_report_for_anybody(stage):
    campaign = opened(stage)
    rate_all(in_play(campaign), stage.speakers[:3], all_of(4))
    with pytest.raises(StateError) as caught:
        report_read(campaign, reader=stage.stewards[0])
    assert caught.value.code == "report.hidden"


def test_a_harm_flag_holds_a_report_whose_figures_meet_and_says_what_helps(stage):
    campaign = closed(stage)
    flagged(campaign, stage)
    report = report_read(campaign, reader=stage.stewards[0])
    assert report.outcome == "held"
    assert report.why_title == "Why it is held"
    assert "Two stewards judge the harm flag." in report.what_helps
    assert report.policy[0].title == "No harm flag open or confirmed"
    assert report.policy[0].found == "1"


def test_a_small_sample_describes_and_says_so():
    stage = stage_make(sizes={1: 20})
    report = report_read(closed(stage), reader=stage.stewards[0])
    assert report.outcome == "not_clear_yet"
    assert report.what_helps.startswith("Too few outputs or speakers for a verdict")


def test_entries_without_an_output_are_counted_and_not_drawn():
    stage = stage_make(sizes=SIZES)
    report = report_read(closed(stage, unusable=4), reader=stage.stewards[0])
    assert report.headline.no_output.startswith("For 4 entries the method gave no output")
    assert sum(row["total"] for row in report.strata) == 36
    assert report.headline.weighed == "Weighed by difficulty: 90 of 100."


def test_only_errors_give_a_report_too():
    stage = stage_make(sizes=SIZES)
    report = report_read(closed(stage, unusable=40), reader=stage.stewards[0])
    assert report.headline.count == "0 of 0 sampled outputs were usable to your speakers."
    assert report.sentences == []
    assert report.outcome in ("does_not_meet", "not_clear_yet")


def test_a_stratum_of_one_and_a_census_are_said():
    stage = stage_make(sizes={1: 49, 5: 1})
    report = report_read(closed(stage), reader=stage.stewards[0])
    rows = {row["label"]: row for row in report.strata}
    assert (rows["5"]["thin"], rows["5"]["census"], rows["1"]["census"]) == (True, True, True)
    assert "Too few outputs to tell: difficulty 5." in report.untold


# Sentences ---------------------------------------------------------------------------------------


def test_worst_typical_and_best_are_shown_with_comments_and_no_names(stage):
    campaign = rated(stage)
    worst = Rating.objects.filter(item__campaign=campaign, first_grade=1).first()
    worst.sealed_words, worst.tags = words_seal(campaign, {"comment": "There is no verb."}), ["grammar"]
    worst.save()
    report = report_read(campaign, reader=stage.stewards[0])
    assert [one.heading for one in report.sentences] == ["Worst", "Typical", "Best"]
    grades = [one.verdict for one in report.sentences]
    assert grades == sorted(grades)
    assert report.tags == [("grammar", 1)]
    analysis = report.figures.analysis
    item = next(one for one in analysis.items if one.item_id == str(worst.item.uid))
    shown = sentences_read(campaign, [("", item)], analysis=analysis, reader=stage.stewards[0])[0]
    assert (shown.comments, shown.tags) == (["There is no verb."], ["grammar"])
    assert comment_of(worst, stage.corpus) == "There is no verb."
    assert stage.speakers[0].email not in repr(report.sentences)


def test_each_read_of_secret_sentences_is_recorded_and_whoever_may_not_reads_none():
    gold = stage_make(sizes=SIZES, segment=GOLD)
    campaign = closed(gold)
    report = report_read(campaign, reader=gold.stewards[0])
    assert report.sentences[0].output.startswith("output ")
    read = AuditEvent.objects.get(act="secret.read")
    assert read.details == {"purpose": "report", "entries": len(report.sentences)}
    assert "output" not in str(read.details)
    hidden = report_read(campaign, reader=gold.coordinator)
    assert (hidden.sentences, hidden.is_text_hidden) == ([], True)


# Beside the verdict ------------------------------------------------------------------------------


def test_earlier_attempts_of_the_team_are_listed_whatever_the_methods_name():
    stage = stage_make(sizes=SIZES)
    first = closed(stage)
    decision = decision_propose(actor=stage.stewards[0], campaign=first, kind="refuse", reason="Not yet.")
    decision_sign(actor=stage.stewards[1], decision=decision, confirms=True)
    second = closed(stage, version=method_make(stage, name="renamed"))
    attempts = report_read(second, reader=stage.stewards[0]).attempts
    assert [(one.result, one.url_uid) for one in attempts] == [("refused", first.uid)]
    assert report_read(first, reader=stage.stewards[0]).attempts == []


def test_generated_ratings_and_an_override_stand_above_the_verdict(stage):
    campaign = opened(stage)
    rate_all(in_play(campaign), stage.speakers[:3], all_of(2))
    campaign.__class__.objects.filter(pk=campaign.pk).update(has_generated_ratings=True)
    campaign = campaign_close(actor=stage.stewards[0], campaign=campaign)
    decision = decision_propose(
        actor=stage.stewards[0], campaign=campaign, kind="approve", reason="r", override_reason="Nothing better."
    )
    decision_sign(actor=stage.stewards[1], decision=decision, confirms=True)
    campaign.refresh_from_db()
    titles = [band.title for band in report_read(campaign, reader=stage.stewards[0]).bands]
    assert titles[0] == "Generated ratings"
    assert "Override: approved against the policy" in titles


def test_automated_scores_are_those_of_the_nomination(stage):
    automated = report_read(closed(stage), reader=stage.stewards[0]).automated
    assert (automated.composite, automated.tier, automated.bound) == (0.80, "deployable", 0.70)


def test_the_campaign_page_holds_no_grade_before_the_close(stage):
    campaign = opened(stage)
    rate_all(in_play(campaign)[:10], stage.speakers[:3], all_of(1))
    page = campaign_page(campaign, reader=stage.stewards[0])
    assert (page.done, page.total) == (10, 100)
    assert page.look_outcome == ""
    assert [speaker.count for speaker in page.speakers] == [10, 10, 10]


def test_the_number_of_queries_does_not_grow_with_the_sample(django_assert_max_num_queries):
    small, large = stage_make(sizes={1: 30}), stage_make(slug="kernewek")
    counts = []
    for stage in (small, large):
        campaign = rated(stage) if stage is large else closed(stage)
        with django_assert_max_num_queries(40) as captured:
            report_read(campaign, reader=stage.stewards[0])
        counts.append(len(captured))
    assert counts[0] == counts[1]


def test_a_run_of_the_same_version_is_no_attempt_of_its_own(stage):
    campaign = closed(stage)
    run_make(stage, composite=0.81, version=campaign.run.method_version)
    assert report_read(campaign, reader=stage.stewards[0]).attempts == []
