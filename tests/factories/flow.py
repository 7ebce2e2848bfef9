"""Rows of the flow for unit tests, from an organisation to an open campaign.

Roles, teams and languages go through the services. Corpus, run and campaign are written as rows here and nowhere else;
their texts are tiny and say what they are.
"""

from __future__ import annotations

import hashlib
import uuid
from dataclasses import dataclass, field
from datetime import UTC, datetime

from champollion.accounts.models import Organisation, Role, Team, User
from champollion.accounts.services.organisations import languages_speak, organisation_create, role_give, team_create
from corpora import vault
from corpora.constants import SECRET_SEGMENTS
from corpora.models import Corpus, CorpusVersion, Entry
from leaderboard.models import Document, Method, MethodVersion, Run, RunOutput
from review.models import Campaign, Nomination, SampleItem

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
SEED = hashlib.sha256(b"a seed for unit tests").hexdigest()


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def person(name: str, *, spoken: tuple[str, ...] = ()) -> User:
    """Make a person; the address is made from the name."""
    user = User.objects.create_user(f"{name}@unit.example", name=name)
    if spoken:
        languages_speak(user=user, tags=list(spoken))
    return user


def organisation(slug: str = "unit-welsh", *, languages: tuple[str, ...] = ("cy",)) -> Organisation:
    return organisation_create(actor=None, name=f"Unit {slug}", slug=slug, languages=list(languages))


def member(org: Organisation, name: str, *roles: str, spoken: tuple[str, ...] = ()) -> User:
    """Make a person with roles in an organisation."""
    user = person(name, spoken=spoken)
    for role in roles:
        role_give(actor=None, organisation=org, user=user, role=role)
    return user


def corpus_version(
    org: Organisation,
    *,
    segment: str = "development",
    count: int = 12,
    corpus_id: str = "unit-en-cy",
    source_language: str = "en",
    target_language: str = "cy",
    sources: tuple[str, ...] = (),
    references: tuple[str, ...] = (),
    fields: dict | None = None,
) -> CorpusVersion:
    """Write a corpus version whose entries are "unit source 1", "unit reference 1", …, difficulties 1 to 5 in turn."""
    corpus = Corpus.objects.create(
        corpus_id=corpus_id, organisation=org, source_language=source_language, target_language=target_language
    )
    version = CorpusVersion.objects.create(
        corpus=corpus,
        version="1.0",
        order_key="1.0",
        sha256=digest(corpus_id),
        canonical_sha256=digest(corpus_id + " canonical"),
        license="CC-BY-4.0",
        created_as_given="2026-11-01",
        source_format="json",
        entry_count=count,
        attested_by_name="unit test",
        attested_at=NOW,
    )
    Entry.objects.bulk_create(
        [
            _entry(
                version,
                number,
                segment,
                source=sources[number - 1] if number <= len(sources) else f"unit source {number}",
                reference=references[number - 1] if number <= len(references) else f"unit reference {number}",
                fields=fields or {},
            )
            for number in range(1, count + 1)
        ]
    )
    return version


def _entry(version: CorpusVersion, number: int, segment: str, *, source: str, reference: str, fields: dict) -> Entry:
    entry = Entry(
        version=version,
        position=number,
        entry_id=f"unit_{number}",
        segment=segment,
        difficulty=1 + (number - 1) % 5,
        domain="ui",
    )
    if segment in SECRET_SEGMENTS:
        entry.sealed = vault.seal(version.corpus, {"source": source, "reference": reference, "fields": fields})
    else:
        entry.source, entry.reference, entry.fields = source, reference, fields
    return entry


def run(
    version: CorpusVersion,
    team: Team,
    *,
    slug: str = "unit-method",
    submitted_by: User | None = None,
    is_organisation_run: bool = False,
    outputs: tuple[str, ...] = (),
) -> Run:
    """Write a scored run of a method of `team` on every entry of a version's only segment."""
    method, _made = Method.objects.get_or_create(slug=slug, defaults={"name": f"Secret name of {slug}", "team": team})
    method_version = MethodVersion.objects.create(
        method=method,
        number=method.versions.count() + 1,
        identity_sha256=digest(f"{slug} {method.versions.count()}"),
        model_name=f"model-of-{slug}",
        submitted_by=None if is_organisation_run else submitted_by,
    )
    document = Document.objects.create(
        kind=Document.Kind.OUTPUTS, sha256=digest(f"{slug} {uuid.uuid4()}"), byte_count=1, content=b"-"
    )
    entries = list(version.entries.all())
    made = Run.objects.create(
        document=document,
        method_version=method_version,
        corpus_version=version,
        segment=entries[0].segment,
        status=Run.Status.SCORED,
        submitted_by=submitted_by,
        is_organisation_run=is_organisation_run,
        sealed_hash=digest(f"{slug} card"),
        output_count=len(entries),
    )
    RunOutput.objects.bulk_create([_output(made, entry, outputs) for entry in entries])
    return made


def _output(made: Run, entry: Entry, outputs: tuple[str, ...]) -> RunOutput:
    number = entry.position
    text = outputs[number - 1] if number <= len(outputs) else f"unit output {number}"
    output = RunOutput(run=made, position=number, entry=entry, entry_key=entry.entry_id)
    if entry.is_secret:
        output.sealed = vault.seal(made.corpus_version.corpus, {"text": text})
    else:
        output.text = text
    return output


def campaign(
    made: Run,
    *,
    overlap: int = 3,
    status: str = Campaign.Status.OPEN,
    shows_reference: bool = False,
    look_count: int = 0,
    items: int | None = None,
) -> Campaign:
    """Write a nomination and a campaign whose sample is every output of the run, or the first `items`."""
    nomination = Nomination.objects.create(
        run=made,
        method_version=made.method_version,
        corpus_version=made.corpus_version,
        segment=made.segment,
        team=made.method_version.method.team,
        status=Nomination.Status.NOMINATED,
        nonce="0" * 64,
        composite=0.8317,
        tier="deployable",
        bound=0.7,
    )
    opened = Campaign.objects.create(
        nomination=nomination,
        run=made,
        organisation=made.corpus_version.corpus.organisation,
        status=status,
        overlap=overlap,
        shows_reference=shows_reference,
        policy_name="community-1",
        policy_version=1,
        policy={},
        seed=SEED,
        plan={},
        plan_sha256=digest("unit plan"),
        opened_at=NOW,
    )
    outputs = list(made.outputs.select_related("entry").order_by("position")[:items])
    SampleItem.objects.bulk_create(
        [
            SampleItem(
                campaign=opened,
                output=output,
                kind=SampleItem.Kind.SAMPLE,
                stratum=str(output.entry.difficulty),
                place=place,
                is_in_look=place < look_count,
            )
            for place, output in enumerate(outputs)
        ]
    )
    return opened


@dataclass
class Flow:
    """An organisation with an open campaign, its speakers, and the developer of what is judged."""

    organisation: Organisation
    campaign: Campaign
    developer: User
    team: Team
    speakers: list[User] = field(default_factory=list)
    stewards: list[User] = field(default_factory=list)

    def items(self) -> list[SampleItem]:
        return list(self.campaign.items.order_by("place"))

    def speaker(self, name: str, *roles: str) -> User:
        """Add a speaker of both languages, with further roles."""
        made = member(self.organisation, name, Role.SPEAKER, *roles, spoken=("en", "cy"))
        self.speakers.append(made)
        return made


def flow(
    *,
    speakers: int = 3,
    stewards: int = 2,
    count: int = 12,
    segment: str = "development",
    overlap: int = 3,
    shows_reference: bool = False,
    look_count: int = 0,
    status: str = Campaign.Status.OPEN,
    sources: tuple[str, ...] = (),
    references: tuple[str, ...] = (),
    outputs: tuple[str, ...] = (),
    fields: dict | None = None,
    target_language: str = "cy",
) -> Flow:
    """Write everything up to an open campaign."""
    org = organisation(languages=(target_language,))
    developer = person("developer")
    team = team_create(name="Unit team", slug="unit-team", members=[developer])
    version = corpus_version(
        org,
        segment=segment,
        count=count,
        sources=sources,
        references=references,
        fields=fields,
        target_language=target_language,
    )
    made = run(version, team, submitted_by=developer, is_organisation_run=segment in SECRET_SEGMENTS, outputs=outputs)
    opened = campaign(made, overlap=overlap, shows_reference=shows_reference, look_count=look_count, status=status)
    result = Flow(org, opened, developer, team)
    for number in range(1, speakers + 1):
        user = member(org, f"speaker-{number}", Role.SPEAKER, spoken=("en", target_language))
        result.speakers.append(user)
    result.stewards = [member(org, f"steward-{number}", Role.STEWARD) for number in range(1, stewards + 1)]
    return result
