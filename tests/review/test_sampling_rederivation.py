"""A recorded draw can be drawn again, and every tampering shows."""

import copy
import json
from hashlib import sha256
from typing import Any

import pytest

from review.rederivation import draw_to_dict, rederive, verify
from review.sampling import FrameEntry, draw

SEED = sha256(b"another seed for tests").hexdigest()
FRAME = [FrameEntry(f"e{i}", 1 + i % 5, f"d{i % 4}", "", i % 50 != 0, False) for i in range(300)]


def recorded_plan() -> dict[str, Any]:
    """Return a plan as it comes back from storage."""
    return json.loads(json.dumps(draw_to_dict(draw(FRAME, seed=SEED, size=100))))


def test_recorded_plan_matches() -> None:
    assert verify(recorded_plan()) == []
    assert rederive(recorded_plan()) == draw(FRAME, seed=SEED, size=100)


def test_plan_may_hold_more_than_the_draw() -> None:
    assert verify(recorded_plan() | {"overlap": 3}) == []


def test_swapped_items_are_found() -> None:
    plan = recorded_plan()
    order = plan["strata"][1]["order"]
    order[0], order[50] = order[50], order[0]
    assert len(verify(plan)) == 1
    assert verify(plan)[0].startswith("stratum 2, place 1: ")


def test_changed_count_is_found() -> None:
    plan = recorded_plan()
    plan["strata"][0]["sample_count"] += 1
    assert verify(plan) == ["stratum 1, sample_count: the plan says 19, drawn again it is 18"]


def test_shortened_order_is_found() -> None:
    plan = recorded_plan()
    plan["strata"][0]["order"].pop()
    assert verify(plan) == ["stratum 1, order: the plan lists 53 entries, drawn again they are 54"]


def test_missing_and_foreign_strata_are_found() -> None:
    plan = recorded_plan()
    plan["strata"][0]["stratum"] = "0"
    assert verify(plan) == [
        "stratum 0: stands in the plan and is not in the frame",
        "stratum 1: stands in the frame and is not in the plan",
    ]


def test_another_seed_is_found() -> None:
    assert verify(recorded_plan() | {"seed": "0" * 64}) != []


def test_entry_left_out_of_the_frame_is_found() -> None:
    plan = recorded_plan()
    plan["frame"].pop(3)
    assert verify(plan) != []


def test_entry_without_output_made_usable_is_found() -> None:
    plan = recorded_plan()
    changed = next(row for row in plan["frame"] if not row["usable"])
    changed["usable"] = True
    assert any(line.startswith("no_output") for line in verify(plan))


def test_larger_size_than_there_is_is_found() -> None:
    plan = json.loads(json.dumps(draw_to_dict(draw(FRAME[:50], seed=SEED, size=100))))
    assert verify(plan) == []
    assert any(line.startswith("size") for line in verify(plan | {"size": 100}))


@pytest.mark.parametrize("field", ["rule", "seed", "size", "frame"])
def test_missing_field_is_named(field: str) -> None:
    plan = copy.deepcopy(recorded_plan())
    del plan[field]
    assert len(verify(plan)) == 1
    assert field in verify(plan)[0]


def test_unknown_rule_is_refused() -> None:
    assert "V-3/1" in verify(recorded_plan() | {"rule": "V-3/9"})[0]
