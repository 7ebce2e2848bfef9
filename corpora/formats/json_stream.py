"""A pull parser for large JSON: values one at a time from a text that is never held whole.

Strict as `champollion.common.canonical.loads_strict`: no NaN, no infinity, no key twice. A value is parsed by the
standard library's decoder; what is added here is the walking of the outermost array or object, and the reading of more
text where a value is cut off.
"""

import json
import math
from collections.abc import Iterator
from typing import Any, BinaryIO, NoReturn

from corpora.formats.decoding import TextSource

#: Longest single value, in characters: one entry, or one field of the envelope.
VALUE_LIMIT = 4_000_000

_SPACE = " \t\n\r"
# An error this near to the end of what is read so far may only mean that the value is cut off there.
_CUT_OFF_MARGIN = 32


class JsonProblem(ValueError):
    """The text is not strict JSON from `line` and `column` (from 1) on.

    `code` is `not_parseable`, `duplicate_key`, `not_finite`, `too_deep` or `entry_too_large`; `reason` or `value` say
    more.
    """

    def __init__(self, code: str, *, line: int, column: int, reason: str = "", value: str = "") -> None:
        self.code = code
        self.line = line
        self.column = column
        self.reason = reason
        self.value = value
        super().__init__(f"{code} at line {line}, column {column}")


class _Refused(ValueError):
    def __init__(self, code: str, value: str) -> None:
        self.code = code
        self.value = value
        super().__init__(code)


class JsonStream:
    """Reads the values of one JSON text in order. Raises JsonProblem, and EncodingProblem for bad bytes."""

    def __init__(self, stream: BinaryIO) -> None:
        self._source = TextSource(stream)
        self._buffer = ""
        self._at = 0
        self._lines_before = 0
        self._last_line_length = 0
        self._is_ended = False
        self._decoder = json.JSONDecoder(
            object_pairs_hook=_object_without_twins, parse_float=_finite, parse_constant=_refuse_constant
        )

    def peek(self) -> str:
        """Return the next character that is not white space, or "" at the end, and stay before it."""
        while True:
            while self._at < len(self._buffer) and self._buffer[self._at] in _SPACE:
                self._at += 1
            if self._at < len(self._buffer):
                return self._buffer[self._at]
            if not self._read_more():
                return ""

    def expect(self, char: str) -> None:
        """Step over `char`, which must come next."""
        found = self.peek()
        if found != char:
            self._fail(f"“{char}” is missing" if found else f"the file ends before “{char}”")
        self._at += 1

    def value(self) -> Any:
        """Return the next value and step over it."""
        self.peek()
        while True:
            try:
                value, end = self._decoder.raw_decode(self._buffer, self._at)
            except json.JSONDecodeError as error:
                if self._is_cut_off(error) and self._read_more():
                    continue
                self._at = min(error.pos, len(self._buffer))
                self._fail(error.msg)
            except _Refused as refused:
                self._raise(refused.code, value=refused.value)
            except RecursionError:
                self._raise("too_deep")
            except ValueError:  # an integer with more digits than Python reads
                self._raise("not_finite")
            if not self._is_whole(end) and self._read_more():
                continue
            self._at = end
            return value

    def array(self) -> Iterator[Any]:
        """Give the values of the array that comes next, one at a time."""
        self.expect("[")
        if self.peek() == "]":
            self._at += 1
            return
        while True:
            yield self.value()
            if self.peek() == "]":
                self._at += 1
                return
            self.expect(",")

    def members(self) -> Iterator[str]:
        """Give the keys of the object that comes next; the caller reads the value of each before asking for the next
        key.
        """
        self.expect("{")
        seen: set[str] = set()
        if self.peek() == "}":
            self._at += 1
            return
        while True:
            yield self._key(seen)
            if self.peek() == "}":
                self._at += 1
                return
            self.expect(",")

    def end(self) -> None:
        """Check that nothing follows."""
        if self.peek():
            self._fail("more text follows the end")

    def _key(self, seen: set[str]) -> str:
        if self.peek() != '"':
            self._fail("a key in double quotes is missing")
        key = self.value()
        if key in seen:
            self._raise("duplicate_key", value=key)
        seen.add(key)
        self.expect(":")
        return key

    def _is_whole(self, end: int) -> bool:
        # “12” may be the start of “123” or “12.5”; a value that closes itself is whole.
        return self._buffer[end - 1] in '}]"' or end + _CUT_OFF_MARGIN < len(self._buffer)

    def _is_cut_off(self, error: json.JSONDecodeError) -> bool:
        return error.msg.startswith("Unterminated string") or error.pos + _CUT_OFF_MARGIN >= len(self._buffer)

    def _read_more(self) -> bool:
        if self._is_ended:
            return False
        if len(self._buffer) - self._at > VALUE_LIMIT:
            self._raise("entry_too_large")
        text = self._source.read()
        # Each time a value is cut off, as much again is read, so that a long one is not parsed over and over.
        while text and len(text) < len(self._buffer) - self._at:
            more = self._source.read()
            if not more:
                break
            text += more
        if not text:  # nothing moves, so that places found in the buffer stay right
            self._is_ended = True
            return False
        self._drop_read()
        self._buffer += text
        return True

    def _drop_read(self) -> None:
        lines = self._buffer.count("\n", 0, self._at)
        if lines:
            self._last_line_length = self._at - self._buffer.rfind("\n", 0, self._at) - 1
        else:
            self._last_line_length += self._at
        self._lines_before += lines
        self._buffer = self._buffer[self._at :]
        self._at = 0

    def _place(self) -> tuple[int, int]:
        lines = self._buffer.count("\n", 0, self._at)
        if lines:
            return self._lines_before + lines + 1, self._at - self._buffer.rfind("\n", 0, self._at)
        return self._lines_before + 1, self._last_line_length + self._at + 1

    def _fail(self, reason: str) -> NoReturn:
        self._raise("not_parseable", reason=reason[:1].lower() + reason[1:])

    def _raise(self, code: str, *, reason: str = "", value: str = "") -> NoReturn:
        line, column = self._place()
        raise JsonProblem(code, line=line, column=column, reason=reason, value=value)


def _object_without_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        seen: set[str] = set()
        for key, _value in pairs:
            if key in seen:
                raise _Refused("duplicate_key", key)
            seen.add(key)
    return made


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise _Refused("not_finite", text)
    return number


def _refuse_constant(name: str) -> NoReturn:
    raise _Refused("not_finite", name)
