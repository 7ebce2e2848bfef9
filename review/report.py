"""The report of a closed campaign, as its page shows it: verdict, why, by difficulty, sentences, how sure (SPEC V-9).

Figures come from ``review.analysis``, words from ``review.report_texts``. The page only lays them out. The number of
queries does not grow with items or ratings.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from champollion.common.svg.charts import MOST_DOTS
from review import report_texts as texts
from review.analysis import BY_EARLY_STOPPING, BY_LOOK, Figures, campaign_figures
from review.governance_access import report_visible_require
from review.grades import Grade
from review.judging import Outcome, Rule
from review.models import Campaign, Decision
from review.policy import BoundsPolicy, policy_from_dict
from review.report_background import (
    Attempt,
    AutomatedScores,
    Fact,
    attempts_read,
    automated_scores,
    facts_of,
    untold_of,
)
from review.report_sentences import Sentence, examples_pick, sentences_read, tag_counts
from review.sampling import NO_OUTPUT


@dataclass(frozen=True)
class Band:
    """A full-width statement above the verdict; ``kind`` is empty, ``warn`` or ``danger``."""

    kind: str
    title: str
    text: str


@dataclass(frozen=True)
class Report:
    """Everything on the page. ``sentences`` is empty for those who may not read them (``is_text_hidden``)."""

    campaign: Campaign
    figures: Figures
    decision: Decision | None
    proposal: Decision | None
    bands: list[Band]
    outcome: str
    headline: texts.Headline
    why_title: str
    what_helps: str
    counts: dict[int, int]
    dots_caption: str
    policy: list[texts.PolicyRow]
    strata: list[dict[str, Any]]
    strata_caption: str
    stratum_floor: float | None
    sentences: list[Sentence]
    is_text_hidden: bool
    tags: list[tuple[str, int]]
    facts: list[Fact]
    untold: list[str]
    attempts: list[Attempt] = field(default_factory=list)
    automated: AutomatedScores | None = None


def report_read(campaign: Campaign, *, reader: Any) -> Report:
    """Return the report of a closed campaign for a person who may read reports.

    A read of secret sentences is recorded in the audit log.

    Raises:
        StateError: the campaign is not closed; until then its results are hidden from everyone.

    Source: SPEC V-9.
    """
    report_visible_require(campaign)
    figures = campaign_figures(campaign)
    analysis = figures.analysis
    policy = policy_from_dict(campaign.policy)
    decisions = list(campaign.decisions.exclude(status=Decision.Status.DECLINED).select_related("proposed_by"))
    decision = next((one for one in decisions if is_final(one)), None)
    sentences = sentences_read(campaign, examples_pick(analysis), analysis=analysis, reader=reader)
    counts = grade_counts(analysis.grade_counts)
    return Report(
        campaign=campaign,
        figures=figures,
        decision=decision,
        proposal=next((one for one in decisions if one.status == Decision.Status.PROPOSED), None),
        bands=bands_of(campaign, figures, decision),
        outcome=figures.verdict.outcome.value,
        headline=texts.headline(analysis.usable, shows_interval=figures.settled_by != BY_EARLY_STOPPING),
        why_title=why_title(figures.verdict.outcome),
        what_helps=what_helps(figures),
        counts=counts,
        dots_caption=dots_caption(counts),
        policy=texts.policy_rows(figures.verdict, usable=analysis.usable, agreement=figures.agreement.pairwise.value),
        strata=strata_rows(figures),
        strata_caption=strata_caption(figures),
        stratum_floor=policy.stratum_share if isinstance(policy, BoundsPolicy) else None,
        sentences=sentences,
        is_text_hidden=not sentences and bool(analysis.items) and campaign.run.is_secret,
        tags=tag_counts(campaign),
        facts=facts_of(campaign, figures),
        untold=untold_of(campaign, figures),
        attempts=attempts_read(campaign),
        automated=automated_scores(campaign),
    )


def is_final(decision: Decision) -> bool:
    """Whether a decision ended its campaign."""
    return decision.status == Decision.Status.CARRIED_OUT and decision.kind != Decision.Kind.MORE


def grade_counts(by_stratum: Mapping[str, Mapping[Any, int]]) -> dict[int, int]:
    """Return the number of items by verdict grade, 1 to 4, over all strata."""
    return {grade: sum(counts.get(grade, 0) for counts in by_stratum.values()) for grade in (1, 2, 3, 4)}


def dots_caption(counts: Mapping[int, int]) -> str:
    """Say what the dots show."""
    total, usable = sum(counts.values()), counts[3] + counts[4]
    if total > MOST_DOTS:
        return _("The dots show %(usable)s usable of %(total)s sampled outputs with a verdict.") % {
            "usable": usable,
            "total": total,
        }
    if usable in (0, total):
        return _("%(usable)s of %(total)s dots are usable.") % {"usable": usable, "total": total}
    return _("%(usable)s of %(total)s dots are usable; the stepped line stands after the last of them.") % {
        "usable": usable,
        "total": total,
    }


def why_title(outcome: Outcome) -> str:
    """Return the heading over the rules of the policy."""
    titles = {
        Outcome.MEETS: _("Why it meets the bar"),
        Outcome.DOES_NOT_MEET: _("Why it does not meet the bar yet"),
        Outcome.NOT_CLEAR_YET: _("Why it is not clear yet"),
        Outcome.HELD: _("Why it is held"),
    }
    return titles[outcome]


def what_helps(figures: Figures) -> str:
    """Say what helps where the policy is not met but not failed either; empty otherwise. Source: SPEC V-8."""
    verdict = figures.verdict
    if verdict.is_descriptive_only:
        return _(
            "Too few outputs or speakers for a verdict: this report describes, and the policy cannot be met by it."
        )
    if verdict.outcome is Outcome.NOT_CLEAR_YET:
        if verdict.is_extension_offered:
            return _("More ratings may make it clear: the plan holds further items, to be added once.")
        return _("The plan holds no further items that would help.")
    if verdict.outcome is not Outcome.HELD:
        return ""
    unmet = {line.rule for line in verdict.lines if line.met != "yes"}
    helps = {
        Rule.HARM: _("Two stewards judge the harm flag."),
        Rule.AGREEMENT: _("The coordinator talks with the speakers about how they use the grades."),
        Rule.STRATA: _("The developer works on the difficulty that is clearly under the bar."),
    }
    return " ".join([*(helps[rule] for rule in helps if rule in unmet), _("More items would not help.")])


def strata_rows(figures: Figures) -> list[dict[str, Any]]:
    """Return the rows of "usable by difficulty"; entries without an output are said in words, not drawn."""
    rows = []
    for row in figures.analysis.usable.strata:
        if row.stratum == NO_OUTPUT:
            continue
        counts = figures.analysis.grade_counts[row.stratum]
        label, name = texts.stratum_label(row.stratum)
        rows.append(
            {
                "label": label,
                "name": name,
                "excellent": counts[Grade.EXCELLENT],
                "acceptable": counts[Grade.ACCEPTABLE],
                "total": row.shown,
                "interval": None if figures.settled_by == BY_EARLY_STOPPING else row.interval,
                "census": row.is_census,
                "thin": row.is_small,
            }
        )
    return rows


def strata_caption(figures: Figures) -> str:
    """Say the finding of the table by difficulty."""
    told = [row for row in figures.analysis.usable.strata if row.stratum != NO_OUTPUT and not row.is_small]
    if not told:
        return _("No difficulty was sampled often enough to tell.")
    low = min(told, key=lambda row: row.share)
    if len(told) == 1:
        return _("Only %(stratum)s was sampled often enough to tell.") % {"stratum": texts.stratum_name(low.stratum)}
    high = max(told, key=lambda row: row.share)
    names = {"high": texts.stratum_name(high.stratum), "low": texts.stratum_name(low.stratum)}
    if high.share == low.share:
        return _("All difficulties came out alike.")
    return _("Highest for %(high)s, lowest for %(low)s.") % names


def bands_of(campaign: Campaign, figures: Figures, decision: Decision | None) -> list[Band]:
    """Return what must be read before the verdict: never a footnote. Source: design 4.6."""
    bands = []
    if figures.has_generated_ratings:
        text = _("A command made these ratings up for looking at reports. No speaker said any of this.")
        bands.append(Band("danger", _("Generated ratings"), text))
    if campaign.status == Campaign.Status.WITHDRAWN:
        text = _("The campaign was withdrawn after its close, without a verdict of the organisation.")
        bands.append(Band("warn", _("Withdrawn"), text))
    if decision is not None:
        bands += _decision_bands(decision)
    if campaign.overlap < 3:
        sentence = ngettext(
            "Each output was rated by %(count)s speaker only; the result is less sure than with three.",
            "Each output was rated by %(count)s speakers only; the result is less sure than with three.",
            campaign.overlap,
        )
        bands.append(Band("", _("Small panel"), sentence % {"count": campaign.overlap}))
    if figures.settled_by == BY_LOOK:
        text = _("The one look that the plan announced settled the campaign; later ratings are not part of it.")
        bands.append(Band("", _("Settled at the look"), text))
    elif figures.settled_by == BY_EARLY_STOPPING:
        text = _("The items without a verdict cannot change the outcome, so no range is given.")
        bands.append(Band("", _("Settled early"), text))
    return bands


def _decision_bands(decision: Decision) -> list[Band]:
    bands = []
    if decision.is_override:
        bands.append(Band("warn", _("Override: approved against the policy"), decision.override_reason))
    if decision.has_one_signature:
        text = _("The organisation had one steward, so the decision carries one signature.")
        bands.append(Band("warn", _("One signature"), text))
    if decision.has_changed_evidence:
        text = _("What the decision rested on is no longer what it was. Stewards may open a re-review.")
        bands.append(Band("danger", _("Evidence changed"), text))
    return bands
