"""Rate limits, and what is left of them in the headers of each answer (SPEC I-4)."""

from collections.abc import Iterable
from typing import Any

from rest_framework.throttling import AnonRateThrottle, UserRateThrottle


class VisitorThrottle(AnonRateThrottle):
    """For calls of nobody in particular, by address."""


class PersonThrottle(UserRateThrottle):
    """For calls of a person, whichever token or browser they come from."""

    def get_cache_key(self, request: Any, view: Any) -> str | None:
        """Count people; visitors have a limit of their own."""
        is_person = request.user and request.user.is_authenticated
        return super().get_cache_key(request, view) if is_person else None


def rate_headers(throttles: Iterable[Any]) -> dict[str, str]:
    """Return limit, calls left and seconds until one is free again, of the limit that applied to this call."""
    applied = next((one for one in throttles if getattr(one, "history", None) is not None), None)
    if applied is None:
        return {}
    oldest = applied.history[-1] if applied.history else applied.now
    return {
        "RateLimit-Limit": str(applied.num_requests),
        "RateLimit-Remaining": str(max(0, applied.num_requests - len(applied.history))),
        "RateLimit-Reset": str(max(0, int(applied.duration - (applied.now - oldest)) + 1)),
    }
