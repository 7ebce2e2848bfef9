"""The Apertium engine as the demo's method: runs it where it is installed, and reads what it once made (SPEC I-2)."""

from __future__ import annotations

import csv
import shutil
import subprocess
from pathlib import Path

from .catalogues import DemoPair, corpus_document

OUTPUTS = Path(__file__).resolve().parent / "outputs"


def is_installed(pair: DemoPair) -> bool:
    """Say whether the engine and the pair's data are here."""
    if shutil.which("apertium") is None:
        return False
    listed = subprocess.run(["apertium", "-l"], capture_output=True, text=True, check=False)  # noqa: S607 - from PATH
    return pair.engine in listed.stdout.split()


def translate(text: str, *, engine: str) -> str:
    """Translate one text alone, without marks on unknown words.

    The engine's line mode drops a final full stop, and whole files let the words of one entry decide over the next; so
    each text is a document of its own.

    Raises:
        subprocess.CalledProcessError: the engine failed.
    """
    done = subprocess.run(  # noqa: S603 - the mode comes from DemoPair
        ["apertium", "-u", "-f", "txt", engine],  # noqa: S607 - from PATH
        input=text + "\n",
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip("\n")


def outputs_path(pair: DemoPair) -> Path:
    """Return where a pair's committed outputs lie: tab-separated entry id and output, with a header."""
    return OUTPUTS / f"{pair.corpus_id}.tsv"


def outputs_read(pair: DemoPair) -> dict[str, str]:
    """Return entry id -> output as committed."""
    with outputs_path(pair).open(encoding="utf-8", newline="") as stream:
        rows = csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE)
        return {row["entry_id"]: row["predicted"] for row in rows}


def outputs_make(pair: DemoPair) -> int:
    """Translate every source of a pair, `held_out` aside, which is never run; write the file, return the count."""
    entries = corpus_document(pair)["entries"]
    lines = ["entry_id\tpredicted"]
    for entry in sorted(entries, key=lambda entry: entry["id"]):
        if entry["segment"] != "held_out":
            lines.append(f"{entry['id']}\t{translate(entry['source'], engine=pair.engine)}")
    outputs_path(pair).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return len(lines) - 1
