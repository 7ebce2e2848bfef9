"""The SentencePiece model that spBLEU splits texts with, where whoever runs the installation put it. Never downloaded.

It lies where sacreBLEU keeps it (`models/` in its folder, which the variable SACREBLEU names), and the library
`sentencepiece` is installed beside; neither is part of the product.
"""

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from sacrebleu import utils

TOKENISER = "flores200"
_FILE = "flores200sacrebleuspm"


class PiecesError(RuntimeError):
    """The model that a run is scored with is not the one that this worker has."""


def model_digest() -> str:
    """Return the sha256 of the model, or "" where it or the library is not installed."""
    path = _model_path()
    if find_spec("sentencepiece") is None or not path.is_file():
        return ""
    status = path.stat()
    return _digest(path, status.st_mtime_ns, status.st_size)


def pieces(texts: Sequence[str], digest: str) -> list[list[str]]:
    """Return each text's pieces by the model with that digest.

    Raises PiecesError where this machine has another model or none.
    """
    if not digest or model_digest() != digest:
        raise PiecesError("The SentencePiece model that this run is scored with is not installed here.")
    model = _model(_model_path(), digest)
    return [" ".join(found).split() for found in model.EncodeAsPieces([text.rstrip() for text in texts])]


def _model_path() -> Path:
    return Path(utils.SACREBLEU_DIR) / "models" / _FILE


@lru_cache(maxsize=4)
def _digest(path: Path, changed: int, size: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@lru_cache(maxsize=2)
def _model(path: Path, digest: str) -> Any:
    import sentencepiece  # an extra: only where spBLEU is wanted

    return sentencepiece.SentencePieceProcessor(model_file=str(path))
