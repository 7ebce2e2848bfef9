"""People, organisations, roles and developer teams (SPEC S-1)."""

from champollion.accounts.models.organisation import (
    CustodianRequirement,
    GovernedLanguage,
    Membership,
    Organisation,
    Role,
)
from champollion.accounts.models.team import Relation, Team, TeamMembership
from champollion.accounts.models.user import InstallationRole, SpokenLanguage, User

__all__ = [
    "CustodianRequirement",
    "GovernedLanguage",
    "InstallationRole",
    "Membership",
    "Organisation",
    "Relation",
    "Role",
    "SpokenLanguage",
    "Team",
    "TeamMembership",
    "User",
]
