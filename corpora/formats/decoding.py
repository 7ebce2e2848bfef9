"""Bytes to text, a block at a time, with the place of the first bad byte. Source: SPEC C-3."""

import codecs
from typing import BinaryIO

from champollion.common.canonical import EncodingProblem

BLOCK = 1 << 18

_BOMS = (
    (codecs.BOM_UTF32_LE, ""),  # before UTF-16, whose mark it starts with; no UTF-32 is read
    (codecs.BOM_UTF32_BE, ""),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


class TextSource:
    """Text of a seekable binary stream, read from its start in blocks.

    UTF-8 with or without byte order mark, UTF-16 with one. `read` raises EncodingProblem, which counts bytes from 0 and
    lines from 1.
    """

    def __init__(self, stream: BinaryIO) -> None:
        stream.seek(0)
        self._stream = stream
        head = stream.read(4)
        self._encoding, skipped = _encoding_of(head)
        self._decoder = codecs.getincrementaldecoder(self._encoding)()
        self._fed = skipped
        self._lines = 1
        stream.seek(skipped)

    def read(self) -> str:
        """Return the next text, or "" at the end of the file."""
        while True:
            block = self._stream.read(BLOCK)
            text = self._decode(block)
            if text or not block:
                return text

    def _decode(self, block: bytes) -> str:
        waiting = self._decoder.getstate()[0]
        try:
            text = self._decoder.decode(block, final=not block)
        except UnicodeDecodeError as error:
            before = error.object[: error.start].decode(self._encoding, errors="replace")
            raise EncodingProblem(
                offset=self._fed - len(waiting) + error.start,
                line=self._lines + before.count("\n"),
                encoding=self._encoding,
            ) from error
        self._fed += len(block)
        self._lines += text.count("\n")
        return text


def _encoding_of(head: bytes) -> tuple[str, int]:
    for bom, encoding in _BOMS:
        if head.startswith(bom):
            if not encoding:
                raise EncodingProblem(offset=0, line=1, encoding="utf-8")
            return encoding, len(bom)
    if b"\x00" in head:  # UTF-16 without its mark would pass as UTF-8 full of NULs
        raise EncodingProblem(offset=head.index(b"\x00"), line=1, encoding="utf-8")
    return "utf-8", 0
