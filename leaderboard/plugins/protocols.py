"""What a language's own package offers to scoring, by entry point.

A package names its objects in its metadata; the name of an entry point is the BCP 47 tag of the language:

    [project.entry-points."champollion.equivalence"]
    crk = "champollion_crk.equivalence:judge"

The object has the method of the group's protocol below; a class is made without arguments first. A plug-in runs in a
process of its own, without the installation's settings or database, and what it prints goes nowhere. One that raises,
hangs, dies or answers something else is reported by name, and its metric is null for the run. It must give the same
answer for the same entry, whatever it was asked before. Source: SPEC M-1.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Protocol


class Group(StrEnum):
    """The groups of entry points, and so the kinds of plug-ins."""

    EQUIVALENCE = "champollion.equivalence"
    SEMANTIC = "champollion.semantic"
    TERMINOLOGY = "champollion.terminology"
    ANALYSER = "champollion.analyser"
    EMBEDDING = "champollion.embedding"


class EquivalencePlugin(Protocol):
    """Says which outputs are as right as the reference."""

    def is_equivalent(self, *, source: str, output: str, references: Sequence[str]) -> bool:
        """Return whether an output, never empty and equal to no reference or variant, is acceptable in its place."""
        ...


class SemanticPlugin(Protocol):
    """Judges whether an output means what its source means."""

    def verdict(self, *, source: str, output: str, references: Sequence[str]) -> str:
        """Return EXACT_MATCH, VALID, GRAMMAR_ISSUES, PARTIAL, INCOMPLETE or WRONG; any other label weighs 0."""
        ...


class TerminologyPlugin(Protocol):
    """Knows a language's terms better than a list can. A glossary, where there is one, goes first."""

    def terms(self, *, source: str, output: str) -> tuple[int, int]:
        """Return (kept, present): terms of the source that the output has right, and all terms of the source."""
        ...


class AnalyserPlugin(Protocol):
    """A morphological analyser that is no `.hfstol` file. A file that is set up goes first."""

    def analyses(self, word: str) -> Sequence[str]:
        """Return the analyses of a word, as `lemma+Tag+Tag`; none for a word that is not known."""
        ...


class EmbeddingModel(Protocol):
    """A local model that turns texts into vectors; it loads from the folder it is given, and never downloads.

    The entry point, whose name the operator chooses the model by, is called with that folder and returns the model.
    """

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """Return one vector per text, all of one length."""
        ...
