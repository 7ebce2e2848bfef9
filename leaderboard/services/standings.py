"""The board's rows: made from scored runs, and changed by what people decided. The only writer of ``Standing``.

Which run a row shows: the one that is under review or decided, else the first scored one; never the best of many
(SPEC V-1). Ranks: equal composites share a range until a task has tested which differences may be chance
(``leaderboard.services.rank_ranges``).
"""

import hashlib
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from champollion.audit import services as audit
from champollion.common.canonical import canonical_json
from champollion.common.jobs.services import job_start
from corpora.models import CorpusVersion
from leaderboard.models import CutStanding, MethodVersion, Run, Score, Standing
from leaderboard.models.standing import Claim, Tier, VerificationLevel
from leaderboard.scoring.cost import cost_adjusted
from leaderboard.scoring.tiers import Tier as ScoreTier
from leaderboard.scoring.tiers import public_tier

#: A cut with fewer entries is shown greyed and unranked (SPEC L-4).
SMALLEST_RANKED_CUT = 10
CUTS = ("domain", "difficulty")
#: So many rows from the top have tested ranges, the others a rank by composite (SPEC L-4).
MOST_TESTED = 200
RANK_TASK = "leaderboard.rank_board"
BOARD_METRICS = {"composite": "composite", "chrf_plus_plus": "chrf", "exact_match_rate": "exact_match"}
COUNTED = [Run.Status.SCORED, Run.Status.SCORING]


@transaction.atomic
def standing_refresh(*, method_version: MethodVersion, corpus_version: CorpusVersion, segment: str) -> Standing | None:
    """Make or renew the row of a method version on a segment, and the ranks of its board.

    Takes the lock of the board and of the row. Returns None, and removes nothing people decided, where no run is left
    to show.
    """
    _board_lock(corpus_version)
    key = {"method_version": method_version, "corpus_version": corpus_version, "segment": segment}
    standing = Standing.objects.select_for_update().filter(**key).first()
    runs = list(Run.objects.filter(**key).select_related("score_set").order_by("created_at", "pk"))
    scored = [run for run in runs if run.status in COUNTED and run.score_set_id]
    claimed = [run for run in runs if run.status == Run.Status.CLAIMED]
    if not scored and not claimed:
        if standing is not None:
            _unrank(standing, reason="withdrawn")
        ranks_refresh(corpus_version=corpus_version, segment=segment)
        return standing
    if standing is None:
        standing = Standing(**key)
    _fill(standing, scored, claimed)
    standing.save()
    _cuts_replace(standing)
    ranks_refresh(corpus_version=corpus_version, segment=segment)
    standing.refresh_from_db(fields=["rank_low", "rank_high"])
    return standing


def _fill(standing: Standing, scored: list[Run], claimed: list[Run]) -> None:
    kept = next((run for run in scored if run.pk == standing.run_id and _is_fixed(standing)), None)
    run = kept or (scored or claimed)[0]
    standing.run = run
    standing.run_count = len(scored) or len(claimed)
    standing.cost_per_entry_usd = run.cost_per_entry_usd
    standing.mean_latency_seconds = run.mean_latency_seconds
    composites = [r.score_set.composite for r in scored if r.score_set and r.score_set.composite is not None]
    standing.composite_lowest = min(composites, default=None)
    standing.composite_highest = max(composites, default=None)
    _fill_scores(standing, run)


def _fill_scores(standing: Standing, run: Run) -> None:
    score_set = run.score_set if run.status != Run.Status.CLAIMED else None
    found = _figures(score_set.scores.filter(cut="all")) if score_set else {}
    composite = found.get("composite")
    chrf = found.get("chrf_plus_plus")
    standing.composite = score_set.composite if score_set else None
    standing.composite_interval_low = composite.low if composite else None
    standing.composite_interval_high = composite.high if composite else None
    standing.chrf = chrf.value if chrf else None
    standing.chrf_low = chrf.low if chrf else None
    standing.chrf_high = chrf.high if chrf else None
    for field, metric in (
        ("exact_match", "exact_match_rate"),
        ("fst_acceptance", "fst_acceptance_rate"),
        ("semantic_score", "semantic_score"),
    ):
        setattr(standing, field, found[metric].value if metric in found else None)
    standing.cost_adjusted = cost_adjusted(standing.composite, standing.cost_per_entry_usd)
    standing.metric_set = " ".join(sorted(part["metric"] for part in score_set.contributions)) if score_set else ""
    standing.score_tier = score_set.tier if score_set else Tier.UNSCORED
    standing.public_tier = _shown_tier(standing)
    standing.is_ranked = standing.composite is not None
    standing.unranked_reason = "" if standing.is_ranked else ("claimed" if score_set is None else "unscored")


def _shown_tier(standing: Standing) -> str:
    """LAW-1: what people approved, else the score's tier, never over Functional."""
    if standing.approved_tier:
        return standing.approved_tier
    return public_tier(ScoreTier(standing.score_tier), approved=False).value


def _is_fixed(standing: Standing) -> bool:
    return bool(standing.claim or standing.approved_tier or standing.human_verdict)


def _figures(scores: QuerySet[Score]) -> dict[str, Score]:
    return {score.metric: score for score in scores}


def _cuts_replace(standing: Standing) -> None:
    """Store the shown run's figures of each domain and difficulty beside the row.

    Ranks are taken over; they hold where the board is the one that they were tested on.
    """
    ranks = {(cut.cut, cut.key): (cut.rank_low, cut.rank_high, cut.rank_digest) for cut in standing.cuts.all()}
    standing.cuts.all().delete()
    if not standing.run.score_set_id or standing.composite is None:
        return
    rows: dict[tuple[str, str], CutStanding] = {}
    for score in Score.objects.filter(score_set=standing.run.score_set_id, cut__in=CUTS, metric__in=BOARD_METRICS):
        row = rows.setdefault(
            (score.cut, score.key),
            CutStanding(standing=standing, cut=score.cut, key=score.key, entry_count=score.entry_count),
        )
        field = BOARD_METRICS[score.metric]
        setattr(row, field, score.value)
        if field == "composite":
            row.composite_interval_low, row.composite_interval_high = score.low, score.high
        elif field == "chrf":
            row.chrf_low, row.chrf_high = score.low, score.high
    for row in rows.values():
        row.is_ranked = row.entry_count >= SMALLEST_RANKED_CUT and row.composite is not None
        row.rank_low, row.rank_high, row.rank_digest = ranks.get((row.cut, row.key), (None, None, ""))
    CutStanding.objects.bulk_create(rows.values())


def _unrank(standing: Standing, *, reason: str) -> None:
    standing.is_ranked, standing.unranked_reason = False, reason
    standing.rank_low = standing.rank_high = None
    standing.rank_digest = ""
    standing.save(update_fields=["is_ranked", "unranked_reason", "rank_low", "rank_high", "rank_digest"])
    standing.cuts.update(is_ranked=False, rank_low=None, rank_high=None, rank_digest="")


def ranks_refresh(*, corpus_version: CorpusVersion, segment: str) -> None:
    """Rank a whole board and each of its domains at once, by composite; null is never ranked.

    Ranges that were tested on the very same rows stay; otherwise a task is asked to test them, which replaces the
    simple ranks. Call it with the board's lock held.
    """
    board = Standing.objects.filter(corpus_version=corpus_version, segment=segment)
    cuts = CutStanding.objects.filter(standing__in=board, cut="domain")
    board.filter(is_ranked=False).update(rank_low=None, rank_high=None, rank_digest="")
    cuts.filter(is_ranked=False).update(rank_low=None, rank_high=None, rank_digest="")
    digest = ranking_digest(corpus_version=corpus_version, segment=segment)
    groups: dict[str, list[Any]] = {"": list(rows_ranked(corpus_version=corpus_version, segment=segment))}
    for row in cuts.filter(is_ranked=True, composite__isnull=False).order_by("-composite", "standing"):
        groups.setdefault(f"domain {row.key}", []).append(row)
    untested = [rows for rows in groups.values() if not _is_tested(rows, digest)]
    for rows in untested:
        _rank(type(rows[0]), rows)
    if untested:
        job_start(
            RANK_TASK,
            subject=f"board:{corpus_version.uid}:{segment}",
            arguments={"corpus_version": str(corpus_version.uid), "segment": segment},
        )


def rows_ranked(*, corpus_version: CorpusVersion, segment: str) -> QuerySet[Standing]:
    """Return the ranked rows of a board, the best composite first."""
    return Standing.objects.filter(
        corpus_version=corpus_version, segment=segment, is_ranked=True, composite__isnull=False
    ).order_by("-composite", "pk")


def ranking_digest(*, corpus_version: CorpusVersion, segment: str) -> str:
    """Return the digest of what the ranges of a board rest on: its ranked rows, their composites and score sets."""
    rows = rows_ranked(corpus_version=corpus_version, segment=segment)
    return hashlib.sha256(
        canonical_json([[*row] for row in rows.values_list("pk", "run__score_set", "composite")])
    ).hexdigest()


def _is_tested(rows: list[Any], digest: str) -> bool:
    return all(row.rank_digest == digest for row in rows[:MOST_TESTED])


def _rank(model: type[Standing] | type[CutStanding], rows: list[Any]) -> None:
    composites = sorted((row.composite for row in rows), reverse=True)
    first: dict[float, int] = {}
    last: dict[float, int] = {}
    for place, value in enumerate(composites, start=1):
        first.setdefault(value, place)
        last[value] = place
    changed = []
    for row in rows:
        low, high = first[row.composite], last[row.composite]
        if (row.rank_low, row.rank_high, row.rank_digest) != (low, high, ""):
            row.rank_low, row.rank_high, row.rank_digest = low, high, ""
            changed.append(row)
    model.objects.bulk_update(changed, ["rank_low", "rank_high", "rank_digest"], batch_size=500)


@transaction.atomic
def standing_set_claim(*, run: Run, claim: str) -> None:
    """Say how far a run above Functional is on its way to people: candidate, nominated, in review, or nothing.

    The row shows this run from then on.
    """
    standing = _locked(run.method_version, run.corpus_version, run.segment)
    standing.run = run
    standing.claim = Claim(claim)
    standing.save(update_fields=["run", "claim", "updated_at"])
    standing_refresh(method_version=run.method_version, corpus_version=standing.corpus_version, segment=run.segment)


@transaction.atomic
def standing_record_people(*, run: Run, human: dict[str, Any]) -> None:
    """Show what people said of a run once its campaign is over: share, low, high, rating_count, verdict.

    ``is_generated`` says that a program made the ratings up, which the board then says too (SPEC I-2).
    """
    standing = _locked(run.method_version, run.corpus_version, run.segment)
    _fill_people(standing, human)
    standing.claim = Claim.NONE
    standing.save()


@transaction.atomic
def standing_promote(
    *,
    method_version: MethodVersion,
    corpus_version: CorpusVersion,
    segment: str,
    run: Run,
    tier: str,
    is_override: bool,
    has_one_signature: bool,
    verification: bool,
    verified_by: str,
    evidence: str,
    human: dict[str, Any],
) -> Standing:
    """Carry out an approved decision on the board (LAW-1). Called inside the decision's transaction.

    Args:
        tier: the tier of the reviewed run's frozen composite.
        verification: raise the verification level too; only for ``gold_standard``.
        evidence: digest of the evidence that the decision rests on.
        human: share, low, high (0-1), rating_count, verdict, is_generated.
    """
    standing = _locked(method_version, corpus_version, segment)
    standing.run = run
    standing.approved_tier = Tier(tier)
    standing.public_tier = Tier(tier)
    standing.claim = Claim.NONE
    standing.is_override, standing.has_one_signature = is_override, has_one_signature
    if verification:
        standing.verification_level = VerificationLevel.COMMUNITY_VALIDATED
        standing.verified_at, standing.verified_by, standing.evidence = timezone.now(), verified_by, evidence
    _fill_people(standing, human)
    standing.save()
    return standing


def standing_mark_changed_evidence(*, run: Run) -> None:
    """Mark a row whose decision rests on evidence that is no longer what it was (SPEC V-11)."""
    Standing.objects.filter(
        method_version=run.method_version, corpus_version=run.corpus_version, segment=run.segment
    ).update(has_changed_evidence=True)


def _fill_people(standing: Standing, human: dict[str, Any]) -> None:
    standing.human_share, standing.human_low, standing.human_high = human["share"], human["low"], human["high"]
    standing.human_rating_count = human["rating_count"]
    standing.human_verdict = human["verdict"]
    standing.has_generated_ratings = bool(human.get("is_generated"))


def _board_lock(corpus_version: CorpusVersion) -> None:
    """Let one transaction at a time change the boards of an organisation.

    Ranks are made from all rows: two runs scored at once, each without the other's row in sight, would both be first.
    The lock is that of the organisation's audit chain, which every act on a board takes anyway for its record; with a
    lock of its own, one act would hold the chain and wait for the board while another did the reverse.
    """
    audit.chain_hold(corpus_version.corpus.organisation)


def _locked(method_version: MethodVersion, corpus_version: CorpusVersion | None, segment: str) -> Standing:
    if corpus_version is not None:
        _board_lock(corpus_version)
    return Standing.objects.select_for_update().get(
        method_version=method_version, corpus_version=corpus_version, segment=segment
    )


def board_digest(standings: list[Standing]) -> str:
    """Digest of what a board shows, for its ETag."""
    rows = [[str(row.uid), row.updated_at.isoformat(), row.rank_low, row.rank_high] for row in standings]
    return hashlib.sha256(canonical_json(rows)).hexdigest()[:32]
