"""Methods and their versions: registered once, found again by their identity (SPEC L-1, L-3)."""

from dataclasses import dataclass, field
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils.text import slugify
from django.utils.translation import gettext as _

from champollion.accounts import roles
from champollion.accounts.models import Organisation, Team, User
from champollion.audit import services as audit
from champollion.common.errors import DomainError, NotVisible
from leaderboard.models import Method, MethodVersion, Run
from leaderboard.models.method import MethodClass

#: The parts of a valid submission (§9.1); a steward's upload says which of them came with the method.
SUBMISSION_PARTS = ("run_card", "code", "dependencies", "costs", "readme")


@dataclass(frozen=True)
class HeldMethod:
    """Where a held method lies outside this installation (SPEC L-3)."""

    file_name: str
    sha256: str
    place: str
    parts: list[str] = field(default_factory=list)

    def missing_parts(self) -> list[str]:
        return [part for part in SUBMISSION_PARTS if part not in self.parts]


@transaction.atomic
def method_register(
    *, actor: User | None, name: str, team: Team, method_class: str = MethodClass.RAW_LLM, slug: str = ""
) -> Method:
    """Register a method of a team, or return the team's method of that name.

    Raises:
        NotVisible: the actor is not in the team.
        DomainError: the name is taken by another team.
    """
    if actor is not None and team.pk not in roles.team_ids(actor):
        raise NotVisible("team.not_visible", _("There is no such team, or you are not in it."))
    wanted = slug or slugify(name)[:110] or "method"
    method = Method.objects.filter(slug=wanted).first()
    if method is not None:
        if method.team_id != team.pk:
            raise DomainError(
                "method.name_taken",
                _("Another team has a method called %(name)s here; choose another name.") % {"name": name},
            )
        return method
    method = Method(slug=wanted, name=name.strip(), team=team, method_class=method_class, created_by=actor)
    method.clean_fields(exclude=["created_by"])
    try:
        with transaction.atomic():
            method.save()
    except IntegrityError:
        # The same name came in parallel; its row decides, as if it had been here before.
        return method_register(actor=actor, name=name, team=team, method_class=method_class, slug=slug)
    audit.record(
        "method.registered", actor=actor, organisation=None, obj=method, details={"name": name, "team": team.slug}
    )
    return method


@transaction.atomic
def method_version_get(
    *,
    method: Method,
    identity: dict[str, Any],
    identity_sha256: str,
    model_name: str,
    submitted_by: User | None,
) -> MethodVersion:
    """Return the version of a method with this identity, made if it is new. Locks the method's row."""
    method = Method.objects.select_for_update(no_key=True).get(pk=method.pk)
    version = method.versions.filter(identity_sha256=identity_sha256).first()
    if version is not None:
        return version
    number = (method.versions.aggregate(Max("number"))["number__max"] or 0) + 1
    version = MethodVersion(
        method=method,
        number=number,
        identity=identity,
        identity_sha256=identity_sha256,
        model_name=model_name[:200],
        submitted_by=submitted_by,
    )
    version.save()
    return version


@transaction.atomic
def method_hold(
    *, actor: User | None, version: MethodVersion, organisation: Organisation, held: HeldMethod
) -> MethodVersion:
    """Record where the organisation holds a method version's code (SPEC L-3).

    Raises:
        DomainError: the digest is no SHA-256, or another organisation holds it.
    """
    if len(held.sha256) != 64 or set(held.sha256.lower()) - set("0123456789abcdef"):
        raise DomainError(
            "method.held_digest", _("The digest of the held method must be a SHA-256: 64 characters 0-9, a-f.")
        )
    if version.is_held and version.held_by_id != organisation.pk:
        raise DomainError("method.held_elsewhere", _("Another organisation holds this method."))
    version.held_by, version.held_sha256 = organisation, held.sha256.lower()
    version.held_file_name, version.held_place, version.held_parts = held.file_name, held.place, held.parts
    version.full_clean(exclude=["submitted_by", "identity"])
    version.save(update_fields=["held_by", "held_sha256", "held_file_name", "held_place", "held_parts"])
    audit.record(
        "method.held",
        actor=actor,
        organisation=organisation,
        obj=version,
        details={"file_name": held.file_name, "sha256": held.sha256, "place": held.place, "parts": held.parts},
    )
    return version


def has_method_or_run_on(user: User, corpus: Any) -> bool:
    """Whether a person has a method or a run on a corpus; then no secret text of it is for them (LAW-10)."""
    runs = Run.objects.filter(corpus_version__corpus=corpus)
    return (
        runs.filter(submitted_by=user, is_organisation_run=False).exists()
        or runs.filter(method_version__submitted_by=user).exists()
        or runs.filter(method_version__method__team__memberships__user=user).exists()
    )


def is_own_method(user: User, version: MethodVersion) -> bool:
    """Whether a person developed or handed in a method version (LAW-10)."""
    return version.submitted_by_id == user.pk or version.method.team_id in roles.team_ids(user)
