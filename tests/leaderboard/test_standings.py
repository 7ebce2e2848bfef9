"""The board's rows: which run a row shows, how ranks are made, what people change (LAW-1, L-2, V-1)."""

import pytest
from django.db import IntegrityError, transaction

from leaderboard.models import CutStanding, Run, Standing
from leaderboard.models.standing import Claim
from leaderboard.services.standings import (
    standing_promote,
    standing_record_people,
    standing_refresh,
    standing_set_claim,
)

from .stage import good_outputs, table

HUMAN = {"share": 0.84, "low": 0.78, "high": 0.89, "rating_count": 300, "verdict": "meets"}


@pytest.fixture
def version(stage):
    return stage.corpus()


def run_of(stage, version, *, wrong: int, model: str = "unit/a", name: str = "Unit method") -> Run:
    run = stage.receive(
        table(good_outputs(wrong=wrong)), version=version, configuration={"model": model}, name=name
    ).runs[0]
    run.refresh_from_db()
    return run


def refresh(run: Run) -> Standing:
    return standing_refresh(method_version=run.method_version, corpus_version=run.corpus_version, segment=run.segment)


def promote(run: Run, **changes) -> Standing:
    given = {
        "tier": "fluent", "is_override": False, "has_one_signature": False, "verification": False,
        "verified_by": "Unit council", "evidence": "a" * 64, "human": HUMAN, **changes,
    }  # fmt: skip
    return standing_promote(
        method_version=run.method_version, corpus_version=run.corpus_version, segment=run.segment, run=run, **given
    )


def test_a_row_shows_the_first_scored_run_and_never_the_best(stage, version):
    first = run_of(stage, version, wrong=6)
    run_of(stage, version, wrong=0)
    row = Standing.objects.get()
    assert row.run == first
    assert row.run_count == 2
    assert row.composite == first.score_set.composite
    assert (row.composite_lowest, row.composite_highest) == (first.score_set.composite, 1.0)


def test_a_row_shows_the_run_under_review_until_the_claim_is_gone(stage, version):
    first = run_of(stage, version, wrong=6)
    second = run_of(stage, version, wrong=0)
    standing_set_claim(run=second, claim=Claim.IN_REVIEW)
    assert Standing.objects.get().run == second
    refresh(first)
    assert Standing.objects.get().run == second
    standing_set_claim(run=second, claim=Claim.NONE)
    assert Standing.objects.get().run == first


def test_ranks_count_from_one_and_equal_composites_share_a_range(stage, version):
    for name, wrong in (("A", 0), ("B", 4), ("C", 4), ("D", 9)):
        run_of(stage, version, wrong=wrong, model=name, name=name)
    # Two files of the same outputs would be one document: B and C differ in a line that counts the same.
    ranks = {row.method_version.method.name: (row.rank_low, row.rank_high) for row in Standing.objects.all()}
    assert ranks["A"] == (1, 1)
    assert ranks["D"][0] == len(ranks)


def test_a_row_without_a_composite_has_no_rank(stage, version):
    run = run_of(stage, version, wrong=0)
    Run.objects.filter(pk=run.pk).update(status=Run.Status.CLAIMED)
    row = refresh(run)
    assert (row.is_ranked, row.unranked_reason) == (False, "claimed")
    assert (row.rank_low, row.rank_high, row.composite) == (None, None, None)
    assert not CutStanding.objects.exists()


def test_a_row_whose_runs_are_all_withdrawn_leaves_the_ranking(stage, version):
    best = run_of(stage, version, wrong=0, model="a", name="A")
    other = run_of(stage, version, wrong=4, model="b", name="B")
    Run.objects.filter(pk=best.pk).update(status=Run.Status.WITHDRAWN)
    refresh(best)
    assert Standing.objects.get(method_version=best.method_version).unranked_reason == "withdrawn"
    assert Standing.objects.get(method_version=other.method_version).rank_low == 1


def test_law_1_the_tier_ends_at_functional_until_people_decided(stage, version):
    run = run_of(stage, version, wrong=0)
    row = Standing.objects.get()
    assert (row.score_tier, row.public_tier) == ("fluent", "functional")
    promote(run)
    row.refresh_from_db()
    assert (row.public_tier, row.approved_tier, row.claim) == ("fluent", "fluent", "")
    assert (row.human_share, row.human_rating_count, row.human_verdict) == (0.84, 300, "meets")
    # A later refresh keeps what people decided.
    assert refresh(run).public_tier == "fluent"


def test_law_1_stands_in_the_database_too(stage, version):
    run_of(stage, version, wrong=0)
    with pytest.raises(IntegrityError), transaction.atomic():
        Standing.objects.update(public_tier="deployable")


def test_an_approval_on_a_public_segment_does_not_raise_who_checked(stage, version):
    run = run_of(stage, version, wrong=0)
    assert promote(run).verification_level == "self_benchmarked"
    with pytest.raises(IntegrityError), transaction.atomic():
        promote(run, verification=True)


def test_what_people_said_is_shown_after_a_refusal_too(stage, version):
    run = run_of(stage, version, wrong=0)
    standing_set_claim(run=run, claim=Claim.IN_REVIEW)
    standing_record_people(run=run, human={**HUMAN, "verdict": "does_not_meet"})
    row = Standing.objects.get()
    assert (row.claim, row.human_verdict, row.public_tier) == ("", "does_not_meet", "functional")


def test_cuts_are_the_shown_run_s_own_figures(stage, version):
    run_of(stage, version, wrong=4)
    cuts = {(cut.cut, cut.key): cut for cut in CutStanding.objects.all()}
    assert cuts["domain", "ui"].entry_count == 6
    # Of the first four entries, which lack a word, two are `ui`.
    assert cuts["domain", "ui"].exact_match == pytest.approx(4 / 6, abs=1e-4)
    assert {key for kind, key in cuts if kind == "difficulty"} == {"1", "2", "3", "4", "5"}
    assert not cuts["domain", "ui"].is_ranked
