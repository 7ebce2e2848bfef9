"""Where a person is needed: each app registers what it knows, the home page and the top bar ask.

The registry lies in the lowest layer, so that an app can register without importing the pages. An app puts its
providers into a module `needs.py`, which is imported when the pages start.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

#: Areas of the top bar that can carry a count.
AREAS = ("review", "governance", "corpora", "submit", "verify")


@dataclass(frozen=True)
class Need:
    """One row of "Where I am needed"; every word is translated already.

    `what` is the act and its object ("Rate Nynorsk outputs"), `for_whom` the organisation, `how_long` the effort or
    waiting time in words, `button` one verb.
    """

    what: str
    for_whom: str
    how_long: str
    url: str
    button: str


NeedProvider = Callable[[Any], list[Need]]
CountProvider = Callable[[Any], int]

_need_providers: list[NeedProvider] = []
_count_providers: dict[str, list[CountProvider]] = {}


def register(provider: NeedProvider) -> NeedProvider:
    """Add a provider of rows, `provider(user) -> list[Need]`; the same one twice counts once. Usable as a decorator."""
    if provider not in _need_providers:
        _need_providers.append(provider)
    return provider


def register_count(area: str, provider: CountProvider) -> CountProvider:
    """Add a provider of a waiting count, `provider(user) -> int`, to an area of the top bar.

    Raises:
        ValueError: for an area that the top bar does not have.
    """
    if area not in AREAS:
        raise ValueError(f"no such area: {area}")
    known = _count_providers.setdefault(area, [])
    if provider not in known:
        known.append(provider)
    return provider


def needs_of(user: Any) -> list[Need]:
    """Return every row for a person, in the order in which the providers were registered; none for visitors."""
    if not getattr(user, "is_authenticated", False):
        return []
    return [need for provider in _need_providers for need in provider(user)]


def count_of(area: str, user: Any) -> int:
    """Return how many things wait for a person in an area."""
    return sum(provider(user) for provider in _count_providers.get(area, []))
