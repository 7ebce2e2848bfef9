"""Score a run: chunks that any worker may write, then one reducing step (SPEC M, Q-2).

Killed at any line, run twice, or late: a chunk is a row that only the first writer makes, the score set is made in one
transaction under a key, and both are functions of the run's outputs, the corpus version and the scorer alone.
"""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from champollion.audit import services as audit
from champollion.common.canonical import canonical_json
from champollion.common.errors import StateError
from champollion.common.jobs.services import job_progress, job_start
from champollion.common.models import Job
from champollion.common.transitions import apply_transition
from corpora import access, vault
from corpora.constants import Difficulty
from corpora.models import CorpusVersion
from leaderboard.cards.claims import claims_compare
from leaderboard.metrics.base import MetricSettings, Pair
from leaderboard.metrics.pieces import model_digest
from leaderboard.metrics.tools import LanguageFacts
from leaderboard.metrics.variants import VariantClasses
from leaderboard.models import Run, RunOutput, Score, ScoreChunk, ScoreSet
from leaderboard.plugins.opening import tools_open
from leaderboard.scoring.availability import null_reasons
from leaderboard.scoring.chunks import ChunkStats, score_chunk
from leaderboard.scoring.composite import profile_for
from leaderboard.scoring.run import GroupScores, RunScores, ScoreOptions, group_seed, reduce_chunks
from leaderboard.scoring.version import SCORER_VERSION
from leaderboard.services.caveats import caveats_stored
from leaderboard.services.entry_groups import entry_groups
from leaderboard.services.language_side import (
    LanguageSide,
    entry_variants,
    gold_analysis_of,
    language_side,
    reference_floors,
)
from leaderboard.services.standings import standing_refresh
from leaderboard.signals import run_scored
from leaderboard.states import RUN

CHUNK_SIZE = 500
TASK = "leaderboard.score_run"


@dataclass(frozen=True)
class Prepared:
    """What a scoring is made with, and the key that all of it has."""

    side: LanguageSide
    settings: MetricSettings
    options: ScoreOptions
    key: str


def run_score_start(run: Run) -> Job:
    """Ask for a run to be scored; a scoring that is already on its way is returned instead."""
    return job_start(TASK, subject=f"run:{run.uid}", arguments={"run": str(run.uid)}, total_count=chunk_count_of(run))


def chunk_count_of(run: Run) -> int:
    """Return how many chunks a run has."""
    return -(-run.output_count // CHUNK_SIZE)


def scoring_prepare(run: Run) -> Prepared:
    """Return what a run is scored with. Reads every entry of the segment once."""
    side = language_side(run, version_of(run))
    settings, options = scoring_settings(run, side.facts), scoring_options(run, side.facts)
    return Prepared(side=side, settings=settings, options=options, key=scoring_key(run, settings, options))


def run_score(run: Run, *, job: Job | None = None, prepared: Prepared | None = None) -> ScoreSet:
    """Score a run in this process and store the result; chunks that are there already are not made again.

    A second call for the same scoring returns the score set that is there.

    Raises:
        StateError: the run cannot be scored, for example because it was withdrawn.
    """
    made_with = prepared or scoring_prepare(run)
    there = score_set_there(run, made_with.key)
    if there is not None:
        return there
    run_set_scoring(run)
    for index in chunks_write(run, range(chunk_count_of(run)), made_with):
        if job is not None:
            job_progress(job, done_count=index + 1)
    scores = _reduce(run, key=made_with.key, options=made_with.options)
    floors = floors_of(run, made_with.settings)
    return _score_set_store(
        run,
        scores=scores,
        key=made_with.key,
        settings=made_with.settings,
        options=made_with.options,
        floors=floors,
    )


def score_set_there(run: Run, key: str) -> ScoreSet | None:
    """Return the score set of a scoring that is complete: the task came twice, or its worker died after the commit."""
    is_there = run.status == Run.Status.SCORED and run.score_set is not None and run.score_set.scoring_key == key
    return run.score_set if is_there else None


def run_set_scoring(run: Run) -> None:
    """Set a run to being scored, if it is not yet.

    Raises:
        StateError: the run cannot be scored.
    """
    if run.status != Run.Status.SCORING:
        apply_transition(run, Run.Status.SCORING, transitions=RUN)


def scoring_options(run: Run, language: LanguageFacts | None = None) -> ScoreOptions:
    """Return what language and corpus version decide: the profile by whether there is an analyser (SPEC M-3)."""
    facts = language or language_side(run, version_of(run)).facts
    return ScoreOptions(profile=profile_for(analyser_exists=facts.analyser is not None))


def scoring_settings(run: Run, language: LanguageFacts | None = None) -> MetricSettings:
    """Settle the scripts from the corpus version's own texts, in its order, and what the language brings."""
    version = version_of(run)
    entries = version.entries.filter(segment=run.segment).order_by("position")[:50]
    texts = list(access.open_entries(entries, version.corpus))
    return MetricSettings.detect(
        sources=[text.source for text in texts],
        references=[text.reference for text in texts],
        language=language or language_side(run, version).facts,
        spbleu_model=model_digest(),
    )


def scoring_key(run: Run, settings: MetricSettings, options: ScoreOptions) -> str:
    """Digest of everything a scoring depends on beside the run's unchanging outputs."""
    body = {
        "run": str(run.uid),
        "scorer_version": SCORER_VERSION,
        "settings": settings.to_dict(),
        "profile": options.profile.value,
        "left_out": sorted(options.left_out),
        "bounds": options.bounds.to_dict(),
        "seed": options.seed,
        "draws": options.draws,
        "chunk_size": CHUNK_SIZE,
    }
    return hashlib.sha256(canonical_json(body)).hexdigest()


def version_of(run: Run) -> CorpusVersion:
    """Return the corpus version of a run that has one.

    Raises:
        StateError: the run is not tied to a corpus.
    """
    if run.corpus_version is None:
        raise StateError("run.no_corpus", _("This run is tied to no corpus, so there is nothing to score it against."))
    return run.corpus_version


def run_chunks(run: Run, key: str) -> Iterator[ChunkStats]:
    """Read a scoring's chunks back, in order."""
    for chunk in ScoreChunk.objects.filter(run=run, scoring_key=key).order_by("index").iterator():
        yield ChunkStats.from_bytes(vault.unseal_bytes(version_of(run).corpus, chunk.content))


def chunks_there(run: Run, key: str) -> set[int]:
    """Return the indexes of the chunks that a scoring has."""
    return set(ScoreChunk.objects.filter(run=run, scoring_key=key).values_list("index", flat=True))


def chunks_write(run: Run, indexes: Iterable[int], made_with: Prepared) -> Iterator[int]:
    """Write the chunks that are not there yet, and say after each, there or new, that it is there."""
    there = chunks_there(run, made_with.key)
    with tools_open(made_with.side.facts, made_with.side.places) as tools:
        settings = replace(made_with.settings, tools=tools)
        for index in indexes:
            if index not in there:
                _chunk_write(run, index=index, settings=settings, key=made_with.key)
            yield index


def _chunk_write(run: Run, *, index: int, settings: MetricSettings, key: str) -> None:
    start = index * CHUNK_SIZE
    outputs = (
        RunOutput.objects.filter(run=run, position__gte=start, position__lt=start + CHUNK_SIZE)
        .select_related("entry")
        .order_by("position")
    )
    stats = score_chunk([_pair(run, output, settings.tools.variants) for output in outputs], settings)
    content = vault.seal_bytes(version_of(run).corpus, stats.to_bytes())
    try:
        with transaction.atomic():
            ScoreChunk.objects.create(run=run, scoring_key=key, index=index, content=content)
    except IntegrityError:
        return  # another worker wrote the same bytes first


def _pair(run: Run, output: RunOutput, variants: VariantClasses | None) -> Pair:
    corpus = version_of(run).corpus
    if output.entry is None:
        raise ValueError("an output of an anchored run has its entry")
    text = access.open_entry(output.entry, corpus)
    predicted = vault.unseal(corpus, output.sealed)["text"] if output.sealed is not None else output.text
    return Pair(
        entry_id=output.entry_key,
        source=text.source,
        output=predicted,
        references=(text.reference,),
        errored=output.is_error,
        missing=output.is_missing,
        variants=entry_variants(text, variants),
        gold_analysis=gold_analysis_of(text),
    )


def _reduce(run: Run, *, key: str, options: ScoreOptions) -> RunScores:
    ids, groups = entry_groups(run)
    return reduce_chunks(run_chunks(run, key), ids, groups=groups, options=options)


@transaction.atomic
def _score_set_store(
    run: Run,
    *,
    scores: RunScores,
    key: str,
    settings: MetricSettings,
    options: ScoreOptions,
    floors: dict[str, float],
) -> ScoreSet:
    # Not against rows that refer to the run, such as a nomination, whose writer may hold the audit chain already.
    run = Run.objects.select_for_update(no_key=True).get(pk=run.pk)
    score_set = run.score_sets.filter(scoring_key=key).first()
    if score_set is None:
        score_set = _score_set_create(run, scores=scores, key=key, settings=settings, options=options, floors=floors)
        Score.objects.bulk_create(_score_rows(score_set, scores))
    _run_finish(run, score_set)
    return score_set


def _score_set_create(
    run: Run,
    *,
    scores: RunScores,
    key: str,
    settings: MetricSettings,
    options: ScoreOptions,
    floors: dict[str, float],
) -> ScoreSet:
    made_of = scores.composite.to_dict()
    return ScoreSet.objects.create(
        run=run,
        number=run.score_sets.count() + 1,
        scoring_key=key,
        scorer_version=SCORER_VERSION,
        settings={
            **scores.scorer,
            "scripts": {
                "source_script": settings.source_script,
                "target_scripts": sorted(settings.target_scripts),
            },
            "bounds": options.bounds.to_dict(),
            "seed": options.seed,
            "draws": options.draws,
            "group_seeds": {
                str(level): group_seed("difficulty", str(level), seed=options.seed) for level in Difficulty.values
            },
            "left_out": made_of["left_out"],
            "unavailable": made_of["unavailable"],
            "share_affected": scores.share_affected,
            "language": settings.language.to_dict(),
            "spbleu_model": settings.spbleu_model,
            "beside": scores.beside,
            "reasons": null_reasons(scores.metrics, settings.language, scores.failures),
            "reference_floors": floors,
        },
        profile=options.profile.value,
        tier=scores.tier.value,
        composite=scores.composite.value,
        contributions=made_of["contributions"],
        harness_values={counting.value: view.to_dict() for counting, view in scores.harness.items()},
        caveats=caveats_stored(run, scores.caveats),
        entry_count=scores.total.count,
        error_count=scores.total.errored,
        missing_count=scores.total.missing,
        chunk_count=chunk_count_of(run),
    )


def floors_of(run: Run, settings: MetricSettings) -> dict[str, float]:
    """Return the floors of a run's segment; those that an earlier score set of this scorer has are not made again."""
    earlier = ScoreSet.objects.filter(
        run__corpus_version=run.corpus_version, run__segment=run.segment, scorer_version=SCORER_VERSION
    ).first()
    known = earlier.settings.get("reference_floors") if earlier is not None else None
    return known or reference_floors(run, version_of(run), settings)


def _score_rows(score_set: ScoreSet, scores: RunScores) -> Iterator[Score]:
    for metric, value in [*scores.metrics.items(), ("composite", scores.composite.value)]:
        interval = scores.intervals.get(metric)
        yield Score(
            score_set=score_set,
            cut="all",
            metric=metric,
            value=value,
            low=interval.lower if interval else None,
            high=interval.upper if interval else None,
            entry_count=scores.total.count,
        )
    for cut, groups in scores.breakdowns.items():
        for key, group in groups.items():
            yield from _group_rows(score_set, cut, key, group)


def _group_rows(score_set: ScoreSet, cut: str, key: str, group: GroupScores) -> Iterator[Score]:
    for metric, value in [*group.metrics.items(), ("composite", group.composite)]:
        interval = group.intervals.get(metric)
        yield Score(
            score_set=score_set,
            cut=cut,
            key=key,
            metric=metric,
            value=value,
            low=interval.lower if interval else None,
            high=interval.upper if interval else None,
            entry_count=group.count,
        )


def _run_finish(run: Run, score_set: ScoreSet) -> None:
    """Set the run to scored, compare its claims, renew its board row, and tell who listens after the commit."""
    is_news = run.status != Run.Status.SCORED or run.score_set_id != score_set.pk
    if run.status != Run.Status.SCORED:
        apply_transition(
            run,
            Run.Status.SCORED,
            transitions=RUN,
            score_set=score_set,
            scored_at=timezone.now(),
            claim_verdicts=claims_compare(
                run.claimed, score_set_values(score_set), harness_version=run.harness_version
            ),
        )
    standing_refresh(method_version=run.method_version, corpus_version=version_of(run), segment=run.segment)
    if is_news:
        audit.record(
            "run.scored",
            actor=None,
            organisation=version_of(run).corpus.organisation,
            obj=run,
            details={"score_set": str(score_set.uid), "scoring_key": score_set.scoring_key},
        )
        transaction.on_commit(lambda: run_scored.send(sender=Run, run=run))


def score_set_values(score_set: ScoreSet) -> dict[str, object]:
    """Return our headline figures and the harness's own counting beside them, for comparing claims."""
    ours = {score.metric: score.value for score in score_set.scores.filter(cut="all")}
    return {"headline": ours, "harness": score_set.harness_values}
