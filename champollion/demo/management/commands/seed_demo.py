"""``seed_demo``: fill the installation with the demo's data (SPEC I-2, I-5)."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from champollion.demo.seed import seed


class Command(BaseCommand):
    help = "Fill the installation with the demo's organisations, corpora, runs and an open campaign."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--generated-ratings",
            action="store_true",
            help="Also rate by a program, for looking at reports; every page that shows them says so.",
        )
        parser.add_argument("--force", action="store_true", help="Seed outside the demo's settings too.")

    def handle(self, *args: Any, **options: Any) -> None:
        if not (settings.DEMO or settings.DEBUG or options["force"]):
            raise CommandError("Demo data belong into a demo; give --force to put them into this installation.")
        for line in seed(with_generated_ratings=options["generated_ratings"]):
            self.stdout.write(f"  {line}")
