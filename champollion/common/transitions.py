"""State tables and the one way to change a state: a conditional UPDATE.

Two people who act at once are told apart by the database: exactly one UPDATE finds the expected state.
"""

from collections.abc import Mapping
from typing import Any

from django.db import models
from django.utils.translation import gettext as _

from champollion.common.errors import StateError

Table = Mapping[str, frozenset[str]]


def table(**edges: set[str]) -> Table:
    """Return a transition table: state -> the states it may become."""
    return {state: frozenset(targets) for state, targets in edges.items()}


def may_become(transitions: Table, state: str, target: str) -> bool:
    return target in transitions.get(state, frozenset())


def apply_transition(
    instance: models.Model, target: str, *, transitions: Table, field: str = "status", **changes: Any
) -> None:
    """Move ``instance`` to ``target`` and set ``changes`` in the same UPDATE.

    The row must still be in the state the instance was read with, or the act is refused.

    Raises:
        StateError: the table has no such edge, or somebody else moved the row first.
    """
    state = getattr(instance, field)
    if not may_become(transitions, state, target):
        raise StateError(
            "state.no_such_step",
            _("This is %(state)s and cannot become %(target)s.") % {"state": state, "target": target},
            state=state,
            target=target,
        )
    manager = type(instance)._default_manager
    moved = manager.filter(pk=instance.pk, **{field: state}).update(**{field: target}, **changes)
    if not moved:
        raise StateError(
            "state.moved_meanwhile",
            _("Somebody else changed this a moment ago. Read the page again and decide anew."),
            state=state,
            target=target,
        )
    for name, value in {field: target, **changes}.items():
        setattr(instance, name, value)
