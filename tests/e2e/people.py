"""The people of an installation, set up by the services that an operator uses."""

from __future__ import annotations

from dataclasses import dataclass

from allauth.account.models import EmailAddress

from champollion.accounts.models import CustodianRequirement, InstallationRole, Organisation, Role, Team, User
from champollion.accounts.services import organisations as acts


@dataclass(frozen=True)
class People:
    """An organisation that governs a language, and who is in it; the developer is not."""

    organisation: Organisation
    curator: User
    stewards: tuple[User, ...]
    coordinator: User
    speakers: tuple[User, ...]
    developer: User
    team: Team


def people_of(language: str) -> People:
    """Set up the organisation with a curator, two stewards, a coordinator and four speakers, and a developer's team."""
    organisation = acts.organisation_create(actor=None, name="Test council", slug="council", languages=[language])
    for kind in CustodianRequirement.Kind.values:
        acts.requirement_record(actor=None, organisation=organisation, kind=kind, evidence="a test")

    def member(name: str, role: Role) -> User:
        user = _person(name)
        acts.role_give(actor=None, organisation=organisation, user=user, role=role)
        return user

    speakers = tuple(member(f"speaker-{number}", Role.SPEAKER) for number in (1, 2, 3, 4))
    for speaker in speakers:
        acts.languages_speak(user=speaker, tags=["en", language])
    developer = _person("developer")
    acts.installation_role_give(actor=None, user=developer, kind=InstallationRole.Kind.DEVELOPER)
    return People(
        organisation=organisation,
        curator=member("curator", Role.CURATOR),
        stewards=(member("steward-1", Role.STEWARD), member("steward-2", Role.STEWARD)),
        coordinator=member("coordinator", Role.COORDINATOR),
        speakers=speakers,
        developer=developer,
        team=acts.team_create(name="Test team", slug="test-team", members=[developer]),
    )


def _person(name: str) -> User:
    """Make a person whose address is known to be theirs, as it is after they signed up."""
    user = User.objects.create_user(f"{name}@e2e.example", name=name)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user
