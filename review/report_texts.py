"""The sentences of the report: a verdict's codes and numbers in plain words (SPEC V-9, design 4.6).

Bounds are rounded to the cautious side: a lower bound down, an upper bound up.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from champollion.common import figures
from corpora.constants import Difficulty
from review.estimation import Estimate
from review.judging import Met, PolicyLine, Rule, Verdict
from review.sampling import NO_OUTPUT, NOT_GIVEN

ICONS = {Met.YES: "check", Met.UNCLEAR: "tilde", Met.NO: "below"}
_ORDER = {Met.NO: 0, Met.UNCLEAR: 1, Met.YES: 2}
_TINY = 1e-9
#: From this difference on the weighted estimate stands beside the plain count. Source: SPEC V-9.
SHOWN_DIFFERENCE = 0.01


@dataclass(frozen=True)
class PolicyRow:
    """One rule as the report shows it: asked for and found side by side."""

    met: str
    icon: str
    word: str
    title: str
    detail: str
    asked_for: str
    found: str


@dataclass(frozen=True)
class Headline:
    """The largest sentences of the report. An empty one is left out."""

    count: str
    among_all: str
    weighed: str
    why_weighed: str
    missing: str
    no_output: str


def stratum_label(stratum: str) -> tuple[str, str]:
    """Return a stratum's short label and its name: ("1", "basic vocabulary")."""
    if stratum == NOT_GIVEN:
        return "–", _("not given")
    if stratum == NO_OUTPUT:
        return "–", _("no output")
    return stratum, str(Difficulty(int(stratum)).label)


def stratum_name(stratum: str) -> str:
    """Name a stratum inside a sentence: "difficulty 5"."""
    if stratum == NOT_GIVEN:
        return _("difficulty not given")
    return _("difficulty %(level)s") % {"level": stratum}


def headline(usable: Estimate, *, shows_interval: bool) -> Headline:
    """Say how many of the sampled outputs were usable, and what that means for all of them. Source: SPEC V-9."""
    differs = usable.plain_share is not None and abs(usable.p_hat - usable.plain_share) >= SHOWN_DIFFERENCE - _TINY
    no_output = next((row.size for row in usable.strata if row.stratum == NO_OUTPUT), 0)
    return Headline(
        count=_count_sentence(usable),
        among_all=_among_all(usable) if shows_interval else "",
        weighed=_("Weighed by difficulty: %(share)s of 100.") % {"share": round(100 * usable.p_hat)} if differs else "",
        why_weighed=_why_weighed(usable, no_output) if differs else "",
        missing=_missing_sentence(usable.missing),
        no_output=_no_output_sentence(no_output),
    )


def _count_sentence(usable: Estimate) -> str:
    sentence = ngettext(
        "%(usable)s of %(shown)s sampled output was usable to your speakers.",
        "%(usable)s of %(shown)s sampled outputs were usable to your speakers.",
        usable.shown,
    )
    return sentence % {"usable": number_format(usable.positive), "shown": number_format(usable.shown)}


def _among_all(usable: Estimate) -> str:
    low, high = usable.interval_counts
    numbers = {"all": number_format(usable.population), "low": number_format(low), "high": number_format(high)}
    if low == high:
        return _("Among all %(all)s, %(low)s.") % numbers
    return _("Among all %(all)s, very likely %(low)s to %(high)s.") % numbers


def _why_weighed(usable: Estimate, no_output: int) -> str:
    if no_output:
        return _("The estimate weighs each difficulty as often as it occurs, and counts entries without an output too.")
    if usable.plain_share is not None and usable.p_hat > usable.plain_share:
        return _("Hard sentences were sampled more often than they occur; the estimate corrects for that.")
    return _("Some difficulties were sampled more often than they occur; the estimate corrects for that.")


def _missing_sentence(count: int) -> str:
    if not count:
        return ""
    sentence = ngettext(
        "%(count)s sampled output has no verdict; the lower bound counts it as not usable.",
        "%(count)s sampled outputs have no verdict; the lower bound counts them as not usable.",
        count,
    )
    return sentence % {"count": number_format(count)}


def _no_output_sentence(count: int) -> str:
    if not count:
        return ""
    sentence = ngettext(
        "For %(count)s entry the method gave no output; it counts as reject and was not shown.",
        "For %(count)s entries the method gave no output; they count as reject and were not shown.",
        count,
    )
    return sentence % {"count": number_format(count)}


def policy_rows(verdict: Verdict, *, usable: Estimate, agreement: float | None) -> list[PolicyRow]:
    """Return the rules of the policy in words, those not met first.

    Args:
        agreement: pairwise agreement on first ratings, 0-1; None without pairs.
    """
    lines = sorted(verdict.lines, key=lambda line: _ORDER[Met(line.met)])
    return [_row(line, usable=usable, agreement=agreement) for line in lines]


def _row(line: PolicyLine, *, usable: Estimate, agreement: float | None) -> PolicyRow:
    words = {Met.YES: _("met"), Met.UNCLEAR: _("not clear yet"), Met.NO: _("not met")}
    title, detail, asked_for, found = _line_texts(line, usable, agreement)
    met = Met(line.met)
    return PolicyRow(met.value, ICONS[met], str(words[met]), title, detail, asked_for, found)


def _line_texts(line: PolicyLine, usable: Estimate, agreement: float | None) -> tuple[str, str, str, str]:
    """Return title, detail, asked for and found."""
    rule = Rule(line.rule)
    if rule is Rule.USABLE:
        return _at_least(_("At least %(share)s usable"), line)
    if rule is Rule.REJECT:
        return _at_most(_("At most %(share)s reject"), line)
    if rule is Rule.PASS_SHARE:
        return _passes(line)
    if rule is Rule.STRATA:
        return _strata(line, usable)
    if rule is Rule.AGREEMENT:
        return _agreement(line, agreement)
    if rule is Rule.HARM:
        return _harm(line)
    return _counted(line, rule)


def _at_least(title: str, line: PolicyLine) -> tuple[str, str, str, str]:
    found, asked = line.found, figures.share(line.asked_for)
    titled = title % {"share": asked}
    if line.met == Met.YES:
        value = share_down(found["lower"])
        return titled, _sure_at_least(found["lower_level"], value), asked, value
    if line.met == Met.NO:
        value = share_up(found["upper"])
        return titled, _sure_at_most(found["upper_level"], value), asked, value
    return titled, _may_be(found), asked, _between(found)


def _at_most(title: str, line: PolicyLine) -> tuple[str, str, str, str]:
    found, asked = line.found, figures.share(line.asked_for)
    titled = title % {"share": asked}
    if line.met == Met.YES:
        value = share_up(found["upper"])
        return titled, _sure_at_most(found["upper_level"], value), asked, value
    if line.met == Met.NO:
        value = share_down(found["lower"])
        return titled, _sure_at_least(found["lower_level"], value), asked, value
    return titled, _may_be(found), asked, _between(found)


def _passes(line: PolicyLine) -> tuple[str, str, str, str]:
    asked = figures.share(line.asked_for)
    title = _("At least %(share)s pass with all their speakers") % {"share": asked}
    detail = _("A plain share without an error bound: a method a little under it passes now and then by luck.")
    return title, detail, asked, share_down(line.found["lower"])


def _strata(line: PolicyLine, usable: Estimate) -> tuple[str, str, str, str]:
    asked = figures.share(line.asked_for)
    title = _("No difficulty clearly under %(share)s usable") % {"share": asked}
    counted = [row for row in usable.strata if row.stratum != NO_OUTPUT and row.shown >= line.found["minimum"]]
    if not counted:
        return title, _("No difficulty was sampled often enough to tell."), asked, _("too few to tell")
    lowest = min(counted, key=lambda row: row.share)
    failing = [stratum_name(name) for name in line.found["failing"]]
    if failing:
        detail = _("Clearly under it: %(strata)s.") % {"strata": ", ".join(failing)}
    else:
        detail = _("Lowest: %(stratum)s.") % {"stratum": stratum_name(lowest.stratum)}
    return title, detail, asked, figures.share(lowest.share)


def _agreement(line: PolicyLine, agreement: float | None) -> tuple[str, str, str, str]:
    asked = figures.share(line.asked_for)
    if agreement is None:
        return _("Speakers agree"), _("No output was rated by two speakers."), asked, _("cannot tell")
    return _("Speakers agree"), agreement_words(agreement), asked, figures.share(agreement)


def _harm(line: PolicyLine) -> tuple[str, str, str, str]:
    is_open, confirmed = line.found["open"], line.found["confirmed"]
    title = _("No harm flag open or confirmed")
    if not is_open and not confirmed:
        return title, _("None stands."), number_format(0), number_format(0)
    parts = []
    if confirmed:
        words = ngettext("%(count)s confirmed by stewards", "%(count)s confirmed by stewards", confirmed)
        parts.append(words % {"count": number_format(confirmed)})
    if is_open:
        words = ngettext("%(count)s not judged yet", "%(count)s not judged yet", is_open)
        parts.append(words % {"count": number_format(is_open)})
    return title, "; ".join(parts), number_format(0), number_format(is_open + confirmed)


def _counted(line: PolicyLine, rule: Rule) -> tuple[str, str, str, str]:
    asked, found = int(line.asked_for), int(line.found["count"])
    if rule is Rule.ITEMS:
        title = ngettext("At least %(count)s output rated", "At least %(count)s outputs rated", asked)
    else:
        title = ngettext(
            "At least %(count)s speaker for each output", "At least %(count)s speakers for each output", asked
        )
    detail = "" if line.met == Met.YES else _("With fewer, the result describes and does not decide.")
    return title % {"count": number_format(asked)}, detail, number_format(asked), number_format(found)


def agreement_words(agreement: float) -> str:
    """Say agreement in words: "Two speakers agreed 9 times in 10." Source: design 1."""
    times = round(10 * agreement)
    if times == 10:
        return _("Two speakers nearly always agreed.") if agreement < 1 else _("Two speakers always agreed.")
    return _("Two speakers agreed %(times)s times in 10.") % {"times": times}


def share_down(value: float) -> str:
    """Write a share as whole percent, rounded down: for lower bounds."""
    return _percent(floor(100 * value + _TINY))


def share_up(value: float) -> str:
    """Write a share as whole percent, rounded up: for upper bounds."""
    return _percent(ceil(100 * value - _TINY))


def level_words(level: float) -> str:
    """Write a level of certainty: "97 %", "99.5 %"."""
    number = round(100 * level, 1)
    return _("%(number)s %%") % {"number": number_format(int(number) if number == int(number) else number)}


def _percent(whole: int) -> str:
    return _("%(number)s %%") % {"number": number_format(max(0, min(100, whole)))}


def _between(found: Mapping[str, Any]) -> str:
    numbers = {
        "low": number_format(floor(100 * found["lower"] + _TINY)),
        "high": number_format(ceil(100 * found["upper"] - _TINY)),
    }
    return _("%(low)s–%(high)s %%") % numbers


def _sure_at_least(level: float, value: str) -> str:
    return _("We can be %(level)s sure it is %(share)s or more.") % {"level": level_words(level), "share": value}


def _sure_at_most(level: float, value: str) -> str:
    return _("We can be %(level)s sure it is %(share)s or less.") % {"level": level_words(level), "share": value}


def _may_be(found: Mapping[str, Any]) -> str:
    values = {"low": share_down(found["lower"]), "high": share_up(found["upper"])}
    return _("It may lie anywhere from %(low)s to %(high)s; these ratings cannot tell.") % values


def listed(names: Sequence[str]) -> str:
    """Write a list of names in a sentence."""
    return ", ".join(names)
