"""``consider_runs``: make the nominations and candidates that scored runs lead to; beat does the same (SPEC V-1)."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from review.services.nominations import runs_consider


class Command(BaseCommand):
    help = "Nominate, or make a candidate of, every scored run that reaches its bound and was not considered yet."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        made = runs_consider()
        if options["json"]:
            rows = [{"nomination": str(one.uid), "run": str(one.run.uid), "status": one.status} for one in made]
            self.stdout.write(json.dumps({"made": rows}))
        else:
            self.stdout.write(f"Put forward: {len(made)}.")
