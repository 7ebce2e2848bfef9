"""Two organisations, a person in every role of each, and one thing of every kind, all made by the services.

Marked words stand in everything that is secret; `CANARIES` lists them. They are made of letters and digits alone, so
that no encoding of a page, an address or a log line changes them.
"""

from __future__ import annotations

import io
import json
import logging
from dataclasses import dataclass, field
from uuid import uuid4

from django.core import mail
from django.test import TestCase

from champollion.accounts.models import CustodianRequirement, Organisation, Team, User
from champollion.accounts.services import organisations as acts
from champollion.celery import app
from corpora.formats import ReadOptions
from corpora.models import CorpusVersion, Entry
from corpora.services.imports import Attestation, corpus_import
from leaderboard.models import Run
from leaderboard.services.intake import MethodChoice, run_receive
from leaderboard.services.methods import SUBMISSION_PARTS, HeldMethod
from review.models import Campaign, Decision, HarmFlag, Nomination, SampleItem, Transfer
from review.services.assignment import block_lease, item_cannot_judge
from review.services.campaigns import campaign_close, campaign_draft, campaign_open
from review.services.decisions import decision_propose, decision_sign
from review.services.harm import harm_flag
from review.services.nominations import nomination_make
from review.services.ratings import rating_submit

ORGANISATION_ROLES = ("speaker", "helper", "curator", "coordinator", "steward")
INSTALLATION_ROLES = ("developer", "maintainer")
GOLD_COUNT = 12

SOURCE = "Kanarienquelle7q1"
REFERENCE = "Kanarienreferenz7q2"
NOTE = "Kanariennotiz7q3"
VARIANT = "Kanarienvariante7q4"
ANALYSIS = "Kanarienanalyse7q5"
PHENOMENON = "Kanarienphaenomen7q6"
EXTRA = "Kanarienzusatz7q7"
OUTPUT = "Kanarienausgabe7q8"
OPEN_OUTPUT = "Kanarienausgabe7q9"
COMMENT = "Kanarienkommentar7r1"
SUGGESTION = "Kanarienvorschlag7r2"
CANNOT_JUDGE = "Kanariengrund7r3"
HARM = "Kanarienflagge7r4"
CANARIES = (
    SOURCE, REFERENCE, NOTE, VARIANT, ANALYSIS, PHENOMENON, EXTRA, OUTPUT, OPEN_OUTPUT, COMMENT, SUGGESTION,
    CANNOT_JUDGE, HARM,
)  # fmt: skip
#: Begins every marked word, so that a part of one is found too.
MARK = "Kanarien"


def marks_in(text: str) -> list[str]:
    """Return the marked words in a text, or the beginning of one."""
    return [mark for mark in CANARIES if mark in text] or ([MARK] if MARK in text else [])


@dataclass
class World:
    """Everything there is; `people` by (role, "own" or "other")."""

    own: Organisation
    other: Organisation
    people: dict[tuple[str, str], User]
    raters: list[User]
    second_steward: User
    team: Team
    other_team: Team
    version: CorpusVersion
    other_version: CorpusVersion
    public_run: Run | None = None
    decided_run: Run | None = None
    open_run: Run | None = None
    draft: Campaign | None = None
    open: Campaign | None = None
    decided: Campaign | None = None
    decision: Decision | None = None
    transfer: Transfer | None = None
    flag: HarmFlag | None = None
    marked_item: SampleItem | None = None
    #: What went out by mail and to the log while all this was made.
    mails: list = field(default_factory=list)
    log: list[str] = field(default_factory=list)

    def person(self, role: str, place: str = "own") -> User:
        return self.people[role, place]

    @property
    def marked_entry(self) -> Entry:
        return self.version.entries.get(entry_id="gold_1")

    @property
    def public_entry(self) -> Entry:
        return self.version.entries.get(entry_id="dev_1")


def world_people(slug: str, language: str) -> tuple[Organisation, dict[str, User]]:
    """Make an organisation that is a key custodian, with a person in each of its roles."""
    organisation = acts.organisation_create(actor=None, name=f"Council {slug}", slug=slug, languages=[language])
    for kind in CustodianRequirement.Kind.values:
        acts.requirement_record(actor=None, organisation=organisation, kind=kind, evidence="recorded for the test")
    people = {}
    for role in ORGANISATION_ROLES:
        people[role] = member_make(organisation, role, f"{role}@{slug}.example", language)
    return organisation, people


def member_make(organisation: Organisation, role: str, email: str, language: str = "cy") -> User:
    user = User.objects.create_user(email, name=email.split("@")[0])
    acts.role_give(actor=None, organisation=organisation, user=user, role=role)
    acts.languages_speak(user=user, tags=["en", language])
    return user


def installation_people(place: str) -> tuple[dict[str, User], Team]:
    people = {}
    for role in INSTALLATION_ROLES:
        people[role] = User.objects.create_user(f"{role}@{place}.example", name=f"{role} {place}")
        acts.installation_role_give(actor=None, user=people[role], kind=role)
    return people, acts.team_create(name=f"Team {place}", slug=f"team-{place}", members=[people["developer"]])


class LogKeeper(logging.Handler):
    """Keeps what every logger says, down to DEBUG, with arguments and tracebacks, while it is entered."""

    def __init__(self) -> None:
        super().__init__(level=logging.DEBUG)
        self.setFormatter(logging.Formatter("%(name)s %(message)s"))
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.texts.append(f"{self.format(record)} {record.args!r}")

    def __enter__(self) -> LogKeeper:
        root = logging.getLogger()
        self.before = root.level
        root.addHandler(self)
        root.setLevel(logging.DEBUG)
        return self

    def __exit__(self, *error: object) -> None:
        root = logging.getLogger()
        root.removeHandler(self)
        root.setLevel(self.before)


def world_make() -> World:
    """Make both organisations and walk the whole flow in the first."""
    # Celery's first step sets Django up once more, and with it the handlers of the log.
    app.loader.import_default_modules()
    with LogKeeper() as keeper:
        world = _world_make()
    world.mails, world.log = list(mail.outbox), keeper.texts
    return world


def _world_make() -> World:
    own, own_people = world_people("own", "cy")
    other, other_people = world_people("other", "ga")
    own_builders, team = installation_people("builders")
    other_builders, other_team = installation_people("others")
    people = {
        **{(role, "own"): user for role, user in {**own_people, **own_builders}.items()},
        **{(role, "other"): user for role, user in {**other_people, **other_builders}.items()},
    }
    world = World(
        own=own,
        other=other,
        people=people,
        raters=[member_make(own, "speaker", f"rater-{n}@own.example") for n in (1, 2, 3)],
        second_steward=member_make(own, "steward", "steward-2@own.example"),
        team=team,
        other_team=other_team,
        version=corpus_store(own, own_people["curator"], corpus_id="own-en-cy", target="cy", marks=True),
        other_version=corpus_store(other, other_people["curator"], corpus_id="other-en-ga", target="ga", marks=False),
    )
    _runs_receive(world)
    _campaigns_walk(world)
    return world


def entry_value(number: int, segment: str, target: str, *, marks: bool = False) -> dict:
    prefix = "gold" if segment == "gold_standard" else "dev" if segment == "development" else segment
    value = {
        "id": f"{prefix}_{number}",
        "source": f"The {prefix} sentence number {number} is here for the test",
        "reference": f"Brawddeg {prefix} {target} rhif {number} yma",
        "segment": segment,
        "difficulty": 1 + number % 3,
        "domain": "ui" if number % 2 else "tech",
        "register": "formal",
        "provenance": "corpus",
    }
    if marks:
        value["source"] += f" {SOURCE}"
        value["reference"] += f" {REFERENCE}"
        value |= {
            "notes": NOTE, "variants": [f"Brawddeg {VARIANT}"], "morphological_analysis": ANALYSIS,
            "phenomenon": PHENOMENON, "author_remark": EXTRA,
        }  # fmt: skip
    return value


def corpus_value(corpus_id: str, target: str, *, marks: bool, version: str = "1.0") -> dict:
    gold = [entry_value(n, "gold_standard", target, marks=marks and n == 1) for n in range(1, GOLD_COUNT + 1)]
    development = [entry_value(n, "development", target) for n in range(1, GOLD_COUNT + 1)]
    held = [entry_value(1, "held_out", target, marks=marks)]
    return {
        "dataset": {
            "id": corpus_id, "version": version, "language_pair": f"EN→{target.upper()}", "source_language": "en",
            "target_language": target, "created": "2026-06-07", "license": "CC-BY-4.0", "provenance": ["corpus"],
        },
        "entries": [*development, *gold, *held],
    }  # fmt: skip


def corpus_store(
    organisation: Organisation, curator: User, *, corpus_id: str, target: str, marks: bool
) -> CorpusVersion:
    value = corpus_value(corpus_id, target, marks=marks)
    return corpus_import(
        actor=curator,
        organisation=organisation,
        stream=io.BytesIO(json.dumps(value, ensure_ascii=False).encode()),
        filename="corpus.json",
        options=ReadOptions(),
        attestation=Attestation("The council's curator"),
    )


def outputs_table(prefix: str, target: str, *, mark: str = "") -> bytes:
    """Outputs that equal the references but for the mark, as TSV."""
    rows = [f"{prefix}_{n}\tBrawddeg {prefix} {target} rhif {n} yma" for n in range(1, GOLD_COUNT + 1)]
    rows[0] = f"{rows[0]} {mark}".rstrip()
    return ("entry_id\tpredicted\n" + "\n".join(rows) + "\n").encode()


def held_method(name: str) -> HeldMethod:
    digest = {"decided": "a", "open": "b"}[name] * 64
    return HeldMethod(f"{name}.tar.gz", digest, "the council's archive", parts=list(SUBMISSION_PARTS))


def _runs_receive(world: World) -> None:
    configuration = {"model": "unit/model", "condition": "naive"}
    with TestCase.captureOnCommitCallbacks(execute=True):
        receipt = run_receive(
            actor=world.person("developer"),
            data=outputs_table("dev", "cy"),
            choice=MethodChoice(name="Public method", team=world.team, configuration=configuration),
            version=world.version,
        )
    world.public_run = receipt.runs[0]
    for name, mark in (("decided", OUTPUT), ("open", OPEN_OUTPUT)):
        choice = MethodChoice(
            name=f"Held {name} method",
            team=world.team,
            configuration={**configuration, "n": name},
            held=held_method(name),
        )
        with TestCase.captureOnCommitCallbacks(execute=True):
            receipt = run_receive(
                actor=world.person("steward"),
                data=outputs_table("gold", "cy", mark=f"{mark} {REFERENCE}"),
                choice=choice,
                version=world.version,
                segment="gold_standard",
            )
        setattr(world, f"{name}_run", receipt.runs[0])


def _campaigns_walk(world: World) -> None:
    world.draft = _drafted(world, world.public_run)
    world.decided = campaign_open(actor=world.second_steward, campaign=_drafted(world, world.decided_run))
    _rate_everything(world, world.decided)
    closed = campaign_close(actor=world.second_steward, campaign=world.decided)
    _decide(world, closed)
    world.open = campaign_open(actor=world.second_steward, campaign=_drafted(world, world.open_run))
    _rate_a_little(world)


def _drafted(world: World, run: Run) -> Campaign:
    nomination = Nomination.objects.get(run=run)
    if nomination.status == Nomination.Status.CANDIDATE:
        nomination = nomination_make(actor=world.second_steward, nomination=nomination)
    campaign = Campaign.objects.filter(nomination=nomination).exclude(status="withdrawn").first()
    return campaign or campaign_draft(nomination=nomination)


def _rate_everything(world: World, campaign: Campaign) -> None:
    for rater in world.raters:
        while leases := block_lease(rater=rater, campaign=campaign):
            for lease in leases:
                rate(rater, lease.item)


def rate(rater: User, item: SampleItem, *, grade: int = 4, **words: str) -> None:
    rating_submit(rater=rater, item_uid=item.uid, key=uuid4(), grade=grade, **words)


def _decide(world: World, campaign: Campaign) -> None:
    with TestCase.captureOnCommitCallbacks(execute=True):
        decision = decision_propose(
            actor=world.person("steward"),
            campaign=campaign,
            kind="approve",
            reason="Our speakers find it usable.",
            transfer="start",
            override_reason="Few sentences, all of them read with care.",
            developer_agreement="Agreed by letter.",
        )
        world.decision = decision_sign(actor=world.second_steward, decision=decision, confirms=True)
    world.transfer = Transfer.objects.get(promotion__decision=world.decision)
    world.decided.refresh_from_db()


def _rate_a_little(world: World) -> None:
    """A speaker holds a block. The marked item comes to each rater: rated with words, not judged, flagged."""
    block_lease(rater=world.person("speaker"), campaign=world.open)
    marked = SampleItem.objects.get(campaign=world.open, output__entry=world.marked_entry)
    world.marked_item = marked
    lease_until(world.raters[0], world.open, marked)
    rate(world.raters[0], marked, comment=COMMENT, suggestion=SUGGESTION)
    lease_until(world.raters[1], world.open, marked)
    item_cannot_judge(rater=world.raters[1], item_uid=marked.uid, reason="other", note=CANNOT_JUDGE)
    lease_until(world.raters[2], world.open, marked)
    world.flag = harm_flag(actor=world.raters[2], item_uid=marked.uid, note=HARM)


def lease_until(rater: User, campaign: Campaign, item: SampleItem) -> None:
    """Lease blocks, rating what comes, until the item is the rater's."""
    while leases := block_lease(rater=rater, campaign=campaign):
        if any(lease.item_id == item.pk for lease in leases):
            return
        for lease in leases:
            rate(rater, lease.item)
    raise AssertionError("the item was never leased")
