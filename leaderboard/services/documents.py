"""The bytes of uploads: those of a large one lie in parts, so that no process ever holds them whole (SPEC R-2)."""

from collections.abc import Iterator
from typing import BinaryIO

from corpora import vault
from corpora.models import Corpus
from leaderboard.models import Document, DocumentPart

PART_BYTES = 4_000_000


def document_parts_store(document: Document, stream: BinaryIO, *, corpus: Corpus) -> None:
    """Store a file's bytes in parts, sealed where the document is."""
    stream.seek(0)
    for index, block in enumerate(iter(lambda: stream.read(PART_BYTES), b"")):
        content = vault.seal_bytes(corpus, block) if document.is_sealed else block
        DocumentPart.objects.create(document=document, index=index, content=content)


def document_bytes(document: Document, *, corpus: Corpus | None) -> Iterator[bytes]:
    """Yield the bytes of a document as received, a part at a time.

    Args:
        corpus: whose secret text a sealed document holds.
    """
    parts = DocumentPart.objects.filter(document=document).order_by("index").values_list("content", flat=True)
    found = False
    for content in parts.iterator(chunk_size=1):
        found = True
        yield _opened(document, bytes(content), corpus)
    if not found:
        yield _opened(document, bytes(document.content), corpus)


def _opened(document: Document, content: bytes, corpus: Corpus | None) -> bytes:
    return vault.unseal_bytes(corpus, content) if document.is_sealed and corpus is not None else content
