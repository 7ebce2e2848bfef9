"""What can be read off an interface string: its difficulty, register, context and whether it is plain text."""

from __future__ import annotations

import re

#: Placeholders, markup, addresses, keyboard and path notation: not plain text, so left out of the corpora.
_NOT_PLAIN = re.compile(r"[%{}<>&\\/_@|\n\t]|https?:|\$")
#: Clause marks and the commonest conjunctions of the demo's source languages (nb, es, en).
_CLAUSE_MARK = re.compile(
    r"[,;:]|\b(?:og|eller|men|fordi|hvis|som|at|y|o|pero|porque|si|que|and|or|but|because|if|that|which)\b",
    re.IGNORECASE,
)
#: Words up to this many -> level. The harness's estimator is made for sentences (5, 10, 18, 30 words for 1 to 4);
#: interface strings are shorter, so that its bounds would call three in four of them basic vocabulary.
_LEVEL_BOUNDS = ((1, 1), (4, 2), (9, 3), (18, 4))
#: Clauses from which a text of the level counts as one level harder.
_CLAUSES_RAISE = {2: 2, 3: 3, 4: 4}

_INSTRUCTIONS = ("please", "enter", "select", "ensure", "choose", "click", "type", "make sure", "use ")
_ERRORS = ("invalid", "error", "cannot", "can't", "not found", "must", "required", "unable", "failed", "already exists")


def is_plain(text: str) -> bool:
    """Say whether a text is free of placeholders, markup and addresses, and holds a letter."""
    return not _NOT_PLAIN.search(text) and text == text.strip() and any(character.isalpha() for character in text)


def difficulty(text: str) -> int:
    """Return the level 1-5 of a text: by its words, and one more where it has as many clauses as a harder one.

    Source: facts §9.5, with bounds for short texts.
    """
    words = len(text.split())
    level = next((level for bound, level in _LEVEL_BOUNDS if words <= bound), 5)
    clauses = 1 + len(_CLAUSE_MARK.findall(text))
    return level + 1 if clauses >= _CLAUSES_RAISE.get(level, 99) else level


def context(english: str) -> str:
    """Return the C-2 context of a string by its English original."""
    lowered = english.lower()
    if english.endswith("?"):
        return "question"
    if lowered.startswith(_INSTRUCTIONS):
        return "instruction"
    if any(word in lowered for word in _ERRORS):
        return "error"
    if len(english.split()) <= 4 and not english.endswith("."):
        return "label"
    return "declaration"


def phenomenon(source: str) -> str | None:
    """Name what a short text is good for finding out, if anything; for the diagnostic segment."""
    if source.endswith("?"):
        return "question"
    if any(character.isdigit() for character in source):
        return "numbers"
    if re.search(r"\b[A-ZÆØÅÑ]{2,}\b", source):
        return "abbreviation kept"
    if re.search(r"[\"'«»“”‘’()]", source):
        return "quotes and brackets"
    if "," in source or ";" in source:
        return "several clauses"
    return None
