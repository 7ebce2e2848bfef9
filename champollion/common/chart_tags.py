"""What the chart tags give their templates: pictures, figures and words, from plain values.

Registered as tags in `champollion.common.templatetags.champollion`. Source: design 5.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.safestring import SafeString, mark_safe

from champollion.common import figures, words
from champollion.common.svg import charts
from champollion.common.svg.element import render


def dot_array(
    counts: Mapping[Any, int], caption: str = "", grade_words: Mapping[int, str] | None = None
) -> dict[str, Any]:
    """Draw outputs as dots with the table of four grades beside them.

    Args:
        counts: number of outputs by grade, 1 to 4 (keys may be text).
        caption: the finding in a sentence.
        grade_words: the organisation's own words by grade.
    """
    by_grade = {int(grade): count for grade, count in counts.items()}
    named = {**words.GRADES, **(grade_words or {})}
    listed = [(str(named[grade]), by_grade.get(grade, 0)) for grade in charts.GRADES_BEST_FIRST]
    rows = [
        {"grade": grade, "word": word, "meaning": words.GRADE_MEANINGS[grade], "count": count}
        for grade, (word, count) in zip(charts.GRADES_BEST_FIRST, listed, strict=True)
    ]
    usable = sum(by_grade.get(grade, 0) for grade in charts.USABLE)
    total = sum(by_grade.values())
    description = words.dots_described(total, listed)
    picture = charts.dot_array(by_grade, title=str(words.DOTS_TITLE), description=description)
    return {
        "picture": mark_safe(render(picture)),
        "caption": caption,
        "usable": rows[:2],
        "not_usable": rows[2:],
        "usable_count": usable,
        "not_usable_count": total - usable,
        "scaled": total > charts.MOST_DOTS,
    }


def stratum_table(rows: Sequence[Any], floor: float | None = 0.5, caption: str = "", head: str = "") -> dict[str, Any]:
    """Draw "usable by difficulty" as a table.

    Args:
        rows: mappings or objects with `label`, `name`, `excellent` and `acceptable` (counts), `total`, `interval`
            (pair of shares, or None), `census` (rated whole) and `thin` (fewer than 8: too few to tell).
        floor: the share asked of each stratum, or None.
    """
    return {"rows": [_stratum_row(row, floor) for row in rows], "floor": floor, "caption": caption, "head": head}


def composite_chart(
    parts: Sequence[Any], value: float, caption: str = "", left_out: Sequence[str] = ()
) -> dict[str, Any]:
    """Draw what makes a composite: the bar, and a table of metric, value, weight and what it adds.

    Args:
        parts: mappings or objects with `name`, `value` (0 to 1), `weight` (renormalised) and `adds`.
        value: the composite, 0 to 1.
        left_out: names of the profile's metrics that this run lacks.
    """
    rows = [{key: _get(part, key) for key in ("name", "value", "weight", "adds")} for part in parts]
    drawn = [charts.Part(name=str(row["name"]), adds=row["adds"], possible=row["weight"]) for row in rows]
    scale = max((part.possible for part in drawn), default=0.0)
    for place, (row, part) in enumerate(zip(rows, drawn, strict=True)):
        row["bar"] = mark_safe(render(charts.contribution_bar(part, place=place, scale=scale)))
    written = figures.fixed(value, 3)
    description = words.composite_described([(part.name, part.adds, part.possible) for part in drawn])
    picture = charts.composite_bar(drawn, title=words.composite_title(written), description=description, value=written)
    return {
        "picture": mark_safe(render(picture)),
        "rows": rows,
        "value": value,
        "caption": caption,
        "most": max(rows, key=lambda row: row["adds"], default=None),
        "left_out": [str(name) for name in left_out],
    }


def progress(done: int, total: int, label: str = "", leased: int = 0, name: str = "") -> dict[str, Any]:
    """Draw progress with its count in words; `label` replaces "24 of 26", `name` names the bar."""
    shares = (done / total, leased / total) if total else (0.0, 0.0)
    return {
        "bar": mark_safe(render(charts.progress_bar(shares[0], leased=shares[1]))),
        "done": done,
        "total": total,
        "label": label,
        "name": name,
    }


def progress_bar(done: int, total: int, leased: int = 0) -> SafeString:
    """Draw the bar of a progress table alone; the figures stand in the next cell."""
    shares = (done / total, leased / total) if total else (0.0, 0.0)
    return mark_safe(render(charts.progress_bar(shares[0], leased=shares[1])))


def _get(item: Any, key: str) -> Any:
    return item[key] if isinstance(item, Mapping) else getattr(item, key)


def _stratum_row(row: Any, floor: float | None) -> dict[str, Any]:
    keys = ("label", "name", "excellent", "acceptable", "total", "interval", "census", "thin")
    shown = {key: _get(row, key) for key in keys}
    total = shown["total"] or 1
    interval = None if shown["census"] or shown["thin"] else shown["interval"]
    bar = charts.stratum_bar(
        shown["excellent"] / total,
        shown["acceptable"] / total,
        interval=interval,
        floor=floor,
        thin=bool(shown["thin"]),
    )
    usable = shown["excellent"] + shown["acceptable"]
    return {
        **shown,
        "bar": mark_safe(render(bar)),
        "usable": usable,
        "share": usable / total if shown["total"] else None,
    }
