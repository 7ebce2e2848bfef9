"""Licence expressions. Source: SPEC C-1."""

import re
from functools import lru_cache
from typing import Any

from license_expression import ExpressionError, ExpressionParseError, Licensing, get_spdx_licensing

_OWN_REFERENCE = re.compile(r"(?:DocumentRef-[A-Za-z0-9.-]+:)?LicenseRef-[A-Za-z0-9.-]+")


@lru_cache(maxsize=1)
def _licensing() -> Licensing:
    return get_spdx_licensing()


@lru_cache(maxsize=256)
def normal_licence(expression: str) -> str | None:
    """Return the SPDX expression in its usual spelling; None where it is none.

    `LicenseRef-…` names are the organisation's own.
    """
    try:
        parsed: Any = _licensing().parse(expression, strict=True)
    except (ExpressionError, ExpressionParseError):
        return None
    if parsed is None:
        return None
    unknown = _licensing().unknown_license_keys(parsed, unique=True)
    if not all(_OWN_REFERENCE.fullmatch(key) for key in unknown):
        return None
    return str(parsed)
