"""Fill an empty installation with the demo's data: every step goes through the services a person's act would use (SPEC I-2).

A step that has been done is not done again, so that a second seeding adds what is missing and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator

from champollion.demo.accounts import organisations_seed, team_seed


def seed() -> Iterator[str]:
    """Seed everything; yield a line for each part that is ready."""
    organisations = organisations_seed()
    team_seed()
    yield f"{len(organisations)} organisations with their sign-ins"
