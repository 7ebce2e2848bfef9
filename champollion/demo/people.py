"""The demo's sign-ins: names that are roles, not people (SPEC I-2)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Person:
    """A sign-in. ``role`` is a role in the organisation or, without one, a role of the installation."""

    email: str
    name: str
    role: str
    organisation: str | None = None


#: role in an organisation, how many of them
ROLES_PER_ORGANISATION = (("steward", 2), ("curator", 1), ("coordinator", 1), ("speaker", 4), ("helper", 1))
ORGANISATIONS = {"nynorsk": "Nynorsk", "catalan": "Catalan", "galician": "Galician"}
INSTALLATION_PEOPLE = (
    Person("developer@demo.example", "Developer", "developer"),
    Person("maintainer@demo.example", "Maintainer", "maintainer"),
)


def people_of(organisation: str) -> list[Person]:
    """Return the sign-ins of a demo organisation, stewards first."""
    found = []
    for role, count in ROLES_PER_ORGANISATION:
        for number in range(1, count + 1):
            tag = f"-{number}" if count > 1 else ""
            title = f"{role.capitalize()}{tag.replace('-', ' ')}, {ORGANISATIONS[organisation]}"
            found.append(Person(f"{role}{tag}@{organisation}.example", title, role, organisation))
    return found


def everyone() -> list[Person]:
    """Return every sign-in of the demo."""
    return [person for slug in ORGANISATIONS for person in people_of(slug)] + list(INSTALLATION_PEOPLE)
