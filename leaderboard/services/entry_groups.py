"""By what a run's entries are grouped: difficulty, domain, register, provenance, variant class (SPEC M-6)."""

from collections import Counter
from collections.abc import Iterator, Sequence

from corpora import access
from corpora.suppression import SMALLEST_SHOWN
from leaderboard.models import Run, RunOutput
from leaderboard.services.language_side import variant_class_of

#: Where a group's key is too long to be stored, its beginning stands for it.
LONGEST_KEY = 60
Keys = list[str | int | None]


def entry_groups(run: Run) -> tuple[list[str], dict[str, Sequence[str | int | None]]]:
    """Return a run's entry ids in the corpus's order, and one key per entry for each dimension.

    A corpus without variant classes has no such dimension.
    """
    outputs = RunOutput.objects.filter(run=run).order_by("position")
    rows = list(
        outputs.values_list(
            "entry_key", "entry__difficulty", "entry__domain", "entry__register", "entry__provenance_name"
        )
    )
    groups: dict[str, Sequence[str | int | None]] = {
        "difficulty": [row[1] for row in rows],
        "domain": [row[2] for row in rows],
        "register": _short([row[3] for row in rows]),
        "provenance": _short([row[4] for row in rows]),
    }
    classes = list(_variant_classes(run))
    if any(classes):
        groups["variant_class"] = _numbered(classes) if run.is_secret else _short(classes)
    return [row[0] for row in rows], groups


def _variant_classes(run: Run) -> Iterator[str]:
    if run.corpus_version is None:
        return
    for output in RunOutput.objects.filter(run=run).select_related("entry").order_by("position").iterator():
        text = access.open_entry(output.entry, run.corpus_version.corpus) if output.entry else None
        yield variant_class_of(text) if text else ""


def _short(keys: Sequence[str]) -> Keys:
    """Cut keys to what can be stored; two that begin alike stay apart by their number."""
    short: dict[str, str] = {}
    for key in dict.fromkeys(keys):
        cut = key[:LONGEST_KEY]
        short[key] = cut if cut not in short.values() else f"{key[: LONGEST_KEY - 6]}…{len(short)}"
    return [short[key] for key in keys]


def _numbered(classes: Sequence[str]) -> Keys:
    """Name the classes of a secret segment by number, in the corpus's order: what they are called is secret text.

    Those of fewer than 5 entries count as none: their figures would be those of single entries (SPEC S-2, C-7).
    """
    counts = Counter(classes)
    large = [name for name in dict.fromkeys(classes) if name and counts[name] >= SMALLEST_SHOWN]
    numbers = {name: str(number) for number, name in enumerate(large, start=1)}
    return [numbers.get(name, "") for name in classes]
