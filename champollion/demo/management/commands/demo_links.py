"""``demo_links``: print a sign-in link per role of the demo."""

from __future__ import annotations

import json
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from champollion.accounts.models import User
from champollion.demo.links import link_for
from champollion.demo.people import Person, everyone


class Command(BaseCommand):
    help = "Print a sign-in link per role of the demo (demo settings only)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--address", default="http://127.0.0.1:8000", help="Where the demo is served.")
        parser.add_argument("--all", action="store_true", help="Every account, not one per role.")
        parser.add_argument("--json", action="store_true", dest="as_json", help="For machines.")

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.DEMO:
            raise CommandError(
                "Sign-in links exist in the demo only (DJANGO_SETTINGS_MODULE=champollion.settings.demo)."
            )
        links = _links(options["address"], everyone() if options["all"] else _one_per_role())
        if options["as_json"]:
            self.stdout.write(json.dumps([{"name": name, "link": link} for name, link in links]))
            return
        width = max((len(name) for name, _link in links), default=0)
        for name, link in links:
            self.stdout.write(f"  {name:<{width}}  {link}")


def _one_per_role() -> list[Person]:
    """Everyone of the first organisation, whose campaign is open, and the installation's roles."""
    return [person for person in everyone() if person.organisation in ("nynorsk", None)]


def _links(address: str, people: list[Person]) -> list[tuple[str, str]]:
    users = {user.email: user for user in User.objects.filter(email__in=[person.email for person in people])}
    return [(person.name, link_for(users[person.email], address=address)) for person in people if person.email in users]
