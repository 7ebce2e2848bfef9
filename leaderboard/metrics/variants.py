"""Acceptable other translations: an entry's own, and those of entries of the same variant class and source.

Source: SPEC M-1, C-2.
"""

from collections.abc import Iterable

from champollion.common.text import collapse_space, nfc, normalise_exact

VariantKey = tuple[str, str]


def variant_key(variant_class: str, source: str) -> VariantKey:
    """Return what entries share that are each other's variants: class and source, but for NFC and white space."""
    return variant_class.strip(), collapse_space(nfc(source))


class VariantClasses:
    """The translations of each variant class and source, gathered entry by entry over a segment."""

    def __init__(self) -> None:
        self._texts: dict[VariantKey, dict[str, None]] = {}

    def add(self, *, variant_class: str, source: str, translations: Iterable[str]) -> None:
        """Take in an entry's reference and variants; one without a class has no company."""
        if variant_class.strip():
            self._texts.setdefault(variant_key(variant_class, source), {}).update(dict.fromkeys(translations))

    def variants_of(self, *, variant_class: str, source: str) -> tuple[str, ...]:
        """Return all translations of an entry's class and source, its own among them, in the order they came."""
        if not variant_class.strip():
            return ()
        return tuple(self._texts.get(variant_key(variant_class, source), ()))


def has_variants(variants: Iterable[str], variant_class: str) -> bool:
    """Say whether an entry brings something that equivalent match can use."""
    return bool(variant_class.strip()) or any(normalise_exact(text) for text in variants)
