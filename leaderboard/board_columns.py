"""The columns of a board: what they are called, how they sort, and which are shown unless others are chosen (L-4)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Case, F, IntegerField, Value, When
from django.db.models.expressions import Combinable, OrderBy
from django.utils.translation import gettext_lazy as _

from leaderboard.models.standing import Tier, VerificationLevel


@dataclass(frozen=True)
class Column:
    """One column. ``path`` is what it sorts by; ``best_first`` whether the first click sorts from the highest down."""

    key: str
    label: Any
    path: str
    best_first: bool = True
    is_default: bool = True
    is_fact: bool = False
    #: Stored for the whole board only, so not offered with a domain or a difficulty.
    is_whole_only: bool = False


COLUMNS: Mapping[str, Column] = {
    column.key: column
    for column in (
        Column("rank", _("Rank"), "shown_rank_low", best_first=False),
        Column("method", _("Method"), "", best_first=False),
        Column("quality", _("Quality"), "tier_order"),
        Column("checked", _("Checked by"), "level_order"),
        Column("people", _("People say: usable"), "human_share"),
        Column("composite", _("Composite"), "shown_composite"),
        Column("chrf", _("chrF++"), "shown_chrf", is_fact=True),
        Column("exact", _("Exact match"), "shown_exact_match", is_default=False, is_fact=True),
        Column("fst", _("FST acceptance"), "fst_acceptance", is_default=False, is_fact=True, is_whole_only=True),
        Column("semantic", _("Semantic score"), "semantic_score", is_default=False, is_fact=True, is_whole_only=True),
        Column("cost", _("Cost per entry"), "cost_per_entry_usd", best_first=False, is_fact=True),
        Column("latency", _("Mean latency"), "mean_latency_seconds", best_first=False, is_fact=True),
        Column("adjusted", _("Cost-adjusted"), "cost_adjusted", is_default=False, is_fact=True, is_whole_only=True),
        Column("class", _("Class"), "method_version__method__method_class", best_first=False, is_default=False),
        Column("model", _("Model"), "method_version__model_name", best_first=False, is_default=False),
        Column("date", _("Date"), "run__created_at", is_default=False, is_fact=True),
    )
}
#: Always there, first in the row.
FIXED = ("rank", "method")
CHOSEN_BY_DEFAULT = tuple(key for key, column in COLUMNS.items() if column.is_default and key not in FIXED)
DEFAULT_SORT = "-composite"


def columns_shown(chosen: Iterable[str], *, is_cut: bool) -> list[Column]:
    """Return the columns in the board's order: rank and method, and those chosen or the default ones."""
    wanted = set(chosen) or set(CHOSEN_BY_DEFAULT)
    return [
        column
        for key, column in COLUMNS.items()
        if key in FIXED or (key in wanted and not (is_cut and column.is_whole_only))
    ]


def sort_read(given: str, *, is_cut: bool) -> tuple[Column, bool]:
    """Return the column to sort by and whether from the highest down; what is unknown sorts by the composite."""
    column = COLUMNS.get(given.removeprefix("-"))
    if column is None or (is_cut and column.is_whole_only):
        return sort_read(DEFAULT_SORT, is_cut=is_cut)
    return column, given.startswith("-")


def ordering(column: Column, *, descending: bool) -> list[OrderBy | str]:
    """Return the order of a board: ranked rows first, then the column with nulls last both ways, ties by name."""
    name = F("method_version__method__name")
    by_name = [name.desc() if column.key == "method" and descending else name.asc(), F("method_version__number").asc()]
    sunk = F("shown_is_ranked").desc(nulls_last=True)
    if not column.path:
        return [sunk, *by_name, F("pk").asc()]
    value = F(column.path)
    sorted_by = value.desc(nulls_last=True) if descending else value.asc(nulls_last=True)
    return [sunk, sorted_by, *by_name, F("pk").asc()]


def places_of(field: str, choices: type[Tier] | type[VerificationLevel]) -> Combinable:
    """Return the place of a code among its choices, which rise, so that codes can be sorted by meaning."""
    cases = [When(**{field: code}, then=Value(place)) for place, code in enumerate(choices.values)]
    return Case(*cases, default=Value(None), output_field=IntegerField(null=True))
