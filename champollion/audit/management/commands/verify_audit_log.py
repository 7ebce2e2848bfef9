"""``verify_audit_log``: walk every chain and name the first broken record (SPEC I-5, S-9)."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from champollion.audit.services import chains_verify


class Command(BaseCommand):
    help = "Verify the hash chains of the audit log."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        chain_count, record_count, breaks = chains_verify()
        if options["json"]:
            found = [{"chain": b.chain, "sequence": b.sequence, "what": b.what} for b in breaks]
            self.stdout.write(json.dumps({"chains": chain_count, "records": record_count, "breaks": found}))
        elif breaks:
            first = breaks[0]
            self.stderr.write(f"BROKEN: chain {first.chain}, record {first.sequence}: {first.what}.")
        else:
            self.stdout.write(f"The audit log is whole: {record_count} records in {chain_count} chains.")
        if breaks:
            raise SystemExit(1)
