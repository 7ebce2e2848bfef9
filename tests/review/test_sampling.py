"""The draw of V-3: strata, size, the exact bytes of seed, order and cell, the look, the extension, and its limits."""

import random
from decimal import Decimal
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.sampling import (
    NO_OUTPUT,
    NOT_GIVEN,
    Draw,
    FrameEntry,
    Part,
    draw,
    sample_size,
    seed_make,
)

SEED = sha256(b"a seed for tests").hexdigest()


def entry(
    entry_id: str,
    difficulty: int | None = 3,
    *,
    domain: str = "",
    register: str = "",
    usable: bool = True,
    rated_before: bool = False,
) -> FrameEntry:
    return FrameEntry(entry_id, difficulty, domain, register, usable, rated_before)


def frame_of(counts: dict[int | None, int], *, no_output: int = 0) -> list[FrameEntry]:
    shown = [entry(f"{d}-{i}", d, domain=f"d{i % 3}") for d, count in counts.items() for i in range(count)]
    return shown + [entry(f"none-{i}", 2, usable=False) for i in range(no_output)]


EXAMPLE = {1: 15, 2: 38, 3: 45, 4: 37, 5: 15}

frames = st.lists(
    st.tuples(
        st.sampled_from([None, 1, 2, 3, 4, 5]),
        st.sampled_from("ab"),
        st.sampled_from("xy"),
        st.booleans(),
        st.booleans(),
    ),
    max_size=250,
).map(lambda rows: [FrameEntry(str(i), *row) for i, row in enumerate(rows)])


# Seed


def test_seed_is_sha256_over_five_lines() -> None:
    nonce = bytes(range(32))
    seed = seed_make(run_card_hash="ab", corpus_version_digest="cd", nomination_id="n-1", attempt=2, nonce=nonce)
    assert seed == sha256(f"ab\ncd\nn-1\n2\n{nonce.hex()}".encode()).hexdigest()


def test_another_attempt_or_nonce_is_another_seed() -> None:
    def seed(attempt: int, nonce: bytes) -> str:
        return seed_make(
            run_card_hash="ab", corpus_version_digest="cd", nomination_id="n-1", attempt=attempt, nonce=nonce
        )

    assert len({seed(1, b"0" * 32), seed(2, b"0" * 32), seed(1, b"1" * 32)}) == 3


@pytest.mark.parametrize(
    "change",
    [{"run_card_hash": ""}, {"nomination_id": "a\nb"}, {"attempt": 0}, {"nonce": b"short"}],
)
def test_malformed_seed_inputs_are_refused(change: dict[str, object]) -> None:
    inputs = {
        "run_card_hash": "ab",
        "corpus_version_digest": "cd",
        "nomination_id": "n-1",
        "attempt": 1,
        "nonce": b"0" * 32,
    }
    with pytest.raises(ValueError, match="must be"):
        seed_make(**(inputs | change))


# Size


@pytest.mark.parametrize(
    ("population", "composite", "expected"),
    [
        (1000, 0.75, 100),
        (1000, 0.7499, 150),
        (1000, 0.70, 150),
        (120, 0.72, 120),
        (120, 0.80, 100),
        (50, 0.80, 50),
        (0, 0.80, 0),
    ],
)
def test_size_is_100_or_150_near_the_bound_or_everything(population: int, composite: float, expected: int) -> None:
    assert sample_size(population, composite=composite, bound=0.70) == expected


def test_exactly_five_points_over_the_bound_is_not_near_for_any_two_decimals() -> None:
    for hundredths in range(1, 95):
        bound = Decimal(hundredths) / 100
        composite = bound + Decimal("0.05")
        assert sample_size(1000, composite=float(composite), bound=float(bound)) == 100
        assert sample_size(1000, composite=float(composite) - 0.0001, bound=float(bound)) == 150


def test_steward_may_raise_the_size_but_not_lower_it() -> None:
    assert sample_size(1000, composite=0.9, bound=0.7, raised_to=200) == 200
    assert sample_size(1000, composite=0.9, bound=0.7, raised_to=20) == 100
    assert sample_size(160, composite=0.9, bound=0.7, raised_to=200) == 160


# Strata and counts


def test_strata_are_the_difficulties_then_not_given() -> None:
    drawn = draw(frame_of({None: 5, 5: 4, 1: 3}), seed=SEED, size=100)
    assert [(s.stratum, s.size) for s in drawn.strata] == [("1", 3), ("5", 4), (NOT_GIVEN, 5)]


def test_example_of_the_specification_is_drawn() -> None:
    drawn = draw(frame_of(EXAMPLE), seed=SEED, size=100)
    assert [s.sample_count for s in drawn.strata] == [10, 25, 30, 25, 10]
    assert [s.look_count for s in drawn.strata] == [8, 14, 17, 13, 8]
    assert (drawn.size, drawn.look_size, drawn.extension_size) == (100, 60, 40)


def test_entries_without_output_are_a_stratum_of_their_own_and_never_shown() -> None:
    drawn = draw(frame_of(EXAMPLE, no_output=7), seed=SEED, size=100)
    assert drawn.no_output == tuple(f"none-{i}" for i in range(7))
    assert not {item.entry_id for item in drawn.items()} & set(drawn.no_output)
    assert drawn.sizes == {"1": 15, "2": 38, "3": 45, "4": 37, "5": 15, NO_OUTPUT: 7}
    assert drawn.population == 157


def test_only_errors_give_an_empty_sample() -> None:
    drawn = draw(frame_of({}, no_output=9), seed=SEED, size=100)
    assert drawn.items() == []
    assert drawn.sizes == {NO_OUTPUT: 9}
    assert drawn.is_census


def test_census_of_fifty_takes_all_and_has_neither_look_nor_extension() -> None:
    drawn = draw(frame_of({2: 20, 3: 30}), seed=SEED, size=100)
    assert drawn.is_census
    assert (drawn.size, drawn.look_size, drawn.extension_size) == (50, 0, 0)
    assert len(drawn.items(Part.SAMPLE)) == 50


def test_census_of_120_has_no_look() -> None:
    assert draw(frame_of({2: 120}), seed=SEED, size=150).look_size == 0


def test_sample_under_100_has_no_look() -> None:
    assert draw(frame_of({2: 300}), seed=SEED, size=99).look_size == 0
    assert draw(frame_of({2: 300}), seed=SEED, size=100).look_size == 60


def test_under_thirty_shown_items_is_descriptive_only() -> None:
    assert draw(frame_of({2: 29}, no_output=50), seed=SEED, size=100).is_descriptive_only
    assert not draw(frame_of({2: 30}), seed=SEED, size=100).is_descriptive_only


def test_extension_takes_what_is_left_where_forty_are_not() -> None:
    drawn = draw(frame_of({3: 120}), seed=SEED, size=100)
    assert drawn.extension_size == 20


def test_stratum_of_one_is_taken() -> None:
    drawn = draw(frame_of({1: 1, 2: 400}), seed=SEED, size=100)
    assert [item.entry_id for item in drawn.items(Part.LOOK) if item.stratum == "1"] == ["1-0"]


# Order


def test_order_follows_the_key_of_the_specification() -> None:
    entries = [
        entry(f"é{i}", 4, domain=domain, register="formal") for i, domain in enumerate(["law", "ui"] * 6 + ["ui"])
    ]

    def digest(text: str) -> bytes:
        return sha256(f"{SEED}\n{text}".encode()).digest()

    keyed = []
    for domain in ("law", "ui"):
        cell = sorted((e for e in entries if e.domain == domain), key=lambda e: digest(e.entry_id))
        u = int.from_bytes(digest(f"4\n{domain}\nformal"), "big")
        for j, e in enumerate(cell, start=1):
            # (j − 1 + u/2²⁵⁶) / c, over the common denominator 6 · 7 · 2²⁵⁶.
            keyed.append((((j - 1) * 2**256 + u) * 42 // len(cell), digest(e.entry_id), e.entry_id))
    drawn = draw(entries, seed=SEED, size=100)
    assert drawn.strata[0].order == tuple(row[2] for row in sorted(keyed))


def test_missing_difficulty_is_hashed_as_not_given() -> None:
    # One entry a cell: its key is u alone, so that the order of cells is the order of their hashes.
    entries = [entry(f"e{i}", None, domain=f"d{i}", register="r") for i in range(40)]
    expected = sorted(entries, key=lambda e: sha256(f"{SEED}\nnot given\n{e.domain}\nr".encode()).digest())
    assert draw(entries, seed=SEED, size=10).strata[0].order == tuple(e.entry_id for e in expected)


def test_order_spreads_domains_evenly() -> None:
    entries = [entry(f"a{i}", domain="a") for i in range(80)] + [entry(f"b{i}", domain="b") for i in range(20)]
    first_fifty = draw(entries, seed=SEED, size=50).strata[0].order[:50]
    assert sum(1 for entry_id in first_fifty if entry_id.startswith("b")) in (9, 10, 11)


def test_entries_rated_before_come_last() -> None:
    entries = [entry(f"e{i}", rated_before=i < 60) for i in range(100)]
    order = draw(entries, seed=SEED, size=50).strata[0].order
    assert {int(entry_id[1:]) for entry_id in order[:40]} == set(range(60, 100))
    assert {int(entry_id[1:]) for entry_id in order[40:]} == set(range(60))


def test_items_carry_stratum_position_and_part() -> None:
    drawn = draw(frame_of({3: 300}), seed=SEED, size=100)
    items = drawn.items()
    assert [item.position for item in items] == list(range(1, 141))
    parts = [item.part for item in items]
    assert parts == [Part.LOOK] * 60 + [Part.SAMPLE] * 40 + [Part.EXTENSION] * 40
    assert tuple(item.entry_id for item in items) == drawn.strata[0].order[:140]


# What holds for every frame


@given(frame=frames, size=st.integers(0, 160), seed=st.integers(0, 2**64))
def test_any_draw_keeps_sums_and_ignores_the_order_of_arrival(frame: list[FrameEntry], size: int, seed: int) -> None:
    hex_seed = f"{seed:064x}"
    drawn = draw(frame, seed=hex_seed, size=size)
    shown = [e for e in frame if e.usable]
    assert drawn.size == min(size, len(shown)) == sum(s.sample_count for s in drawn.strata)
    assert sorted(i for s in drawn.strata for i in s.order) == sorted(e.entry_id for e in shown)
    assert sum(drawn.sizes.values()) == drawn.population == len(frame)
    shuffled = list(frame)
    random.Random(seed).shuffle(shuffled)
    assert draw(shuffled, seed=hex_seed, size=size) == drawn


@given(frame=frames, size=st.integers(0, 100))
def test_larger_sample_keeps_the_order(frame: list[FrameEntry], size: int) -> None:
    def orders(drawn: Draw) -> list[tuple[str, ...]]:
        return [s.order for s in drawn.strata]

    assert orders(draw(frame, seed=SEED, size=size)) == orders(draw(frame, seed=SEED, size=size + 40))


def test_another_seed_draws_another_sample() -> None:
    frame = frame_of({3: 300})
    assert draw(frame, seed=SEED, size=100).items() != draw(frame, seed="0" * 64, size=100).items()


# Refusals


@pytest.mark.parametrize("seed", ["", "0" * 63, "G" * 64, "A" * 64])
def test_malformed_seed_is_refused(seed: str) -> None:
    with pytest.raises(ValueError, match="seed"):
        draw([], seed=seed, size=1)


def test_entry_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="twice"):
        draw([entry("a"), entry("a", 2)], seed=SEED, size=1)


@pytest.mark.parametrize("difficulty", [0, 6])
def test_difficulty_outside_one_to_five_is_refused(difficulty: int) -> None:
    with pytest.raises(ValueError, match="difficulty"):
        draw([entry("a", difficulty)], seed=SEED, size=1)
