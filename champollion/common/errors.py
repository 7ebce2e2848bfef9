"""Errors a person can act on. Services raise these; one middleware and one API handler show them.

A ``message`` is a complete translated sentence for people; a ``code`` is stable, for programs. Neither ever
holds secret text (LAW-2).
"""

from typing import Any


class DomainError(Exception):
    """A rule said no.

    Args:
        code: stable identifier such as ``rating.campaign_closed``.
        message: a complete, translated sentence.
        context: facts for programs; never secret text.
    """

    status = 422

    def __init__(self, code: str, message: Any, **context: Any) -> None:
        super().__init__(str(message))
        self.code = code
        self.message = message
        self.context = context


class StateError(DomainError):
    """The object is not in a state that allows this act."""

    status = 409


class ConflictError(DomainError):
    """Another act of the same kind came first, or the same key names something else."""

    status = 409


class AccessDenied(DomainError):
    """The object is known to the person, the right is missing."""

    status = 403


class NotVisible(DomainError):
    """Unknown, or not for this person: the two are never told apart."""

    status = 404


class QuotaExceeded(DomainError):
    """A limit is reached."""

    status = 429


class ProblemList(DomainError):
    """Several problems of one input, reported at once.

    ``problems`` is a list of objects with ``place``, ``field``, ``value`` and ``remedy``.
    """

    def __init__(self, code: str, message: Any, problems: list[Any], **context: Any) -> None:
        super().__init__(code, message, **context)
        self.problems = problems
