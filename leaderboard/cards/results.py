"""Per-entry results in every shape: a card's results[], a harness's rows, a report's entries, a run log's results."""

from collections.abc import Iterable
from typing import Any

from leaderboard.cards.fields import Fields
from leaderboard.cards.parsed import ParsedOutput
from leaderboard.cards.problems import Problems

OUTPUT_LIMIT = 100_000  # characters. Source: SPEC R-2


def parse_results(results: Any, problems: Problems, *, label: str = "result") -> tuple[ParsedOutput, ...]:
    """Return the outputs of a JSON list of results; each is named `label N` in problems, counted from 1.

    Notes results that are no objects or lack id or output, ids that come twice (compared as texts), outputs that are
    too long, and an empty list.
    """
    if not isinstance(results, list):
        problems.add("not_list", "document", f"{label}s", results)
        return ()
    outputs = [
        output
        for number, result in enumerate(results, start=1)
        if (output := parse_result(result, f"{label} {number}", problems)) is not None
    ]
    return check_outputs(outputs, problems, given=len(results))


def check_outputs(outputs: Iterable[ParsedOutput], problems: Problems, *, given: int) -> tuple[ParsedOutput, ...]:
    """Return the outputs, noting too long ones, NUL, ids that come twice, and that there is none (`given` of 0)."""
    kept = tuple(outputs)
    first_places: dict[str, str] = {}
    for output in kept:
        check_text(output, problems)
        if not output.entry_id:
            continue
        first = first_places.setdefault(output.entry_id, output.place)
        if first != output.place:
            problems.add("duplicate_id", output.place, "entry_id", output.entry_id, first=first)
    if given == 0:
        problems.add("no_outputs", "document")
    return kept


def check_text(output: ParsedOutput, problems: Problems) -> None:
    """Note an output that is too long, and NUL in any of its texts."""
    length = len(output.predicted)
    if length > OUTPUT_LIMIT:
        problems.add("output_too_long", output.place, "predicted", output.predicted, limit=OUTPUT_LIMIT, length=length)
    for name, text in (("predicted", output.predicted), ("source", output.source), ("expected", output.expected)):
        if text is not None and "\x00" in text:
            problems.add("nul_in_text", output.place, name, text)


def parse_result(result: Any, place: str, problems: Problems) -> ParsedOutput | None:
    """Return the output of one result object; None, with the problem noted, where it has no id or no output."""
    if not isinstance(result, dict):
        problems.add("not_object", place, "", result)
        return None
    fields = Fields(result, place, problems)
    entry_id = _entry_id(fields, result, place, problems)
    predicted = _predicted(fields, result, place, problems)
    if entry_id is None or predicted is None:
        return None
    usage = fields.inner("usage")
    return ParsedOutput(
        entry_id=entry_id,
        predicted=predicted,
        place=place,
        source=_plain_text(fields, "source"),
        expected=_plain_text(fields, "expected"),
        error=_error(fields),
        latency_s=fields.number("latency_s"),
        cost_usd=fields.number("cost_usd"),
        difficulty=_difficulty(fields),
        domain=fields.text("domain"),
        segment=fields.text("segment"),
        prompt_tokens=usage.number("prompt_tokens"),
        completion_tokens=usage.number("completion_tokens"),
    )


def _entry_id(fields: Fields, result: dict[str, Any], place: str, problems: Problems) -> str | None:
    value = result.get("entry_id", result.get("id"))
    if isinstance(value, str) and value.strip():
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    problems.add("missing_id", place, "entry_id" if "entry_id" in result else "id", "" if value is None else value)
    return None


def _predicted(fields: Fields, result: dict[str, Any], place: str, problems: Problems) -> str | None:
    value = result.get("predicted")
    if isinstance(value, str):
        return value
    if value is None and _error(fields) is not None:
        return ""  # an errored entry has no output, and counts as an empty one
    problems.add("missing_output", place, "predicted", "" if value is None else value)
    return None


def _error(fields: Fields) -> str | None:
    value = fields.raw("error")
    return str(value) if value else None


def _plain_text(fields: Fields, name: str) -> str | None:
    value = fields.raw(name)
    return value if isinstance(value, str) else fields.text(name)


def _difficulty(fields: Fields) -> int | None:
    # 0 and absent mean “not given” (SPEC R-2); §3.7 has a text, harness files a number.
    value = fields.raw("difficulty")
    if isinstance(value, str):
        return int(value) or None if value.isdecimal() and len(value) == 1 else None
    return fields.whole("difficulty") or None
