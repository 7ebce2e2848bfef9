"""Rate limits, and what is left of them in the headers of each answer (SPEC I-4)."""

from typing import Any

from rest_framework.throttling import AnonRateThrottle, UserRateThrottle


class VisitorThrottle(AnonRateThrottle):
    """For calls of nobody in particular, by address."""


class PersonThrottle(UserRateThrottle):
    """For calls of a person, whichever token or browser they come from."""


def rate_headers(throttle: Any) -> dict[str, str]:
    """Return limit, calls left and seconds until one is free again; nothing for a limit that did not apply."""
    history = getattr(throttle, "history", None)
    if history is None or throttle.num_requests is None or throttle.duration is None:
        return {}
    oldest = history[-1] if history else throttle.now
    return {
        "RateLimit-Limit": str(throttle.num_requests),
        "RateLimit-Remaining": str(max(0, throttle.num_requests - len(history))),
        "RateLimit-Reset": str(max(0, int(throttle.duration - (throttle.now - oldest)) + 1)),
    }
