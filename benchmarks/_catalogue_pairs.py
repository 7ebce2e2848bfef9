"""Real pairs to measure scoring on, from the catalogues of the installed Django: never a corpus.

The output is a closely related language's string, the reference the target language's own, so that a pair is as near
and as far as a translation is. Nothing is invented; where more pairs are asked for than there are, they come again.
"""

from __future__ import annotations

import gettext
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path

import django

from leaderboard.metrics.base import Pair

RELATED = (
    ("nb", "nn"), ("es", "gl"), ("es", "ca"), ("pt", "gl"), ("pt_BR", "pt"), ("cs", "sk"), ("ru", "uk"), ("bg", "mk"),
    ("hr", "sr_Latn"), ("sl", "hr"), ("da", "nb"), ("hsb", "dsb"), ("es_AR", "es"), ("tr", "az"), ("it", "es"),
)  # fmt: skip
"""Language of the outputs, language of the references."""


def real_pairs(count: int) -> list[Pair]:
    """Return `count` pairs with ids 0, 1, …: strings that two related catalogues both translate."""
    found = list(_translated_twice())
    texts = islice(cycle(found), count)
    return [
        Pair(entry_id=str(place), source=source, output=output, references=(reference,))
        for place, (source, output, reference) in enumerate(texts)
    ]


def _translated_twice() -> Iterator[tuple[str, str, str]]:
    for related, target in RELATED:
        for folder in sorted(Path(django.__file__).parent.glob("**/locale")):
            ours, theirs = _catalogue(folder, target), _catalogue(folder, related)
            for source in sorted(ours.keys() & theirs.keys()):
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
