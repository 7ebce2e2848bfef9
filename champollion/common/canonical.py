"""Canonical JSON, digests, and strict reading of JSON bytes.

Every hash in the product that covers a JSON value is taken over the bytes made here. Reading is strict, because a
document that two parsers understand differently cannot be sealed: no NaN, no infinity, no key twice, no half surrogate,
no guessed encoding.
"""

import codecs
import hashlib
import json
import math
from typing import Any, NoReturn

_BOMS: tuple[tuple[bytes, str], ...] = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


class EncodingProblem(ValueError):
    """Bytes that are neither UTF-8 nor UTF-16 with a byte order mark.

    `offset` counts bytes from 0 at the start of the file, `line` counts lines from 1, `encoding` names what was tried.
    """

    code = "bad_encoding"

    def __init__(self, *, offset: int, line: int, encoding: str) -> None:
        self.offset = offset
        self.line = line
        self.encoding = encoding
        super().__init__(f"Byte {offset} (line {line}) is not valid {encoding.upper()}.")


class StrictJsonProblem(ValueError):
    """Text that is not strict JSON.

    `code` is one of `not_json`, `not_finite`, `duplicate_key`, `bad_surrogate`, `too_deep`; `line` and `column` count
    from 1 and are None where the parser cannot tell; `value` is the offending name or number, shortened.
    """

    def __init__(
        self, code: str, message: str, *, line: int | None = None, column: int | None = None, value: str = ""
    ) -> None:
        self.code = code
        self.message = message
        self.line = line
        self.column = column
        self.value = value[:80]
        super().__init__(message)


def canonical_json(obj: Any) -> bytes:
    """Return the canonical UTF-8 bytes of a JSON value.

    Keys sorted, separators `", "` and `": "`, no ASCII escapes, floats in Python's shortest form: `0.0` and `0` differ.
    Raises ValueError for NaN, infinity and half surrogates, which have no canonical form.
    Source: SPEC R-3; 90-harness-facts 2.1.
    """
    text = json.dumps(obj, sort_keys=True, ensure_ascii=False, allow_nan=False)
    return text.encode("utf-8")


def sha256_hex(data: bytes) -> str:
    """Return the SHA-256 of `data` as 64 lower-case hex digits."""
    return hashlib.sha256(data).hexdigest()


def canonical_sha256(obj: Any) -> str:
    """Return the SHA-256 of the canonical JSON of `obj` as 64 lower-case hex digits. Source: SPEC R-3."""
    return sha256_hex(canonical_json(obj))


def decode_text(data: bytes) -> str:
    """Decode UTF-8 (with or without byte order mark) or UTF-16 with byte order mark; line ends stay as they are.

    Raises EncodingProblem with the place of the first bad byte. Source: SPEC C-3.
    """
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return _decode(data[len(bom) :], encoding, skipped=len(bom))
    return _decode(data, "utf-8", skipped=0)


def loads_strict(data: bytes) -> Any:
    """Parse JSON bytes; numbers keep Python's types, so `0` is an int and `0.0` a float.

    Raises EncodingProblem or StrictJsonProblem, both ValueErrors. Source: SPEC R-2.
    """
    return loads_strict_text(decode_text(data))


def loads_strict_text(text: str) -> Any:
    """Parse JSON text as `loads_strict` does. Raises StrictJsonProblem."""
    try:
        obj = json.loads(
            text, parse_float=_finite_float, parse_constant=_refuse_constant, object_pairs_hook=_object_without_twins
        )
    except json.JSONDecodeError as error:
        raise StrictJsonProblem(
            "not_json",
            f"Not JSON: {error.msg} at line {error.lineno}, column {error.colno}.",
            line=error.lineno,
            column=error.colno,
        ) from error
    except RecursionError as error:
        raise StrictJsonProblem("too_deep", "Brackets are nested too deeply to be read.") from error
    except StrictJsonProblem:
        raise
    except ValueError as error:  # an integer with more digits than Python reads
        raise StrictJsonProblem("not_finite", "A number has more digits than can be read.") from error
    _refuse_half_surrogates(text, obj)
    return obj


def _decode(data: bytes, encoding: str, *, skipped: int) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data[: error.start].decode(encoding, errors="replace").count("\n") + 1
        raise EncodingProblem(offset=error.start + skipped, line=line, encoding=encoding) from error


def _refuse_constant(name: str) -> NoReturn:
    raise StrictJsonProblem("not_finite", f"{name} is not a number that JSON knows.", value=name)


def _finite_float(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise StrictJsonProblem("not_finite", f"The number {text[:40]} is too large.", value=text)
    return number


def _object_without_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    obj = dict(pairs)
    if len(obj) != len(pairs):
        seen: set[str] = set()
        for key, _value in pairs:
            if key in seen:
                raise StrictJsonProblem("duplicate_key", f"The key “{key[:80]}” stands twice in one object.", value=key)
            seen.add(key)
    return obj


def _refuse_half_surrogates(text: str, obj: Any) -> None:
    # Only an escape can smuggle one in: decoded text cannot hold it. Most documents have none and skip the walk.
    if "\\ud" not in text and "\\uD" not in text:
        return
    try:
        json.dumps(obj, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError as error:
        half = f"U+{ord(error.object[error.start]):04X}"
        raise StrictJsonProblem(
            "bad_surrogate", f"Half a surrogate pair ({half}) is no character.", value=half
        ) from error
