"""`manage.py import_run`: hand in a run from a file (SPEC I-5)."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from champollion.accounts.models import Team, User
from champollion.common.errors import DomainError, ProblemList
from corpora.constants import PUBLIC_SEGMENTS, Segment
from corpora.models import CorpusVersion
from leaderboard.labels import problem_rows
from leaderboard.models import Method
from leaderboard.models.method import MethodClass
from leaderboard.services.handing_in import MethodWish, run_hand_in
from leaderboard.services.intake import Receipt
from leaderboard.services.methods import SUBMISSION_PARTS, HeldMethod

PROBLEMS_PRINTED = 200
CONFIGURATION = ("model", "condition", "temperature", "prompt_version")


class Command(BaseCommand):
    """Prints what it did in a line; exits non-zero and prints all problems of a file with errors."""

    help = "Hand in a run card, a test report or plain outputs; a worker scores it."

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> Any:
        """Let our --version replace Django's."""
        return super().create_parser(prog_name, subcommand, conflict_handler="resolve", **kwargs)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE")
        parser.add_argument("--rows", type=Path, metavar="FILE", help="the per-entry rows of a sealed card")
        parser.add_argument("--log", type=Path, metavar="FILE", help="the run log that belongs to a report")
        parser.add_argument("--method", default="", metavar="SLUG", help="a method that is here")
        parser.add_argument("--method-name", default="", help="name of a new method")
        parser.add_argument("--class", dest="method_class", default=MethodClass.RAW_LLM, choices=MethodClass.values)
        parser.add_argument("--team", default="", metavar="SLUG", help="the team that made the new method")
        parser.add_argument("--team-name", default="", help="name of a new team")
        parser.add_argument("--corpus", default="", metavar="ID", help="corpus that it ran on; needs --version")
        parser.add_argument("--version", default="", metavar="V")
        segments = [one.value for one in (*PUBLIC_SEGMENTS, Segment.GOLD_STANDARD)]
        parser.add_argument("--segment", default="", choices=["", *segments], help="for outputs one a line")
        for name in CONFIGURATION:
            parser.add_argument(f"--{name.replace('_', '-')}", default="", help="set-up of plain outputs")
        parser.add_argument("--held-file-name", default="", help="file name of the method that the organisation holds")
        parser.add_argument("--held-sha256", default="")
        parser.add_argument("--held-place", default="")
        parser.add_argument("--held-part", action="append", default=[], choices=SUBMISSION_PARTS)
        parser.add_argument("--actor", default="", metavar="EMAIL", help="in whose name; else the installation's own")
        parser.add_argument("--json", action="store_true", help="print the outcome as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            receipt = self._hand_in(options)
        except OSError as error:
            raise CommandError(f"{error.filename} cannot be read: {error.strerror}.") from error
        except ProblemList as problems:
            self._print_problems(problems, options)
            raise CommandError(str(problems.message)) from problems
        except DomainError as error:
            raise CommandError(str(error.message)) from error
        self._report(receipt, options)

    def _hand_in(self, options: dict[str, Any]) -> Receipt:
        with options["file"].open("rb") as file:
            return run_hand_in(
                actor=_actor(options["actor"]),
                data=file,
                rows=options["rows"].read_bytes() if options["rows"] else None,
                log=options["log"].read_bytes() if options["log"] else None,
                file_name=options["file"].name,
                wish=_wish(options),
                version=_version(options["corpus"], options["version"]),
                segment=options["segment"],
            )

    def _report(self, receipt: Receipt, options: dict[str, Any]) -> None:
        for run in receipt.runs:
            run.refresh_from_db()
        if options["json"]:
            runs = [{"run": str(run.uid), "status": run.status, "segment": run.segment} for run in receipt.runs]
            value: dict[str, Any] = {"stored": not receipt.was_known, "sha256": receipt.document.sha256, "runs": runs}
            self.stdout.write(json.dumps(value, indent=2))
            return
        names = ", ".join(f"{run.uid} ({run.segment or 'no corpus'}, {run.status})" for run in receipt.runs)
        told = "is here already as" if receipt.was_known else "was stored as"
        self.stdout.write(f"{options['file'].name} {told} {names}.")

    def _print_problems(self, problems: ProblemList, options: dict[str, Any]) -> None:
        rows = problem_rows(problems)
        if options["json"]:
            value = {"stored": False, "problem_count": len(rows), "problems": rows[:PROBLEMS_PRINTED]}
            self.stdout.write(json.dumps(value, ensure_ascii=False, indent=2))
            return
        for row in rows[:PROBLEMS_PRINTED]:
            where = row["place"] + (f" ({row['entry_id']})" if row["entry_id"] else "")
            given = f" “{row['value']}”" if row["value"] else ""
            self.stderr.write(f"{where}: {row['field']}{given} {row['remedy']}")
        if len(rows) > PROBLEMS_PRINTED:
            self.stderr.write(f"… and {len(rows) - PROBLEMS_PRINTED} more")


def _wish(options: dict[str, Any]) -> MethodWish:
    return MethodWish(
        method=_found(Method, options["method"], "method"),
        name=options["method_name"],
        team=_found(Team, options["team"], "team"),
        team_name=options["team_name"],
        method_class=options["method_class"],
        configuration={name: options[name] for name in CONFIGURATION if options[name]},
        held=_held(options),
    )


def _held(options: dict[str, Any]) -> HeldMethod | None:
    file_name, sha256, place = options["held_file_name"], options["held_sha256"], options["held_place"]
    if not (file_name or sha256 or place):
        return None
    if not (file_name and sha256 and place):
        raise CommandError("A held method needs --held-file-name, --held-sha256 and --held-place.")
    return HeldMethod(file_name=file_name, sha256=sha256, place=place, parts=options["held_part"])


def _version(corpus_id: str, version: str) -> CorpusVersion | None:
    if not corpus_id and not version:
        return None
    if not (corpus_id and version):
        raise CommandError("--corpus and --version belong together.")
    found = CorpusVersion.objects.filter(corpus__corpus_id=corpus_id, version=version).select_related(
        "corpus__organisation"
    )
    if not found:
        raise CommandError(f"There is no corpus {corpus_id} {version}.")
    return found[0]


def _found(model: Any, slug: str, what: str) -> Any:
    if not slug:
        return None
    found = model.objects.filter(slug=slug).first()
    if found is None:
        raise CommandError(f"There is no {what} with the slug {slug}.")
    return found


def _actor(email: str) -> User | None:
    if not email:
        return None
    user = User.objects.filter(email=email.lower()).first()
    if user is None:
        raise CommandError(f"There is nobody with the address {email}.")
    return user
