"""The sample of a campaign: what it is drawn from, where it is stored, and when it is not its plan's (LAW-4)."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from champollion.audit.models import AuditEvent
from champollion.common.canonical import canonical_json, sha256_hex
from champollion.common.errors import StateError
from corpora import vault
from leaderboard.models import Run, RunOutput
from review.models import Campaign, Nomination, SampleItem
from review.services.campaigns import campaign_draft, campaign_open
from review.services.nominations import nomination_make, run_consider
from review.services.samples import entries_rated_before, frame_read, outputs_digest, sample_differences, seed_inputs

from .reviewed_runs import method_make, rate, run_make, stage_make

pytestmark = pytest.mark.django_db


@pytest.fixture
def stage():
    return stage_make()


def nominate(stage, **run) -> Nomination:
    nomination = run_consider(run_make(stage, **run))
    if nomination.status == "candidate":
        nomination = nomination_make(actor=stage.stewards[0], nomination=nomination)
    return nomination


def draft(stage, **run) -> Campaign:
    return campaign_draft(nomination=nominate(stage, **run))


def opened(stage, **run) -> Campaign:
    return campaign_open(actor=stage.stewards[0], campaign=draft(stage, **run))


def command(name: str, *args: str) -> tuple[int, str, str]:
    out, err = StringIO(), StringIO()
    try:
        call_command(name, *args, stdout=out, stderr=err)
    except SystemExit as stop:
        return int(stop.code or 0), out.getvalue(), err.getvalue()
    return 0, out.getvalue(), err.getvalue()


# What is drawn


def test_sample_of_the_specifications_example(stage):
    campaign = draft(stage, composite=0.80)

    drawn = campaign.items.filter(kind="sample")
    assert [drawn.filter(stratum=str(d)).count() for d in range(1, 6)] == [10, 25, 30, 25, 10]
    assert campaign.items.filter(kind="extension").count() == 40
    assert drawn.filter(is_in_look=True).count() == 60
    assert campaign.plan["size"] == 100
    assert len(campaign.plan["look"]) == 60


def test_composite_near_the_bound_draws_more(stage):
    near = draft(stage, composite=0.7499)
    far = draft(stage, composite=0.75, version=method_make(stage, name="far"))

    assert near.plan["size"] == 150
    assert far.plan["size"] == 100
    assert near.items.filter(kind="extension").count() == 0


def test_places_of_a_stratum_are_without_gap_and_the_extension_follows_the_sample(stage):
    campaign = draft(stage, composite=0.80)

    for stratum in ("1", "2", "3", "4", "5"):
        rows = list(campaign.items.filter(stratum=stratum).order_by("place").values_list("place", "kind"))
        assert [place for place, _ in rows] == list(range(len(rows)))
        kinds = [kind for _, kind in rows]
        assert kinds == sorted(kinds, key=["sample", "extension"].index)


def test_entries_without_usable_output_are_a_stratum_of_their_own_and_never_shown(stage):
    campaign = draft(stage, unusable=20)

    unusable = campaign.items.filter(kind="unusable")
    assert unusable.count() == 20
    assert set(unusable.values_list("stratum", flat=True)) == {"no output"}
    assert not campaign.items.exclude(kind="unusable").filter(output__is_usable=False).exists()
    assert len(campaign.plan["frame"]) == 150


def test_entry_that_the_run_never_answered_counts_in_the_frame(stage):
    run = run_make(stage)
    RunOutput.objects.filter(run=run, position=3).delete()

    frame = {entry.entry_id: entry for entry in frame_read(run)}

    assert len(frame) == 150
    assert not frame["e00003"].usable
    assert sum(entry.usable for entry in frame.values()) == 149


def test_entries_without_difficulty_come_after_difficulty_five():
    campaign = draft(stage_make(sizes={1: 20, None: 20}))

    assert [row["stratum"] for row in campaign.plan["strata"]] == ["1", "not given"]
    assert campaign.items.filter(stratum="not given").count() == 20


def test_entries_rated_in_an_earlier_attempt_of_the_method_come_last():
    stage = stage_make(sizes={2: 200})
    first = opened(stage, composite=0.80)
    rated = list(first.items.filter(kind="sample").order_by("place")[:30])
    for item in rated:
        rate(item, stage.speakers[0], 4, rank=1)
    ids = {item.output.entry.entry_id for item in rated}

    again = draft(stage, composite=0.80)
    other = draft(stage, composite=0.80, version=method_make(stage, name="other"))

    assert entries_rated_before(again.nomination) == ids
    assert not ids & set(again.items.filter(kind="sample").values_list("output__entry__entry_id", flat=True))
    assert entries_rated_before(other.nomination) == set()


# Seed and digests


def test_seed_is_made_of_the_five_lines(stage):
    nomination = nominate(stage)
    campaign = campaign_draft(nomination=nomination)
    run = nomination.run

    lines = [run.sealed_hash, stage.version.sha256, str(nomination.uid), "1", nomination.nonce]
    assert campaign.seed == sha256_hex("\n".join(lines).encode())
    assert campaign.plan["seed"] == campaign.seed


def test_card_hash_of_the_document_stands_in_where_we_sealed_none(stage):
    nomination = nominate(stage)
    Run.objects.filter(pk=nomination.run.pk).update(sealed_hash="", run_card_hash="c" * 64)

    assert seed_inputs(Nomination.objects.get(pk=nomination.pk)).run_card_hash == "c" * 64


def test_run_without_a_card_hash_gives_no_sample(stage):
    nomination = nominate(stage)
    Run.objects.filter(pk=nomination.run.pk).update(sealed_hash="", run_card_hash="")

    with pytest.raises(StateError) as refused:
        campaign_draft(nomination=nomination)
    assert refused.value.code == "sample.no_seed"


def test_outputs_of_a_public_segment_are_hashed_plainly():
    stage = stage_make(sizes={2: 2})
    run = run_make(stage, unusable=1)

    body = canonical_json([["e00000", "output 0"], ["e00001", None]])
    assert outputs_digest(run) == {"method": "sha256", "value": sha256_hex(body)}


def test_outputs_of_a_secret_segment_are_hashed_under_a_key():
    stage = stage_make(segment="gold_standard", sizes={2: 2})
    run = run_make(stage)

    body = canonical_json([["e00000", "output 0"], ["e00001", "output 1"]]).decode()
    digest = outputs_digest(run)
    assert digest["method"] == "hmac-sha256"
    assert digest["value"] == vault.keyed_hash(stage.corpus, body)
    assert digest["value"] != sha256_hex(body.encode())


def test_keyed_hash_differs_from_corpus_to_corpus_and_is_stable():
    one, other = stage_make(slug="one", sizes={2: 1}), stage_make(slug="two", sizes={2: 1})

    assert vault.keyed_hash(one.corpus, "a") == vault.keyed_hash(one.corpus, "a")
    assert vault.keyed_hash(one.corpus, "a") != vault.keyed_hash(one.corpus, "b")
    assert vault.keyed_hash(one.corpus, "a") != vault.keyed_hash(other.corpus, "a")


def test_plan_of_a_secret_segment_holds_no_text():
    campaign = draft(stage_make(segment="gold_standard", sizes={2: 40}))

    written = json.dumps(campaign.plan)
    assert not any(word in written for word in ("source ", "reference ", "output 1"))


# Verification


def test_sample_matches_as_draft_and_after_opening(stage):
    campaign = draft(stage)

    assert sample_differences(campaign) == []
    opened_campaign = campaign_open(actor=stage.stewards[0], campaign=campaign)
    assert sample_differences(Campaign.objects.get(pk=opened_campaign.pk)) == []


def swap_one(campaign: Campaign) -> tuple[str, str]:
    """Put another entry's output in an item's place; return both entry ids."""
    drawn = campaign.items.filter(kind="sample").order_by("pk").first()
    taken = campaign.items.values("output")
    other = RunOutput.objects.filter(run=campaign.run).exclude(pk__in=taken).first()
    before = drawn.output.entry.entry_id
    SampleItem.objects.filter(pk=drawn.pk).update(output=other)
    return before, other.entry.entry_id


def test_one_swapped_id_is_named(stage):
    campaign = opened(stage, composite=0.80)
    before, after = swap_one(campaign)

    assert sample_differences(campaign) == [
        f"item of entry {name}: {what}"
        for name, what in sorted(
            [
                (before, "the plan draws it, and it is not among the items"),
                (after, "it is among the items, and the plan does not draw it"),
            ]
        )
    ]


@pytest.mark.parametrize(
    "change", [{"place": 99}, {"stratum": "5"}, {"kind": "extension"}, {"is_in_look": False}], ids=str
)
def test_item_at_another_place_is_named(stage, change):
    campaign = opened(stage, composite=0.80)
    item = campaign.items.filter(is_in_look=True, stratum="1").first()
    SampleItem.objects.filter(pk=item.pk).update(**change)

    assert sample_differences(campaign) == [
        f"item of entry {item.output.entry.entry_id}: it stands at another place than in the plan"
    ]


def test_changed_output_is_found(stage):
    campaign = opened(stage)
    RunOutput.objects.filter(run=campaign.run, position=0).update(text="another")

    assert sample_differences(campaign) == ["outputs: they are not the ones whose hash the plan holds"]


def test_other_nonce_is_found(stage):
    campaign = opened(stage)
    Nomination.objects.filter(pk=campaign.nomination.pk).update(nonce="0" * 64)
    campaign = Campaign.objects.get(pk=campaign.pk)

    found = sample_differences(campaign)
    assert [line.split(":")[0] for line in found] == ["seed", "seed"]


def test_output_that_became_unusable_is_found_in_the_frame(stage):
    campaign = opened(stage)
    RunOutput.objects.filter(run=campaign.run, position=0).update(is_usable=False)

    assert sample_differences(campaign) == ["frame, entry e00000: the plan describes it otherwise than the database"]


def test_verify_sample_says_yes_and_records_it(stage):
    campaign = opened(stage)

    code, out, _ = command("verify_sample", str(campaign.uid))

    assert code == 0
    assert "matches its plan" in out
    assert AuditEvent.objects.get(act="campaign.sample_verified").details["matches"] is True


def test_verify_sample_says_no_after_one_id_is_swapped(stage):
    campaign = opened(stage, composite=0.80)
    before, after = swap_one(campaign)

    code, _, err = command("verify_sample", str(campaign.uid))

    assert code == 1
    assert "does NOT match" in err
    assert before in err
    assert after in err


def test_verify_sample_prints_one_json_object(stage):
    campaign = opened(stage, composite=0.80)
    code, out, _ = command("verify_sample", str(campaign.uid)[:8], "--json")
    assert (code, json.loads(out)) == (0, {"campaign": str(campaign.uid), "matches": True, "differences": []})

    swap_one(campaign)
    code, out, err = command("verify_sample", str(campaign.uid), "--json")
    assert (code, err) == (1, "")
    assert len(json.loads(out)["differences"]) == 2


def test_draw_sample_prints_the_draw_and_stores_nothing(stage):
    campaign = opened(stage, composite=0.80)
    before = list(campaign.items.order_by("pk").values_list("pk", "place"))

    code, out, _ = command("draw_sample", str(campaign.uid), "--json")

    drawn = json.loads(out)
    assert code == 0
    assert (drawn["seed"], drawn["size"], len(drawn["items"])) == (campaign.seed, 100, 140)
    stored = campaign.items.filter(kind="sample").values_list("output__entry__entry_id", flat=True)
    assert {row["entry_id"] for row in drawn["items"] if row["part"] != "extension"} == set(stored)
    assert list(campaign.items.order_by("pk").values_list("pk", "place")) == before
    assert "Drew 100 of 150 entries" in command("draw_sample", str(campaign.uid))[1]


@pytest.mark.parametrize("name", ["draw_sample", "verify_sample"])
@pytest.mark.parametrize("text", ["abc", "00000000-0000-0000-0000-000000000000"])
def test_commands_say_that_a_campaign_is_unknown(name, text):
    with pytest.raises(CommandError):
        command(name, text)
