"""Check locale/: every string of the code is there, translated, not fuzzy, and keeps its placeholders."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import polib

ROOT = Path(__file__).resolve().parent.parent
LOCALE = ROOT / "locale"
#: Run in a copy of the code, so that the project's own catalogues stay as they are.
EXTRACT = """
import django
from django.conf import settings
from django.core.management import call_command
django.setup()
settings.LOCALE_PATHS = ["locale"]
call_command("makemessages", locale=["xx"], no_location=True, verbosity=0)
"""
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%[sd]|\{\w*\}")


def problems_of(catalogue: polib.POFile, *, language: str, wanted: set[tuple[str, str]] | None) -> list[str]:
    """Return a line for each fault of a catalogue; ``wanted`` holds the (context, msgid) that the code uses."""
    entries = [entry for entry in catalogue if not entry.obsolete]
    found = [f"{language}: not translated: {entry.msgid!r}" for entry in entries if not _is_translated(entry)]
    found += [f"{language}: fuzzy: {entry.msgid!r}" for entry in entries if entry.fuzzy]
    found += [f"{language}: other placeholders: {entry.msgid!r}" for entry in entries if not _keeps_placeholders(entry)]
    if wanted is not None:
        have = {(entry.msgctxt or "", entry.msgid) for entry in entries}
        found += [f"{language}: not in the catalogue: {msgid!r}" for _context, msgid in sorted(wanted - have)]
    return found


def _is_translated(entry: polib.POEntry) -> bool:
    texts = list(entry.msgstr_plural.values()) if entry.msgid_plural else [entry.msgstr]
    return bool(texts) and all(text.strip() for text in texts)


def _keeps_placeholders(entry: polib.POEntry) -> bool:
    """A translation uses the placeholders of its original; a plural form may leave one out, never add one."""
    if not _is_translated(entry):
        return True
    if entry.msgid_plural:
        allowed = set(PLACEHOLDER.findall(entry.msgid + entry.msgid_plural))
        return all(set(PLACEHOLDER.findall(text)) <= allowed for text in entry.msgstr_plural.values())
    return sorted(set(PLACEHOLDER.findall(entry.msgstr))) == sorted(set(PLACEHOLDER.findall(entry.msgid)))


def strings_of_the_code() -> set[tuple[str, str]] | None:
    """Extract the strings as ``make messages`` does, into a throw-away copy; None where gettext is missing."""
    if shutil.which("xgettext") is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        for name in ("champollion", "corpora", "leaderboard", "review"):
            shutil.copytree(ROOT / name, Path(folder) / name, ignore=shutil.ignore_patterns("__pycache__", "locale"))
        (Path(folder) / "locale").mkdir()
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "DJANGO_SETTINGS_MODULE": "champollion.settings.local"}
        subprocess.run([sys.executable, "-c", EXTRACT], cwd=folder, check=True, env=environment)
        catalogue = polib.pofile(str(Path(folder) / "locale" / "xx" / "LC_MESSAGES" / "django.po"))
    return {(entry.msgctxt or "", entry.msgid) for entry in catalogue}


def main() -> int:
    """Print every fault; the exit code says whether there was one."""
    wanted = strings_of_the_code()
    if wanted is None:
        print("GNU gettext is missing (apt-get install gettext): only what the catalogues hold was checked.")
    found: list[str] = []
    for language in languages():
        path = LOCALE / language / "LC_MESSAGES" / "django.po"
        if path.exists():
            found += problems_of(polib.pofile(str(path)), language=language, wanted=wanted)
        else:
            found.append(f"{language}: there is no {path.relative_to(ROOT)}")
    print("\n".join(found[:200]) or f"Complete: {', '.join(languages())}.")
    if len(found) > 200:
        print(f"and {len(found) - 200} more")
    return 1 if found else 0


def languages() -> list[str]:
    """Return the interface languages that need a catalogue: all but English, in which the strings are written."""
    import django
    from django.conf import settings

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "champollion.settings.local")
    django.setup()
    return [code.replace("-", "_") for code, _name in settings.LANGUAGES if code != "en"]


if __name__ == "__main__":
    sys.exit(main())
