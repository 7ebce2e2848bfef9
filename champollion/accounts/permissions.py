"""Who may do what: one table, asked through ``may`` and ``require`` (SPEC S-1).

A right is a role in the organisation that the object belongs to, or a role of the whole installation. What depends
on more than roles (own method, relatives, a read of secret text: LAW-10) is a condition of the service that
carries out the act, on top of this table. ``tests/security`` walks every address with every role.
"""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from champollion.accounts import roles
from champollion.accounts.models import InstallationRole, Organisation, Role
from champollion.common.errors import AccessDenied, NotVisible

STEWARD, CURATOR, COORDINATOR = Role.STEWARD, Role.CURATOR, Role.COORDINATOR
SPEAKER, HELPER = Role.SPEAKER, Role.HELPER
DEVELOPER, MAINTAINER = InstallationRole.Kind.DEVELOPER, InstallationRole.Kind.MAINTAINER


_REFUSAL = gettext_lazy("Your roles do not allow this.")


@dataclass(frozen=True)
class Right:
    """Roles that carry a right, and the sentence said to a member who lacks it."""

    roles: tuple[str, ...] = ()
    installation: tuple[str, ...] = ()
    refusal: Any = _REFUSAL


RIGHTS: dict[str, Right] = {
    # Corpora
    "corpus.import": Right((CURATOR,), refusal=gettext_lazy("Only curators of the organisation store corpora.")),
    "corpus.read_secret": Right((STEWARD, CURATOR)),
    "corpus.withdraw": Right((STEWARD,)),
    # Runs
    "run.submit": Right((STEWARD,), (DEVELOPER,), gettext_lazy("Runs are handed in by developers.")),
    "run.submit_secret": Right(
        (STEWARD,), refusal=gettext_lazy("Nobody outside can have run a method on this segment.")
    ),
    "caveat.acknowledge": Right((STEWARD,)),
    # Review
    "nomination.make": Right((STEWARD,), refusal=gettext_lazy("A steward of the organisation nominates.")),
    "governance.read": Right((STEWARD, COORDINATOR)),
    "campaign.open": Right((STEWARD,), refusal=gettext_lazy("A steward checks and opens a campaign.")),
    "campaign.run": Right((STEWARD, COORDINATOR)),
    "campaign.read": Right((STEWARD, COORDINATOR)),
    "report.read": Right((STEWARD, CURATOR), refusal=gettext_lazy("Coordinators see no estimate.")),
    "talk.record": Right((STEWARD, COORDINATOR)),
    "harm.judge": Right((STEWARD,)),
    "review.rate": Right((SPEAKER,), refusal=gettext_lazy("Speakers of the organisation rate.")),
    "decision.sign": Right((STEWARD,), refusal=gettext_lazy("Stewards decide.")),
    "transfer.step": Right((STEWARD,)),
    "policy.change": Right((STEWARD,)),
    # The organisation itself
    "audit.read": Right((STEWARD,), (MAINTAINER,)),
    "role.give": Right((STEWARD,), (MAINTAINER,)),
    "organisation.record": Right((), (MAINTAINER,)),
}


def may(user: Any, right: str, organisation: Organisation | None = None) -> bool:
    """Whether a person has a right in an organisation; without one, in any organisation or the installation.

    Raises:
        KeyError: no such right.
    """
    rule = RIGHTS[right]
    if not getattr(user, "is_authenticated", False) or not user.is_active:
        return False
    if any(roles.is_installation(user, kind) for kind in rule.installation):
        return True
    if not rule.roles:
        return False
    if organisation is None:
        return bool(roles.organisations_as(user, *rule.roles))
    return roles.has_role(user, organisation, *rule.roles)


def require(user: Any, right: str, organisation: Organisation | None = None) -> None:
    """Refuse whoever lacks a right: strangers learn nothing, members learn why.

    Raises:
        NotVisible: the person is no member of the organisation.
        AccessDenied: a member (or anybody, where no organisation is named) without the right.
    """
    if may(user, right, organisation):
        return
    if organisation is not None and not roles.roles_in(user, organisation):
        raise NotVisible("not_visible", _("There is no such thing, or it is not yours to see."))
    raise AccessDenied("right.missing", RIGHTS[right].refusal, right=right)


def organisations_with(user: Any, right: str) -> list[int]:
    """Return the pks of the organisations in which a person has a right by role."""
    return roles.organisations_as(user, *RIGHTS[right].roles) if RIGHTS[right].roles else []
