"""Real pairs to measure scoring on, from the catalogues of the installed Django: never a corpus.

The output is a closely related language's string, the reference the target language's own, so that a pair is as near
and as far as a translation is. Nothing is invented; where more pairs are asked for than there are, they come again.
"""

from __future__ import annotations

import gettext
from collections.abc import Iterator
from itertools import cycle, islice, permutations
from pathlib import Path

import django

from leaderboard.metrics.base import Pair

FAMILIES = (
    ("nb", "nn", "da", "sv"),
    ("es", "gl", "ca", "pt"),
    ("cs", "sk", "hsb", "dsb"),
    ("ru", "uk", "be"),
    ("bg", "mk", "hr", "sr_Latn", "sl"),
    ("tr", "az"),
    ("de", "nl"),
    ("fi", "et"),
    ("lv", "lt"),
    ("fa", "ar"),
    ("hi", "mr"),
)
"""Languages that are near enough for one's string to pass as a translation into the other, or share its script."""
FEWEST_WORDS = 4  # in the reference: sentences, not labels


def real_pairs(count: int) -> list[Pair]:
    """Return `count` pairs with ids 0, 1, …, from all families alike; the same for the same release of Django."""
    found = list(_translated_twice())
    texts = islice(cycle(found[:: max(1, len(found) // count)]), count)
    return [
        Pair(entry_id=str(place), source=source, output=output, references=(reference,))
        for place, (source, output, reference) in enumerate(texts)
    ]


def _translated_twice() -> Iterator[tuple[str, str, str]]:
    folders = sorted(Path(django.__file__).parent.glob("**/locale"))
    for family in FAMILIES:
        texts = [{language: _catalogue(folder, language) for language in family} for folder in folders]
        for related, target in permutations(family, 2):
            for folder in texts:
                ours, theirs = folder[target], folder[related]
                for source in sorted(ours.keys() & theirs.keys()):
                    if len(ours[source].split()) >= FEWEST_WORDS:
                        yield source, theirs[source], ours[source]


def _catalogue(folder: Path, language: str) -> dict[str, str]:
    path = folder / language / "LC_MESSAGES" / "django.mo"
    if not path.is_file():
        return {}
    with path.open("rb") as file:
        texts = gettext.GNUTranslations(file)._catalog  # type: ignore[attr-defined]
    return {
        source.rpartition("\4")[2]: text
        for source, text in texts.items()
        if isinstance(source, str) and source and text
    }
