"""Whether a recorded draw is the one its seed and frame give: the plan's form, drawing again, and the differences.

Pure; the command that prints the answer reads the plan and calls `verify`. Source: SPEC V-3, LAW-4.
"""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from review.sampling import Draw, FrameEntry, draw

RULE = "V-3/1"
"""Names the rule of drawing. Another rule would be another name, and old plans keep theirs."""

_STRATUM_FIELDS = ("size", "sample_count", "look_count", "extension_count", "order")


def draw_to_dict(drawn: Draw) -> dict[str, Any]:
    """Return the draw as JSON values for the plan: rule, seed, sizes, frame, strata with their order, no_output."""
    return {
        "rule": RULE,
        "seed": drawn.seed,
        "size": drawn.size,
        "look_size": drawn.look_size,
        "extension_size": drawn.extension_size,
        "frame": [asdict(entry) for entry in drawn.frame],
        "strata": [asdict(stratum) | {"order": list(stratum.order)} for stratum in drawn.strata],
        "no_output": list(drawn.no_output),
    }


def rederive(plan: Mapping[str, Any]) -> Draw:
    """Draw again from a plan's own seed, frame and sizes.

    Args:
        plan: what `draw_to_dict` returned; further keys are ignored.

    Raises:
        ValueError: the plan names another rule, lacks a field, or holds values that cannot be drawn from.
    """
    if plan.get("rule") != RULE:
        raise ValueError(f"the plan's rule is {plan.get('rule')!r}, and only {RULE!r} can be drawn again")
    try:
        return draw(
            [FrameEntry(**entry) for entry in plan["frame"]],
            seed=plan["seed"],
            size=plan["size"],
            look_size=plan["look_size"],
            extension_size=plan["extension_size"],
        )
    except (KeyError, TypeError) as problem:
        raise ValueError(f"the plan is incomplete: {problem}") from problem


def verify(plan: Mapping[str, Any]) -> list[str]:
    """List where a recorded plan differs from what its seed and frame give; an empty list says that it matches.

    Entry ids are named, texts never: a plan holds none.
    """
    try:
        again = draw_to_dict(rederive(plan))
    except ValueError as problem:
        return [str(problem)]
    differences = [
        f"{field}: the plan says {plan.get(field)!r}, drawn again it is {again[field]!r}"
        for field in ("size", "look_size", "extension_size", "no_output")
        if plan.get(field) != again[field]
    ]
    return differences + _strata_differences(plan.get("strata", []), again["strata"])


def _strata_differences(recorded: list[dict[str, Any]], again: list[dict[str, Any]]) -> list[str]:
    recorded_by_name = {row.get("stratum"): row for row in recorded}
    again_by_name = {row["stratum"]: row for row in again}
    differences = [
        f"stratum {name}: stands in the plan and is not in the frame"
        for name in recorded_by_name
        if name not in again_by_name
    ]
    for name, row in again_by_name.items():
        if name not in recorded_by_name:
            differences.append(f"stratum {name}: stands in the frame and is not in the plan")
            continue
        differences += [
            _field_difference(name, field, recorded_by_name[name].get(field), row[field])
            for field in _STRATUM_FIELDS
            if recorded_by_name[name].get(field) != row[field]
        ]
    return differences


def _field_difference(stratum: str, field: str, recorded: Any, again: Any) -> str:
    if field != "order" or not isinstance(recorded, list):
        return f"stratum {stratum}, {field}: the plan says {recorded!r}, drawn again it is {again!r}"
    for place, (old, new) in enumerate(zip(recorded, again, strict=False), start=1):
        if old != new:
            return f"stratum {stratum}, place {place}: the plan says {old!r}, drawn again it is {new!r}"
    return f"stratum {stratum}, order: the plan lists {len(recorded)} entries, drawn again they are {len(again)}"
