"""``doctor``: name what is missing or stopped in this installation (SPEC I-5)."""

from __future__ import annotations

import dataclasses
import json
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from champollion.common.health import Finding, Level, findings

SIGNS = {Level.OK: "ok     ", Level.WARNING: "warning", Level.PROBLEM: "PROBLEM"}


class Command(BaseCommand):
    help = "Check everything an operator can get wrong; exits with 1 where something is missing or stopped."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", dest="as_json", help="For machines.")

    def handle(self, *args: Any, **options: Any) -> None:
        found = findings()
        problems = sum(finding.level == Level.PROBLEM for finding in found)
        if options["as_json"]:
            self.stdout.write(
                json.dumps({"ok": not problems, "findings": [dataclasses.asdict(finding) for finding in found]})
            )
        else:
            self._print(found, problems)
        if problems:
            sys.exit(1)

    def _print(self, found: list[Finding], problems: int) -> None:
        for finding in found:
            remedy = f"  → {finding.remedy}" if finding.remedy and finding.level != Level.OK else ""
            self.stdout.write(f"{SIGNS[finding.level]}  {finding.name:<13} {finding.message}{remedy}")
        if problems:
            self.stdout.write(
                ngettext("%(count)s part needs attention.", "%(count)s parts need attention.", problems)
                % {"count": problems}
            )
        else:
            self.stdout.write(_("Everything that was looked at is in order."))
