"""The sample of a campaign: its frame from the database, its items, and whether it is the one its plan gives (LAW-4).

How a sample is drawn stands in `review.sampling`, pure; here is what it is drawn from and where it goes.

Source: SPEC V-2, V-3.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from champollion.common.canonical import canonical_json, canonical_sha256, sha256_hex
from champollion.common.errors import StateError
from corpora import vault
from corpora.constants import is_secret
from corpora.models import Corpus, Entry
from leaderboard.models import Run, RunOutput
from review import rederivation
from review.models import Campaign, Nomination, SampleItem
from review.policy import Policy
from review.sampling import NO_OUTPUT, Draw, DrawnItem, FrameEntry, Part, draw, sample_size, seed_make

BATCH = 2000
PLAIN_HASH, KEYED_HASH = "sha256", "hmac-sha256"


@dataclass(frozen=True, slots=True)
class SeedInputs:
    """The five lines of a seed, as they stand in the plan."""

    run_card_hash: str
    corpus_version_digest: str
    nomination_id: str
    attempt: int
    nonce: str

    def seed(self) -> str:
        """Return the seed, 64 hex digits. Raises ValueError for a malformed line."""
        return seed_make(
            run_card_hash=self.run_card_hash,
            corpus_version_digest=self.corpus_version_digest,
            nomination_id=self.nomination_id,
            attempt=self.attempt,
            nonce=bytes.fromhex(self.nonce),
        )


def seed_inputs(nomination: Nomination) -> SeedInputs:
    """Return what a nomination's seed is made of; a discarded draft gets the same again.

    Raises:
        StateError: the run has no card hash, or there is no nonce yet.

    Source: SPEC V-3.
    """
    run = nomination.run
    card_hash = run.sealed_hash or run.run_card_hash
    if not card_hash or not nomination.nonce:
        raise StateError(
            "sample.no_seed", _("No sample can be drawn: the run's card is not sealed, or the run is not nominated.")
        )
    return SeedInputs(
        run_card_hash=card_hash,
        corpus_version_digest=nomination.corpus_version.sha256,
        nomination_id=str(nomination.uid),
        attempt=nomination.attempt,
        nonce=nomination.nonce,
    )


def corpus_of(run: Run) -> Corpus:
    """Return the corpus of a run. Raises StateError where it is tied to none."""
    if run.corpus_version is None:
        raise StateError("run.unanchored", _("The run belongs to no known corpus."))
    return run.corpus_version.corpus


def frame_read(run: Run, *, rated_before: Iterable[str] = ()) -> list[FrameEntry]:
    """Return all entries of a run's segment; one without an output, or with an unusable one, is not usable."""
    usable = set(RunOutput.objects.filter(run=run, is_usable=True).values_list("entry_id", flat=True))
    earlier = frozenset(rated_before)
    rows = Entry.objects.filter(version=run.corpus_version, segment=run.segment).values_list(
        "pk", "entry_id", "difficulty", "domain", "register"
    )
    return [
        FrameEntry(entry_id, difficulty, domain, register, pk in usable, entry_id in earlier)
        for pk, entry_id, difficulty, domain, register in rows.iterator(chunk_size=BATCH)
    ]


def entries_rated_before(nomination: Nomination) -> set[str]:
    """Return the ids of entries rated in an earlier attempt of the method on the corpus. Source: SPEC V-3."""
    earlier = SampleItem.objects.filter(
        campaign__nomination__method_version__method=nomination.method_version.method_id,
        campaign__nomination__corpus_version__corpus=nomination.corpus_version.corpus_id,
        ratings__isnull=False,
    ).exclude(campaign__nomination=nomination)
    return set(earlier.values_list("output__entry__entry_id", flat=True).distinct())


def outputs_digest(run: Run) -> dict[str, str]:
    """Return one digest of all outputs of a run, keyed where they are secret (LAW-2).

    Hashed is the canonical JSON of [[entry id, text or null where there is no output], …], sorted by id.
    """
    body = canonical_json(sorted(_output_texts(run))).decode()
    if is_secret(run.segment):
        return {"method": KEYED_HASH, "value": vault.keyed_hash(corpus_of(run), body)}
    return {"method": PLAIN_HASH, "value": sha256_hex(body.encode())}


def plan_make(
    nomination: Nomination,
    *,
    policy: Policy,
    overlap: int,
    chosen_size: int | None,
    shows_reference: bool,
    has_calibration: bool,
) -> dict[str, Any]:
    """Draw a nomination's sample and return the plan: JSON values, no text of an entry.

    Raises:
        StateError: the nomination has no seed yet.

    Source: SPEC V-2, V-3, V-8.
    """
    run = nomination.run
    inputs = seed_inputs(nomination)
    frame = frame_read(run, rated_before=entries_rated_before(nomination))
    usable_count = sum(entry.usable for entry in frame)
    size = sample_size(usable_count, composite=nomination.composite, bound=nomination.bound, raised_to=chosen_size)
    drawn = draw(frame, seed=inputs.seed(), size=size, look_size=policy.look_size, extension_size=policy.extension_size)
    return rederivation.draw_to_dict(drawn) | {
        "seed_inputs": asdict(inputs),
        "run": str(run.uid),
        "corpus_version": str(nomination.corpus_version.uid),
        "segment": str(nomination.segment),
        "outputs_digest": outputs_digest(run),
        "look": [item.entry_id for item in drawn.items(Part.LOOK)],
        "overlap": overlap,
        "controls": "none",
        "policy": policy.to_dict(),
        "composite": nomination.composite,
        "tier": str(nomination.tier),
        "bound": nomination.bound,
        "chosen_size": chosen_size,
        "shows_reference": shows_reference,
        "has_calibration": has_calibration,
    }


@transaction.atomic
def sample_store(campaign: Campaign) -> None:
    """Store the items of a draft's plan in place of those of its former plan."""
    campaign.items.all().delete()
    outputs = dict(
        RunOutput.objects.filter(run=campaign.run_id, entry__isnull=False).values_list("entry__entry_id", "pk")
    )
    rows = (
        SampleItem(campaign=campaign, output_id=outputs[entry_id], **asdict(place))
        for entry_id, place in _places(rederivation.rederive(campaign.plan)).items()
        if entry_id in outputs
    )
    SampleItem.objects.bulk_create(rows, batch_size=BATCH)


def sample_draw(campaign: Campaign) -> Draw:
    """Draw a campaign's sample again from its plan. Raises ValueError where the plan does not allow it."""
    return rederivation.rederive(campaign.plan)


def sample_differences(campaign: Campaign) -> list[str]:
    """List where a campaign's sample differs from what plan, nomination, run and frozen hash give; none if it matches.

    Entries are named by id; no text is read out. Source: SPEC V-3, LAW-4.
    """
    plan = campaign.plan
    differences = rederivation.verify(plan)
    if not differences:
        differences += _item_differences(campaign, sample_draw(campaign))
    differences += _seed_differences(campaign, plan)
    if campaign.plan_sha256 and campaign.plan_sha256 != canonical_sha256(plan):
        differences.append("plan: it is not the one whose hash was taken at the opening")
    differences += _frame_differences(campaign, plan)
    if plan.get("outputs_digest") != outputs_digest(campaign.run):
        differences.append("outputs: they are not the ones whose hash the plan holds")
    return differences


@dataclass(frozen=True, slots=True)
class _Place:
    """Where an item stands in its campaign: the columns of ``SampleItem`` that the draw decides."""

    kind: str
    stratum: str
    place: int
    is_in_look: bool


def _places(drawn: Draw) -> dict[str, _Place]:
    """Return each drawn entry's place, and that of the entries without a usable output."""
    places = {item.entry_id: _place_of(item) for item in drawn.items()}
    for number, entry_id in enumerate(drawn.no_output):
        places[entry_id] = _Place(SampleItem.Kind.UNUSABLE, NO_OUTPUT, number, False)
    return places


def _place_of(item: DrawnItem) -> _Place:
    kind = SampleItem.Kind.EXTENSION if item.part is Part.EXTENSION else SampleItem.Kind.SAMPLE
    return _Place(kind, item.stratum, item.position - 1, item.part is Part.LOOK)


def _output_texts(run: Run) -> Iterator[list[str | None]]:
    corpus = corpus_of(run)
    outputs = RunOutput.objects.filter(run=run, entry__isnull=False).values_list(
        "entry__entry_id", "text", "sealed", "is_error", "is_missing"
    )
    for entry_id, text, sealed, is_error, is_missing in outputs.iterator(chunk_size=BATCH):
        if sealed is not None:
            text = vault.unseal(corpus, sealed)["text"]
        yield [entry_id, None if is_error or is_missing else text]


def _seed_differences(campaign: Campaign, plan: Mapping[str, Any]) -> Iterator[str]:
    try:
        inputs = seed_inputs(campaign.nomination)
    except StateError as problem:
        yield f"seed: {problem}"
        return
    if plan.get("seed_inputs") != asdict(inputs):
        yield "seed: its inputs in the plan are not those of the run, the corpus version and the nomination"
    if plan.get("seed") != inputs.seed():
        yield f"seed: the plan says {plan.get('seed')!r}, made again it is {inputs.seed()!r}"
    if campaign.seed != plan.get("seed"):
        yield f"seed: the campaign says {campaign.seed!r}, its plan {plan.get('seed')!r}"


def _frame_differences(campaign: Campaign, plan: Mapping[str, Any]) -> Iterator[str]:
    """Compare the plan's frame with the corpus version and the outputs as they lie in the database now."""
    recorded = {row.get("entry_id"): row for row in plan.get("frame", [])}
    now = {entry.entry_id: asdict(entry) for entry in frame_read(campaign.run)}
    for entry_id in sorted(set(recorded) | set(now), key=str):
        old, new = recorded.get(entry_id), now.get(entry_id)
        if old is None or new is None:
            yield f"frame, entry {entry_id}: stands only in the {'database' if old is None else 'plan'}"
        # Rated before: what was so at the draw. It is an input of the plan, not a fact of today.
        elif old | {"rated_before": None} != new | {"rated_before": None}:
            yield f"frame, entry {entry_id}: the plan describes it otherwise than the database"


def _item_differences(campaign: Campaign, drawn: Draw) -> Iterator[str]:
    places = _places(drawn)
    rows = campaign.items.values_list(
        "output__entry__entry_id", "kind", "stratum", "place", "is_in_look", "output__run"
    )
    found = {}
    for entry_id, kind, stratum, place, is_in_look, run_id in rows:
        found[entry_id] = _Place(kind, stratum, place, is_in_look)
        if run_id != campaign.run_id:
            yield f"item of entry {entry_id}: its output belongs to another run"
    for entry_id in sorted(set(places) | set(found), key=str):
        if entry_id not in found:
            # An entry that the run never answered has no output that could be an item.
            if places[entry_id].kind != SampleItem.Kind.UNUSABLE:
                yield f"item of entry {entry_id}: the plan draws it, and it is not among the items"
        elif entry_id not in places:
            yield f"item of entry {entry_id}: it is among the items, and the plan does not draw it"
        elif found[entry_id] != places[entry_id]:
            yield f"item of entry {entry_id}: it stands at another place than in the plan"
