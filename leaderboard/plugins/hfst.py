"""HFST optimised-lookup files (`.hfstol`): a look at the bytes before any library reads them, and the lookup.

The library makes tables as large as the file's header says, so a header that promises more than the file holds is
refused here. Source: SPEC M-1; 90-harness-facts 4.6.
"""

import hashlib
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FILE_LIMIT = 300_000_000  # bytes
_MAGIC = b"HFST\0"
_NUMBERS = struct.Struct("<HHIIII9I")
_INDEX_SIZE = 6
_TRANSITION_SIZES = {False: 8, True: 12}
_TYPES = ("HFST_OL", "HFST_OLW")


class AnalyserFileError(ValueError):
    """A file that is no transducer for lookup.

    `code` is one of `not_hfst`, `not_for_lookup` (another kind of HFST file; `hfst-fst2fst -O` makes it one),
    `damaged`, `too_large`, `not_readable`.
    """

    def __init__(self, code: str) -> None:
        self.code = code
        super().__init__(code)


@dataclass(frozen=True)
class AnalyserFile:
    """What a file says of itself: digest, name as its maker wrote it, weights, symbols, transitions, bytes."""

    sha256: str
    name: str
    is_weighted: bool
    symbol_count: int
    transition_count: int
    size: int


def analyser_file_check(data: bytes) -> AnalyserFile:
    """Return what the bytes of an analyser say of themselves.

    Raises AnalyserFileError for bytes that are no optimised-lookup transducer, or cut short.
    """
    if len(data) > FILE_LIMIT:
        raise AnalyserFileError("too_large")
    if not data.startswith(_MAGIC):
        raise AnalyserFileError("not_hfst")
    try:
        properties, place = _properties(data)
        if properties.get("type") not in _TYPES:
            raise AnalyserFileError("not_for_lookup")
        numbers = _NUMBERS.unpack_from(data, place)
        place = _after_symbols(data, place + _NUMBERS.size, numbers[1])
    except (struct.error, UnicodeDecodeError, IndexError) as error:
        raise AnalyserFileError("damaged") from error
    weighted = bool(numbers[6])
    tables = numbers[2] * _INDEX_SIZE + numbers[3] * _TRANSITION_SIZES[weighted]
    if numbers[0] > numbers[1] or place + tables > len(data) or not numbers[3]:
        raise AnalyserFileError("damaged")
    return AnalyserFile(
        sha256=hashlib.sha256(data).hexdigest(),
        name=properties.get("name", "")[:200],
        is_weighted=weighted,
        symbol_count=numbers[1],
        transition_count=numbers[3],
        size=len(data),
    )


def analyser_file_read(path: Path) -> AnalyserFile:
    """Check the file at a path. Raises AnalyserFileError, also where there is no file to read."""
    try:
        if path.stat().st_size > FILE_LIMIT:
            raise AnalyserFileError("too_large")
        return analyser_file_check(path.read_bytes())
    except OSError as error:
        raise AnalyserFileError("not_readable") from error


class HfstAnalyser:
    """Analyses of words by a file; meant for a process of its own, because a bad transducer may never come back."""

    def __init__(self, path: Path) -> None:
        """Load the file. Raises AnalyserFileError, and whatever the library raises on a file that only looks right."""
        analyser_file_read(path)
        import pyhfst  # here, so that the web server never loads it

        self._transducer: Any = pyhfst.HfstInputStream(str(path), cache=False).read()

    def analyses(self, word: str) -> Sequence[str]:
        """Return the analyses of a word, without weights, each once, in the transducer's order."""
        return list(dict.fromkeys(str(found) for found, _weight in self._transducer.lookup(word)))


def _properties(data: bytes) -> tuple[dict[str, str], int]:
    (length,) = struct.unpack_from("<H", data, len(_MAGIC))
    start = len(_MAGIC) + 3  # the length, and a NUL behind it
    texts = data[start : start + length].split(b"\0")
    if len(data) < start + length:
        raise AnalyserFileError("damaged")
    words = [text.decode("utf-8", errors="replace") for text in texts]
    return dict(zip(words[::2], words[1::2], strict=False)), start + length


def _after_symbols(data: bytes, place: int, count: int) -> int:
    for _symbol in range(count):
        end = data.find(b"\0", place)
        if end < 0:
            raise AnalyserFileError("damaged")
        data[place:end].decode("utf-8")
        place = end + 1
    return place
