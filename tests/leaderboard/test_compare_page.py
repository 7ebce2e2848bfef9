"""Two runs side by side: what is said, refused and hidden (L-5, C-7, LAW-9)."""

import pytest

from corpora.cells import cells_of
from leaderboard.models import Run
from leaderboard.models.standing import Claim
from leaderboard.services.standings import standing_set_claim

from .stage import corpus_document, entry_value, good_outputs, held, table

COUNT = 40


def text_of(response) -> str:
    return " ".join(response.content.decode().split())


def address(first, second=None) -> str:
    return f"/compare/?a={first.uid}" + (f"&b={second.uid}" if second else "")


def hand_in(stage, version, name, *, wrong, count=COUNT, **given) -> Run:
    run = stage.receive(
        table(good_outputs(count, wrong=wrong)), version=version, configuration={"model": name}, name=name, **given
    ).runs[0]
    run.refresh_from_db()
    return run


@pytest.fixture
def two(stage):
    version = stage.corpus(count=COUNT)
    return hand_in(stage, version, "Good", wrong=4), hand_in(stage, version, "Poor", wrong=30)


@pytest.fixture
def secret(stage):
    version = stage.corpus(count=COUNT, segment="gold_standard")
    given = {"actor": stage.steward}
    return (
        hand_in(stage, version, "Good", wrong=4, held=held(digit="a"), **given),
        hand_in(stage, version, "Poor", wrong=30, held=held(digit="b"), **given),
    )


def test_a_sentence_says_which_is_better_and_in_what(client, two):
    page = text_of(client.get(address(*two)))
    assert "<bdi>Good</bdi> is better in Composite" in page
    assert "For the rest we cannot tell." in page
    turned = text_of(client.get(address(*two[::-1])))
    assert "<bdi>Good</bdi> is better in Composite" in turned


def test_it_draws_the_forest_and_lists_differences_with_interval_and_p(client, two):
    page = text_of(client.get(address(*two)))
    assert 'class="ch-forest ch-forest-wide"' in page
    assert 'viewBox="0 0 560' in page
    assert "A less B on 40 common entries." in page
    assert "+0.6500" in page  # exact match: 36 of 40 less 10 of 40
    assert "0.001" in page


def test_wins_ties_and_losses_add_up(client, two):
    found = client.get(address(*two)).context["comparison"]
    assert (found.total.wins.count, found.total.ties.count, found.total.losses.count) == (26, 14, 0)
    for rows in (found.by_difficulty, found.by_domain):
        assert sum(row.wins.count for _label, row in rows) == 26
        assert sum(row.entries.count for _label, row in rows) == COUNT


def test_public_entries_that_differ_most_are_shown_with_the_difference_underlined(client, two):
    page = text_of(client.get(address(*two)))
    assert "Underlined: what the other output lacks." in page
    assert '<u class="ch-differs">uned </u>' in page
    assert len(client.get(address(*two)).context["comparison"].entries) == 20


def test_runs_that_cannot_be_told_apart_say_so(client, stage):
    version = stage.corpus(count=COUNT)
    runs = hand_in(stage, version, "One", wrong=10), hand_in(stage, version, "Other", wrong=11)
    assert "we cannot tell: in no metric" in text_of(client.get(address(*runs)))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"corpus_id": "other-en-cy"}, "different corpora or corpus versions"),
        ({"version": "2.0"}, "different corpora or corpus versions"),
    ],
)
def test_other_corpora_and_versions_are_refused_with_the_reason(client, stage, change, reason):
    first = hand_in(stage, stage.corpus(count=12), "One", wrong=3, count=12)
    second = hand_in(stage, stage.corpus(count=12, **change), "Other", wrong=4, count=12)
    response = client.get(address(first, second))
    assert response.status_code == 409
    assert reason in text_of(response)


def test_other_segments_are_refused_with_the_reason(client, stage):
    document = corpus_document(count=24)
    for number, entry in enumerate(document["entries"]):
        entry["segment"] = "development" if number < 12 else "diagnostic"
    version = stage.store(document)
    outputs = list(good_outputs(24, wrong=3).items())
    first, second = (
        stage.receive(table(dict(part)), version=version, segment=segment, name=segment).runs[0]
        for part, segment in ((outputs[:12], "development"), (outputs[12:], "diagnostic"))
    )
    response = client.get(address(first, second))
    assert (response.status_code, "different segments" in text_of(response)) == (409, True)


def test_one_and_the_same_withdrawn_and_unscored_runs_are_refused(client, two):
    assert client.get(address(two[0], two[0])).status_code == 409
    Run.objects.filter(pk=two[1].pk).update(status=Run.Status.CLAIMED)
    assert "Only runs that were scored here" in text_of(client.get(address(*two)))
    Run.objects.filter(pk=two[1].pk).update(status=Run.Status.WITHDRAWN)
    assert "withdrew one of these runs" in text_of(client.get(address(*two)))


@pytest.mark.parametrize("given", ["no-uid", "00000000-0000-4000-8000-000000000000"])
def test_a_run_that_is_not_there_is_not_found(client, two, given):
    assert client.get(f"/compare/?a={given}&b={two[0].uid}").status_code == 404


def test_with_one_run_or_none_it_offers_what_to_compare(client, two):
    page = text_of(client.get(address(two[0])))
    assert f'value="{two[1].uid}"' in page
    assert "Choose the run to compare with." in page
    assert "No runs are chosen." in text_of(client.get("/compare/"))


def test_board_and_method_lead_here(client, two):
    board = text_of(client.get(f"/leaderboard/{two[0].corpus_version.corpus.pair}/?segment=development"))
    assert f"/compare/?a={two[0].uid}&amp;b={two[1].uid}" in board
    method = text_of(client.get(f"/methods/{two[1].method_version.method.uid}/"))
    assert f"/compare/?a={two[1].uid}" in method


def test_while_people_rate_a_run_no_output_is_shown(client, two):
    standing_set_claim(run=two[0], claim=Claim.IN_REVIEW)
    page = text_of(client.get(address(*two)))
    assert "no output is shown until they are done" in page
    assert "frawddeg" not in page


@pytest.mark.parametrize("who", ["anonymous", "developer", "steward"])
def test_of_a_secret_segment_nobody_sees_an_entry_here(client, stage, secret, who):
    if who != "anonymous":
        client.force_login(getattr(stage, who))
    page = text_of(client.get(address(*secret)))
    assert "so no entry is shown" in page
    assert "frawddeg" not in page
    assert "unit sentence" not in page


def test_small_cells_of_a_secret_segment_are_hidden_from_outsiders_alone(client, stage, secret):
    found = client.get(address(*secret)).context["comparison"]
    shown = [cell.count for _label, row in found.by_difficulty for cell in (row.wins, row.ties, row.losses)]
    assert all(count is None or count >= 5 for count in shown)
    assert None in shown
    assert found.total.losses.count is None  # there is none, which is a number under 5
    client.force_login(stage.steward)
    open_ = client.get(address(*secret)).context["comparison"]
    assert open_.total.losses.count == 0
    assert sum(row.wins.count for _label, row in open_.by_difficulty) == 26


def test_a_group_whose_size_is_hidden_shows_no_outcome(client, stage):
    document = corpus_document(count=COUNT)
    document["entries"] = [
        entry_value(n, segment="gold_standard", domain="ui" if n > 6 else ("tech" if n > 3 else "legal"))
        for n in range(1, COUNT + 1)
    ]
    version = stage.store(document)
    runs = [
        hand_in(stage, version, name, wrong=wrong, actor=stage.steward, held=held(digit=digit))
        for name, wrong, digit in (("Good", 4, "a"), ("Poor", 30, "b"))
    ]
    cells = cells_of(version, "domain", may_read=False)["gold_standard"]
    assert [key for key, cell in cells.items() if cell.count is None]
    rows = client.get(address(*runs)).context["comparison"].by_domain
    for _label, row in rows:
        if row.entries.count is None:
            assert (row.wins.count, row.ties.count, row.losses.count) == (None, None, None)


def test_the_number_of_queries_does_not_grow_with_entries_or_runs(client, two, django_assert_max_num_queries):
    client.get(address(*two))
    with django_assert_max_num_queries(24):
        client.get(address(*two))
