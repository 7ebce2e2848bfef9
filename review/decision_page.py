"""What the pages of a decision show: choices with their meaning, what will happen, the verdict on top (design 4.7)."""

from dataclasses import dataclass
from typing import Any

from django.utils.formats import number_format
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from champollion.common import words
from leaderboard.models.standing import Tier
from review import report_texts as texts
from review.analysis import BY_EARLY_STOPPING, Figures, campaign_figures, has_closed_figures
from review.decision_rules import Ground, Proposal, is_override
from review.models import Campaign, Decision
from review.services.decision_people import is_own_method


@dataclass(frozen=True)
class VerdictCard:
    """The verdict as it stays on top of the decision's pages."""

    outcome: str
    headline: texts.Headline
    policy: list[texts.PolicyRow]


def verdict_of(figures: Figures) -> VerdictCard:
    """Return the verdict card of a closed campaign."""
    usable = figures.analysis.usable
    return VerdictCard(
        outcome=figures.verdict.outcome.value,
        headline=texts.headline(usable, shows_interval=figures.settled_by != BY_EARLY_STOPPING),
        policy=texts.policy_rows(figures.verdict, usable=usable, agreement=figures.agreement.pairwise.value),
    )


def choices_for(campaign: Campaign, ground: Ground) -> list[tuple[str, Any]]:
    """Return the decisions that the findings allow, each with what it means."""
    choices = []
    may_approve = not ground.harm_confirmed and (ground.meets or not ground.has_one_steward)
    if may_approve:
        choices.append((Decision.Kind.APPROVE, _meaning(_("Approve"), _approval_means(campaign, ground))))
    stays = _("the public tier stays as it is; a new attempt draws new items")
    choices.append((Decision.Kind.REFUSE, _meaning(_("Refuse"), stays)))
    if ground.is_extension_offered:
        choices.append((Decision.Kind.MORE, _meaning(_("More ratings"), _more_means(campaign))))
    ends = _("ends the campaign without a verdict; the developer is told your reason")
    choices.append((Decision.Kind.SEND_BACK, _meaning(_("Send back"), ends)))
    return [(str(kind), label) for kind, label in choices]


def _meaning(word: str, meaning: str) -> str:
    return format_html('<span><span class="ch-strong">{}</span> <span class="ch-below">{}</span></span>', word, meaning)


def _approval_means(campaign: Campaign, ground: Ground) -> str:
    tier = Tier(campaign.nomination.tier).label
    if ground.meets:
        return _("%(tier)s on this corpus version and segment") % {"tier": tier}
    return _("%(tier)s on this corpus version and segment, marked as an override of the policy") % {"tier": tier}


def _more_means(campaign: Campaign) -> str:
    count = int(campaign.plan.get("extension_size", 0))
    sentence = ngettext("%(count)s more item, once", "%(count)s more items, once", count)
    return sentence % {"count": number_format(count)}


def consequences(campaign: Campaign, proposal: Proposal, ground: Ground) -> list[str]:
    """List what will happen if a decision is proposed and confirmed."""
    found = [_signature_sentence(ground)]
    if proposal.kind == Decision.Kind.APPROVE:
        found += _approval_consequences(campaign, proposal, ground)
    elif proposal.kind == Decision.Kind.REFUSE:
        found += [
            _("The campaign and its nomination end. The public tier stays as it is."),
            _("The developer is told the decision and your reason."),
        ]
    elif proposal.kind == Decision.Kind.MORE:
        found += [
            _("The campaign opens again: %(more)s.") % {"more": _more_means(campaign)},
            _("Its results are hidden from everyone until it closes again."),
        ]
    else:
        found += [
            _("The campaign and its nomination end without a verdict. Every rating is kept."),
            _("The developer is told your reason."),
        ]
    return found


def _signature_sentence(ground: Ground) -> str:
    if ground.has_one_steward:
        return _("It is carried out at once and marked “one signature”, since your organisation has one steward.")
    others = ground.needed_signatures - 1
    sentence = ngettext(
        "Nothing changes until %(count)s other steward confirms it.",
        "Nothing changes until %(count)s other stewards confirm it.",
        others,
    )
    return sentence % {"count": others}


def _approval_consequences(campaign: Campaign, proposal: Proposal, ground: Ground) -> list[str]:
    names = {
        "method": campaign.run.method_version,
        "tier": Tier(campaign.nomination.tier).label,
        "corpus": campaign.run.corpus_version,
        "segment": campaign.run.get_segment_display(),
    }
    found = [_("%(method)s becomes %(tier)s on %(corpus)s, %(segment)s.") % names]
    if is_override(proposal, ground):
        found.append(_("It is marked as an override wherever the result is shown, with your reason."))
    if ground.asks_for_transfer:
        found.append(_("Its verification level becomes “Community validated”."))
    else:
        found.append(_("Its verification level stays as it is, and no transfer starts: the segment is public."))
    if proposal.transfer == Decision.TransferChoice.START:
        found.append(_("The ownership transfer opens, and the developer is told."))
    elif proposal.transfer == Decision.TransferChoice.WAIVE:
        found.append(_("The ownership transfer is waived, with your reason."))
    found.append(_("The developer is told the decision and your reason."))
    return found


def decision_page(decision: Decision, *, reader: Any) -> dict[str, Any]:
    """Return what the page of a decision shows to a steward: evidence, signatures, and whether they may sign."""
    campaign = decision.campaign
    signatures = list(decision.signatures.select_related("steward").order_by("pk"))
    is_waiting = decision.status == Decision.Status.PROPOSED
    has_signed = any(signature.steward_id == reader.pk for signature in signatures)
    is_own = is_own_method(reader, campaign.run.method_version.method)
    return {
        "decision": decision,
        "campaign": campaign,
        "run": campaign.run,
        "signatures": signatures,
        "missing_count": max(0, decision.needed_signatures - sum(s.confirms for s in signatures)),
        "verdict": verdict_of(campaign_figures(campaign)) if has_closed_figures(campaign) else None,
        "outcome_word": words.VERDICTS.get(decision.outcome, decision.outcome),
        "promotion": getattr(decision, "promotion", None),
        "transfer": _transfer_of(decision),
        "is_waiting": is_waiting,
        "may_sign": is_waiting and not has_signed and not is_own,
        "may_take_back": is_waiting and decision.proposed_by_id == reader.pk and not is_own,
        "is_own": is_own,
    }


def _transfer_of(decision: Decision) -> Any:
    promotion = getattr(decision, "promotion", None)
    return getattr(promotion, "transfer", None) if promotion is not None else None
