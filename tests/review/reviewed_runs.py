"""A scored run with its organisation, people, corpus and outputs, made for tests of the review services.

The texts are tiny strings that stand for nothing. People and organisations come from their services; corpus, run and
scores are rows, since what matters here is what follows from them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime

from champollion.accounts.models import Organisation, Role, Team, User
from champollion.accounts.services import organisations as acts
from corpora import vault
from corpora.models import Corpus, CorpusVersion, Entry
from leaderboard.models import Document, Method, MethodVersion, Run, RunOutput, ScoreSet
from leaderboard.scoring.tiers import DEFAULT_BOUNDS, TierBounds, tier_for
from leaderboard.services.standings import standing_refresh
from review.models import Lease, Rating, SampleItem, Talk

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
#: The sizes of V-3's first example: difficulty 1 to 5.
EXAMPLE_SIZES = {1: 15, 2: 38, 3: 45, 4: 37, 5: 15}


@dataclass
class Stage:
    """An organisation with a corpus: where runs can be put."""

    organisation: Organisation
    corpus: Corpus
    version: CorpusVersion
    segment: str
    stewards: list[User]
    coordinator: User
    speakers: list[User]
    developer: User
    team: Team
    entries: list[Entry] = field(default_factory=list)


def person(email: str) -> User:
    return User.objects.filter(email=email).first() or User.objects.create_user(email)


def stage_make(
    *,
    slug: str = "cymraeg",
    segment: str = "development",
    sizes: dict[int | None, int] | None = None,
    steward_count: int = 2,
    speaker_count: int = 4,
) -> Stage:
    """Make an organisation with people and a corpus version whose one segment has strata of these sizes."""
    organisation = acts.organisation_create(actor=None, name=slug, slug=slug, languages=[f"cy-x-{slug}"])
    stewards = [person(f"steward-{n}@{slug}.example") for n in range(1, steward_count + 1)]
    coordinator = person(f"coordinator@{slug}.example")
    speakers = [person(f"speaker-{n}@{slug}.example") for n in range(1, speaker_count + 1)]
    for user, role in [
        *((steward, Role.STEWARD) for steward in stewards),
        (coordinator, Role.COORDINATOR),
        *((speaker, Role.SPEAKER) for speaker in speakers),
    ]:
        acts.role_give(actor=None, organisation=organisation, user=user, role=role)
    for speaker in speakers:
        acts.languages_speak(user=speaker, tags=["en", "cy"])
    developer = person(f"developer@{slug}.example")
    team = acts.team_create(name=f"Team {slug}", slug=f"team-{slug}", members=[developer])
    corpus = Corpus.objects.create(
        corpus_id=f"corpus-{slug}", organisation=organisation, source_language="en", target_language="cy"
    )
    version = version_make(corpus, "1.0")
    stage = Stage(organisation, corpus, version, segment, stewards, coordinator, speakers, developer, team)
    stage.entries = entries_make(version, segment, sizes or EXAMPLE_SIZES)
    return stage


def version_make(corpus: Corpus, number: str) -> CorpusVersion:
    digest = f"{corpus.pk:032x}{sum(map(ord, number)):032x}"
    return CorpusVersion.objects.create(
        corpus=corpus, version=number, order_key=number, sha256=digest, canonical_sha256=digest, license="CC0-1.0",
        created_as_given="2026-01-01", source_format="json", entry_count=0, attested_by_name="Curator",
        attested_at=NOW,
    )  # fmt: skip


def entries_make(version: CorpusVersion, segment: str, sizes: dict[int | None, int]) -> list[Entry]:
    """Store entries: every second one of domain edu, every third of register formal."""
    is_secret = segment in ("gold_standard", "held_out")
    rows, start = [], version.entries.count()
    difficulties = [difficulty for difficulty, count in sizes.items() for _ in range(count)]
    for number, difficulty in enumerate(difficulties, start=start):
        text = {"source": f"source {number}", "reference": f"reference {number}", "fields": {}}
        rows.append(
            Entry(
                version=version,
                position=number,
                entry_id=f"e{number:05d}",
                segment=segment,
                difficulty=difficulty,
                domain="edu" if number % 2 else "news",
                register="formal" if number % 3 == 0 else "",
                source="" if is_secret else text["source"],
                reference="" if is_secret else text["reference"],
                sealed=vault.seal(version.corpus, text) if is_secret else None,
            )
        )
    return Entry.objects.bulk_create(rows)


def method_make(
    stage: Stage, *, name: str = "method", team: Team | None = None, is_held: bool = False
) -> MethodVersion:
    method, _made = Method.objects.get_or_create(
        slug=f"{stage.organisation.slug}-{name}", defaults={"name": name, "team": team or stage.team}
    )
    number = method.versions.count() + 1
    held = {
        "held_by": stage.organisation,
        "held_file_name": "method.tar.gz",
        "held_sha256": "a" * 64,
        "held_place": "the archive",
    }
    return MethodVersion.objects.create(
        method=method,
        number=number,
        identity_sha256=f"{method.pk:032x}{number:032x}",
        submitted_by=None if is_held else stage.developer,
        **(held if is_held else {}),
    )


def run_make(
    stage: Stage,
    *,
    composite: float | None = 0.78,
    version: MethodVersion | None = None,
    unusable: int = 0,
    caveats: list[dict] | None = None,
    is_anonymous: bool = False,
    bounds: TierBounds = DEFAULT_BOUNDS,
) -> Run:
    """Store a scored run of a method version with its outputs; the last `unusable` of them are errors."""
    is_secret = stage.segment == "gold_standard"
    version = version or method_make(stage, is_held=is_secret)
    number = Run.objects.count() + 1
    document = Document.objects.create(kind="report", sha256=f"{number:064x}", byte_count=1, content=b"{}")
    run = Run.objects.create(
        document=document,
        method_version=version,
        corpus_version=stage.version,
        segment=stage.segment,
        status=Run.Status.SCORED,
        submitted_by=stage.stewards[0] if is_secret else stage.developer,
        is_organisation_run=is_secret,
        is_anonymous=is_anonymous,
        sealed_hash=f"{number:064x}",
        output_count=len(stage.entries),
        scored_at=NOW,
    )
    outputs_make(run, stage, unusable=unusable)
    run.score_set = ScoreSet.objects.create(
        run=run, number=1, scoring_key=f"{number:064x}", scorer_version="1", settings={"bounds": bounds.to_dict()},
        profile="surface-only", tier=tier_for(composite, bounds).value, composite=composite, caveats=caveats or [],
        entry_count=len(stage.entries), chunk_count=1,
    )  # fmt: skip
    run.save(update_fields=["score_set"])
    standing_refresh(method_version=version, corpus_version=stage.version, segment=stage.segment)
    return run


def outputs_make(run: Run, stage: Stage, *, unusable: int) -> None:
    last_usable = len(stage.entries) - unusable
    rows = []
    for number, entry in enumerate(stage.entries):
        is_usable = number < last_usable
        text = f"output {number}" if is_usable else ""
        rows.append(
            RunOutput(
                run=run,
                position=number,
                entry=entry,
                entry_key=entry.entry_id,
                text="" if run.is_secret else text,
                sealed=vault.seal(stage.corpus, {"text": text}) if run.is_secret else None,
                is_error=not is_usable,
                is_usable=is_usable,
            )
        )
    RunOutput.objects.bulk_create(rows)


def rate(item: SampleItem, rater: User, grade: int, *, rank: int, is_generated: bool = False) -> Rating:
    """Store a rating as if it had come in through the page."""
    lease = Lease.objects.create(
        item=item, rater=rater, slot=rank, status=Lease.Status.RATED, place=item.pk, expires_at=NOW
    )
    return Rating.objects.create(
        item=item, rater=rater, lease=lease, grade=grade, first_grade=grade, rank=rank, is_generated=is_generated
    )


def rate_all(items: list[SampleItem], raters: list[User], grade_of) -> None:
    """Store one rating an item and rater; `grade_of(item, number of the rater)` gives the grade."""
    leases = Lease.objects.bulk_create(
        [
            Lease(item=item, rater=rater, slot=n, status=Lease.Status.RATED, place=item.pk, expires_at=NOW)
            for item in items
            for n, rater in enumerate(raters, start=1)
        ]
    )
    Rating.objects.bulk_create(
        Rating(
            item=lease.item, rater=lease.rater, lease=lease, rank=lease.slot,
            grade=grade_of(lease.item, lease.slot), first_grade=grade_of(lease.item, lease.slot),
        )
        for lease in leases
    )  # fmt: skip


def talk_hold(item: SampleItem, stage: Stage, grade: int) -> Talk:
    first, second = stage.speakers[:2]
    return Talk.objects.create(
        item=item,
        first_speaker=first,
        second_speaker=second,
        grade=grade,
        sealed_reason=vault.seal(stage.corpus, {"reason": "agreed"}),
        recorded_by=stage.coordinator,
    )
