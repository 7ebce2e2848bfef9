"""The real Welsh corpus and reports, and the composites that their README states."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.shared import SHARED_DATA

CORPUS_ID, CORPUS_VERSION = "tatoeba-eng-cym-dev", "0.1.0"
ENTRY_COUNT = 47
#: end of the file's name -> method, composite by harness 0.1.1's detectors, as the folder's README states them
WELSH: dict[str, tuple[str, str]] = {
    "8f6428": ("Gemini 3.5 Flash, naive", "0.7964"),
    "11d0cc": ("Gemini 3.5 Flash, naive", "0.8029"),
    "acc94e": ("Gemini 3.5 Flash, naive", "0.8046"),
    "8ef2bc": ("Gemini 3.1 Pro, naive", "0.7768"),
    "b8c799": ("Mistral Large, naive", "0.6990"),
    "dda956": ("Claude Sonnet 4.6, naive", "0.6943"),
}


def corpus_path(name: str = "eng-cym-dev-v1") -> Path:
    """Return a real corpus file; skips where it is absent."""
    return _existing(SHARED_DATA / "corpora" / f"{name}.json")


def report_path(end: str) -> Path:
    """Return the real report whose file name ends so; skips where it is absent."""
    found = sorted((SHARED_DATA / "reports").glob(f"*_{end}_report.json"))
    return _existing(found[0] if found else SHARED_DATA / "reports" / end)


def _existing(path: Path) -> Path:
    if not path.is_file():
        pytest.skip("the real input files are missing (../shared/data beside the repository)")
    return path
