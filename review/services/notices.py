"""Mails about decisions: plain text, no secret text, sent after the commit (SPEC V-10, LAW-2, LAW-9).

A mail that cannot be sent is logged and never undoes the act; what it says stands on the pages too.
"""

import logging
from collections.abc import Callable, Iterable
from functools import partial
from smtplib import SMTPException
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext as _

from champollion.accounts import roles
from champollion.accounts.models import User
from review.anchors import version_of
from review.models import Campaign, Decision, Nomination, Transfer

logger = logging.getLogger(__name__)

Words = Callable[[], tuple[str, str]]


def decision_waits(decision: Decision, *, actor: Any) -> None:
    """Tell the other stewards that a proposal waits for them."""
    campaign = decision.campaign

    def words() -> tuple[str, str]:
        subject = _("A decision waits for your signature")
        body = _(
            "A steward of %(organisation)s proposed a decision on a campaign for %(corpus)s. It takes effect when "
            "another steward confirms it. Sign in and open Governance to read the report and the reason."
        )
        return subject, body % _names(campaign)

    stewards = [steward for steward in roles.stewards_of(campaign.organisation) if steward.pk != actor.pk]
    _send(stewards, words)


def decision_carried_out(decision: Decision) -> None:
    """Tell stewards and the developer's team what was decided, and the team why."""
    campaign = decision.campaign

    def to_stewards() -> tuple[str, str]:
        body = _("The decision on a campaign for %(corpus)s was carried out: %(decision)s. It stands in Governance.")
        return _("A decision was carried out"), body % {**_names(campaign), "decision": decision.get_kind_display()}

    _send(roles.stewards_of(campaign.organisation), to_stewards)
    if decision.kind != Decision.Kind.MORE:
        _send(_team(campaign), lambda: _to_developer(decision))


def transfer_opened(transfer: Transfer, *, campaign: Campaign) -> None:
    """Tell the developer's team that the ownership transfer is open."""

    def words() -> tuple[str, str]:
        body = _(
            "%(organisation)s opened the ownership transfer of %(method)s, as the terms say that you accepted. "
            "You keep your name on the leaderboard, the right to publish about the method and to use it for other "
            "language pairs. The organisation will tell you the next step."
        )
        return _("The ownership transfer is open"), body % _names(campaign)

    _send(_team(campaign), words)


def candidate_found(nomination: Nomination) -> None:
    """Tell the stewards that a run reached the bound and that they may nominate it."""

    def words() -> tuple[str, str]:
        body = _(
            "A method reached the Deployable bound on %(corpus)s, and is now a candidate. If people should judge it, "
            "open Governance and nominate it."
        )
        return _("A candidate for nomination"), body % _nominee(nomination)

    _send(roles.stewards_of(nomination.corpus_version.corpus.organisation), words)


def nominated(nomination: Nomination) -> None:
    """Tell the stewards that a run is nominated and that a draft campaign will wait for them."""

    def words() -> tuple[str, str]:
        body = _(
            "A method reached the Deployable bound on %(corpus)s and is nominated. A draft campaign with its sample is "
            "being made; open Governance to check and open it."
        )
        return _("A method is nominated"), body % _nominee(nomination)

    _send(roles.stewards_of(nomination.corpus_version.corpus.organisation), words)


def _nominee(nomination: Nomination) -> dict[str, str]:
    """Name the corpus alone: a steward may rate as well, and raters are blind (LAW-9)."""
    version = nomination.corpus_version
    return {"corpus": f"{version.corpus.corpus_id} {version.version}"}


def _to_developer(decision: Decision) -> tuple[str, str]:
    names = {**_names(decision.campaign), "reason": decision.reason}
    if decision.kind == Decision.Kind.APPROVE:
        body = _("%(organisation)s approved %(method)s on %(corpus)s.\n\nTheir reason:\n%(reason)s")
        return _("Your method was approved"), body % names
    if decision.kind == Decision.Kind.REFUSE:
        body = _(
            "%(organisation)s did not approve %(method)s on %(corpus)s. Its public tier stays as it was; a new attempt "
            "draws new items.\n\nTheir reason:\n%(reason)s"
        )
        return _("Your method was not approved"), body % names
    body = _("%(organisation)s sent %(method)s on %(corpus)s back without a verdict.\n\nTheir reason:\n%(reason)s")
    return _("Your method was sent back"), body % names


def _names(campaign: Campaign) -> dict[str, str]:
    version = version_of(campaign.run)
    return {
        "organisation": campaign.organisation.name,
        "method": str(campaign.run.method_version),
        "corpus": f"{version.corpus.corpus_id} {version.version}",
    }


def _team(campaign: Campaign) -> list[User]:
    team = campaign.run.method_version.method.team_id
    return list(User.objects.filter(team_memberships__team=team, is_active=True).distinct())


def _send(people: Iterable[User], words: Words) -> None:
    """Send one mail a person, in their language, once the transaction is committed."""
    for person in people:
        with translation.override(person.language or settings.LANGUAGE_CODE):
            subject, body = words()
        message = EmailMessage(subject, body, to=[person.email])
        transaction.on_commit(partial(_deliver, message, str(person.uid)))


def _deliver(message: EmailMessage, uid: str) -> None:
    try:
        message.send()
    except (OSError, SMTPException) as error:
        logger.warning("A notice to %s was not sent: %s", uid, type(error).__name__)
