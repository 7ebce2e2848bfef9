"""The published list of words that say a machine made the references. Source: SPEC C-5, LAW-11.

A word counts as a whole word or whole phrase, in any case, with space, hyphen or underscore between its parts. What
only says that a machine helped with alignment, format or metadata is not in the list.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

MACHINE_PHRASES = (
    "machine translation",
    "machine translated",
    "machine translations",
    "machine generated",
    "machine made",
    "machine output",
    "automatic translation",
    "automatically translated",
    "auto translated",
    "neural machine translation",
    "mt output",
    "synthetic",
    "synthetically generated",
    "synthetic data",
    "back translation",
    "back translations",
    "back translated",
    "backtranslation",
    "backtranslated",
    "llm generated",
    "llm translated",
    "ai generated",
    "ai translated",
    "post edited machine translation",
    "mtpe",
)
ENGINES = (
    "google translate",
    "google translator",
    "microsoft translator",
    "bing translator",
    "amazon translate",
    "yandex translate",
    "baidu translate",
    "apple translate",
    "papago",
    "deepl",
    "systran",
    "modernmt",
    "libretranslate",
    "argos translate",
    "apertium",
    "moses decoder",
    "moses smt",
    "opennmt",
    "marian nmt",
    "marianmt",
    "opus mt",
    "nllb",
    "nllb 200",
    "m2m 100",
    "madlad 400",
    "seamlessm4t",
    "mbart",
    "mt5",
    "chatgpt",
    "gpt",
    "gpt 3",
    "gpt 4",
    "gpt 5",
    "claude",
    "gemini",
    "llama",
    "mistral",
    "deepseek",
    "qwen",
)
#: Refused with anything after it: pseudo-parallel, pseudo-translated, pseudo-reference.
PREFIXES = ("pseudo",)

# Fields of a provenance object that are addresses and numbers, not words about how a text came to be.
_NOT_WORDS = frozenset({"url", "source_url", "source_id", "license", "licence"})


def published_words() -> list[str]:
    """Return the list as it is shown to people, in alphabetical order; a prefix ends in a hyphen."""
    return sorted((*MACHINE_PHRASES, *ENGINES, *(f"{prefix}-" for prefix in PREFIXES)))


def _phrase_pattern(phrase: str) -> str:
    words = phrase.split(" ")
    joined = words[0] if len(words) == 1 else r"[\s_\-‐‑–]+".join(re.escape(word) for word in words)
    return rf"(?<![^\W_]){joined}(?![^\W_])"


_PATTERN = re.compile(
    "|".join(
        [
            *(_phrase_pattern(phrase) for phrase in sorted((*MACHINE_PHRASES, *ENGINES), key=len, reverse=True)),
            *(rf"(?<![^\W_]){prefix}[-‐‑–_]\w+" for prefix in PREFIXES),
        ]
    ),
    re.IGNORECASE,
)


@lru_cache(maxsize=4096)
def machine_word(text: str) -> str:
    """Return the first word or phrase of the list in `text`, as it stands there, or ""."""
    match = _PATTERN.search(text)
    return match[0] if match else ""


def machine_word_in(provenance: Any) -> str:
    """Return the first such word in a provenance: a text, or an object or list whose texts are looked at."""
    for text in _texts(provenance):
        word = machine_word(text)
        if word:
            return word
    return ""


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, inner in value.items():
            if name not in _NOT_WORDS:
                yield from _texts(inner)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from _texts(inner)
