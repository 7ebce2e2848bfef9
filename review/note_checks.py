"""Whether a note from the corpus would give the reference away to a rater. Pure. Source: SPEC V-5."""

import re

_WORD = re.compile(r"\w{4,}")


def note_reveals(note: str, *, reference: str, source: str) -> bool:
    """Say whether a note holds the reference, or a word of it of four letters or more that the source lacks."""
    told = note.casefold()
    if not told.strip():
        return False
    if reference.casefold().strip() in told:
        return True
    hidden = set(_WORD.findall(reference.casefold())) - set(_WORD.findall(source.casefold()))
    return bool(hidden & set(_WORD.findall(told)))
