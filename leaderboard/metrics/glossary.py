"""A glossary: source terms with the translations that are right for each. Source: SPEC M-1; 90-harness-facts 4.5."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from champollion.common.canonical import canonical_sha256
from champollion.common.text import collapse_space, nfc

TERMS_AT_MOST = 50_000
TERM_LENGTH_AT_MOST = 500  # characters


class GlossaryError(ValueError):
    """What is no glossary. `problems` are (code, term) pairs, all of them at once.

    Codes: `not_an_object`, `too_many_terms`, `empty_term`, `long_term`, `no_translation`, `empty_translation`,
    `not_text`.
    """

    def __init__(self, problems: list[tuple[str, str]]) -> None:
        self.problems = problems
        super().__init__("; ".join(f"{code}: “{term}”" if term else code for code, term in problems[:20]))


@dataclass(frozen=True)
class TermCount:
    """Terms of the glossary in one source: how many are there, which of them the output lacks."""

    present: int
    missed: tuple[str, ...]

    @property
    def kept(self) -> int:
        """How many of them the output has."""
        return self.present - len(self.missed)


@dataclass(frozen=True)
class Glossary:
    """Source terms with their acceptable translations, as given."""

    terms: Mapping[str, tuple[str, ...]]
    is_case_sensitive: bool = False

    @classmethod
    def parse(cls, data: Any, *, is_case_sensitive: bool = False) -> "Glossary":
        """Read `{"term": ["translation", …]}`; one translation may stand without its list.

        Raises GlossaryError with everything that is wrong.
        """
        if not isinstance(data, Mapping):
            raise GlossaryError([("not_an_object", "")])
        if len(data) > TERMS_AT_MOST:
            raise GlossaryError([("too_many_terms", "")])
        problems = [(code, str(term)[:80]) for term, given in data.items() for code in _problems(term, given)]
        if problems:
            raise GlossaryError(problems)
        return cls(
            terms={term: tuple([given] if isinstance(given, str) else given) for term, given in data.items()},
            is_case_sensitive=is_case_sensitive,
        )

    @cached_property
    def sha256(self) -> str:
        """Digest of terms and case rule, whatever their order."""
        return canonical_sha256({"case": self.is_case_sensitive, "terms": {k: list(v) for k, v in self.terms.items()}})

    def count(self, source: str, output: str) -> TermCount:
        """Return the terms that stand in a source as whole words, and those that the output has no translation of.

        A translation counts wherever it stands in the output, within a longer word too: inflection goes on.
        """
        source, output = self._folded(source), self._folded(output)
        found = [term for folded, term, pattern in self._patterns if folded in source and pattern.search(source)]
        missed = [term for term in found if not any(self._folded(text) in output for text in self.terms[term])]
        return TermCount(present=len(found), missed=tuple(missed))

    @cached_property
    def _patterns(self) -> list[tuple[str, str, re.Pattern[str]]]:
        folded = {term: self._folded(term) for term in self.terms}
        return [(text, term, re.compile(rf"(?<!\w){re.escape(text)}(?!\w)")) for term, text in folded.items()]

    def _folded(self, text: str) -> str:
        text = collapse_space(nfc(text))
        return text if self.is_case_sensitive else text.lower()


def _problems(term: Any, given: Any) -> list[str]:
    translations = [given] if isinstance(given, str) else given
    found = []
    if not isinstance(term, str) or not term.strip():
        found.append("empty_term")
    elif len(term) > TERM_LENGTH_AT_MOST:
        found.append("long_term")
    if not isinstance(translations, list | tuple) or not all(isinstance(text, str) for text in translations):
        return [*found, "not_text"]
    if not translations:
        found.append("no_translation")
    elif not all(text.strip() for text in translations):
        found.append("empty_translation")
    return found
