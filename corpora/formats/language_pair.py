"""The forms of `language_pair` in real files: `EN→CRK`, `en-gl`, `en:gl`, `EN>GL`, `en_gl`, or an object.

Source: SPEC C-1, C-3.
"""

import re
from typing import Any

_ARROWS = re.compile(r"\s*(?:→|⇒|->|>|:)\s*")
_SHORT_PAIR = re.compile(r"([A-Za-z]{2,3})[-_]([A-Za-z]{2,3})")


def read_pair(pair: Any) -> tuple[str, str, str]:
    """Return label, source tag and target tag of a `language_pair`; "" for what it does not say.

    A hyphen parts two codes of two or three letters only, because it also stands inside a language tag.
    """
    if isinstance(pair, dict):
        source, target = pair.get("source"), pair.get("target")
        if isinstance(source, str) and isinstance(target, str) and source and target:
            return pair_label(source, target), source, target
        return "", "", ""
    if not isinstance(pair, str):
        return "", "", ""
    parts = _ARROWS.split(pair.strip())
    if len(parts) == 2 and all(parts):
        return pair, parts[0], parts[1]
    match = _SHORT_PAIR.fullmatch(pair.strip())
    return (pair, match[1], match[2]) if match else (pair, "", "")


def pair_label(source: str, target: str) -> str:
    """Return the label of a pair of language tags."""
    return f"{source}→{target}"
