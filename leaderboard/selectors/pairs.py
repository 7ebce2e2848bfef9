"""Language pairs that have a board, and the corpus versions that one can choose on it."""

from collections import defaultdict
from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from champollion.common.errors import NotVisible
from corpora.constants import Segment
from corpora.models import CorpusVersion, Entry
from leaderboard.models import Standing

#: Segments that have a board; ``held_out`` is never run.
BOARD_SEGMENTS = (Segment.GOLD_STANDARD, Segment.DEVELOPMENT, Segment.DIAGNOSTIC)


@dataclass(frozen=True)
class ListedPair:
    """A row of the list of boards."""

    pair: str
    source: str
    target: str
    latest: CorpusVersion
    official_count: int
    development_count: int
    deployable_count: int
    in_review_count: int


def standings_shown() -> QuerySet[Standing]:
    """Return the rows that stand on a board: not withdrawn, and of a corpus version that is there."""
    return Standing.objects.filter(corpus_version__status=CorpusVersion.Status.READY).exclude(
        unranked_reason="withdrawn"
    )


def pairs_list() -> list[ListedPair]:
    """Return every pair with a corpus, with the methods on its boards; two queries."""
    versions: dict[tuple[str, str], CorpusVersion] = {}
    for version in _ready_versions().order_by("created_at", "pk"):
        versions[version.corpus.source_language, version.corpus.target_language] = version
    counts = _counts_by_pair()
    rows = [
        ListedPair(latest.corpus.pair, source, target, latest, *counts[source, target])
        for (source, target), latest in versions.items()
    ]
    return sorted(rows, key=lambda row: (row.target, row.source))


def _counts_by_pair() -> dict[tuple[str, str], tuple[int, int, int, int]]:
    grouped = (
        standings_shown()
        .order_by()
        .values_list("corpus_version__corpus__source_language", "corpus_version__corpus__target_language")
        .annotate(
            official=_methods(Q(segment=Segment.GOLD_STANDARD)),
            development=_methods(Q(segment=Segment.DEVELOPMENT)),
            deployable=_methods(Q(public_tier__in=("deployable", "fluent"))),
            in_review=_methods(Q(claim="in_review")),
        )
    )
    found: dict[tuple[str, str], tuple[int, int, int, int]] = defaultdict(lambda: (0, 0, 0, 0))
    found.update({(source, target): tuple(counts) for source, target, *counts in grouped})
    return found


def _methods(condition: Q) -> Count:
    return Count("method_version__method", filter=condition, distinct=True)


def _ready_versions() -> QuerySet[CorpusVersion]:
    return CorpusVersion.objects.filter(status=CorpusVersion.Status.READY).select_related("corpus__organisation")


def versions_of_pair(pair: str) -> list[CorpusVersion]:
    """Return the corpus versions of a pair, newest first, each with ``segments_there``: the segments it has entries in.

    Raises:
        NotVisible: no corpus of the pair is here.
    """
    source, _dashes, target = pair.partition("--")
    there = {
        f"has_{segment.value}": Exists(Entry.objects.filter(version=OuterRef("pk"), segment=segment.value))
        for segment in BOARD_SEGMENTS
    }
    found = list(
        _ready_versions()
        .filter(corpus__source_language=source, corpus__target_language=target)
        .annotate(**there)
        .order_by("-created_at", "-pk")
    )
    if not found:
        raise NotVisible("board.not_visible", _("There is no board for this pair."))
    return found


def version_name(version: CorpusVersion) -> str:
    """Name a version in an address: "cym-gold 1.0"."""
    return f"{version.corpus.corpus_id} {version.version}"
