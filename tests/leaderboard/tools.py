"""Analysers and plug-ins for the tests: a file of our own lexicon, and packages written for one test."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import dedent

import pytest

LEXICON = Path(__file__).parent / "lexicon"
TOY = LEXICON / "toy.hfstol"

FORMS = {"atim": "atim+N+Sg", "atimwak": "atim+N+Pl", "acimosis": "acimosis+N+Sg", "nipaw": "nipaw+V+Sg3",
         "nipawak": "nipaw+V+Pl3"}  # fmt: skip


def toy_analyse(words: Sequence[str]) -> list[tuple[str, ...]]:
    """The analyser of 90-harness-facts 4.6, as a function."""
    return [(FORMS[word],) if word in FORMS else () for word in words]


class Package:
    """A package that is not there but for the tests: its module, and the metadata that names its entry points."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder, self.name = folder, name
        self.module = name.replace("-", "_")

    def write(self, code: str, *, version: str = "1.2", **groups: dict[str, str]) -> None:
        (self.folder / f"{self.module}.py").write_text(dedent(code), encoding="utf-8")
        metadata = self.folder / f"{self.module}-{version}.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {self.name}\nVersion: {version}\n")
        lines = [
            f"[champollion.{group}]\n" + "".join(f"{tag} = {self.module}:{what}\n" for tag, what in entries.items())
            for group, entries in groups.items()
        ]
        (metadata / "entry_points.txt").write_text("\n".join(lines))


@pytest.fixture
def plugin_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Package]]:
    """Make packages that the interpreter and the tools' processes find."""
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])

    def make(name: str = "unit-plugins") -> Package:
        return Package(tmp_path, name)

    yield make
