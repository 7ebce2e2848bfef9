"""Who may not be given a right to read secret text, because they have a method or a run on it (LAW-10, SPEC S-1)."""

from typing import Any

from django.utils.translation import gettext as _

from champollion.accounts.models import Organisation, Role
from champollion.accounts.services.organisations import register_role_refusal
from leaderboard.services.methods import has_method_or_run_on

#: Roles that read all secret text of their organisation (SPEC C-7).
READING_ROLES = (Role.STEWARD, Role.CURATOR)


def reading_role_refusal(user: Any, organisation: Organisation, role: str) -> str:
    """Return why a role that reads secret text is not for this person, or ""."""
    if role not in READING_ROLES:
        return ""
    with_secret = organisation.corpora.filter(versions__entries__sealed__isnull=False).distinct()
    corpus = next((corpus for corpus in with_secret if has_method_or_run_on(user, corpus)), None)
    if corpus is None:
        return ""
    return _(
        "This person has a method or a run on %(corpus)s, so a role that reads its secret text is not for them."
    ) % {"corpus": corpus.corpus_id}


register_role_refusal(reading_role_refusal)
