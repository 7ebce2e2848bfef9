"""The demo's organisations and sign-ins, made through the services."""

from __future__ import annotations

from champollion.accounts.models import CustodianRequirement, Organisation, Team, User
from champollion.accounts.services import organisations as acts
from champollion.demo.catalogues import PAIRS
from champollion.demo.people import INSTALLATION_PEOPLE, Person, people_of

#: What stands as evidence of each custodian requirement; nobody was asked, and the text says so.
EVIDENCE = "Demo installation: recorded so that secret segments can be tried. No community was asked."


def organisations_seed() -> dict[str, Organisation]:
    """Return slug -> organisation, one per target language, recorded as custodian; makes what is not there yet."""
    found: dict[str, Organisation] = {}
    for pair in PAIRS:
        if pair.organisation not in found:
            found[pair.organisation] = _organisation(pair.organisation, pair.organisation_name, pair.target)
    for person in INSTALLATION_PEOPLE:
        acts.installation_role_give(actor=None, user=user_of(person), kind=person.role)
    return found


def _organisation(slug: str, name: str, language: str) -> Organisation:
    organisation = Organisation.objects.filter(slug=slug).first()
    if organisation is None:
        organisation = acts.organisation_create(actor=None, name=name, slug=slug, languages=[language])
        for kind in CustodianRequirement.Kind.values:
            acts.requirement_record(actor=None, organisation=organisation, kind=kind, evidence=EVIDENCE)
    sources = sorted({pair.source for pair in PAIRS if pair.organisation == slug})
    for person in people_of(slug):
        user = user_of(person)
        acts.role_give(actor=None, organisation=organisation, user=user, role=person.role)
        if person.role in ("speaker", "helper"):
            acts.languages_speak(user=user, tags=[*sources, language])
    return organisation


def user_of(person: Person) -> User:
    """Return the user of a sign-in, made with a verified address and no password."""
    user = User.objects.filter(email=person.email).first()
    if user is None:
        user = User.objects.create_user(person.email, name=person.name)
        _verify_address(user)
    return user


def role_user(role: str, organisation: str, *, number: int = 1) -> User:
    """Return the nth sign-in of a role in a demo organisation."""
    people = [person for person in people_of(organisation) if person.role == role]
    return user_of(people[number - 1])


def _verify_address(user: User) -> None:
    from allauth.account.models import EmailAddress

    EmailAddress.objects.get_or_create(user=user, email=user.email, defaults={"verified": True, "primary": True})


def team_seed() -> Team:
    """Return the developer's team; Apertium's outputs come from it."""
    developer = user_of(INSTALLATION_PEOPLE[0])
    return Team.objects.filter(slug="demo-team").first() or acts.team_create(
        name="Apertium, run for the demo", slug="demo-team", members=[developer]
    )
