"""Two runs side by side: tests of every metric, wins and losses by entry, and the entries that differ most (L-5).

Of a secret segment, and of a run that people are rating, there are sums only: no entry, and no small cell for
outsiders (SPEC C-7, S-2).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.core.cache import cache
from django.utils.translation import gettext as _

from champollion.common.errors import StateError
from champollion.common.text_difference import Part, text_difference
from corpora import access as corpus_access
from corpora.access import INSTALLATION, EntryText
from corpora.cells import cells_of
from corpora.suppression import Cell
from leaderboard import access
from leaderboard.labels import METRICS, metric_name
from leaderboard.metrics.registry import CHRF, column_slices
from leaderboard.models import Run, RunOutput
from leaderboard.outcomes import Counts, Outcomes, outcome_rows, outcomes_of, total_row
from leaderboard.scoring.chunks import ChunkError, ChunkStats
from leaderboard.scoring.paired import Difference, PairedTests, common_entries, paired_tests
from leaderboard.selectors.board import cut_label
from leaderboard.selectors.pairs import standings_shown
from leaderboard.services.rank_ranges import composite_of, run_statistics

ENTRIES_SHOWN = 20
CHOICES_SHOWN = 200
CUTS = ("difficulty", "domain")
_KEPT_SECONDS = 24 * 3600


@dataclass(frozen=True)
class EntryDifference:
    """A public entry with both outputs in parts, and each one's chrF++ (0 to 100)."""

    text: EntryText
    first: list[Part]
    second: list[Part]
    first_score: float
    second_score: float


@dataclass(frozen=True)
class Comparison:
    """All that a page says of two runs. ``entries`` is None where they are not shown to anybody."""

    first: Run
    second: Run
    tests: PairedTests
    total: Outcomes
    by_difficulty: list[tuple[str, Outcomes]]
    by_domain: list[tuple[str, Outcomes]]
    entries: list[EntryDifference] | None
    is_withheld: bool
    lacking: tuple[str, ...]

    @property
    def differences(self) -> list[Difference]:
        """The differences in the order of a run's page."""
        return [found for code in METRICS if (found := self.tests.of(code)) is not None]

    def won_by(self, side: str) -> list[str]:
        """Name the metrics in which a side, "first" or "second", is better beyond chance."""
        return [metric_name(one.metric) for one in self.differences if one.winner == side]

    @property
    def mixes_metrics(self) -> bool:
        """Whether the composites are made of different metrics, which needs a warning (SPEC M-3)."""
        return bool(self.lacking)


def comparison_get(first: Run, second: Run, *, user: Any) -> Comparison:
    """Compare two runs that the person may see.

    Raises:
        StateError: they cannot be compared; the message says why.
    """
    _check(first, second)
    try:
        chunks = run_statistics(first), run_statistics(second)
    except ChunkError as error:
        raise StateError(
            "compare.scored_before", _("One of the runs was scored by an older version of the scorer. Score it again.")
        ) from error
    ids, *statistics = common_entries(*chunks)
    of_entries = [CHRF.per_entry(one[:, column_slices()[CHRF.name]]) for one in statistics]
    may_read = access.may_read_cells(user, first)
    counts = _outcomes(first, ids, of_entries)
    total = total_row(counts["difficulty"], may_read=may_read)
    is_withheld = access.outputs_withheld(first) or access.outputs_withheld(second)
    shows_entries = not first.is_secret and not is_withheld
    return Comparison(
        first=first,
        second=second,
        tests=_tests(first, second, chunks),
        total=total,
        by_difficulty=_rows(first, "difficulty", counts, total, may_read=may_read),
        by_domain=_rows(first, "domain", counts, total, may_read=may_read),
        entries=_entries(first, second, ids, of_entries) if shows_entries else None,
        is_withheld=is_withheld,
        lacking=tuple(metric_name(code) for code in sorted(_metric_set(first) ^ _metric_set(second))),
    )


def runs_to_choose(run: Run) -> list[Run]:
    """Return the runs that the board of a run shows, the best first; one query."""
    rows = standings_shown().filter(corpus_version=run.corpus_version, segment=run.segment, is_ranked=True)
    rows = rows.select_related("run__method_version__method").order_by("-composite", "pk")
    return [row.run for row in rows[:CHOICES_SHOWN]]


def _check(first: Run, second: Run) -> None:
    """Say no, with the reason, to runs that cannot be compared."""
    if first.pk == second.pk:
        raise StateError("compare.same_run", _("These are one and the same run. Choose another one."))
    if access.is_withdrawn(first) or access.is_withdrawn(second):
        raise StateError("compare.withdrawn", _("The organisation withdrew one of these runs."))
    if first.corpus_version_id != second.corpus_version_id:
        raise StateError(
            "compare.other_corpus",
            _("These runs are on different corpora or corpus versions, whose scores are never compared."),
        )
    if first.segment != second.segment:
        raise StateError(
            "compare.other_segment",
            _("These runs are on different segments. Scores on different segments are never compared."),
        )
    if not all(run.status == Run.Status.SCORED and run.score_set for run in (first, second)):
        raise StateError("compare.not_scored", _("Only runs that were scored here can be compared."))


def _tests(first: Run, second: Run, chunks: tuple[ChunkStats, ChunkStats]) -> PairedTests:
    """Return the tests, kept for a day: a score set never changes. They hold sums alone, no entry's figure."""
    assert first.score_set is not None and second.score_set is not None  # noqa: S101 - checked before
    key = f"leaderboard.compare.{first.score_set.uid}.{second.score_set.uid}"
    found: PairedTests | None = cache.get(key)
    if found is None:
        _ids, one, other = common_entries(*chunks)
        made_of = composite_of(first.score_set), composite_of(second.score_set)
        found = paired_tests(one, other, made_of=made_of)
        cache.set(key, found, _KEPT_SECONDS)
    return found


def _metric_set(run: Run) -> frozenset[str]:
    return frozenset(part["metric"] for part in run.score_set.contributions) if run.score_set else frozenset()


def _outcomes(run: Run, ids: tuple[str, ...], scores: list[Any]) -> dict[str, dict[str, Counts]]:
    outputs = RunOutput.objects.filter(run=run)
    found = {row[0]: row[1:] for row in outputs.values_list("entry_key", "entry__difficulty", "entry__domain")}
    keys = {cut: [str(found[entry_id][place] or "") for entry_id in ids] for place, cut in enumerate(CUTS)}
    return {cut: outcomes_of(scores[0], scores[1], keys[cut]) for cut in CUTS}


def _rows(
    run: Run, cut: str, counts: Mapping[str, Mapping[str, Counts]], total: Outcomes, *, may_read: bool
) -> list[tuple[str, Outcomes]]:
    assert run.corpus_version is not None  # noqa: S101 - a scored run has one
    cells: Mapping[str, Cell] = cells_of(run.corpus_version, cut, may_read=may_read)[run.segment]
    rows = outcome_rows(counts[cut], cells, total, may_read=may_read)
    return [(cut_label(cut, row.key), row) for row in rows]


def _entries(first: Run, second: Run, ids: tuple[str, ...], scores: list[Any]) -> list[EntryDifference]:
    """Return the public entries whose scores are farthest apart, the farthest first."""
    assert first.corpus_version is not None  # noqa: S101 - a scored run has one
    apart = np.abs(scores[0] - scores[1])
    places = [int(place) for place in np.argsort(-apart, kind="stable")[:ENTRIES_SHOWN] if apart[place] > 0]
    keys = [ids[place] for place in places]
    outputs = [_outputs(run, keys) for run in (first, second)]
    entries = [entry for key in keys if (entry := outputs[0][key].entry) is not None]
    texts = corpus_access.read_entries(entries, version=first.corpus_version, reader=INSTALLATION, purpose="compare")
    return [
        EntryDifference(
            text,
            *text_difference(_counted(outputs[0][key]), _counted(outputs[1][key])),
            first_score=float(scores[0][place]),
            second_score=float(scores[1][place]),
        )
        for text, key, place in zip(texts, keys, places, strict=True)
    ]


def _outputs(run: Run, keys: list[str]) -> dict[str, RunOutput]:
    found = RunOutput.objects.filter(run=run, entry_key__in=keys, sealed__isnull=True).select_related("entry")
    return {output.entry_key: output for output in found}


def _counted(output: RunOutput) -> str:
    return "" if output.is_error or output.is_missing else output.text
