"""Reading outputs as JSON Lines or a table from a file that is too large to hold. Source: SPEC R-2.

One line is in memory at a time. What is found wrong is collected, up to `PROBLEMS_AT_MOST`.
"""

import codecs
import hashlib
import io
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

from leaderboard.cards.parsed import ParsedOutput, Totals
from leaderboard.cards.plain import delimiter_of, is_json_object, json_line_outputs, table_outputs
from leaderboard.cards.problems import Problems
from leaderboard.cards.results import OUTPUT_LIMIT, check_text
from leaderboard.scoring.cost import cost_per_entry, latency_summary

FILE_LIMIT = 1_000_000_000  # bytes
RESULT_LIMIT = 1_000_000
LINE_LIMIT = 20 * OUTPUT_LIMIT  # characters; an output of escapes alone takes 6 a character, 12 above U+FFFF
PROBLEMS_AT_MOST = 1000
BLOCK = 1 << 20
_BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


def is_streamable(stream: BinaryIO) -> bool:
    """Say by the first line whether a file holds one result a line with its entry's id; leaves it at its start."""
    stream.seek(0)
    head = stream.read(BLOCK)
    stream.seek(0)
    line = head.decode(_encoding(head), errors="replace").partition("\n")[0]
    return is_json_object(line) or delimiter_of(line) is not None


def file_digest(stream: BinaryIO, *, problems: Problems, limit: int = FILE_LIMIT) -> tuple[str, int]:
    """Return SHA-256 and size in bytes, having decoded all of it.

    Raises CardProblems for a file over the limit, an empty one, and a byte that is no text, with its place.
    """
    stream.seek(0)
    digest, size, line = hashlib.sha256(), 0, 1
    decoder: codecs.IncrementalDecoder | None = None
    encoding = "utf-8"
    for block in iter(lambda: stream.read(BLOCK), b""):
        if decoder is None:
            encoding = _encoding(block)
            decoder = codecs.getincrementaldecoder(encoding)()
        digest.update(block)
        try:
            line += decoder.decode(block).count("\n")
        except UnicodeDecodeError as error:
            raise _bad_byte(problems, size + error.start, line, encoding) from error
        size += len(block)
        if size > limit:
            raise problems.stop("too_large", "document", limit=limit)
    if decoder is None:
        raise problems.stop("empty", "document")
    try:
        decoder.decode(b"", final=True)
    except UnicodeDecodeError as error:
        raise _bad_byte(problems, size, line, encoding) from error
    return digest.hexdigest(), size


def stream_outputs(stream: BinaryIO, problems: Problems, *, limit: int = RESULT_LIMIT) -> Iterator[ParsedOutput]:
    """Yield the outputs of a streamable file in its order; what is wrong is noted.

    Raises CardProblems at once for a line or a file without end, and for too many problems.
    """
    stream.seek(0)
    encoding = _encoding(stream.read(4))
    stream.seek(0)
    text = io.TextIOWrapper(stream, encoding=encoding, newline="\n")
    try:
        lines = _lines(text, problems)
        head = next(lines, "")
        every = _again(head, lines)
        delimiter = None if is_json_object(head) else delimiter_of(head)
        found = json_line_outputs(every, problems) if delimiter is None else table_outputs(every, delimiter, problems)
        for number, output in enumerate(found, start=1):
            if number > limit:
                raise problems.stop("too_many_results", f"result {number}", limit=limit)
            if output is not None:
                check_text(output, problems)
                yield output
            if len(problems) >= PROBLEMS_AT_MOST:
                problems.raise_any()
    finally:
        text.detach()  # or the file would be closed with it


@dataclass
class RunningTotals:
    """Cost and speed, summed output by output; see `leaderboard.cards.totals`."""

    count: int = 0
    source_characters: int = 0
    cost_usd: float = 0.0
    costs_stated: int = 0
    latencies: "array[float]" = field(default_factory=lambda: array("d"))

    def add(self, output: ParsedOutput) -> None:
        """Count one output."""
        self.count += 1
        self.source_characters += len(output.source or "")
        if output.cost_usd is not None:
            self.cost_usd += output.cost_usd
            self.costs_stated += 1
        if output.latency_s is not None and output.error is None:
            self.latencies.append(output.latency_s)

    def totals(self) -> Totals:
        """Return the totals; the cost is known where every output states its own."""
        total = self.cost_usd if self.count and self.costs_stated == self.count else None
        latency = latency_summary(self.latencies)
        characters = self.source_characters
        per_character = round(total / characters, 8) if total is not None and characters else None
        return Totals(
            cost_usd=total,
            cost_per_entry_usd=cost_per_entry(total, self.count),
            cost_per_source_character_usd=per_character,
            mean_latency_s=latency.mean,
            median_latency_s=latency.median,
            p95_latency_s=latency.p95,
        )


def _encoding(head: bytes) -> str:
    return next((name for bom, name in _BOMS if head.startswith(bom)), "utf-8")


def _bad_byte(problems: Problems, offset: int, line: int, encoding: str) -> Exception:
    return problems.stop("bad_encoding", "document", offset=offset, line=line, encoding=encoding.upper())


def _lines(text: io.TextIOWrapper, problems: Problems) -> Iterator[str]:
    number = 1
    while line := text.readline(LINE_LIMIT + 1):
        if len(line) > LINE_LIMIT:
            raise problems.stop("line_too_long", f"line {number}", limit=LINE_LIMIT)
        yield line
        number += 1


def _again(head: str, lines: Iterator[str]) -> Iterator[str]:
    yield head
    yield from lines
