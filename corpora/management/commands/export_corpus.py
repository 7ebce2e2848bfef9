"""`manage.py export_corpus`: write a version as canonical JSON (SPEC I-5)."""

import json
from argparse import ArgumentParser
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from champollion.common.errors import DomainError
from corpora import selectors
from corpora.services.editions import public_edition
from corpora.services.exports import corpus_export


class Command(BaseCommand):
    """Writes the public edition; the whole version, secret text included, only where `--full` asks for it."""

    help = "Write a corpus version as canonical JSON: its public edition, or with --full all of it."

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> Any:
        """Let our --version replace Django's."""
        return super().create_parser(prog_name, subcommand, conflict_handler="resolve", **kwargs)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("corpus", metavar="CORPUS", help="corpus id")
        parser.add_argument("file", type=Path, metavar="FILE", help="the file to write; it must not exist yet")
        parser.add_argument("--version", default="", help="version; the newest where it is not given")
        parser.add_argument("--full", action="store_true", help="secret segments too; the export is recorded")
        parser.add_argument("--json", action="store_true", help="print the outcome as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            if options["version"]:
                version = selectors.readable_version_get(options["corpus"], options["version"])
            else:
                version = selectors.newest_version_get(options["corpus"])
        except DomainError as error:
            raise CommandError(str(error.message)) from error
        pieces = corpus_export(actor=None, version=version) if options["full"] else public_edition(version)
        size = _write(options["file"], pieces)
        edition = "full" if options["full"] else "public"
        if options["json"]:
            told = {"corpus": version.corpus.corpus_id, "version": version.version, "edition": edition, "bytes": size}
            self.stdout.write(json.dumps(told))
        else:
            self.stdout.write(f"Wrote the {edition} edition of {version}, {size} bytes, to {options['file']}.")


def _write(path: Path, pieces: Iterable[bytes]) -> int:
    try:
        with path.open("xb") as file:
            return sum(file.write(piece) for piece in pieces)
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror}.") from error
