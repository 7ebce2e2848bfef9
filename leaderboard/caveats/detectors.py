"""What is odd about one output. What its reference shows too is never odd. Source: SPEC M-2."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from enum import IntEnum

from champollion.common.text import normalise_exact
from leaderboard.metrics.scripts import dominant_script

TRIPLE_TIMES = 3  # the same three words so often, or
WORD_TIMES = 4  # the same word so often in a row, or
PIECE_TIMES = 5  # the same letters so often in a row

# Apertium and others put *, @ or # before a word they could not translate; neural engines leave their own symbols.
_MARKED_WORD = re.compile(r"(?<![\w*@#/.:&])[*@#][^\W\d_]\w*")
_SYMBOL = re.compile(
    r"<unk>|</?s>|<pad>|<mask>|\[UNK\]|⁇|▁|@@(?=\s|$)|&(?:apos|quot|lt|gt|amp|#91|#93|#124);", re.IGNORECASE
)
_ANY_MARK = re.compile(r"[*@#<\[⁇▁&]")  # one of these stands in each of the above
_REPEATED_PIECE = re.compile(rf"(\S{{2,20}}?)\1{{{PIECE_TIMES - 1},}}")
_JAPANESE = frozenset({"Hiragana", "Katakana", "CJK"})


class NormalForm(IntEnum):
    """Which Unicode normal form a text is in: `PLAIN` is in both."""

    PLAIN = 0
    COMPOSED = 1
    DECOMPOSED = 2
    NEITHER = 3


def is_source_copied(source: str, output: str, references: Iterable[str]) -> bool:
    """Say whether the output is the source, compared as exact match compares, where no reference is the same."""
    copied = normalise_exact(output)
    return bool(copied) and copied == normalise_exact(source) and copied not in map(normalise_exact, references)


def engine_marks(source: str, output: str, references: Iterable[str]) -> list[str]:
    """Return the marks of a translation engine that were left in the output, such as `*word` or `<unk>`.

    What stands in the source or a reference is no mark.
    """
    if not _ANY_MARK.search(output):
        return []
    found = [*_MARKED_WORD.findall(output), *_SYMBOL.findall(output)]
    if not found:
        return []
    known = [source, *references]
    return [mark for mark in dict.fromkeys(found) if not any(mark in text for text in known)]


def is_wrong_script(output: str, references: Iterable[str], target_scripts: Iterable[str]) -> bool:
    """Say whether most letters of the output are of a script that neither the target language nor a reference has.

    Without a known script of either, no script is wrong.
    """
    script = dominant_script(output)
    expected = {*target_scripts, *(dominant_script(text) for text in references)} - {None}
    if script is None or not expected:
        return False
    if script in _JAPANESE and not _JAPANESE.isdisjoint(expected):
        return False
    return script not in expected


def is_repeating(text: str) -> bool:
    """Say whether a text repeats itself: three words thrice, a word four times in a row, or letters five times."""
    words = text.lower().split()
    if len(words) >= WORD_TIMES:  # three triples are five words
        triples = Counter(zip(words, words[1:], words[2:], strict=False))
        if max(triples.values()) >= TRIPLE_TIMES or _longest_row(words) >= WORD_TIMES:
            return True
    long_words = (word for word in words if len(word) >= 2 * PIECE_TIMES)
    return any(_repeats_piece(word) for word in long_words)


def repeats_alone(source: str, output: str, references: Iterable[str]) -> bool:
    """Say whether the output repeats itself where neither its source nor a reference does."""
    return is_repeating(output) and not any(map(is_repeating, (source, *references)))


def normal_form(text: str) -> NormalForm:
    """Return the normal form of a text."""
    composed, decomposed = (unicodedata.is_normalized(form, text) for form in ("NFC", "NFD"))
    if composed:
        return NormalForm.PLAIN if decomposed else NormalForm.COMPOSED
    return NormalForm.DECOMPOSED if decomposed else NormalForm.NEITHER


def _repeats_piece(word: str) -> bool:
    return any(any(char.isalpha() for char in found.group(1)) for found in _REPEATED_PIECE.finditer(word))


def _longest_row(words: list[str]) -> int:
    longest = current = 0
    last = ""
    for word in words:
        current = current + 1 if word == last else 1
        last = word
        if any(char.isalpha() for char in word):
            longest = max(longest, current)
    return longest


def is_short(text: str) -> bool:
    """Say whether a text has two words at most, which many sources may rightly share. Source: 90-harness-facts 10."""
    return len(text.split()) <= 2
