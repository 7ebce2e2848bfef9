"""Compile every locale/*/LC_MESSAGES/*.po of the project that is newer than its .mo, without GNU gettext."""

from __future__ import annotations

from pathlib import Path

import polib

ROOT = Path(__file__).resolve().parent.parent
SKIPPED = {".venv", ".state", "node_modules", ".git"}


def catalogues(root: Path) -> list[Path]:
    """Return the project's own .po files, sorted; not those of installed packages."""
    found = root.glob("**/locale/*/LC_MESSAGES/*.po")
    return sorted(path for path in found if not SKIPPED & set(path.relative_to(root).parts))


def is_stale(po_path: Path) -> bool:
    """Say whether the .mo beside a .po is absent or older than it."""
    mo_path = po_path.with_suffix(".mo")
    return not mo_path.exists() or mo_path.stat().st_mtime < po_path.stat().st_mtime


def main() -> None:
    """Compile what is stale and name it."""
    for po_path in filter(is_stale, catalogues(ROOT)):
        polib.pofile(str(po_path)).save_as_mofile(str(po_path.with_suffix(".mo")))
        print(f"Compiled {po_path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
