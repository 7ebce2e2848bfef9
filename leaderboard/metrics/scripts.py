"""Which script a letter, a word or a text is written in, by Unicode character names, as the harness tells them apart.

Scripts outside the list below are `Other`, which is never detected as a target and never called wrong. A finer list
would give other numbers than the harness for the same outputs. Source: SPEC M-2; 90-harness-facts 4.3.
"""

import unicodedata
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

LATIN = "Latin"
OTHER = "Other"

# The order matters for one letter: the prolonged sound mark's name holds both kana.
_NAME_PARTS: tuple[tuple[str, str], ...] = (
    ("LATIN", LATIN),
    ("CYRILLIC", "Cyrillic"),
    ("GREEK", "Greek"),
    ("ARABIC", "Arabic"),
    ("HEBREW", "Hebrew"),
    ("DEVANAGARI", "Devanagari"),
    ("THAI", "Thai"),
    ("HANGUL", "Hangul"),
    ("ETHIOPIC", "Ethiopic"),
    ("CANADIAN SYLLABICS", "Canadian_Aboriginal"),
    ("HIRAGANA", "Hiragana"),
    ("KATAKANA", "Katakana"),
    ("CJK", "CJK"),
    ("IDEOGRAPH", "CJK"),
)


@lru_cache(maxsize=4096)
def script_of_letter(char: str) -> str | None:
    """Return the script of one character, `Other` for a script outside the list, None if it is no letter."""
    if not unicodedata.category(char).startswith("L"):
        return None
    name = unicodedata.name(char, "")
    return next((script for part, script in _NAME_PARTS if part in name), OTHER)


def dominant_script(text: str) -> str | None:
    """Return the script of most letters, the first met where two are equal; None for a text without letters."""
    counts = Counter(script for script in map(script_of_letter, text) if script is not None)
    return counts.most_common(1)[0][0] if counts else None


def first_script(texts: Iterable[str]) -> str | None:
    """Return the dominant script of the first text that has a known one, or None."""
    for text in texts:
        script = dominant_script(text)
        if script is not None and script != OTHER:
            return script
    return None
