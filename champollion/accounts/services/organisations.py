"""Organisations, roles, requirements: the acts, each with its audit record (SPEC S-1)."""

from collections.abc import Callable
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from champollion.accounts.models import (
    CustodianRequirement,
    GovernedLanguage,
    InstallationRole,
    Membership,
    Organisation,
    Relation,
    SpokenLanguage,
    Team,
    TeamMembership,
    User,
)
from champollion.audit import services as audit
from champollion.common.errors import AccessDenied, ConflictError


@transaction.atomic
def organisation_create(*, actor: User | None, name: str, slug: str, languages: list[str]) -> Organisation:
    """Record an organisation and the target languages it governs.

    Raises:
        ConflictError: another organisation governs one of the languages.
    """
    taken = GovernedLanguage.objects.filter(tag__in=languages).values_list("tag", flat=True)
    if taken:
        raise ConflictError(
            "organisation.language_taken",
            _("Another organisation governs %(tags)s here.") % {"tags": ", ".join(taken)},
        )
    organisation = Organisation(name=name, slug=slug)
    organisation.full_clean()
    organisation.save()
    GovernedLanguage.objects.bulk_create([GovernedLanguage(organisation=organisation, tag=tag) for tag in languages])
    audit.record(
        "organisation.created", actor=actor, organisation=organisation, obj=organisation, details={"tags": languages}
    )
    return organisation


@transaction.atomic
def requirement_record(
    *, actor: User | None, organisation: Organisation, kind: str, evidence: str
) -> CustodianRequirement:
    """Record one of the five custodian requirements, or its newer evidence."""
    requirement = CustodianRequirement.objects.filter(organisation=organisation, kind=kind).first()
    requirement = requirement or CustodianRequirement(organisation=organisation, kind=kind)
    requirement.evidence, requirement.recorded_by = evidence, actor
    requirement.full_clean(exclude=["recorded_by"])
    requirement.save()
    audit.record(
        "organisation.requirement_recorded",
        actor=actor,
        organisation=organisation,
        obj=organisation,
        details={"requirement": kind, "evidence": evidence},
    )
    return requirement


def is_custodian(organisation: Organisation) -> bool:
    """Whether all five requirements are recorded; only then may it own secret segments."""
    found = set(organisation.requirements.values_list("kind", flat=True))
    return found == set(CustodianRequirement.Kind.values)


#: Rules of the apps above that say why a role is not for a person: fn(user, organisation, role) -> a sentence or "".
_role_refusals: list[Callable[[Any, Organisation, str], str]] = []


def register_role_refusal(rule: Callable[[Any, Organisation, str], str]) -> None:
    """Let an app above say to whom a role is not given, such as a developer with a run on the corpus (LAW-10)."""
    if rule not in _role_refusals:
        _role_refusals.append(rule)


@transaction.atomic
def role_give(*, actor: User | None, organisation: Organisation, user: User, role: str) -> Membership:
    """Give a role; a role the person has already stays as it is.

    Raises:
        AccessDenied: the role would let a person read secret text on which they have a method or a run (LAW-10).
    """
    if not Membership.objects.filter(organisation=organisation, user=user, role=role).exists():
        refusal = next((said for rule in _role_refusals if (said := rule(user, organisation, role))), "")
        if refusal:
            raise AccessDenied("role.own_work", refusal)
    membership, made = Membership.objects.get_or_create(organisation=organisation, user=user, role=role)
    if made:
        audit.record("role.given", actor=actor, organisation=organisation, obj=user, details={"role": str(role)})
        _forget_cached_roles(user)
    return membership


@transaction.atomic
def role_take(*, actor: User | None, organisation: Organisation, user: User, role: str) -> None:
    if Membership.objects.filter(organisation=organisation, user=user, role=role).delete()[0]:
        audit.record("role.taken", actor=actor, organisation=organisation, obj=user, details={"role": str(role)})
        _forget_cached_roles(user)


@transaction.atomic
def installation_role_give(*, actor: User | None, user: User, kind: str) -> InstallationRole:
    role, made = InstallationRole.objects.get_or_create(user=user, kind=kind)
    if made:
        audit.record("role.given", actor=actor, organisation=None, obj=user, details={"role": str(kind)})
        _forget_cached_roles(user)
    return role


@transaction.atomic
def relation_declare(*, actor: User, person: User, relative: User) -> Relation:
    relation, made = Relation.objects.get_or_create(person=person, relative=relative, defaults={"declared_by": actor})
    if made:
        audit.record(
            "relation.declared", actor=actor, organisation=None, obj=person, details={"relative": str(relative.uid)}
        )
    return relation


def team_create(*, name: str, slug: str, members: list[User]) -> Team:
    """Make a developer team with its members."""
    team = Team(name=name, slug=slug)
    team.full_clean()
    team.save()
    TeamMembership.objects.bulk_create([TeamMembership(team=team, user=user) for user in members])
    for user in members:
        _forget_cached_roles(user)
    return team


def languages_speak(*, user: User, tags: list[str]) -> None:
    """Record the languages a person says they speak."""
    SpokenLanguage.objects.bulk_create([SpokenLanguage(user=user, tag=tag) for tag in tags], ignore_conflicts=True)


def _forget_cached_roles(user: Any) -> None:
    # Through the object, not its __dict__: the user of a request is a lazy stand-in with a __dict__ of its own.
    for name in ("_membership_rows", "_installation_roles", "_team_ids"):
        if hasattr(user, name):
            delattr(user, name)
