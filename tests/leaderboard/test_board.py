"""The board: who stands where, what a cut shows, what stays hidden, and how many queries it takes (L-2, L-4)."""

import csv
import io
import json

import pytest
from django.utils import timezone

from leaderboard.models import CutStanding, Method, MethodVersion, Run, Standing
from leaderboard.models.standing import Claim
from leaderboard.services.standings import ranks_refresh, standing_set_claim

from .stage import corpus_document, good_outputs, held, reference_of, report_document, table

PAGE = "/leaderboard/en--cy/"
DEVELOPMENT = PAGE + "?segment=development"


def text_of(response) -> str:
    return response.content.decode()


def rows_of(response) -> list[Standing]:
    return response.context["board"].rows


def names_of(response) -> list[str]:
    return [row.method_version.method.name for row in rows_of(response)]


@pytest.fixture
def board(stage):
    """Three scored methods on the development board: 12, 8 and 4 of 12 entries right."""
    stage.version = stage.corpus()
    for name, wrong in (("Best", 0), ("Middle", 4), ("Weak", 8)):
        stage.receive(
            table(good_outputs(wrong=wrong)), name=name, version=stage.version, configuration={"model": f"unit/{name}"}
        )
    return stage


def standing_make(stage, name: str, **figures) -> Standing:
    """Write a row as a scored run would leave it, for figures that no small corpus gives."""
    first = Standing.objects.select_related("run", "method_version").first()
    method = Method.objects.create(slug=name.lower(), name=name, team=stage.team)
    version = MethodVersion.objects.create(method=method, number=1, identity_sha256=f"{method.pk:064d}")
    given = {"composite": None, "is_ranked": figures.get("composite") is not None, **figures}
    return Standing.objects.create(
        method_version=version, corpus_version=stage.version, segment="development", run=first.run, **given
    )


# The list


def test_the_list_of_boards_says_what_to_do_when_there_is_none(client, db):
    assert "There is no board yet" in text_of(client.get("/leaderboard/"))


def test_the_list_shows_pairs_with_counts_and_the_latest_version(client, board):
    page = text_of(client.get("/leaderboard/"))
    assert 'href="/leaderboard/en--cy/"' in page
    assert "English to Welsh" in page
    assert "3 methods" in page
    assert "/corpora/unit-en-cy/1.0/" in page


@pytest.mark.parametrize("path", ["/leaderboard/en--xx/", "/leaderboard/nothing/", "/leaderboard/en--xx/board.csv"])
def test_an_unknown_pair_is_not_found(client, board, path):
    assert client.get(path).status_code == 404


# What stands on it


def test_the_sentence_of_l4_stands_above_every_board(client, board):
    for path in (PAGE, DEVELOPMENT, PAGE + "?segment=diagnostic", PAGE + "?segment=gold_standard"):
        page = text_of(client.get(path))
        assert "approximations under controlled conditions, no promise of quality" in page
        assert "What speakers decided stands in the column “Checked by”" in page


def test_methods_stand_by_composite_with_their_ranks(client, board):
    response = client.get(DEVELOPMENT)
    assert names_of(response) == ["Best", "Middle", "Weak"]
    assert [(row.rank_low, row.rank_high) for row in rows_of(response)] == [(1, 1), (2, 2), (3, 3)]
    assert "This is the development board" in text_of(response)


def test_equal_composites_share_a_range_with_an_en_dash(client, board):
    Standing.objects.filter(method_version__method__name="Weak").update(
        composite=Standing.objects.get(method_version__method__name="Middle").composite
    )
    ranks_refresh(corpus_version=board.version, segment="development")
    page = text_of(client.get(DEVELOPMENT))
    assert page.count('class="ch-b-rank">2–3</td>') == 2


def test_a_score_over_functional_shows_as_candidate_and_never_as_a_tier(client, board):
    """LAW-1: without people the public tier ends at Functional."""
    row = rows_of(client.get(DEVELOPMENT))[0]
    assert row.score_tier in ("deployable", "fluent")
    assert row.public_tier == "functional"
    standing_set_claim(run=row.run, claim=Claim.CANDIDATE)
    assert "candidate: Fluent" in text_of(client.get(DEVELOPMENT))


def test_in_review_names_no_campaign(client, board):
    row = rows_of(client.get(DEVELOPMENT))[0]
    standing_set_claim(run=row.run, claim=Claim.IN_REVIEW)
    page = text_of(client.get(DEVELOPMENT))
    assert "in review" in page
    assert "/governance/" not in page
    assert "/review/" not in page


def test_unknown_figures_are_words_and_never_zero(client, board):
    page = text_of(client.get(DEVELOPMENT))
    assert "not asked yet" in page
    assert "not stated" in page
    assert ">None<" not in page
    assert "nan" not in page


def test_withdrawn_methods_are_gone(client, board):
    Standing.objects.filter(method_version__method__name="Best").update(unranked_reason="withdrawn", is_ranked=False)
    response = client.get(DEVELOPMENT)
    assert names_of(response) == ["Middle", "Weak"]
    assert (
        client.get(f"/leaderboard/rows/{Standing.objects.get(unranked_reason='withdrawn').uid}.json").status_code == 404
    )


def test_a_claimed_only_method_is_last_without_a_rank(client, board):
    standing_make(board, "Aaa claimed", unranked_reason="claimed")
    ranks_refresh(corpus_version=board.version, segment="development")
    response = client.get(DEVELOPMENT)
    assert names_of(response)[-1] == "Aaa claimed"
    assert "claimed, not recomputed" in text_of(response)
    assert 'class="ch-b-unranked"' in text_of(response)


# Order


@pytest.mark.parametrize(
    ("sort", "expected"),
    [
        ("cost", ["Best", "Dear", "Middle", "Weak", "Unknown"]),
        ("-cost", ["Dear", "Best", "Middle", "Weak", "Unknown"]),
    ],
)
def test_null_stands_last_in_both_directions_and_ties_go_by_name(client, board, sort, expected):
    for name, cost in (("Best", 0.0), ("Middle", None), ("Weak", None)):
        Standing.objects.filter(method_version__method__name=name).update(cost_per_entry_usd=cost)
    standing_make(board, "Dear", composite=0.5, cost_per_entry_usd=0.02)
    # Unranked rows sink below ranked ones, even with a known cost.
    standing_make(board, "Unknown", unranked_reason="claimed", cost_per_entry_usd=0.001)
    assert names_of(client.get(f"{DEVELOPMENT}&sort={sort}")) == expected


@pytest.mark.parametrize(
    "sort", ["composite", "-composite", "chrf", "-chrf", "latency", "-latency", "people", "-people"]
)
def test_no_null_sorts_above_a_number(client, board, sort):
    standing_make(board, "Empty", composite=None, is_ranked=True)
    assert (
        names_of(client.get(f"{DEVELOPMENT}&sort={sort}"))[-1 if sort in ("composite", "-composite") else 3] is not None
    )
    rows = rows_of(client.get(f"{DEVELOPMENT}&sort={sort}"))
    field = {"composite": "composite", "chrf": "chrf", "latency": "mean_latency_seconds", "people": "human_share"}[
        sort.strip("-")
    ]
    values = [getattr(row, field) for row in rows]
    known = [value for value in values if value is not None]
    assert values[: len(known)] == sorted(known, reverse=sort.startswith("-"))


def test_quality_sorts_by_meaning_and_not_by_letters(client, board):
    for name, tier in (("Best", "baseline"), ("Middle", "functional"), ("Weak", "emerging")):
        Standing.objects.filter(method_version__method__name=name).update(public_tier=tier)
    assert names_of(client.get(f"{DEVELOPMENT}&sort=-quality")) == ["Middle", "Weak", "Best"]


def test_every_head_sorts_and_the_active_one_says_so(client, board):
    page = text_of(client.get(f"{DEVELOPMENT}&sort=-chrf"))
    assert page.count('aria-sort="descending"') == 1
    assert 'id="sort-chrf" href="?segment=development&amp;sort=chrf#sort-chrf"' in page


def test_an_unknown_sort_is_that_by_composite(client, board):
    assert names_of(client.get(f"{DEVELOPMENT}&sort=password")) == ["Best", "Middle", "Weak"]


# Cuts


def test_a_domain_shows_the_scores_of_its_entries_only(client, board):
    """Held against chrF++ computed by sacreBLEU from the domain's six entries."""
    from sacrebleu.metrics import CHRF

    outputs = good_outputs(wrong=4)
    ids = list(board.version.entries.filter(domain="ui").order_by("position").values_list("entry_id", flat=True))
    numbers = [int(key.removeprefix("unit_")) for key in ids]
    expected = (
        CHRF(word_order=2).corpus_score([outputs[key] for key in ids], [[reference_of(n) for n in numbers]]).score
    )
    response = client.get(f"{DEVELOPMENT}&domain=ui")
    row = next(row for row in rows_of(response) if row.method_version.method.name == "Middle")
    assert row.shown_chrf == pytest.approx(expected, abs=0.005)
    assert row.shown_exact_match == pytest.approx(sum(n > 4 for n in numbers) / len(numbers), abs=1e-4)
    assert row.shown_chrf != row.chrf


def test_a_domain_under_ten_entries_is_greyed_and_unranked(client, board):
    page = text_of(client.get(f"{DEVELOPMENT}&domain=ui"))
    assert "ch-board-thin" in page
    assert "Fewer than 10 entries" in page
    assert "Domain: interfaces, 6 entries" in page
    assert 'class="ch-b-rank">1</td>' not in page


def test_a_domain_of_ten_entries_or_more_has_ranks_of_its_own(client, stage):
    version = stage.corpus(count=24)
    # One is better on `ui` (odd entries), the other on `tech` (even ones), and on the whole.
    odd = {f"unit_{n}": reference_of(n) if n % 2 else "Dyma" for n in range(1, 25)}
    even = {f"unit_{n}": "Dyma frawddeg" if n % 2 else reference_of(n) for n in range(1, 25)}
    stage.receive(table(odd), name="Odd", version=version, configuration={"model": "odd"})
    stage.receive(table(even), name="Even", version=version, configuration={"model": "even"})
    assert names_of(client.get(DEVELOPMENT)) == ["Even", "Odd"]
    response = client.get(f"{DEVELOPMENT}&domain=ui")
    assert names_of(response) == ["Odd", "Even"]
    assert [row.shown_rank_low for row in rows_of(response)] == [1, 2]
    assert "ch-board-thin" not in text_of(response)


def test_a_difficulty_is_listed_and_not_ranked(client, stage):
    version = stage.corpus(count=60)
    stage.receive(table(good_outputs(60)), version=version)
    page = text_of(client.get(f"{DEVELOPMENT}&difficulty=1"))
    assert "a difficulty is listed, not ranked" in page
    assert 'class="ch-b-rank">–</td>' in page


def test_domain_and_difficulty_at_once_are_refused_in_words(client, board):
    assert "Choose a domain or a difficulty" in text_of(client.get(f"{DEVELOPMENT}&domain=ui&difficulty=1"))


def test_a_small_domain_of_a_secret_segment_is_not_offered_to_outsiders(client, stage):
    value = corpus_document(count=40, segment="gold_standard")
    for entry in value["entries"][:3]:
        entry["domain"] = "legal"
    for entry in value["entries"][3:20]:
        entry["domain"] = "medical"
    version = stage.store(value)
    stage.receive(json.dumps(report_document(count=40)), actor=stage.steward, held=held(), version=version)
    path = PAGE + "?segment=gold_standard"
    offered = [key for key, _label in client.get(path).context["form"].fields["domain"].choices]
    assert "legal" not in offered
    # The next smallest goes too, so that the three do not follow from the total.
    assert len(offered) < 1 + 4
    page = text_of(client.get(path + "&domain=legal"))
    assert "3 entries" not in page
    assert "Domain:" not in page
    client.force_login(stage.steward)
    assert "Domain: law, 3 entries" in text_of(client.get(path + "&domain=legal"))


def test_cells_of_the_board_are_those_of_the_corpus_s_page(client, stage):
    """Two tables that hid different cells would together show all of them (C-7)."""
    from corpora.selectors import segments_by_domain

    value = corpus_document(count=40, segment="gold_standard")
    for entry in value["entries"][:3]:
        entry["domain"] = "legal"
    value["entries"].append({**value["entries"][0], "id": "public", "segment": "development", "domain": "news"})
    value["entries"][-1] |= {"source": "A public sentence", "reference": "Brawddeg gyhoeddus"}
    version = stage.store(value)
    stage.receive(json.dumps(report_document(count=40)), actor=stage.steward, held=held(), version=version)
    offered = {
        key for key, _label in client.get(PAGE + "?segment=gold_standard").context["form"].fields["domain"].choices
    }
    table_of = segments_by_domain(version, may_read=False)
    row = next(row for row in table_of.rows if row.segment == "gold_standard")
    shown = {label for label, cell in zip(table_of.columns, row.cells, strict=True) if cell.count}
    labels = {"ui": "interfaces", "tech": "technology", "legal": "law", "news": "news"}
    assert {labels[key] for key in offered if key} == shown
    run = Run.objects.get()
    # A domain that only the public segment has is a hidden row here too, or "law" would be known not to be empty.
    rows = {row.label: row.cell.count for row in client.get(f"/runs/{run.uid}/").context["by_domain"]}
    assert rows == {"interfaces": rows["interfaces"], "law": None, "news": None, "technology": rows["technology"]}


def test_outsiders_see_the_latency_of_a_secret_run_with_one_figure(client, stage):
    version = stage.corpus(segment="gold_standard")
    stage.receive(json.dumps(report_document()), actor=stage.steward, held=held(), version=version)
    Standing.objects.update(mean_latency_seconds=1.2345)
    path = PAGE + "?segment=gold_standard"
    assert "1.0 s" in text_of(client.get(path))
    assert (
        client.get("/leaderboard/en--cy/board.json?segment=gold_standard").json()["rows"][0]["mean_latency_seconds"]
        == 1
    )
    client.force_login(stage.steward)
    assert "1.2 s" in text_of(client.get(path))


# Filters, columns, versions


def test_filters_list_and_are_removable_chips(client, board):
    Standing.objects.filter(method_version__method__name="Best").update(cost_per_entry_usd=0.5)
    Standing.objects.filter(method_version__method__name="Weak").update(cost_per_entry_usd=0.001)
    response = client.get(f"{DEVELOPMENT}&cost_max=0.01")
    assert names_of(response) == ["Weak"]
    assert 'class="ch-b-rank">3</td>' in text_of(response)
    assert "Ranks are those of the whole board." in text_of(response)
    assert 'class="ch-chip" href="?segment=development"' in text_of(response)


def test_filters_by_class_level_and_date(client, board):
    assert names_of(client.get(f"{DEVELOPMENT}&method_class=human")) == []
    assert len(names_of(client.get(f"{DEVELOPMENT}&method_class=raw-llm"))) == 3
    assert names_of(client.get(f"{DEVELOPMENT}&level=gds_verified")) == []
    tomorrow = (timezone.now() + timezone.timedelta(days=1)).date().isoformat()
    assert names_of(client.get(f"{DEVELOPMENT}&since={tomorrow}")) == []


def test_a_wrong_filter_is_named_and_filters_nothing(client, board):
    response = client.get(f"{DEVELOPMENT}&since=yesterday&cost_max=much")
    assert len(names_of(response)) == 3
    assert "ch-field-wrong" in text_of(response)


def test_columns_are_chosen_in_the_address(client, board):
    page = text_of(client.get(f"{DEVELOPMENT}&columns=exact&columns=date"))
    assert 'id="sort-exact"' in page
    assert 'id="sort-composite"' not in page
    assert 'id="sort-rank"' in page


def test_an_older_version_says_that_it_is_one(client, board):
    value = corpus_document(version="1.1")
    value["entries"][0]["reference"] = "Brawddeg newydd"
    board.store(value)
    latest = client.get(DEVELOPMENT)
    assert latest.context["board"].version.version == "1.1"
    assert names_of(latest) == []
    older = client.get(f"{DEVELOPMENT}&version=unit-en-cy+1.0")
    assert len(names_of(older)) == 3
    assert "of version 1.0, an older one; the newest is 1.1" in text_of(older)


def test_composites_of_different_metrics_are_warned_about(client, board):
    assert "not all made of the same metrics" not in text_of(client.get(DEVELOPMENT))
    Standing.objects.filter(method_version__method__name="Weak").update(metric_set="chrf_plus_plus")
    assert "not all made of the same metrics" in text_of(client.get(DEVELOPMENT))


def test_an_empty_official_board_says_what_comes_next(client, board):
    assert "No run on the gold standard yet." in text_of(client.get(PAGE + "?segment=gold_standard"))


# Downloads


def test_csv_guards_formulas_and_says_so_in_its_name(client, board):
    Method.objects.filter(name="Best").update(name='=HYPERLINK("x")')
    response = client.get("/leaderboard/en--cy/board.csv?segment=development")
    assert "formulas-guarded.csv" in response["Content-Disposition"]
    rows = list(csv.DictReader(io.StringIO(b"".join(response.streaming_content).decode())))
    assert [row["method"] for row in rows] == ['\'=HYPERLINK("x")', "Middle", "Weak"]
    assert [row["rank_low"] for row in rows] == ["1", "2", "3"]
    assert rows[0]["usable_share"] == ""


def test_json_and_the_row_s_own_address_say_the_same(client, board):
    whole = client.get("/leaderboard/en--cy/board.json?segment=development").json()
    first = whole["rows"][0]
    alone = client.get(f"/leaderboard/rows/{first['row']}.json").json()
    assert {key: alone[key] for key in first} == first
    assert (alone["pair"], alone["corpus"], alone["segment"]) == ("en--cy", "unit-en-cy", "development")
    assert first["people"] is None
    assert first["scores"]["composite"]["value"] == 1.0


# How much it takes


@pytest.mark.parametrize("count", [1, 50, 500])
def test_the_number_of_queries_does_not_grow_with_rows(client, stage, count, django_assert_max_num_queries):
    stage.version = stage.corpus()
    stage.receive(table(good_outputs()), version=stage.version)
    shown = Standing.objects.get()
    methods = Method.objects.bulk_create(
        [Method(slug=f"m-{n}", name=f"Method {n}", team=stage.team) for n in range(1, count)]
    )
    versions = MethodVersion.objects.bulk_create(
        [MethodVersion(method=method, number=1, identity_sha256=f"{n:064d}") for n, method in enumerate(methods)]
    )
    rows = Standing.objects.bulk_create(
        [
            Standing(
                method_version=version, corpus_version=stage.version, segment="development", run=shown.run,
                composite=0.5, is_ranked=True, rank_low=2, rank_high=count,
            )
            for version in versions
        ]
    )  # fmt: skip
    CutStanding.objects.bulk_create(
        [CutStanding(standing=row, cut="domain", key="ui", entry_count=6, composite=0.5) for row in rows]
    )
    with django_assert_max_num_queries(12) as first:
        response = client.get(f"{DEVELOPMENT}&domain=ui")
    assert response.context["board"].page.paginator.count == count
    with django_assert_max_num_queries(12) as again:
        client.get(f"{DEVELOPMENT}&domain=ui")
    # The version's cells are counted once; after that the number is the same for 1 row and for 500.
    assert (len(first), len(again)) == (10, 6)
    assert Run.objects.count() == 1
