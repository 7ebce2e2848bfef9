"""What a campaign's figures say under its acceptance policy: the verdict, line by line.

Pure. The verdict is in codes and numbers; pages and reports put them in words.

Source: SPEC V-3 (descriptive only), V-7 (agreement), V-8.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from fractions import Fraction
from typing import Any

from champollion.stats.intervals import clopper_pearson_upper
from review.estimation import StratumRow
from review.grades import Grade
from review.policy import BoundsPolicy, PointsPolicy, Policy
from review.sampling import NO_OUTPUT
from review.verdicts import Analysis, ItemRatings, analyse

# Bounds come out of floating arithmetic; one this near to what is asked for has reached it.
_TINY = 1e-9


class Outcome(StrEnum):
    """The verdict in one word."""

    MEETS = "meets"
    DOES_NOT_MEET = "does_not_meet"
    NOT_CLEAR_YET = "not_clear_yet"
    HELD = "held"


class Stage(StrEnum):
    """When the figures are judged."""

    LOOK = "look"
    CLOSE = "close"
    EXTENDED = "extended"


class Met(StrEnum):
    """Whether one rule of the policy is met."""

    YES = "yes"
    NO = "no"
    UNCLEAR = "unclear"


class Rule(StrEnum):
    """The rules a policy may hold."""

    USABLE = "usable"
    REJECT = "reject"
    PASS_SHARE = "pass_share"  # noqa: S105 (a share of entries that pass)
    STRATA = "strata"
    AGREEMENT = "agreement"
    HARM = "harm"
    ITEMS = "items"
    RATERS = "raters"


FIGURES = frozenset({Rule.USABLE, Rule.REJECT, Rule.PASS_SHARE})
"""The rules that alone say "does not meet" and "not clear yet"."""
ENOUGH_EVIDENCE = frozenset({Rule.ITEMS, Rule.RATERS})
"""The rules without which a result only describes."""


@dataclass(frozen=True, slots=True)
class PolicyLine:
    """One rule in the report: what was asked for, what was found, and whether that meets it.

    `found` holds by rule: usable and reject: lower, lower_level, upper, upper_level; pass_share: lower, upper; strata:
    failing (names), level, minimum; agreement: upper (None without pairs), level; harm: open, confirmed; items: count;
    raters: count.
    """

    rule: Rule
    asked_for: float
    found: Mapping[str, Any]
    met: Met


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a verdict rests on beside the ratings.

    Args:
        stage: look, close, or the close after the extension.
        agreement_upper: one-sided upper bound of pairwise agreement at the policy's agreement level, 0-1; None without
            pairs.
        harm_open: harm flags not yet decided.
        harm_confirmed: harm flags that two stewards confirmed.
        extension_left: items the plan's extension could still add.
    """

    stage: Stage = Stage.CLOSE
    agreement_upper: float | None = None
    harm_open: int = 0
    harm_confirmed: int = 0
    extension_left: int = 0


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the policy says of a campaign.

    Args:
        outcome: in one word; "not clear yet" where the result only describes.
        stage: when it was judged.
        policy_name, policy_version: by which policy.
        lines: every rule; of an early verdict, those of the case hardest for it.
        is_extension_offered: the plan's extension may be taken now.
        is_descriptive_only: too few items or raters for a verdict.
        is_early: the items without a verdict cannot change it; the report then shows no interval.
    """

    outcome: Outcome
    stage: Stage
    policy_name: str
    policy_version: int
    lines: tuple[PolicyLine, ...]
    is_extension_offered: bool
    is_descriptive_only: bool
    is_early: bool = False

    @property
    def is_final(self) -> bool:
        """Say whether the campaign needs no more ratings for this verdict: at the look only a clear one ends it."""
        return self.stage is not Stage.LOOK or self.outcome in (Outcome.MEETS, Outcome.DOES_NOT_MEET)

    def to_dict(self) -> dict[str, Any]:
        """Return the verdict as JSON values."""
        return asdict(self) | {"lines": [asdict(line) for line in self.lines], "is_final": self.is_final}


def judge(analysis: Analysis, *, policy: Policy, evidence: Evidence) -> Verdict:
    """Judge a campaign's figures by its policy.

    Args:
        analysis: of the sample's items; at the look, of the look's items; after the extension, of both.
        policy: frozen in the plan.
        evidence: stage, agreement, harm flags and what the extension holds.

    Source: SPEC V-8.
    """
    if isinstance(policy, BoundsPolicy):
        lines = _bounds_lines(analysis, policy, evidence)
    else:
        lines = _points_lines(analysis, policy, evidence)
    outcome = _outcome(lines)
    is_descriptive = _is_descriptive(lines)
    return Verdict(
        outcome=outcome,
        stage=evidence.stage,
        policy_name=policy.name,
        policy_version=policy.version,
        lines=tuple(lines),
        is_extension_offered=(
            outcome is Outcome.NOT_CLEAR_YET
            and evidence.stage is Stage.CLOSE
            and min(policy.extension_size, evidence.extension_left) > 0
            and not any(line.rule is Rule.AGREEMENT and line.met is Met.NO for line in lines)
        ),
        is_descriptive_only=is_descriptive,
    )


def judge_early(
    items: Iterable[ItemRatings],
    *,
    sizes: Mapping[str, int],
    overlap: int,
    policy: Policy,
    evidence: Evidence,
) -> Verdict | None:
    """Return the verdict that the items without one can no longer change, or None.

    They are taken to be all excellent, then all reject; agreement and the share of splits stay as rated so far.

    Args:
        items, sizes, overlap: as for `review.verdicts.analyse`.
        policy, evidence: as for `judge`.

    Returns:
        The verdict if both cases give the same one; None if they differ, nothing is missing, or the result only
        describes.

    Source: SPEC V-8.
    """
    listed = tuple(items)
    if analyse(listed, sizes=sizes, overlap=overlap).is_complete:
        return None
    best, worst = (
        judge(analyse(listed, sizes=sizes, overlap=overlap, assumed=grade), policy=policy, evidence=evidence)
        for grade in (Grade.EXCELLENT, Grade.REJECT)
    )
    if best.outcome is not worst.outcome or worst.is_descriptive_only:
        return None
    return replace(best if best.outcome is Outcome.DOES_NOT_MEET else worst, is_early=True)


def _outcome(lines: Sequence[PolicyLine]) -> Outcome:
    """Figures first: a flag, the agreement or a stratum holds only a method whose figures meet."""
    if _is_descriptive(lines):
        return Outcome.NOT_CLEAR_YET
    figures = {line.met for line in lines if line.rule in FIGURES}
    if Met.NO in figures:
        return Outcome.DOES_NOT_MEET
    if Met.UNCLEAR in figures:
        return Outcome.NOT_CLEAR_YET
    return Outcome.MEETS if all(line.met is Met.YES for line in lines) else Outcome.HELD


def _is_descriptive(lines: Sequence[PolicyLine]) -> bool:
    return any(line.rule in ENOUGH_EVIDENCE and line.met is Met.NO for line in lines)


def _bounds_lines(analysis: Analysis, policy: BoundsPolicy, evidence: Evidence) -> list[PolicyLine]:
    return [
        _usable_line(analysis, policy, evidence.stage),
        _reject_line(analysis, policy, evidence.stage),
        _strata_line(analysis, policy),
        _agreement_line(policy, evidence),
        _harm_line(evidence),
        _count_line(Rule.ITEMS, asked_for=policy.item_minimum, count=len(analysis.items)),
        _count_line(Rule.RATERS, asked_for=policy.rater_minimum, count=analysis.overlap),
    ]


def _levels(policy: BoundsPolicy, stage: Stage) -> tuple[float, float]:
    """Return the levels at which a method meets and does not meet."""
    if stage is Stage.LOOK:
        return policy.look_meets_level, policy.look_fails_level
    return policy.level, policy.level


def _usable_line(analysis: Analysis, policy: BoundsPolicy, stage: Stage) -> PolicyLine:
    meets_level, fails_level = _levels(policy, stage)
    lower, upper = analysis.usable.lower(meets_level), analysis.usable.upper(fails_level)
    return PolicyLine(
        Rule.USABLE,
        asked_for=policy.usable_share,
        found={"lower": lower, "lower_level": meets_level, "upper": upper, "upper_level": fails_level},
        met=_at_least(policy.usable_share, lower=lower, upper=upper),
    )


def _reject_line(analysis: Analysis, policy: BoundsPolicy, stage: Stage) -> PolicyLine:
    meets_level, fails_level = _levels(policy, stage)
    lower, upper = analysis.reject.lower(fails_level), analysis.reject.upper(meets_level)
    return PolicyLine(
        Rule.REJECT,
        asked_for=policy.reject_share,
        found={"lower": lower, "lower_level": fails_level, "upper": upper, "upper_level": meets_level},
        # At most 15 % rejected is at least 85 % not rejected.
        met=_at_least(1 - policy.reject_share, lower=1 - upper, upper=1 - lower),
    )


def _at_least(asked_for: float, *, lower: float, upper: float) -> Met:
    if lower >= asked_for - _TINY:
        return Met.YES
    return Met.NO if upper < asked_for - _TINY else Met.UNCLEAR


def _strata_line(analysis: Analysis, policy: BoundsPolicy) -> PolicyLine:
    failing = [row.stratum for row in analysis.usable.strata if _is_failing(row, policy)]
    return PolicyLine(
        Rule.STRATA,
        asked_for=policy.stratum_share,
        found={"failing": failing, "level": policy.stratum_level, "minimum": policy.stratum_minimum},
        met=Met.NO if failing else Met.YES,
    )


def _is_failing(row: StratumRow, policy: BoundsPolicy) -> bool:
    """Say whether a stratum is surely weak. Entries without output are no stratum of difficulty: they weigh above."""
    if row.stratum == NO_OUTPUT or row.shown < max(policy.stratum_minimum, 1):
        return False
    upper = clopper_pearson_upper(row.positive + row.missing, row.shown, level=policy.stratum_level)
    return upper < policy.stratum_share - _TINY


def _agreement_line(policy: BoundsPolicy, evidence: Evidence) -> PolicyLine:
    upper = evidence.agreement_upper
    return PolicyLine(
        Rule.AGREEMENT,
        asked_for=policy.agreement_share,
        found={"upper": upper, "level": policy.agreement_level},
        met=Met.NO if upper is not None and upper < policy.agreement_share - _TINY else Met.YES,
    )


def _harm_line(evidence: Evidence) -> PolicyLine:
    if evidence.harm_confirmed:
        met = Met.NO
    else:
        met = Met.UNCLEAR if evidence.harm_open else Met.YES
    return PolicyLine(
        Rule.HARM, asked_for=0, found={"open": evidence.harm_open, "confirmed": evidence.harm_confirmed}, met=met
    )


def _count_line(rule: Rule, *, asked_for: int, count: int) -> PolicyLine:
    return PolicyLine(rule, asked_for=asked_for, found={"count": count}, met=Met.YES if count >= asked_for else Met.NO)


def _points_lines(analysis: Analysis, policy: PointsPolicy, evidence: Evidence) -> list[PolicyLine]:
    counted = [item for item in analysis.items if item.stratum in policy.strata]
    rated = [item for item in counted if analysis.assumed or len(item.ratings) >= policy.rater_minimum]
    lower, upper = _pass_share(counted, analysis, policy)
    return [
        PolicyLine(
            Rule.PASS_SHARE,
            asked_for=policy.pass_share,
            found={"lower": lower, "upper": upper},
            met=_at_least(policy.pass_share, lower=lower, upper=upper),
        ),
        _harm_line(evidence),
        _count_line(Rule.ITEMS, asked_for=policy.item_minimum, count=len(rated)),
        _count_line(Rule.RATERS, asked_for=policy.rater_minimum, count=analysis.overlap),
    ]


def _pass_share(counted: Sequence[ItemRatings], analysis: Analysis, policy: PointsPolicy) -> tuple[float, float]:
    """Return the weighted share that passes, unfinished entries failing and passing.

    Entries without output weigh as a stratum in which nothing passes: their difficulty is not known to the sizes, and
    leaving them out would reward an error over a bad output.
    """
    sizes = {name: analysis.sizes.get(name, 0) for name in (*policy.strata, NO_OUTPUT)}
    population = sum(sizes.values())
    low = high = Fraction(0)
    for name in policy.strata:
        items = [item for item in counted if item.stratum == name]
        if items:
            weight = Fraction(sizes[name], population * len(items))
            passed = sum(_passes(item, policy, pending=analysis.assumed is Grade.EXCELLENT) for item in items)
            possible = sum(_passes(item, policy, pending=analysis.assumed is not Grade.REJECT) for item in items)
            low, high = low + weight * passed, high + weight * possible
    return float(low), float(high)


def _passes(item: ItemRatings, policy: PointsPolicy, *, pending: bool) -> bool:
    """Say whether all raters call the entry usable; `pending` stands for one with too few ratings so far."""
    if not all(grade.is_usable for grade in item.ratings):
        return False
    return len(item.ratings) >= policy.rater_minimum or pending
