"""The real Welsh reports, from upload to an opened campaign: which are put forward, and by which run (SPEC V-1)."""

import io
import json

import pytest

from champollion.accounts.models import CustodianRequirement, Role
from champollion.accounts.services import organisations as acts
from champollion.common.canonical import sha256_hex
from corpora.formats.base import ReadOptions
from corpora.services.imports import Attestation, corpus_import
from leaderboard.models import Run
from leaderboard.services.intake import MethodChoice, run_receive
from leaderboard.services.methods import HeldMethod
from leaderboard.services.scoring import run_score
from review.analysis import figures_compute
from review.models import Nomination
from review.services.campaigns import campaign_draft, campaign_open
from review.services.nominations import nomination_make, runs_consider
from review.services.samples import sample_differences

from .reviewed_runs import person

pytestmark = pytest.mark.django_db
CORPUS = "eng-cym-dev-v1.json"


@pytest.fixture
def welsh():
    organisation = acts.organisation_create(actor=None, name="Welsh", slug="welsh", languages=["cy"])
    for kind in CustodianRequirement.Kind.values:
        acts.requirement_record(actor=None, organisation=organisation, kind=kind, evidence="a test")
    for name, role in [("curator", Role.CURATOR), ("steward", Role.STEWARD)]:
        acts.role_give(actor=None, organisation=organisation, user=person(f"{name}@welsh.example"), role=role)
    return organisation


def reports_of(shared_data, language: str) -> list[bytes]:
    found = [path.read_bytes() for path in sorted((shared_data / "reports").glob("*.json"))]
    return [data for data in found if language in json.loads(data)["config"].get("corpus_path", "")]


def stored(welsh, shared_data, **options):
    return corpus_import(
        actor=person("curator@welsh.example"),
        organisation=welsh,
        stream=io.BytesIO((shared_data / "corpora" / CORPUS).read_bytes()),
        filename=CORPUS,
        options=ReadOptions(**options),
        attestation=Attestation(name="Tatoeba's contributors"),
    )


def scored(runs: list[Run]) -> list[float | None]:
    return [run_score(run).composite for run in runs]


def test_four_welsh_reports_reach_the_bound_and_make_two_candidates(welsh, shared_data):
    version = stored(welsh, shared_data)
    developer = person("developer@welsh.example")
    acts.installation_role_give(actor=None, user=developer, kind="developer")
    team = acts.team_create(name="Team", slug="team", members=[developer])
    runs = []
    for data in reports_of(shared_data, "cym"):
        receipt = run_receive(actor=developer, data=data, choice=MethodChoice(name="Naive", team=team))
        runs += receipt.runs
    composites = scored(runs)

    made = runs_consider()

    reaching = sorted(value for value in composites if value is not None and value >= 0.70)
    assert reaching == [0.7768, 0.7964, 0.8029, 0.8046]
    assert {(nomination.status, nomination.segment) for nomination in made} == {("candidate", "development")}
    first_of_three = next(value for value in composites if value in (0.7964, 0.8029, 0.8046))
    assert sorted(nomination.composite for nomination in made) == sorted([0.7768, first_of_three])
    assert runs_consider() == []
    check_campaign(made[0], person("steward@welsh.example"), version)


def check_campaign(nomination: Nomination, steward, version) -> None:
    """A steward nominates and opens: the census of all 47 entries, with a sample that can be derived again."""
    if nomination.status == "candidate":
        nomination = nomination_make(actor=steward, nomination=nomination)
    campaign = campaign_open(actor=steward, campaign=campaign_draft(nomination=nomination))

    assert campaign.items.count() == version.entry_count
    assert sample_differences(campaign) == []
    assert figures_compute(campaign).missing_count == campaign.items.filter(kind="sample").count()


def test_stewards_upload_of_a_held_method_on_gold_standard_is_nominated_by_itself(welsh, shared_data):
    version = stored(welsh, shared_data, segment="gold_standard", id="cym-gold")
    steward = person("steward@welsh.example")
    team = acts.team_create(name="Team", slug="team", members=[person("developer@welsh.example")])
    runs = []
    for data in reports_of(shared_data, "cym"):
        # The held bundle is the version (L-1): another model is another bundle.
        digest = sha256_hex(json.loads(data)["config"]["model"].encode())
        held = HeldMethod(file_name="method.tar.gz", sha256=digest, place="the archive")
        choice = MethodChoice(name="Naive", team=team, held=held)
        runs += run_receive(actor=steward, data=data, choice=choice, version=version, segment="gold_standard").runs
    scored(runs)

    made = runs_consider()

    assert {(nomination.status, nomination.segment) for nomination in made} == {("nominated", "gold_standard")}
    assert sorted(nomination.attempt for nomination in made) == [1, 2]
    check_campaign(made[0], steward, version)
