"""Corpus files in and out, without Django. `read` finds the format by content; each format is one module."""

from collections.abc import Iterator
from typing import BinaryIO

from corpora.formats.base import EntryRecord, Envelope, Format, Item, Problem, ReadOptions
from corpora.formats.json_envelope import JsonFormat

__all__ = ["FORMATS", "EntryRecord", "Envelope", "Item", "Problem", "ReadOptions", "UnknownFormat", "read"]

_HEAD = 4096

#: The readers, in the order in which they are asked.
FORMATS: tuple[Format, ...] = (JsonFormat(),)


class UnknownFormat(ValueError):
    """No reader knows the content, or the format asked for has no reader. `problem` is for the uploader."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        super().__init__(problem.code)


def read(stream: BinaryIO, options: ReadOptions) -> tuple[Envelope, Iterator[Item]]:
    """Read a corpus from a seekable binary stream with the reader that knows it, or the one that the options name.

    Returns the envelope and an iterator of records and problems. Raises UnknownFormat.
    """
    stream.seek(0)
    head = stream.read(_HEAD)
    if not head.strip():
        raise UnknownFormat(Problem("error", "empty_file", "file"))
    for reader in FORMATS:
        if reader.name == options.format or (not options.format and reader.recognises(head)):
            return reader.read(stream, options)
    raise UnknownFormat(Problem("error", "unknown_format", "file", "format", options.format))
