"""Who has which role: the facts that every permission rests on. One query a request and person."""

from typing import Any

from champollion.accounts.models import InstallationRole, Membership, Organisation, Relation, Role, TeamMembership
from champollion.accounts.models.user import User


def roles_in(user: Any, organisation: Organisation) -> frozenset[str]:
    """Return the roles a person holds in an organisation; empty for strangers and visitors."""
    return frozenset(role for pk, role in _memberships(user) if pk == organisation.pk)


def has_role(user: Any, organisation: Organisation, *roles: str) -> bool:
    return bool(roles_in(user, organisation) & set(roles))


def organisations_as(user: Any, *roles: str) -> list[int]:
    """Return the pks of the organisations in which a person holds one of the roles (any role if none is given)."""
    return sorted({pk for pk, role in _memberships(user) if not roles or role in roles})


def is_steward_of(user: Any, organisation: Organisation) -> bool:
    return has_role(user, organisation, Role.STEWARD)


def is_installation(user: Any, kind: str) -> bool:
    """Whether a person holds a role of the whole installation (developer, maintainer)."""
    if not getattr(user, "is_authenticated", False):
        return False
    if not hasattr(user, "_installation_roles"):
        user._installation_roles = frozenset(user.installation_roles.values_list("kind", flat=True))
    return kind in user._installation_roles


def is_developer(user: Any) -> bool:
    return is_installation(user, InstallationRole.Kind.DEVELOPER)


def is_maintainer(user: Any) -> bool:
    return is_installation(user, InstallationRole.Kind.MAINTAINER)


def team_ids(user: Any) -> frozenset[int]:
    if not getattr(user, "is_authenticated", False):
        return frozenset()
    if not hasattr(user, "_team_ids"):
        user._team_ids = frozenset(TeamMembership.objects.filter(user=user).values_list("team_id", flat=True))
    return user._team_ids


def related_user_ids(user: User) -> frozenset[int]:
    """Return the pks of everyone a person is declared to be related to, in either direction."""
    pairs = Relation.objects.filter(person=user).values_list("relative_id", flat=True)
    reverse = Relation.objects.filter(relative=user).values_list("person_id", flat=True)
    return frozenset(pairs) | frozenset(reverse)


def stewards_of(organisation: Organisation) -> list[User]:
    return list(
        User.objects.filter(
            memberships__organisation=organisation, memberships__role=Role.STEWARD, is_active=True
        ).distinct()
    )


def _memberships(user: Any) -> tuple[tuple[int, str], ...]:
    if not getattr(user, "is_authenticated", False):
        return ()
    if not hasattr(user, "_membership_rows"):
        rows = Membership.objects.filter(user=user, user__is_active=True)
        user._membership_rows = tuple(rows.values_list("organisation_id", "role"))
    return user._membership_rows
