"""Reading a document that is to be a run: what it is, is told by its content. Source: SPEC R-1, R-2."""

import re
from dataclasses import replace
from typing import Any

from champollion.common.canonical import EncodingProblem, StrictJsonProblem, decode_text, loads_strict_text, sha256_hex
from champollion.common.text import is_blank
from leaderboard.cards.hashing import card_id
from leaderboard.cards.parsed import ParsedRun
from leaderboard.cards.plain import is_json_object, parse_plain, plain_run
from leaderboard.cards.problems import Problems
from leaderboard.cards.report import parse_log, parse_report
from leaderboard.cards.results import parse_results
from leaderboard.cards.run_card import parse_card

DOCUMENT_LIMIT = 64_000_000  # bytes. Source: SPEC R-2

# An object with a key, a list of objects, or either empty. A line of output may begin with a bracket, but hardly so.
_JSON_START = re.compile(r'\s*(\{\s*["}]|\[\s*[{\]])')
_CARD_SIGNS = frozenset({"run_card_hash", "fingerprint", "model_slug"})


def read_document(
    data: bytes,
    *,
    file_name: str = "",
    rows: bytes | None = None,
    log: bytes | None = None,
    limit: int = DOCUMENT_LIMIT,
) -> ParsedRun:
    """Read a run card, a sealed harness card, a test report, a run log or plain outputs.

    Args:
        data: the bytes as received.
        file_name: kept for show; it decides nothing.
        rows: the per-entry rows that belong to a sealed card, a JSON list.
        log: the run log that belongs to a report.
        limit: bytes that a document may have.

    Returns:
        What the document says. A card without results and rows has no outputs: it is claimed, not recomputed.

    Raises:
        CardProblems: everything that is wrong with the document, at once.
    """
    problems = Problems()
    text = _text(data, "document", limit, problems)
    digest = sha256_hex(data)
    # A whole card may stand in one line; JSON Lines have an entry id or an output in the first line's object.
    if _JSON_START.match(text) and not is_json_object(text.partition("\n")[0]):
        parsed = _read_json(
            _json(text, "document", problems),
            digest,
            rows=_attached(rows, "rows", limit, problems),
            log=_attached(log, "run log", limit, problems),
            problems=problems,
        )
    else:
        parsed = plain_run(parse_plain(text, problems), sha256=digest)
    problems.raise_any()
    return replace(parsed, file_name=file_name)


def _read_json(document: Any, digest: str, *, rows: Any, log: Any, problems: Problems) -> ParsedRun:
    if isinstance(document, list):
        return plain_run(parse_results(document, problems), sha256=digest)
    card = _unwrapped(document)
    if "overall" in card and "entries" in card:
        return parse_report(card, sha256=digest, log=log if isinstance(log, dict) else None, problems=problems)
    if _CARD_SIGNS & card.keys() or ("scores" in card and "dataset" in card):
        parsed = parse_card(card, sha256=digest, rows=rows, problems=problems)
        _check_rows_belong(parsed, rows, problems)
        return parsed
    if "results" in card and "config" in card:
        return parse_log(card, sha256=digest, problems=problems)
    raise problems.stop("unknown_document", "document", "", ", ".join(sorted(card)))


def _unwrapped(document: dict[str, Any]) -> dict[str, Any]:
    # A database row holds the card it was made of, and the anonymous lane sends the row in an object of its own.
    row = document.get("run_card_row")
    outer = row if isinstance(row, dict) else document
    card = outer.get("run_card")
    return card if isinstance(card, dict) else outer


def _check_rows_belong(parsed: ParsedRun, rows: Any, problems: Problems) -> None:
    if not isinstance(rows, list) or parsed.fingerprint is None:
        return
    owners = {str(row["run_card_id"]) for row in rows if isinstance(row, dict) and row.get("run_card_id")}
    others = owners - {str(card_id(parsed.fingerprint))}
    if others:
        problems.add("rows_mismatch", "rows", "run_card_id", ", ".join(sorted(others)))


def _attached(data: bytes | None, place: str, limit: int, problems: Problems) -> Any:
    return None if data is None else _json(_text(data, place, limit, problems), place, problems)


def _text(data: bytes, place: str, limit: int, problems: Problems) -> str:
    if len(data) > limit:
        raise problems.stop("too_large", place, limit=limit)
    try:
        text = decode_text(data)
    except EncodingProblem as error:
        raise problems.stop(
            "bad_encoding", place, offset=error.offset, line=error.line, encoding=error.encoding.upper()
        ) from error
    if is_blank(text):
        raise problems.stop("empty", place)
    return text


def _json(text: str, place: str, problems: Problems) -> Any:
    try:
        return loads_strict_text(text)
    except StrictJsonProblem as error:
        raise problems.stop(error.code, place, "", error.value, line=error.line, column=error.column) from error
