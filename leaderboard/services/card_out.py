"""A run's card as this installation seals it: §3 complete, our figures, results of public segments (SPEC R-8)."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from champollion import __version__
from champollion.common.errors import NotVisible
from corpora.constants import SECRET_SEGMENTS
from corpora.models import CorpusVersion
from leaderboard.access import is_withdrawn, outputs_withheld
from leaderboard.cards.hashing import FIELD_OF_COMPONENT
from leaderboard.cards.own_card import components_found, own_card_stream, with_fingerprint
from leaderboard.models import Run, ScoreSet, Standing
from leaderboard.people import human_evidence
from leaderboard.services.card_results import results_of
from leaderboard.services.card_scores import card_tier, intervals_of, scores_of, totals_of
from leaderboard.services.scoring import version_of

#: The eight keys of a method's configuration, as harnesses write them (§3.2).
METHOD_CONFIG = (
    "model", "temperature", "batchSize", "register", "coachingFile", "coachingPrompt", "promptContext", "qualityTier",
)  # fmt: skip
#: What a card must name and a report or plain outputs do not (SPEC R-2).
OFTEN_NOT_STATED = ("timestamp", "harness_version", "condition", "model", "system_prompt_sha256", "temperature")


def run_card_stream(run: Run) -> Iterator[bytes]:
    """Return the bytes of a scored run's own sealed card, part by part.

    Results are those of a public segment, and only while no campaign on the run is under way; otherwise the card holds
    aggregates alone, those of a secret segment with its small cells hidden.

    Raises:
        NotVisible: the run is not scored, or withdrawn.
    """
    score_set = run.score_set
    if score_set is None or run.status != Run.Status.SCORED or is_withdrawn(run):
        raise NotVisible("run.no_card", _("This run has no scores of ours, so it has no card of ours."))
    open_outputs = not run.is_secret and not outputs_withheld(run)
    card = card_build(run, score_set, with_prompt=open_outputs)
    return own_card_stream(card, results_of(run, score_set) if open_outputs else None)


def card_build(run: Run, score_set: ScoreSet, *, with_prompt: bool) -> dict[str, Any]:
    """Return every field of the card but its results and its seal."""
    version, said = version_of(run), run.configuration
    standing = Standing.objects.filter(
        method_version=run.method_version, corpus_version=version, segment=run.segment
    ).first()
    standing = standing if standing is not None and standing.run_id == run.pk else None
    tier = card_tier(score_set, standing)
    card = {
        **_set_up(run, with_prompt=with_prompt),
        "dataset": _dataset(version, score_set),
        "segment": run.segment,
        "scores": scores_of(run, score_set, tier=tier),
        "totals": totals_of(run),
        "elapsed_seconds": said.get("totals", {}).get("elapsed_s"),
        "corpus_bleu": score_set.scores.filter(cut="all", metric="corpus_bleu").values_list("value", flat=True).first(),
        "confidence_intervals": intervals_of(score_set),
        "method_card": _method_card(run),
        "method_config": _method_config(run, tier=tier),
        "sealed_by": {"name": "champollion", "version": __version__},
        "not_stated": [name for name in OFTEN_NOT_STATED if name not in said],
    }
    evidence = human_evidence(standing)
    if evidence is not None:
        card["human_evidence"] = evidence
    return with_fingerprint(card, _components(run, card, version))


def _set_up(run: Run, *, with_prompt: bool) -> dict[str, Any]:
    said = run.configuration
    coaching = str(said.get("coaching") or "")
    return {
        "run_id": str(run.uid),
        "run_name": run.run_name or None,
        "harness_version": run.harness_version or f"champollion-{__version__}",
        "timestamp": run.ran_at or run.created_at.isoformat(),
        "model_slug": run.model_name or run.method_version.method.slug,
        "model_id": None,
        "api_provider": said.get("api_provider"),
        "condition": run.condition or "not stated",
        "temperature": _number(run.temperature),
        "system_prompt_sha256": said.get("system_prompt_sha256", ""),
        "system_prompt_used": said.get("system_prompt", "") if with_prompt else "",
        "coaching_data_sha256": coaching if len(coaching) == 64 else None,
        "fst_version": None,
        "tools_enabled": said.get("tools"),
        "batch_size": said.get("batch_size"),
        "max_retries": None,
    }


def _dataset(version: CorpusVersion, score_set: ScoreSet) -> dict[str, Any]:
    return {
        "id": version.corpus.corpus_id,
        "version": version.version,
        "language_pair": f"{version.corpus.source_language}>{version.corpus.target_language}",
        "sha256": _digest(version),
        "entry_count": score_set.entry_count,
        "license": version.license,
    }


def _digest(version: CorpusVersion) -> str:
    """The digest that may be public: one over secret text counts as the text (LAW-2)."""
    return version.public_sha256 if _has_secret(version) else version.sha256


def _has_secret(version: CorpusVersion) -> bool:
    return version.entries.filter(segment__in=SECRET_SEGMENTS).exists()


def _components(run: Run, card: Mapping[str, Any], version: CorpusVersion) -> dict[str, Any]:
    """The set-up's fingerprint as it was handed in where it names a digest that may be public, else one of ours."""
    of_all = version.digests.values_list("sha256", flat=True)
    digests = [version.public_sha256] if _has_secret(version) else list(of_all)
    found = components_found(
        run.method_version.identity,
        fingerprint=run.fingerprint,
        harness_version=run.harness_version,
        digests=digests,
    )
    if found is not None:
        return found
    return {name: card["dataset"]["sha256"] if name == "dataset_sha256" else card[name] for name in FIELD_OF_COMPONENT}


def _method_card(run: Run) -> dict[str, Any]:
    method = run.method_version.method
    return {
        "method_id": method.slug,
        "name": method.name,
        "class": method.method_class,
        "version": run.method_version.number,
        "team": method.team.name,
    }


def _method_config(run: Run, *, tier: str) -> dict[str, Any]:
    said = run.configuration
    coaching = str(said.get("coaching") or "")
    known = {
        "model": run.model_name or run.method_version.method.slug,
        "temperature": _number(run.temperature),
        "batchSize": said.get("batch_size"),
        "coachingFile": None if len(coaching) in (0, 64) else coaching.replace("\\", "/").rpartition("/")[2],
        "qualityTier": tier,
    }
    return {name: known.get(name) for name in METHOD_CONFIG}


def _number(text: str) -> float | int | None:
    """A number as its document wrote it: `0` and `0.0` stay apart, which the fingerprint needs."""
    try:
        return float(text) if any(sign in text for sign in ".eE") else int(text)
    except ValueError:
        return None
