"""``demo_outputs``: make the demo's Apertium outputs anew where Apertium is installed."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from champollion.demo import apertium
from champollion.demo.catalogues import PAIRS


class Command(BaseCommand):
    help = "Translate the demo's corpora with the installed Apertium and write the files of champollion/demo/outputs/."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("pairs", nargs="*", help="Pairs such as nb-nn; all where none is named.")

    def handle(self, *args: Any, **options: Any) -> None:
        wanted = [pair for pair in PAIRS if not options["pairs"] or pair.slug in options["pairs"]]
        if not wanted:
            raise CommandError(f"Name one of: {', '.join(pair.slug for pair in PAIRS)}.")
        for pair in wanted:
            if not apertium.is_installed(pair):
                raise CommandError(f"Apertium has no mode {pair.engine} here; install it and its data for {pair.slug}.")
            count = apertium.outputs_make(pair)
            self.stdout.write(f"{pair.slug}: {count} outputs in {apertium.outputs_path(pair).name}")
