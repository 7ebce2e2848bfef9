"""`manage.py score_run`: score a run here and now, without a worker (SPEC I-5)."""

import json
from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from champollion.common.errors import DomainError
from champollion.common.transitions import apply_transition
from leaderboard.models import Run
from leaderboard.services.scoring import run_score
from leaderboard.states import RUN


class Command(BaseCommand):
    """Prints the composite; a run that was scored by the same scorer keeps its score set."""

    help = "Score a run in this process. A run that failed is taken up again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("id", type=UUID, metavar="ID", help="the run's id, as in its address")
        parser.add_argument("--json", action="store_true", help="print the outcome as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        run = Run.objects.select_related("corpus_version__corpus__organisation", "method_version", "score_set")
        found = run.filter(uid=options["id"]).first()
        if found is None:
            raise CommandError(f"There is no run {options['id']}.")
        if found.corpus_version is None or found.status == Run.Status.CLAIMED:
            raise CommandError(f"Run {found.uid} has nothing to score: {found.get_status_display()}.")
        try:
            if found.status == Run.Status.FAILED:
                apply_transition(found, Run.Status.RECEIVED, transitions=RUN, failure="")
            score_set = run_score(found)
        except DomainError as error:
            raise CommandError(str(error.message)) from error
        value = {"run": str(found.uid), "score_set": str(score_set.uid), "composite": score_set.composite}
        if options["json"]:
            self.stdout.write(json.dumps({**value, "tier": score_set.tier}, indent=2))
        else:
            shown = "no composite" if score_set.composite is None else f"composite {score_set.composite:.4f}"
            self.stdout.write(f"Run {found.uid} is scored: {shown}, {score_set.tier}.")
