"""Where the real input files and the specification lie: beside the repository, not in it."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"
SHARED_DATA = SHARED / "data"
SHARED_SPEC = SHARED / "spec"
