"""``verify_sample``: derive a campaign's sample again and say whether it matches (SPEC I-5, V-3, LAW-4)."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import transaction

from champollion.audit import services as audit
from review.management.campaign_argument import campaign_argument_add, campaign_named
from review.models import Campaign
from review.services.samples import sample_differences


class Command(BaseCommand):
    help = "Derive a campaign's sample again from its plan, and say whether it is the one that is rated."

    def add_arguments(self, parser: CommandParser) -> None:
        campaign_argument_add(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        campaign = campaign_named(options["campaign"])
        differences = sample_differences(campaign)
        _record(campaign, differences)
        if options["json"]:
            found = {"campaign": str(campaign.uid), "matches": not differences, "differences": differences}
            self.stdout.write(json.dumps(found))
        elif differences:
            self.stderr.write(f"The sample of campaign {campaign.uid} does NOT match its plan:")
            for difference in differences:
                self.stderr.write(f"  {difference}")
        else:
            count = campaign.items.count()
            self.stdout.write(f"The sample of campaign {campaign.uid} matches its plan: {count} items.")
        if differences:
            raise SystemExit(1)


@transaction.atomic
def _record(campaign: Campaign, differences: list[str]) -> None:
    audit.record(
        "campaign.sample_verified",
        actor=None,
        organisation=campaign.organisation,
        obj=campaign,
        details={"matches": not differences, "difference_count": len(differences)},
    )
