"""Plain outputs: one a line, or CSV, TSV or JSON Lines with `entry_id` and `predicted`. Source: SPEC R-1.

TSV fields are taken literally, as the later harness does: a quotation mark in an output is a quotation mark.
"""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from champollion.common.canonical import StrictJsonProblem, loads_strict_text
from leaderboard.cards.parsed import Configuration, CorpusReference, Kind, ParsedOutput, ParsedRun
from leaderboard.cards.problems import Problems
from leaderboard.cards.results import OUTPUT_LIMIT, check_outputs, parse_result
from leaderboard.cards.totals import totals_of

ID_COLUMN = "entry_id"
OUTPUT_COLUMN = "predicted"
_DELIMITERS = ("\t", ",", ";")
_FIELD_LIMIT = 4 * OUTPUT_LIMIT  # an output that is too long must be read to be reported


def plain_run(outputs: tuple[ParsedOutput, ...], *, sha256: str) -> ParsedRun:
    """Return a run of outputs alone, which states nothing of its set-up."""
    return ParsedRun(
        kind=Kind.OUTPUTS,
        sha256=sha256,
        card=None,
        outputs=outputs,
        configuration=Configuration(),
        corpus=CorpusReference(entry_count=len(outputs)),
        totals=totals_of(outputs, cost_usd=None),
    )


def parse_plain(text: str, problems: Problems) -> tuple[ParsedOutput, ...]:
    """Return the outputs of a text, whose first line tells what it is: JSON Lines, a table's head, or an output."""
    head, _newline, _rest = text.partition("\n")
    if is_json_object(head):
        return _parse_json_lines(text, problems)
    delimiter = delimiter_of(head)
    return _parse_lines(text, problems) if delimiter is None else _parse_table(text, delimiter, problems)


def delimiter_of(head: str) -> str | None:
    """Return what parts the columns that a text's first line names, None where it names none."""
    for delimiter in _DELIMITERS:
        columns = [name.strip().strip('"').lower() for name in head.rstrip("\r\n").split(delimiter)]
        if ID_COLUMN in columns or (OUTPUT_COLUMN in columns and len(columns) > 1):
            return delimiter
    return None


def assign_in_order(parsed: ParsedRun, entry_ids: Sequence[str]) -> ParsedRun:
    """Return the run with each line given the corpus's entry id at its place.

    Raises CardProblems if there are more or fewer lines than entries. A run that names its entries stays as it is.
    """
    if parsed.names_entries:
        return parsed
    if len(parsed.outputs) != len(entry_ids):
        place = parsed.outputs[len(entry_ids)].place if len(parsed.outputs) > len(entry_ids) else "end"
        raise Problems().stop("line_count", place, OUTPUT_COLUMN, found=len(parsed.outputs), expected=len(entry_ids))
    named = tuple(
        replace(output, entry_id=entry_id) for output, entry_id in zip(parsed.outputs, entry_ids, strict=True)
    )
    return replace(parsed, outputs=named)


def is_json_object(line: str) -> bool:
    """Say whether a line is one JSON object with an entry id or an output, so that the text is JSON Lines."""
    if not line.lstrip().startswith("{"):
        return False
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and bool({ID_COLUMN, OUTPUT_COLUMN} & value.keys())


def _parse_lines(text: str, problems: Problems) -> tuple[ParsedOutput, ...]:
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()  # the last line's end begins no further output
    outputs = [
        ParsedOutput(entry_id="", predicted=line.removesuffix("\r"), place=f"line {number}")
        for number, line in enumerate(lines, start=1)
    ]
    return check_outputs(outputs, problems, given=len(lines))


def _parse_json_lines(text: str, problems: Problems) -> tuple[ParsedOutput, ...]:
    outputs: list[ParsedOutput] = []
    given = 0
    for output in json_line_outputs(text.split("\n"), problems):
        given += 1
        if output is not None:
            outputs.append(output)
    return check_outputs(outputs, problems, given=given)


def _parse_table(text: str, delimiter: str, problems: Problems) -> tuple[ParsedOutput, ...]:
    lines: Iterable[str] = text.split("\n") if delimiter == "\t" else io.StringIO(text, newline="")
    given = 0
    outputs: list[ParsedOutput] = []
    for output in table_outputs(lines, delimiter, problems):
        given += 1
        if output is not None:
            outputs.append(output)
    return check_outputs(outputs, problems, given=given)


def table_outputs(lines: Iterable[str], delimiter: str, problems: Problems) -> Iterator[ParsedOutput | None]:
    """Yield one output a row of a table whose first line names the columns; None for a row with a problem, noted."""
    rows = _rows(lines, delimiter, problems)
    _number, head = next(rows)
    columns = [name.strip().lower() for name in head]
    if not _check_columns(columns, problems):
        yield None
        return
    for number, row in rows:
        place = f"line {number}"
        if len(row) != len(columns):
            problems.add("row_width", place, "", delimiter.join(row), found=len(row), expected=len(columns))
            yield None
            continue
        yield _output_of_row(dict(zip(columns, row, strict=True)), place, problems)


def json_line_outputs(lines: Iterable[str], problems: Problems) -> Iterator[ParsedOutput | None]:
    """Yield one output a line that is not blank; None for a line with a problem, which is noted."""
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        place = f"line {number}"
        try:
            value = loads_strict_text(line)
        except StrictJsonProblem as error:
            problems.add(error.code, place, "", error.value or line, line=number, column=error.column)
            yield None
            continue
        yield parse_result(value, place, problems)


def _rows(lines: Iterable[str], delimiter: str, problems: Problems) -> Iterator[tuple[int, list[str]]]:
    if delimiter == "\t":
        for number, line in enumerate(lines, start=1):
            if line.strip("\r\n"):
                yield number, line.removesuffix("\n").removesuffix("\r").split("\t")
        return
    csv.field_size_limit(max(_FIELD_LIMIT, csv.field_size_limit()))
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    started = 1
    try:
        for row in reader:
            if row:
                yield started, row
            started = reader.line_num + 1
    except csv.Error as error:
        raise problems.stop("bad_quotes", f"line {started}", "", str(error)) from error


def _check_columns(columns: list[str], problems: Problems) -> bool:
    for name in (ID_COLUMN, OUTPUT_COLUMN):
        if name not in columns:
            problems.add("missing_column", "line 1", name)
    for name in sorted({name for name in columns if columns.count(name) > 1}):
        problems.add("duplicate_column", "line 1", name)
    return ID_COLUMN in columns and OUTPUT_COLUMN in columns and len(set(columns)) == len(columns)


def _output_of_row(row: dict[str, str], place: str, problems: Problems) -> ParsedOutput | None:
    entry_id = row[ID_COLUMN].strip()
    if not entry_id:
        problems.add("missing_id", place, ID_COLUMN)
        return None
    return ParsedOutput(
        entry_id=entry_id,
        predicted=row[OUTPUT_COLUMN],
        place=place,
        source=row.get("source"),
        expected=row.get("expected"),
        error=row.get("error") or None,
        latency_s=_number(row, "latency_s", place, problems),
        cost_usd=_number(row, "cost_usd", place, problems),
    )


def _number(row: dict[str, str], name: str, place: str, problems: Problems) -> float | None:
    text = row.get(name, "").strip()
    if not text:
        return None
    try:
        value = loads_strict_text(text)
    except ValueError:
        value = None
    if isinstance(value, bool) or not isinstance(value, int | float):
        problems.add("not_number", place, name, text)
        return None
    return value
