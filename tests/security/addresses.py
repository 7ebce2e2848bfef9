"""Every address of the installation, from the resolver, and how to fill one in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from django.urls import URLPattern, URLResolver, get_resolver

from champollion.api.tokens import token_make
from champollion.common.models import Job
from review.services.assignment import block_lease

from .world import INSTALLATION_ROLES, ORGANISATION_ROLES, World

#: The columns of the matrix: nobody, then every role in the organisation of the object and in another one.
COLUMNS = ("anonymous",) + tuple(
    (role, place) for place in ("own", "other") for role in (*ORGANISATION_ROLES, *INSTALLATION_ROLES)
)


def patterns() -> list[str]:
    """Return every pattern of the resolver as one string, in its order."""
    return list(_walk(get_resolver().url_patterns, ""))


def _walk(found: list, before: str) -> Iterator[str]:
    for one in found:
        here = before + str(one.pattern)
        if isinstance(one, URLResolver):
            yield from _walk(one.url_patterns, here)
        elif isinstance(one, URLPattern):
            yield here


@dataclass(frozen=True)
class Expectation:
    """What a clause says of one column: a status, "login", or "in" for whoever the act itself then judges."""

    status: int | str

    def holds(self, status: int, location: str) -> bool:
        is_sign_in = status == 302 and location.startswith("/account/login/")
        if self.status == "login":
            return is_sign_in
        if self.status != "in":
            return status == self.status
        return status < 500 and status not in (401, 403, 404, 405) and not is_sign_in


def columns_of(text: str) -> dict[object, Expectation]:
    """Read a cell of the matrix, such as "anonymous 302; own steward 200; own rest 403; rest 404".

    A clause names roles, all of one place with `own` or `other`, and a status; `own rest` are the roles of the object's
    organisation that no clause before named, `rest` is everybody left.
    """
    found: dict[object, Expectation] = {}
    for clause in text.split(";"):
        words = clause.split()
        status: int | str = words[-1] if words[-1] in ("in", "login") else int(words[-1])
        for column in _named(words[:-1], found):
            found.setdefault(column, Expectation(status))
    missing = [column for column in COLUMNS if column not in found]
    assert not missing, f"{text!r} says nothing of {missing}"
    return found


def _named(words: list[str], found: dict) -> list:
    places = [word for word in words if word in ("own", "other")] or ["own", "other"]
    names = [word for word in words if word not in ("own", "other")]
    if names == ["rest"]:
        if len(places) == 2:
            return [column for column in COLUMNS if column not in found]
        roles = [role for role in ORGANISATION_ROLES if (role, places[0]) not in found]
        return [(role, places[0]) for role in roles]
    chosen: list = ["anonymous"] if "anonymous" in names else []
    for name in names:
        if name != "anonymous":
            assert name in (*ORGANISATION_ROLES, *INSTALLATION_ROLES), name
            chosen += [(name, place) for place in places]
    return chosen


def values_of(world: World) -> dict[str, object]:
    """Return what fills the addresses, by name of the row's value; makes a token and a lease for it."""
    token, _text = token_make(user=world.person("steward"), name="a program")
    leases = block_lease(rater=world.person("speaker"), campaign=world.open)
    job = Job.objects.filter(subject=f"run:{world.decided_run.uid}").get()
    return {
        "corpus": world.version.corpus.corpus_id,
        "version_name": world.version.version,
        "pair": world.version.corpus.pair,
        "version": world.version.uid,
        "public_entry": world.public_entry.uid,
        "secret_entry": world.marked_entry.uid,
        "organisation": world.own.slug,
        "governed": world.own.languages.order_by("pk").first().tag,
        "public_run": world.public_run.uid,
        "secret_run": world.decided_run.uid,
        "rated_run": world.open_run.uid,
        "method": world.public_run.method_version.method.uid,
        "score_set": world.decided_run.score_sets.get().uid,
        "standing": world.decided_run.standings.get().uid,
        "nomination": world.draft.nomination.uid,
        "draft": world.draft.uid,
        "open": world.open.uid,
        "decided": world.decided.uid,
        "decision": world.decision.uid,
        "transfer": world.transfer.uid,
        "flag": world.flag.uid,
        "item": world.marked_item.uid,
        "leased": next(lease.item.uid for lease in leases if lease.item != world.marked_item),
        "job": job.uid,
        "token": token.uid,
        "user": world.person("speaker").pk,
        "membership": world.person("speaker").memberships.get().pk,
        "organisation_pk": world.own.pk,
    }


def address_of(pattern: str, fills: dict[str, str], values: dict[str, object]) -> str:
    """Fill a pattern with the world's values."""
    text = pattern

    def fill(match: re.Match) -> str:
        name = match.group(1) or match.group(2)
        given = fills[name]
        return str(values.get(given, given))

    text = re.sub(r"\(\?P<(\w+)>(?:[^()]|\([^)]*\))*\)|<(?:\w+:)?(\w+)>", fill, text)
    return "/" + text.replace("^", "").replace("$", "").replace("\\", "")
