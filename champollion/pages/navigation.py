"""The top bar: what each role finds first, then what everybody finds. Source: design 3; SPEC I-3.

Addresses are those of SPEC I-3, which are fixed; an item whose address does not exist yet is left out.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.urls import Resolver404, resolve
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from champollion.accounts.models import Role
from champollion.accounts.roles import is_developer, is_maintainer, organisations_as
from champollion.common.needs import count_of


@dataclass(frozen=True)
class Entry:
    """A link of the bar; `current` is the value of `aria-current`, empty where the page is another."""

    label: str | Promise
    url: str
    count: int = 0
    current: str = ""


@dataclass(frozen=True)
class _Item:
    area: str
    label: Promise
    url: str


_OWN = (
    _Item("review", _("Review"), "/review/"),
    _Item("governance", _("Governance"), "/governance/"),
    _Item("corpora", _("Corpora"), "/corpora/"),
    _Item("submit", _("Submit"), "/submit/"),
    _Item("verify", _("Verify"), "/verify/"),
)
_PUBLIC = (
    _Item("", _("Leaderboard"), "/leaderboard/"),
    _Item("", _("Corpora"), "/corpora/"),
    _Item("", _("Benchmarks"), "/benchmarks/"),
    _Item("", _("Costs"), "/costs/"),
    _Item("", _("Advisor"), "/advisor/"),
    _Item("", _("Help"), "/help/"),
)
_ACCOUNT = (
    _Item("", _("My ratings and consent"), "/review/mine/"),
    _Item("", _("My pay"), "/review/pay/"),
    _Item("", _("My tokens"), "/account/tokens/"),
    _Item("", _("E-mail"), "/account/email/"),
    _Item("", _("Second factor"), "/account/2fa/"),
)
_FOOT = (
    _Item("", _("Help"), "/help/"),
    _Item("", _("Organisations"), "/organisations/"),
    _Item("", _("Style guide"), "/help/style/"),
    _Item("", _("API"), "/api/docs/"),
)


def main_navigation(user: Any, path: str) -> list[Entry]:
    """Return the bar's links: the areas that wait for this person first, each with its count, then the public ones."""
    areas = areas_of(user)
    own = [item for item in _OWN if item.area in areas and exists(item.url)]
    taken = {item.url for item in own}
    public = [item for item in _PUBLIC if item.url not in taken and exists(item.url)]
    entries = [Entry(i.label, i.url, count_of(i.area, user), _current(i.url, path)) for i in own]
    return entries + [Entry(i.label, i.url, 0, _current(i.url, path)) for i in public]


def areas_of(user: Any) -> frozenset[str]:
    """Return the areas of the bar in which a person has a role."""
    if not getattr(user, "is_authenticated", False):
        return frozenset()
    found = {
        "review": bool(organisations_as(user, Role.SPEAKER, Role.HELPER)),
        "governance": bool(organisations_as(user, Role.STEWARD, Role.COORDINATOR)),
        "corpora": bool(organisations_as(user, Role.CURATOR)),
        "submit": is_developer(user),
        "verify": is_maintainer(user),
    }
    return frozenset(area for area, has_role in found.items() if has_role)


def account_links(user: Any) -> list[Entry]:
    """Return the links of the account menu; sign-out is a form of its own."""
    if not getattr(user, "is_authenticated", False):
        return []
    links = _existing(_ACCOUNT)
    if is_maintainer(user) and user.is_staff:
        links.append(Entry(_("Repair (admin)"), "/admin/"))
    return links


def foot_links() -> list[Entry]:
    """Return the links of the footer."""
    return _existing(_FOOT)


@lru_cache(maxsize=128)
def exists(path: str) -> bool:
    """Say whether this installation serves an address."""
    try:
        resolve(path)
    except Resolver404:
        return False
    return True


def _existing(items: Iterable[_Item]) -> list[Entry]:
    return [Entry(item.label, item.url) for item in items if exists(item.url)]


def _current(url: str, path: str) -> str:
    if path == url:
        return "page"
    return "true" if path.startswith(url) else ""
