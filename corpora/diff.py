"""The difference between two versions of a corpus. Pure, over records in any order. Source: SPEC C-6."""

from collections.abc import Iterable
from dataclasses import dataclass

from champollion.common.canonical import canonical_json, sha256_hex
from corpora.formats.base import EntryRecord
from corpora.formats.canonical import entry_to_dict
from corpora.vocabulary import is_secret


@dataclass(frozen=True, slots=True)
class Moved:
    """An entry whose segment changed. It may have changed in other fields too, and is then listed there as well."""

    key: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class VersionDiff:
    """Ids (as text) of entries added, removed, changed in a field other than the segment, moved between segments."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    moved: tuple[Moved, ...] = ()

    @property
    def is_empty(self) -> bool:
        return not (self.added or self.removed or self.changed or self.moved)


@dataclass(frozen=True, slots=True)
class _Print:
    segment: str
    digest: str


def version_diff(before: Iterable[EntryRecord], after: Iterable[EntryRecord]) -> VersionDiff:
    """Compare two versions by entry id; each list is in the order of the version it comes from."""
    old, new = _prints(before), _prints(after)
    both = [key for key in new if key in old]
    return VersionDiff(
        added=tuple(key for key in new if key not in old),
        removed=tuple(key for key in old if key not in new),
        changed=tuple(key for key in both if old[key].digest != new[key].digest),
        moved=tuple(
            Moved(key, old[key].segment, new[key].segment) for key in both if old[key].segment != new[key].segment
        ),
    )


def public_diff(before: Iterable[EntryRecord], after: Iterable[EntryRecord]) -> VersionDiff:
    """Compare the public segments only: an entry that went from secret to public looks added, the other way removed.

    This is what the public sees, so that it learns nothing of the secret segments. Source: SPEC C-6, C-8.
    """
    return version_diff(
        (record for record in before if not is_secret(record.segment)),
        (record for record in after if not is_secret(record.segment)),
    )


def _prints(records: Iterable[EntryRecord]) -> dict[str, _Print]:
    return {record.key: _Print(record.segment, _digest(record)) for record in records}


def _digest(record: EntryRecord) -> str:
    fields = entry_to_dict(record)
    del fields["segment"]
    return sha256_hex(canonical_json(fields))
