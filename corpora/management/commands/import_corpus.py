"""`manage.py import_corpus`: check a file and store it as a corpus version (SPEC I-5)."""

import getpass
import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any, BinaryIO

from django.core.management.base import BaseCommand, CommandError

from champollion.accounts.models import Organisation, User
from champollion.common.errors import DomainError
from corpora.formats.base import Problem, ReadOptions
from corpora.services.imports import Attestation, ImportOutcome, corpus_check, corpus_import_outcome
from corpora.services.problems import CorpusProblems
from corpora.validation import Validation
from corpora.vocabulary import DOMAINS, SEGMENTS

_TEXT_OPTIONS = {
    "format": "read the file as this format (json); found by content where it is not given",
    "id": "corpus id",
    "version": "version, two or three numbers",
    "source-language": "BCP 47 tag of the source language",
    "target-language": "BCP 47 tag of the target language",
    "license": "SPDX licence expression",
    "created": "ISO 8601 date on which the corpus was made",
}


class Command(BaseCommand):
    """Prints what it did in a line; exits non-zero and prints all problems of a file with errors."""

    help = "Check a corpus file and store it as a version. Options override what the file says."

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> Any:
        """Let our --version replace Django's."""
        return super().create_parser(prog_name, subcommand, conflict_handler="resolve", **kwargs)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE")
        parser.add_argument(
            "--organisation", required=True, metavar="SLUG", help="slug of the organisation that owns it"
        )
        for name, text in _TEXT_OPTIONS.items():
            parser.add_argument(f"--{name}", default="", help=text)
        parser.add_argument("--segment", default="", choices=SEGMENTS, help="segment of entries that name none")
        parser.add_argument("--domain", default="", choices=DOMAINS, help="domain of entries that name none")
        parser.add_argument("--provenance", action="append", default=[], metavar="TAG", help="tag; may be repeated")
        parser.add_argument("--dry-run", action="store_true", help="check only and store nothing")
        parser.add_argument(
            "--attest-human-references", action="store_true", help="attest that people wrote the references"
        )
        parser.add_argument("--attested-by", default="", metavar="NAME", help="who attests; else the operator's login")
        parser.add_argument("--actor", default="", metavar="EMAIL", help="curator in whose name it is stored")
        parser.add_argument("--statement", default="", help="what a refused word of the provenance means here")
        parser.add_argument("--json", action="store_true", help="print the outcome as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        organisation = Organisation.objects.filter(slug=options["organisation"]).first()
        if organisation is None:
            raise CommandError(f"There is no organisation with the slug {options['organisation']}.")
        try:
            with options["file"].open("rb") as stream:
                self._run(stream, organisation, options)
        except OSError as error:
            raise CommandError(f"{options['file']} cannot be read: {error.strerror}.") from error

    def _run(self, stream: BinaryIO, organisation: Organisation, options: dict[str, Any]) -> None:
        try:
            if options["dry_run"]:
                self._report_check(_check(stream, options), options)
            else:
                self._report_outcome(self._import(stream, organisation, options), options)
        except CorpusProblems as problems:
            self._report_problems(problems.validation, options)
            raise CommandError(str(problems.message)) from problems
        except DomainError as error:
            raise CommandError(str(error.message)) from error

    def _import(self, stream: BinaryIO, organisation: Organisation, options: dict[str, Any]) -> ImportOutcome:
        actor = _actor(options["actor"])
        name = options["attested_by"] or (actor.display_name if actor else getpass.getuser())
        return corpus_import_outcome(
            actor=actor,
            organisation=organisation,
            stream=stream,
            filename=options["file"].name,
            options=_read_options(options),
            attestation=Attestation(name, options["attest_human_references"], options["statement"]),
            progress=self._progress(options),
        )

    def _report_check(self, validation: Validation, options: dict[str, Any]) -> None:
        if validation.log.has_errors:
            raise CorpusProblems(validation)
        if options["json"]:
            self._print_json({"stored": False, "entries": validation.counts.total, **validation.log.to_dict()})
            return
        self._print_problems(validation)
        self.stdout.write(
            f"Checked {validation.counts.total} entries of {validation.envelope.id} {validation.envelope.version}: "
            f"no errors, {validation.log.warning_count} warnings. Nothing was stored."
        )

    def _report_outcome(self, outcome: ImportOutcome, options: dict[str, Any]) -> None:
        version, log = outcome.version, outcome.validation.log
        if options["json"]:
            self._print_json(
                {
                    "stored": outcome.is_new,
                    "corpus": version.corpus.corpus_id,
                    "version": version.version,
                    "entries": version.entry_count,
                    "sha256": version.sha256,
                    "public_sha256": version.public_sha256,
                    "canonical_sha256": version.canonical_sha256,
                    **log.to_dict(),
                }
            )
        elif outcome.is_new:
            self._print_problems(outcome.validation)
            self.stdout.write(f"Stored {version} with {version.entry_count} entries; {log.warning_count} warnings.")
        else:
            self.stdout.write(f"{version} is here already, with the same content. Nothing was changed.")

    def _report_problems(self, validation: Validation, options: dict[str, Any]) -> None:
        if options["json"]:
            self._print_json({"stored": False, **validation.log.to_dict()})
        else:
            self._print_problems(validation)

    def _print_problems(self, validation: Validation) -> None:
        log = validation.log
        for problems, count in ((log.errors, log.error_count), (log.warnings, log.warning_count)):
            for problem in problems:
                self.stderr.write(_line(problem))
            if count > len(problems):
                self.stderr.write(f"… and {count - len(problems)} more")

    def _print_json(self, value: dict[str, Any]) -> None:
        self.stdout.write(json.dumps(value, ensure_ascii=False, indent=2))

    def _progress(self, options: dict[str, Any]) -> Any:
        # A million entries take minutes: tell a person at a terminal how far it is.
        if options["json"] or not self.stderr.isatty():
            return None
        return lambda count: self.stderr.write(f"{count} entries checked", ending="\r")


def _check(stream: BinaryIO, options: dict[str, Any]) -> Validation:
    return corpus_check(stream=stream, options=_read_options(options), statement=options["statement"])


def _actor(email: str) -> User | None:
    if not email:
        return None
    user = User.objects.filter(email=email.lower()).first()
    if user is None:
        raise CommandError(f"There is nobody with the address {email}.")
    return user


def _read_options(options: dict[str, Any]) -> ReadOptions:
    names = ("format", "segment", "id", "version", "source_language", "target_language", "license", "domain", "created")
    return ReadOptions(**{name: options[name] for name in names}, provenance=tuple(options["provenance"]))


def _line(problem: Problem) -> str:
    told = problem.to_dict()
    where = told["place"] + (f" ({told['entry_id']})" if told["entry_id"] else "")
    what = f" {told['field']}:" if told["field"] else ""
    value = f" “{told['value']}”" if told["value"] else ""
    return f"{told['severity']}: {where}:{what}{value} {told['remedy']}"
