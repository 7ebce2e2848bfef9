"""Version numbers of corpora. Source: SPEC C-1."""

import re

_VERSION = re.compile(r"(\d{1,9})\.(\d{1,9})(?:\.(\d{1,9}))?", re.ASCII)


def version_key(version: str) -> tuple[int, int, int] | None:
    """Return the numbers of a version for order, `1.0` as (1, 0, 0); None where it is no version."""
    match = _VERSION.fullmatch(version)
    if match is None:
        return None
    return int(match[1]), int(match[2]), int(match[3] or 0)
