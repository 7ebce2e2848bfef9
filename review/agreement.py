"""Agreement of a campaign's raters, from the ratings that its analysis was given.

Pure. Source: SPEC V-7, V-8.
"""

from champollion.stats.agreement import Agreement, agreement
from review.grades import Grade
from review.verdicts import Analysis


def agreement_of(analysis: Analysis, *, seed: str, level: float = 0.95) -> Agreement:
    """Measure agreement on first ratings: those of the panel, before any fourth rating and any talk.

    Args:
        analysis: of the campaign or its look.
        seed: of the plan, hexadecimal, so that the intervals can be computed again.
        level: one-sided, of the upper bounds; the policy's agreement level. `Evidence.agreement_upper` takes
            `pairwise.upper`.
    """
    panels = [[int(grade) for grade in item.ratings[: analysis.overlap]] for item in analysis.items]
    return agreement(panels, line=int(Grade.ACCEPTABLE), seed=int(seed, 16), level=level)
