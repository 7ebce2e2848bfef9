"""The one place where secret text goes to rest and comes back (LAW-2, SPEC S-2).

Every app stores secret text through ``seal`` and gets it back through ``unseal``: sources and references here,
outputs in ``leaderboard``, comments and notes in ``review``. Callers see values, never how they lie in the
database, so that encryption at rest changes this module alone.

Format byte 1: UTF-8 JSON, compressed. The blob is bound to its corpus by the caller's column; it is not encrypted.
"""

import json
import zlib
from typing import Any

from django.utils.crypto import salted_hmac

from corpora.models.corpus import Corpus

_FORMAT_PLAIN = b"\x01"


def seal(corpus: Corpus, value: dict[str, Any]) -> bytes:
    """Return ``value`` (JSON) as the bytes that may be stored for this corpus."""
    return _FORMAT_PLAIN + zlib.compress(json.dumps(value, ensure_ascii=False).encode(), 6)


def unseal(corpus: Corpus, blob: bytes | memoryview) -> dict[str, Any]:
    """Return what ``seal`` was given.

    Raises:
        ValueError: the bytes are of no format this version knows.
    """
    data = bytes(blob)
    if data[:1] != _FORMAT_PLAIN:
        raise ValueError("sealed value of an unknown format")
    return json.loads(zlib.decompress(data[1:]))


def seal_bytes(corpus: Corpus, data: bytes) -> bytes:
    """Seal raw bytes, such as an uploaded document or a matrix of per-entry figures."""
    return _FORMAT_PLAIN + zlib.compress(data, 6)


def unseal_bytes(corpus: Corpus, blob: bytes | memoryview) -> bytes:
    data = bytes(blob)
    if data[:1] != _FORMAT_PLAIN:
        raise ValueError("sealed value of an unknown format")
    return zlib.decompress(data[1:])


def keyed_hash(corpus: Corpus, text: str) -> str:
    """Return the HMAC-SHA-256 of a text under a key of its corpus, as 64 hex digits.

    Wherever a record must name secret text by a digest, it is this one: a plain hash of it counts as the text.
    The key is derived from the installation's secret key and the corpus.
    Source: SPEC S-9, V-2; LAW-2.
    """
    return salted_hmac(f"corpora.vault.keyed_hash {corpus.uid}", text, algorithm="sha256").hexdigest()
