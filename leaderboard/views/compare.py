"""Two runs side by side (SPEC L-5; design 4.12)."""

from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from champollion.common.errors import NotVisible, StateError
from champollion.common.svg.element import render as svg
from champollion.common.svg.forest import ForestRow, forest
from leaderboard import access
from leaderboard.labels import metric_name
from leaderboard.models import Run
from leaderboard.scoring.paired import UNDIRECTED, Difference
from leaderboard.selectors import compare
from leaderboard.selectors.compare import Comparison
from leaderboard.selectors.runs import OUT_OF_100
from leaderboard.templatetags.compare import p_value, signed_text

#: So many metrics are named in the sentence; the others are counted.
NAMED = 4
LONGEST_SIDE = 22


@require_safe
def run_compare(request: HttpRequest) -> HttpResponse:
    """Compare two runs; with one, or none, offer what it can be compared with."""
    first, second = (_run(request, name) for name in ("a", "b"))
    given = first or second
    context: dict[str, Any] = {"first": first, "second": second, "choices": _choices(first, second)}
    status = 200
    if first and second:
        try:
            context |= _compared(compare.comparison_get(first, second, user=request.user))
        except StateError as error:
            context["reason"], status = error.message, error.status
    if given is not None and given.corpus_version is not None:
        context |= {"version": given.corpus_version, "corpus": given.corpus_version.corpus, "given": given}
    return render(request, "leaderboard/compare.html", context, status=status)


def _run(request: HttpRequest, name: str) -> Run | None:
    given = request.GET.get(name, "")
    if not given:
        return None
    try:
        return access.run_get(request.user, UUID(given))
    except ValueError as error:
        raise NotVisible("run.not_visible", _("There is no such run.")) from error


def _choices(first: Run | None, second: Run | None) -> list[tuple[str, str]]:
    """Return the runs to choose from, as uid and name: those of the board, and the given ones."""
    given = [run for run in (first, second) if run is not None]
    if not given or given[0].corpus_version is None:
        return []
    runs = {run.pk: run for run in [*compare.runs_to_choose(given[0]), *given]}
    return [(str(run.uid), f"{_name(run)}, {run.sealed_hash[:8] or str(run.uid)[:8]}") for run in runs.values()]


def _name(run: Run) -> str:
    return f"{run.method_version.method.name} {run.method_version.number}"


def _compared(found: Comparison) -> dict[str, Any]:
    names = tuple(run.method_version.method.name for run in (found.first, found.second))
    if names[0] == names[1]:
        names = (f"{names[0]} (A)", f"{names[1]} (B)")
    rows = [_forest_row(one) for one in found.differences if one.metric not in UNDIRECTED]
    return {
        "comparison": found,
        "names": names,
        "won": [_listed(found.won_by(side)) for side in ("first", "second")],
        "rest_count": sum(not one.winner for one in found.differences),
        "rows": [(metric_name(one.metric), one) for one in found.differences],
        "forest_rows": [(row.name, row.ends) for row in rows],
        "wide": _drawn(rows, names, narrow=False),
        "narrow": _drawn(rows, names, narrow=True),
        "tables": [
            (_("All entries"), "", [(_("all"), found.total)]),
            (_("By difficulty"), _("Difficulty"), found.by_difficulty),
            (_("By domain"), _("Domain"), found.by_domain),
        ],
    }


def _listed(names: list[str]) -> str:
    """Write names as a list; of many the first few and the number of the others."""
    if len(names) > NAMED:
        more = _("%(count)s more") % {"count": len(names) - NAMED + 1}
        names = [*names[: NAMED - 1], more]
    if len(names) < 2:
        return "".join(names)
    return _("%(names)s and %(last)s") % {"names": ", ".join(names[:-1]), "last": names[-1]}


def _forest_row(one: Difference) -> ForestRow:
    """Put a difference on the scale 0 to 1 where more is better for the first run."""
    scale = 100 if one.metric in OUT_OF_100 else 1
    turns = -1 if one.better and (one.better == "first") != (one.difference > 0) else 1
    ends = [None if end is None else turns * end / scale for end in (one.lower, one.upper)]
    if turns < 0:
        ends.reverse()
    places = 2 if one.metric in OUT_OF_100 else 3
    written = signed_text(one.difference, places)
    return ForestRow(
        name=metric_name(one.metric),
        value=turns * one.difference / scale,
        low=ends[0],
        high=ends[1],
        is_certain=one.is_significant,
        ends=f"{written}  p {p_value(one.p_randomisation)}",
    )


def _drawn(rows: list[ForestRow], names: tuple[str, ...], *, narrow: bool) -> SafeString:
    sides = ("B", "A") if narrow else (_short(names[1]), _short(names[0]))
    drawn = forest(
        rows,
        title=_("How far apart the runs are, by metric"),
        description="; ".join(f"{row.name} {row.ends}" for row in rows),
        sides=(_("%(name)s better") % {"name": sides[0]}, _("%(name)s better") % {"name": sides[1]}),
        narrow=narrow,
    )
    return mark_safe(svg(drawn))


def _short(name: str) -> str:
    return name if len(name) <= LONGEST_SIDE else f"{name[: LONGEST_SIDE - 1]}…"
