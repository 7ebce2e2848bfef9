"""Runs that reached the bound and wait for a steward to acknowledge a caveat (SPEC M-2, V-1)."""

from typing import Any

from django.db.models import Q

from leaderboard.models import Run
from leaderboard.models.standing import Tier
from review.services.nominations import run_open_caveats


def runs_with_caveats(organisations: list[int]) -> list[Run]:
    """Return the scored runs of these organisations' corpora that a caveat keeps from being nominated. One query."""
    waiting = Q(nominations__isnull=True) | Q(nominations__status="candidate")
    reached = [str(Tier.DEPLOYABLE), str(Tier.FLUENT)]
    runs: Any = (
        Run.objects.filter(
            waiting,
            corpus_version__corpus__organisation__in=organisations,
            status=Run.Status.SCORED,
            is_anonymous=False,
            score_set__tier__in=reached,
        )
        .exclude(score_set__caveats=[])
        .select_related("method_version__method", "corpus_version__corpus", "score_set")
        .order_by("scored_at", "pk")
        .distinct()
    )
    return [run for run in runs if run_open_caveats(run)]
