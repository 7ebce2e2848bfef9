"""``draw_sample``: draw a campaign's sample again from its plan and print it (SPEC I-5, V-3). Nothing is stored."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from review.management.campaign_argument import campaign_argument_add, campaign_named
from review.rederivation import draw_to_dict
from review.sampling import Draw
from review.services.samples import sample_draw


class Command(BaseCommand):
    help = "Draw a campaign's sample again from its plan, and print it. Entries are named by id, no text is shown."

    def add_arguments(self, parser: CommandParser) -> None:
        campaign_argument_add(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        campaign = campaign_named(options["campaign"])
        try:
            drawn = sample_draw(campaign)
        except ValueError as problem:
            raise CommandError(f"The plan of campaign {campaign.uid} cannot be drawn again: {problem}") from problem
        if options["json"]:
            self.stdout.write(json.dumps(_as_json(str(campaign.uid), drawn)))
            return
        self.stdout.write(f"Campaign {campaign.uid}, seed {drawn.seed}")
        for item in drawn.items():
            self.stdout.write(f"{item.stratum}\t{item.position}\t{item.part.value}\t{item.entry_id}")
        self.stdout.write(
            f"Drew {drawn.size} of {drawn.population} entries, {drawn.look_size} of them for the look; "
            f"the extension holds {drawn.extension_size}; {len(drawn.no_output)} have no output."
        )


def _as_json(campaign: str, drawn: Draw) -> dict[str, Any]:
    items = [
        {"entry_id": item.entry_id, "stratum": item.stratum, "position": item.position, "part": item.part.value}
        for item in drawn.items()
    ]
    sizes = {name: draw_to_dict(drawn)[name] for name in ("rule", "seed", "size", "look_size", "extension_size")}
    return {"campaign": campaign, "population": drawn.population, **sizes, "items": items, "no_output": drawn.no_output}
