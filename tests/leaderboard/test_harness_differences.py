"""Real documents of both harness versions beside ours: what agrees, and where we differ on purpose.

Each row of the table in docs/harness-differences.md names its test, here or elsewhere. Source: SPEC R-1 to R-5;
90-harness-facts 1, 2, 4.0, 5, 6, 13.2, 13.5.
"""

import json
import re

import pytest

from corpora.formats import ReadOptions
from corpora.services.imports import Attestation, corpus_import
from leaderboard.cards.claims import ClaimVerdict, claims_compare, differs
from leaderboard.cards.hashing import seal_card, verify_run_card_hash
from leaderboard.cards.parsed import Kind, Seal
from leaderboard.cards.problems import CardProblems, Problems
from leaderboard.cards.reading import read_document
from leaderboard.models import Document, Run
from tests.shared import ROOT, SHARED_DATA

from .stage import Stage, stage_make
from .test_own_card import card_bytes
from .test_reports import REPORTS, ours_of, report_of, score

HARNESS = SHARED_DATA / "harness"
pytestmark = pytest.mark.skipif(not HARNESS.is_dir(), reason="../shared/data is not here")
TABLE = ROOT / "docs" / "harness-differences.md"


def card_of(folder: str) -> dict:
    return json.loads((HARNESS / folder / "run_card.json").read_bytes())


def rows_of(folder: str) -> bytes:
    return (HARNESS / folder / "run_card_entries_rows.json").read_bytes()


def wire(path: str) -> list:
    lines = (HARNESS / "http" / "requests.jsonl").read_text(encoding="utf-8").splitlines()
    return [call["body"] for call in map(json.loads, lines) if call["path"] == path and call["method"] == "POST"]


def as_bytes(value) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


@pytest.fixture
def galician(db) -> Stage:
    """The corpus that all captured runs with integer ids ran on, from its very bytes."""
    made = stage_make(languages=("gl",))
    path = HARNESS / "inputs" / "corpus_gt.json"
    with path.open("rb") as stream:
        made.version = corpus_import(
            actor=made.curator,
            organisation=made.organisation,
            stream=stream,
            filename=path.name,
            options=ReadOptions(license="BSD-3-Clause", provenance=("corpus",)),
            attestation=Attestation("Unit test"),
        )
    return made


def scored(stage: Stage, folder: str, **given) -> Run:
    data = as_bytes(given.pop("card", card_of(folder)))
    run = stage.receive(data, rows=given.pop("rows", rows_of(folder)), **given).runs[0]
    run.refresh_from_db()
    return run


# What `mt-eval publish` sends (R-1)


@pytest.mark.parametrize("path", ["/functions/v1/submit-run", "/rest/v1/run_cards"])
def test_the_body_of_both_lanes_is_read_as_the_card_in_it(path):
    bodies = wire(path)
    assert len(bodies) == 2
    for body in bodies:
        run = read_document(as_bytes(body))
        assert (run.kind, run.fingerprint_seal, run.run_card_seal) == (
            Kind.SEALED_CARD, Seal.VERIFIED, Seal.VERIFIED,
        )  # fmt: skip
        assert run.configuration.harness_version in ("0.1.1", "0.4.0")
        assert run.outputs == ()


def test_the_rows_of_the_signed_in_lane_belong_to_its_card_and_to_no_other():
    cards, rows = wire("/rest/v1/run_cards"), wire("/rest/v1/run_card_entries")
    for card, own in zip(cards, rows, strict=True):
        run = read_document(as_bytes(card), rows=as_bytes(own))
        assert [output.entry_id for output in run.outputs] == [row["entry_id"] for row in own]
        assert all(output.source and output.expected for output in run.outputs)
    with pytest.raises(CardProblems) as caught:
        read_document(as_bytes(cards[0]), rows=as_bytes(rows[1]))
    assert caught.value.codes == ["rows_mismatch"]


def test_trust_that_a_client_sends_is_ignored(galician):
    body, rows = wire("/rest/v1/run_cards")[0], wire("/rest/v1/run_card_entries")[0]
    run = galician.receive(as_bytes({**body, "trust": "verified"}), rows=as_bytes(rows)).runs[0]
    row = run.standings.get()
    assert (row.verification_level, row.public_tier) == ("self_benchmarked", "functional")


# A run log beside a report (R-1)


def test_a_run_log_is_handed_in_beside_its_report(galician):
    from django.core.management import call_command

    folder = HARNESS / "0.1.1/corpus_gt"
    (report,) = folder.glob("run_2*_report.json")
    log = report.with_name(report.name.replace("_report", ""))
    call_command(
        "import_run", str(report), "--log", str(log), "--team", galician.team.slug, "--actor", galician.developer.email
    )
    run = Run.objects.get()
    assert (run.corpus_version, run.harness_version) == (galician.version, "0.1.1")
    assert run.ran_at.startswith("2026-11-30")
    assert run.fingerprint == ""


# Hashes and identity (13.2)


def test_20_reading_twice_gives_the_same_identity():
    first, second = (read_document((HARNESS / "0.1.1/flaky/run_card.json").read_bytes()) for _ in range(2))
    assert (first.fingerprint, first.sha256, first.run_card_hash) == (
        second.fingerprint, second.sha256, second.run_card_hash,
    )  # fmt: skip


def test_23_coaching_makes_another_condition_and_another_fingerprint():
    coached, naive = card_of("0.1.1/llm_coached"), card_of("0.1.1/llm_naive")
    assert (coached["condition"], naive["condition"]) == ("coached", "naive")
    assert coached["coaching_data_sha256"]
    assert coached["fingerprint"]["hash"] != naive["fingerprint"]["hash"]
    assert read_document(as_bytes(coached)).configuration.coaching == coached["coaching_data_sha256"]


def leaves(value, path=()):
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from leaves(inner, (*path, name))
    elif not isinstance(value, list):
        yield path, value


def changed(value):
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    return "x" if value is None else f"{value}x"


@pytest.mark.parametrize("folder", ["0.4.0/flaky"])
def test_24_a_change_of_any_single_value_is_noticed(folder):
    card = card_of(folder)
    for path, value in leaves(card):
        spoilt = json.loads(as_bytes(card))
        place = spoilt
        for name in path[:-1]:
            place = place[name]
        place[path[-1]] = changed(value)
        problems = Problems()
        assert verify_run_card_hash(spoilt, problems) is Seal.BROKEN, path
        assert [problem.field for problem in problems] == ["run_card_hash"]


def test_a_changed_component_is_refused_with_its_field_named():
    card = card_of("0.4.0/flaky")
    with pytest.raises(CardProblems) as caught:
        read_document(as_bytes({**card, "model_slug": f"{card['model_slug']}x"}))
    assert {problem.field for problem in caught.value.problems} == {
        "fingerprint.components.model_slug", "run_card_hash",
    }  # fmt: skip


def test_numbers_that_another_program_wrote_anew_are_refused_and_the_reason_named():
    text = (HARNESS / "0.4.0/flaky/run_card.json").read_text(encoding="utf-8")
    anew = re.sub(r"(?<=[ \[])(\d+)\.0(?=[,\s\]}])", r"\1", text)
    assert anew != text
    with pytest.raises(CardProblems) as caught:
        read_document(anew.encode())
    (seal,) = (problem for problem in caught.value.problems if problem.code == "hash_mismatch")
    assert "JSON re-serialisation" in seal.remedy
    assert "0.0 into 0" in seal.remedy


def test_28_equal_fingerprints_with_other_results_are_both_kept(client, galician):
    first = scored(galician, "0.1.1/flaky")
    rows = json.loads(rows_of("0.1.1/flaky"))
    for row in rows:
        row["predicted"] = row["expected"]
    again = seal_card({**card_of("0.1.1/flaky"), "elapsed_seconds": 1.5, "method_card": None})
    second = scored(galician, "0.1.1/flaky", card=again, rows=as_bytes(rows))
    assert first.pk != second.pk
    assert (first.fingerprint, first.method_version) == (second.fingerprint, second.method_version)
    assert first.run_card_hash != second.run_card_hash
    row = first.standings.get()
    assert (row.run, row.run_count) == (first, 2)
    assert row.composite_lowest < row.composite_highest
    page = client.get(f"/runs/{first.uid}/").content.decode()
    assert f"/runs/{second.uid}/" in page
    assert "differ by more than the tolerance" in page


# Counting (4.0, R-5)


@pytest.mark.parametrize(("version", "chrf", "ter"), [("0.1.1", 52.09, 64.2), ("0.4.0", 49.91, 65.48)])
def test_both_counting_rules_confirm_their_own_claims_and_the_headline_is_ours(galician, version, chrf, ter):
    run = scored(galician, f"{version}/flaky")
    assert run.claim_verdicts["chrf_plus_plus"] == {"claimed": chrf, "ours": chrf, "verdict": "confirmed"}
    assert run.claim_verdicts["ter"] == {"claimed": ter, "ours": ter, "verdict": "confirmed"}
    assert differs(run.claim_verdicts) == []
    views = run.score_set.harness_values
    assert (views["0.1"]["metrics"]["chrf_plus_plus"], views["0.2"]["metrics"]["chrf_plus_plus"]) == (52.09, 49.91)
    ours = {score.metric: score.value for score in run.score_set.scores.filter(cut="all")}
    assert ours["chrf_plus_plus"] == 49.91
    # 14 entries: one errored and one empty count 1 with us, and clean (0 of 13) with the harness.
    assert views["0.1"]["metrics"]["code_switching_rate"] == pytest.approx(1 / 13, abs=5e-5)
    assert ours["code_switching_rate"] == pytest.approx(3 / 14, abs=5e-5)


# The four verdicts, each on a real case (R-5)


@pytest.fixture(scope="module")
def gemini():
    return ours_of(score(read_document(report_of("125112_google").read_bytes())))


def claim_on(ours, key: str, metric: str = "chrf_plus_plus") -> str:
    """What becomes of the figure of one real report, claimed for the outputs of another."""
    claimed = read_document(report_of(key).read_bytes()).claimed
    return claims_compare({metric: claimed[metric]}, ours, harness_version=None)[metric]["verdict"]


def test_a_real_claim_on_its_own_outputs_is_confirmed(gemini):
    assert claim_on(gemini, "125112_google") == ClaimVerdict.CONFIRMED


def test_the_claim_of_another_run_of_the_set_up_is_close(gemini):
    assert claim_on(gemini, "125113_google") == ClaimVerdict.CLOSE


def test_the_claim_of_another_model_differs(gemini):
    assert claim_on(gemini, "131304_mistralai") == ClaimVerdict.DIFFERS


def test_a_card_without_its_rows_is_not_recomputable(client, galician):
    run = galician.receive(as_bytes(card_of("0.1.1/flaky"))).runs[0]
    assert run.status == Run.Status.CLAIMED
    assert {row["verdict"] for row in claims_compare(run.claimed, None, harness_version="0.1.1").values()} == {
        "not_recomputable"
    }
    assert "Claimed, not recomputed." in client.get(f"/runs/{run.uid}/").content.decode()


# What the database guards and the verifier of the harness do (6.1, 6.4, 13.5)


@pytest.mark.parametrize(
    ("scores", "codes"),
    [
        ({"composite": 1.01}, ["rate_over_one"]),
        ({"exact_match_rate": -0.01}, ["out_of_range"]),
        ({"chrf_plus_plus": 100.01}, ["out_of_range"]),
        ({"chrf_plus_plus": 100.0, "composite": 1.0, "exact_match_rate": 0}, []),
        ({"exact_match_rate": 57.14}, ["rate_over_one"]),
        ({"quality_tier": "marvellous"}, ["unknown_tier"]),
        ({"quality_tier": "unscored"}, []),
        ({"confidence_intervals": {"corpus_chrf": {"ci_lower": 60.0, "ci_upper": 50.0}}}, ["interval_reversed"]),
        ({"confidence_intervals": {"corpus_chrf": {"ci_lower": 50.0, "ci_upper": 50.0}}}, []),
    ],
)
def test_63_figures_out_of_range_are_refused(scores, codes):
    card = card_of("0.1.1/flaky")
    document = as_bytes(seal_card({**card, "scores": {**card["scores"], **scores}}))
    if codes:
        with pytest.raises(CardProblems) as caught:
            read_document(document)
        assert caught.value.codes == codes
    else:
        assert read_document(document).claimed["chrf_plus_plus"] > 0


@pytest.mark.skipif(not REPORTS, reason="../shared/data is not here")
def test_percentages_of_an_early_report_are_refused_and_called_so():
    report = json.loads(report_of("125112_google").read_bytes())
    report["overall"]["exact_match_rate"] *= 100
    with pytest.raises(CardProblems) as caught:
        read_document(as_bytes(report))
    (problem,) = caught.value.problems
    assert (problem.code, problem.field) == ("rate_over_one", "overall.exact_match_rate")
    assert "percentage" in problem.remedy


def test_57_an_altered_reference_is_refused_even_with_perfect_outputs(galician):
    rows = json.loads(rows_of("0.1.1/flaky"))
    for row in rows:
        row["expected"] = row["predicted"] = "alterado"
    from champollion.common.errors import ProblemList

    with pytest.raises(ProblemList) as caught:
        galician.receive(as_bytes(card_of("0.1.1/flaky")), rows=as_bytes(rows))
    assert {problem.code for problem in caught.value.problems} == {"run.text_differs"}
    assert not Document.objects.exists()


def test_61_few_entries_are_taken_and_the_rest_counts_as_errors(galician):
    rows = json.loads(rows_of("0.1.1/corpus_gt"))[:3]
    run = scored(galician, "0.1.1/corpus_gt", rows=as_bytes(rows))
    assert (run.score_set.entry_count, run.score_set.missing_count) == (14, 11)
    assert run.claim_verdicts["chrf_plus_plus"]["verdict"] == "differs"


def test_59_copied_references_score_full_and_no_tier_follows(galician):
    rows = json.loads(rows_of("0.1.1/corpus_gt"))
    for row in rows:
        row["predicted"] = row["expected"]
    run = scored(galician, "0.1.1/corpus_gt", rows=as_bytes(rows))
    assert run.claim_verdicts["chrf_plus_plus"]["verdict"] == "differs"
    assert (run.score_set.tier, run.standings.get().public_tier) == ("fluent", "functional")


# One card, two public segments (R-4)


@pytest.fixture
def two_segments(db) -> Stage:
    made = stage_make(languages=("gl",))
    value = json.loads((HARNESS / "inputs" / "corpus_gt.json").read_bytes())
    for entry in value["entries"][:5]:
        entry["segment"] = "diagnostic"
    made.version = made.store(value, license="BSD-3-Clause", provenance=("corpus",))
    return made


def test_one_card_over_two_public_segments_makes_two_runs_that_share_it(client, two_segments):
    card = card_of("0.1.1/corpus_gt")
    card = {**card, "results": json.loads(rows_of("0.1.1/corpus_gt"))}
    card["dataset"] = {**card["dataset"], "sha256": two_segments.version.sha256}
    del card["fingerprint"]
    runs = two_segments.receive(as_bytes(seal_card(card))).runs
    assert [(run.segment, run.output_count) for run in runs] == [("development", 9), ("diagnostic", 5)]
    assert len({run.document_id for run in runs}) == len({run.fingerprint for run in runs}) == 1
    assert len({run.sealed_hash for run in runs}) == 2
    cards = [json.loads(card_bytes(run)) for run in runs]
    assert [len(own["results"]) for own in cards] == [9, 5]
    assert [read_document(as_bytes(own)).run_card_seal for own in cards] == [Seal.VERIFIED] * 2
    for run in runs:
        run.refresh_from_db()
        assert run.score_set.missing_count == 0
        assert run.standings.get().segment == run.segment


# Out again


@pytest.mark.parametrize("folder", ["0.1.1/corpus_gt", "0.1.1/llm_coached", "0.4.0/flaky"])
def test_a_harness_s_set_up_goes_out_with_the_fingerprint_it_came_in_with(galician, folder):
    run = scored(galician, folder)
    card = json.loads(card_bytes(run))
    assert card["fingerprint"]["hash"] == card_of(folder)["fingerprint"]["hash"]
    assert card["fingerprint"].get("version") == card_of(folder)["fingerprint"].get("version")
    again = read_document(as_bytes(card))
    assert (again.fingerprint_seal, again.run_card_seal, len(again.outputs)) == (Seal.VERIFIED, Seal.VERIFIED, 14)


def test_the_document_comes_back_as_the_harness_wrote_it(client, galician):
    data = (HARNESS / "0.1.1/corpus_gt/run_card.json").read_bytes()
    run = galician.receive(data, rows=rows_of("0.1.1/corpus_gt")).runs[0]
    assert client.get(f"/runs/{run.uid}/document/").content == data


# The table


def test_every_test_that_the_table_names_exists():
    named = re.findall(r"`(test_\w+)`", TABLE.read_text(encoding="utf-8"))
    found = set()
    for path in (ROOT / "tests").rglob("test_*.py"):
        found |= set(re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE))
    assert len(named) > 20
    assert sorted(set(named) - found) == []
