"""What stands beside a verdict: how sure, what it does not tell, earlier attempts, automated scores (SPEC V-9)."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Count
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from corpora.constants import Domain
from leaderboard.scoring.composite import OUT_OF_100
from review import report_texts as texts
from review.analysis import Figures, has_closed_figures
from review.anchors import version_of
from review.models import Campaign, Decision, Nomination, SampleItem
from review.sampling import NO_OUTPUT

METRICS = {
    "fst_acceptance_rate": gettext_lazy("words an analyser knows"),
    "morphological_accuracy": gettext_lazy("morphology"),
    "chrf_plus_plus": "chrF++",
    "semantic_score": gettext_lazy("meaning"),
    "equivalent_match_rate": gettext_lazy("equivalent match"),
    "code_switching_rate": gettext_lazy("no code-switching"),
    "terminology_adherence": gettext_lazy("terminology"),
    "hallucination_rate": gettext_lazy("no hallucination"),
    "exact_match_rate": gettext_lazy("exact match"),
}


@dataclass(frozen=True)
class Fact:
    """One statement on how sure the result is: a line and what explains it."""

    title: str
    detail: str


@dataclass(frozen=True)
class Attempt:
    """An earlier nomination of the same team on the language pair."""

    number: int
    method: str
    on: datetime | None
    result: str
    url_uid: UUID | None


@dataclass(frozen=True)
class AutomatedScores:
    """The composite of the reviewed run and what made it, as it was when it was nominated."""

    composite: float
    tier: str
    bound: float
    parts: list[dict[str, Any]]
    chrf: float | None


def facts_of(campaign: Campaign, figures: Figures) -> list[Fact]:
    """Return how sure the result is, in plain words."""
    return [
        _panel_fact(campaign, figures),
        _agreement_fact(figures),
        _first_ratings_fact(figures),
        _calibration_fact(campaign),
        Fact(_("No hidden checks"), _("This campaign carried no control items and no repeats.")),
        Fact(_("Nothing was taken out"), _("No speaker was excluded, no rating withdrawn.")),
    ]


def _panel_fact(campaign: Campaign, figures: Figures) -> Fact:
    people = ngettext("%(count)s speaker", "%(count)s speakers", figures.rater_count) % {"count": figures.rater_count}
    title = _("%(people)s, %(overlap)s for each output") % {"people": people, "overlap": campaign.overlap}
    detail = ngettext(
        "%(count)s rating. Nobody who made the method took part.",
        "%(count)s ratings. Nobody who made the method took part.",
        figures.rating_count,
    )
    return Fact(title, detail % {"count": number_format(figures.rating_count)})


def _agreement_fact(figures: Figures) -> Fact:
    pairwise = figures.agreement.pairwise.value
    title = texts.agreement_words(pairwise) if pairwise is not None else _("Agreement cannot be told.")
    overlap = figures.analysis.overlap
    fourth = sum(1 for item in figures.analysis.items if len(item.ratings) > overlap)
    talks = sum(1 for verdict in figures.analysis.verdicts.values() if verdict.is_from_talk)
    sentence = ngettext(
        "%(count)s output went to a fourth speaker.", "%(count)s outputs went to a fourth speaker.", fourth
    )
    parts = [sentence % {"count": fourth} if fourth else _("No output needed a fourth speaker.")]
    if talks:
        parts.append(
            ngettext("%(count)s was settled in a talk.", "%(count)s were settled in a talk.", talks) % {"count": talks}
        )
    return Fact(title, " ".join(parts))


def _first_ratings_fact(figures: Figures) -> Fact:
    share = figures.analysis.first_ratings_share
    if share is None:
        return Fact(
            _("First ratings alone cannot be told"), _("Some difficulty has no output with all its first ratings.")
        )
    title = _("First ratings alone: %(share)s of 100 usable") % {"share": round(100 * share)}
    if figures.analysis.is_gap_marked:
        return Fact(title, _("More than 5 points from the verdicts: fourth ratings and talks moved the result."))
    return Fact(title, _("Within 5 points of the verdicts."))


def _calibration_fact(campaign: Campaign) -> Fact:
    if campaign.has_calibration:
        return Fact(_("Speakers practised first"), _("Each passed ten practice items before the first rating."))
    return Fact(_("Calibration was left out"), _("Speakers rated without practice items before."))


def untold_of(campaign: Campaign, figures: Figures) -> list[str]:
    """Return what the report does not tell; there is always something. Two queries at most."""
    run = campaign.run
    told = [
        _("Only %(method)s was rated. Another version of the method needs a campaign of its own.")
        % {"method": run.method_version},
        _domains_sentence(campaign),
        _("Dialects and spellings are as the speakers know them; others may judge otherwise."),
    ]
    small = [
        texts.stratum_name(row.stratum)
        for row in figures.analysis.usable.strata
        if row.is_small and row.stratum != NO_OUTPUT
    ]
    if small:
        told.append(_("Too few outputs to tell: %(strata)s.") % {"strata": texts.listed(small)})
    return told


def _domains_sentence(campaign: Campaign) -> str:
    counted = (
        SampleItem.objects.filter(campaign=campaign, kind__in=_kinds_in_play(campaign))
        .values_list("output__entry__domain")
        .annotate(count=Count("pk"))
        .order_by("-count", "output__entry__domain")
    )
    labels = dict(Domain.choices)
    names = [f"{labels.get(domain, _('not given'))} ({number_format(count)})" for domain, count in counted]
    return _("Texts of other kinds were not rated. Rated were: %(domains)s.") % {"domains": texts.listed(names)}


def _kinds_in_play(campaign: Campaign) -> list[str]:
    extension = [SampleItem.Kind.EXTENSION] if campaign.is_extended else []
    return [SampleItem.Kind.SAMPLE, *extension]


def attempts_read(campaign: Campaign) -> list[Attempt]:
    """Return the team's earlier attempts on the language pair, whatever the method's name. Source: SPEC V-1, L-1."""
    nomination = campaign.nomination
    corpus = version_of(campaign.run).corpus
    earlier = (
        Nomination.objects.filter(
            team=nomination.team_id,
            nominated_at__lt=nomination.nominated_at,
            corpus_version__corpus__organisation=corpus.organisation_id,
            corpus_version__corpus__source_language=corpus.source_language,
            corpus_version__corpus__target_language=corpus.target_language,
        )
        .exclude(pk=nomination.pk)
        .select_related("method_version__method")
        .prefetch_related("campaigns__decisions")
        .order_by("nominated_at")
    )
    return [_attempt(one) for one in earlier]


def _attempt(nomination: Nomination) -> Attempt:
    campaigns = sorted(nomination.campaigns.all(), key=lambda campaign: campaign.created_at)
    last = campaigns[-1] if campaigns else None
    visible = last is not None and has_closed_figures(last)
    return Attempt(
        number=nomination.attempt,
        method=str(nomination.method_version),
        on=nomination.nominated_at,
        result=_attempt_result(last),
        url_uid=last.uid if last is not None and visible else None,
    )


def _attempt_result(campaign: Campaign | None) -> str:
    if campaign is None:
        return _("no campaign")
    done = [one for one in campaign.decisions.all() if one.status == Decision.Status.CARRIED_OUT]
    final = next((one for one in done if one.kind != Decision.Kind.MORE), None)
    if final is None:
        return str(campaign.get_status_display())
    words = {
        Decision.Kind.APPROVE: _("approved against the policy") if final.is_override else _("approved"),
        Decision.Kind.REFUSE: _("refused"),
        Decision.Kind.SEND_BACK: _("sent back"),
    }
    return words[Decision.Kind(final.kind)]


def automated_scores(campaign: Campaign) -> AutomatedScores:
    """Return the composite that led to the nomination, frozen, with the parts of the run's score set."""
    nomination, score_set = campaign.nomination, campaign.run.score_set
    parts = [_part(one) for one in score_set.contributions] if score_set else []
    chrf = next((one["value"] for one in _listed(score_set) if one["metric"] in OUT_OF_100), None)
    return AutomatedScores(nomination.composite, nomination.tier, nomination.bound, parts, chrf)


def _listed(score_set: Any) -> Iterable[dict[str, Any]]:
    return score_set.contributions if score_set else []


def _part(one: dict[str, Any]) -> dict[str, Any]:
    name = METRICS.get(one["metric"], one["metric"])
    return {"name": name, "value": one["normalised"], "weight": one["share"], "adds": one["points"]}
