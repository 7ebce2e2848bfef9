"""Which outputs of a run the speakers are shown: frame, strata, size, order and draw.

Pure and exact: the same frame and seed give the same draw on every machine, in whatever order the frame arrives.
Nothing is written here; `review.rederivation` checks a recorded plan against this module.

The bytes that are hashed (SHA-256, texts as UTF-8, LF = one byte 0x0A, no LF at the end):

- seed: run card hash LF corpus version digest LF nomination id LF attempt number LF nonce. The attempt number is
  decimal without leading zeros, the nonce 64 lower-case hexadecimal digits. The seed itself is written as 64 lower-case
  hexadecimal digits, and these 64 characters are what the next two lines hash.
- entry: seed LF entry id.
- cell: seed LF difficulty LF domain LF register. The difficulty is "1" to "5" or "not given"; a domain or register that
  the entry lacks is the empty text.

Source: SPEC V-3, V-8 (look), LAW-4.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from hashlib import sha256
from string import hexdigits

from champollion.stats.allocation import allocate, allocate_extension

NOT_GIVEN = "not given"
"""Stratum of the entries without a difficulty; it comes after "5"."""
NO_OUTPUT = "no output"
"""Stratum of the entries without a usable output: taken whole, rejected, never shown."""
SHOWN_STRATA = ("1", "2", "3", "4", "5", NOT_GIVEN)

SAMPLE_SIZE = 100
SAMPLE_SIZE_NEAR_BOUND = 150
NEAR_BOUND_MARGIN = Decimal("0.05")
LOOK_SIZE = 60
LOOK_SAMPLE_MINIMUM = 100
"""A smaller sample has no look. Source: SPEC V-8."""
EXTENSION_SIZE = 40
DESCRIPTIVE_BELOW = 30
"""With fewer shown items a result only describes. Source: SPEC V-3."""

_SCALE = 1 << 256
# Keys are compared as whole numbers, (key · 2²⁵⁶ · 2⁶⁴) rounded down. Two keys that differ, differ by at least
# 1/(c·c'·2²⁵⁶), so that rounding cannot join or swap them while cells hold fewer than 2³² entries.
_GUARD_BITS = 64


@dataclass(frozen=True, slots=True)
class FrameEntry:
    """One entry of the run's segment, as far as the draw needs it.

    Args:
        entry_id: unique in the frame, as text.
        difficulty: 1 to 5, or None if not given.
        domain: as the corpus gives it, "" if it gives none.
        register: likewise.
        usable: False for an error, a missing output, or one empty after trimming.
        rated_before: rated in an earlier attempt of the method.
    """

    entry_id: str
    difficulty: int | None
    domain: str
    register: str
    usable: bool
    rated_before: bool

    @property
    def stratum(self) -> str:
        """Return "1" to "5", "not given" or "no output"."""
        return self.difficulty_text if self.usable else NO_OUTPUT

    @property
    def difficulty_text(self) -> str:
        """Return the difficulty as it is hashed and shown: "1" to "5" or "not given"."""
        return NOT_GIVEN if self.difficulty is None else str(self.difficulty)


class Part(StrEnum):
    """Where in the plan an item stands. The look is the beginning of the sample."""

    LOOK = "look"
    SAMPLE = "sample"
    EXTENSION = "extension"


@dataclass(frozen=True, slots=True)
class DrawnItem:
    """One entry that may be shown: its stratum, its place there (from 1) and the part of the plan it belongs to."""

    entry_id: str
    stratum: str
    position: int
    part: Part


@dataclass(frozen=True, slots=True)
class StratumDraw:
    """One stratum: its size N_h, its counts and all its entries in order.

    The first `look_count` are the look, the first `sample_count` the sample (the look among them), the next
    `extension_count` the extension.
    """

    stratum: str
    size: int
    sample_count: int
    look_count: int
    extension_count: int
    order: tuple[str, ...]

    def items(self) -> list[DrawnItem]:
        """Return look, sample and extension in order."""
        drawn = self.order[: self.sample_count + self.extension_count]
        return [
            DrawnItem(entry_id, self.stratum, position, self._part(position))
            for position, entry_id in enumerate(drawn, start=1)
        ]

    def _part(self, position: int) -> Part:
        if position <= self.look_count:
            return Part.LOOK
        return Part.SAMPLE if position <= self.sample_count else Part.EXTENSION


@dataclass(frozen=True, slots=True)
class Draw:
    """A drawn sample with all that is needed to draw it again.

    `size`, `look_size` and `extension_size` are what was really taken: never more than there is, and no look without
    100 items or in a census.
    """

    seed: str
    size: int
    look_size: int
    extension_size: int
    frame: tuple[FrameEntry, ...]
    strata: tuple[StratumDraw, ...]
    no_output: tuple[str, ...]

    @property
    def population(self) -> int:
        """Return N, all entries of the frame."""
        return len(self.frame)

    @property
    def is_census(self) -> bool:
        """Say whether every usable output is in the sample."""
        return self.size == self.population - len(self.no_output)

    @property
    def is_descriptive_only(self) -> bool:
        """Say whether too few items are shown for a verdict. Source: SPEC V-3."""
        return self.size < DESCRIPTIVE_BELOW

    @property
    def sizes(self) -> dict[str, int]:
        """Return N_h by stratum, "no output" last if there are any: what `review.verdicts` asks for."""
        sizes = {stratum.stratum: stratum.size for stratum in self.strata}
        return sizes | ({NO_OUTPUT: len(self.no_output)} if self.no_output else {})

    def items(self, *parts: Part) -> list[DrawnItem]:
        """Return the items of these parts (all if none is named), stratum by stratum, each in its order."""
        wanted = parts or tuple(Part)
        return [item for stratum in self.strata for item in stratum.items() if item.part in wanted]


def seed_make(*, run_card_hash: str, corpus_version_digest: str, nomination_id: str, attempt: int, nonce: bytes) -> str:
    """Return the seed of a draw as 64 lower-case hexadecimal digits.

    Args:
        run_card_hash: as the run card states it.
        corpus_version_digest: as the corpus version states it.
        nomination_id: the nomination's public id.
        attempt: 1 or more.
        nonce: 32 bytes that the server drew when it nominated or when a re-review began.

    Raises:
        ValueError: a line is empty or holds a line break, the attempt is under 1, or the nonce is not 32 bytes.

    Source: SPEC V-3.
    """
    lines = [run_card_hash, corpus_version_digest, nomination_id]
    if any(not line or "\n" in line for line in lines):
        raise ValueError("run card hash, corpus digest and nomination id must be one line each")
    if attempt < 1:
        raise ValueError("the attempt number must be 1 or more")
    if len(nonce) != 32:
        raise ValueError("the nonce must be 32 bytes")
    return _digest(*lines, str(attempt), nonce.hex()).hex()


def sample_size(
    shown_population: int,
    *,
    composite: float | Decimal,
    bound: float | Decimal,
    raised_to: int | None = None,
) -> int:
    """Return n: 100, or 150 if the composite is under the bound plus 0.05, never more than there is.

    Args:
        shown_population: N′, entries with a usable output.
        composite: of the nominated run, 0-1.
        bound: the language's Deployable bound, 0-1.
        raised_to: a steward's larger number; one under the rule's changes nothing.

    Source: SPEC V-3.
    """
    # Decimal by way of the shortest decimal text, so that .85 is not under .80 + .05.
    is_near = Decimal(str(composite)) < Decimal(str(bound)) + NEAR_BOUND_MARGIN
    wanted = max(SAMPLE_SIZE_NEAR_BOUND if is_near else SAMPLE_SIZE, raised_to or 0)
    return min(shown_population, wanted)


def draw(
    frame: Iterable[FrameEntry],
    *,
    seed: str,
    size: int,
    look_size: int = LOOK_SIZE,
    extension_size: int = EXTENSION_SIZE,
) -> Draw:
    """Draw a stratified sample with its look and its extension.

    Args:
        frame: every entry of the run's segment, in any order.
        seed: 64 lower-case hexadecimal digits, from `seed_make`.
        size: n wanted, from `sample_size`; cut to the number of usable outputs.
        look_size: items of the look; none is planned if n is under 100 or the sample is a census.
        extension_size: items that may be added once; cut to what is left.

    Returns:
        The draw; `Draw.items` gives what to show.

    Raises:
        ValueError: seed malformed, an id twice, a difficulty outside 1-5, or a negative number.

    Source: SPEC V-3, V-8.
    """
    entries = _checked_frame(frame, seed=seed)
    shown = [entry for entry in entries if entry.usable]
    orders = _stratum_orders(shown, seed=seed)
    sizes = [len(orders[stratum]) for stratum in orders]
    n = min(size, len(shown))
    has_look = LOOK_SAMPLE_MINIMUM <= n < len(shown)
    samples = allocate(sizes, total=n)
    looks = allocate(sizes, total=look_size if has_look else 0)
    extended = allocate_extension(sizes, drawn=samples, added=extension_size)
    strata = tuple(
        StratumDraw(stratum, len(orders[stratum]), taken, min(look, taken), total - taken, tuple(orders[stratum]))
        for stratum, taken, look, total in zip(orders, samples, looks, extended, strict=True)
    )
    return Draw(
        seed=seed,
        size=n,
        look_size=sum(stratum.look_count for stratum in strata),
        extension_size=sum(stratum.extension_count for stratum in strata),
        frame=tuple(entries),
        strata=strata,
        no_output=tuple(entry.entry_id for entry in entries if not entry.usable),
    )


def _checked_frame(frame: Iterable[FrameEntry], *, seed: str) -> list[FrameEntry]:
    """Return the frame sorted by id, so that its order on arrival means nothing."""
    if len(seed) != 64 or not set(seed) <= set(hexdigits.lower()):
        raise ValueError("the seed must be 64 lower-case hexadecimal digits")
    entries = sorted(frame, key=lambda entry: entry.entry_id)
    if len({entry.entry_id for entry in entries}) != len(entries):
        raise ValueError("an entry id stands twice in the frame")
    if any(entry.difficulty not in (None, 1, 2, 3, 4, 5) for entry in entries):
        raise ValueError("a difficulty must be 1 to 5 or not given")
    return entries


def _stratum_orders(shown: Sequence[FrameEntry], *, seed: str) -> dict[str, list[str]]:
    """Return, for each stratum present, all its entry ids in the order of V-3."""
    cells: dict[tuple[str, str, str], list[tuple[bytes, FrameEntry]]] = defaultdict(list)
    for entry in shown:
        cell = (entry.difficulty_text, entry.domain, entry.register)
        cells[cell].append((_digest(seed, entry.entry_id), entry))
    keyed: dict[str, list[tuple[bool, int, bytes, str]]] = defaultdict(list)
    for cell, members in cells.items():
        keyed[cell[0]].extend(_keyed_cell(members, u=_digest(seed, *cell)))
    return {stratum: [row[3] for row in sorted(keyed[stratum])] for stratum in SHOWN_STRATA if stratum in keyed}


def _keyed_cell(members: list[tuple[bytes, FrameEntry]], *, u: bytes) -> Iterable[tuple[bool, int, bytes, str]]:
    """Yield (rated before, key, hash, id) for the entries of one cell: spread evenly over 0-1, shifted by u."""
    shift = int.from_bytes(u)
    members.sort(key=lambda member: member[0])
    for before, (digest, entry) in enumerate(members):
        key = ((before * _SCALE + shift) << _GUARD_BITS) // len(members)
        yield entry.rated_before, key, digest, entry.entry_id


def _digest(*lines: str) -> bytes:
    return sha256("\n".join(lines).encode()).digest()
