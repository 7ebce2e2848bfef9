"""The difference between two versions."""

from corpora.diff import Moved, VersionDiff, public_diff, version_diff
from corpora.formats import ReadOptions
from corpora.validation import checked

from .files import as_stream, document, entry


def _records(*entries):
    return list(checked(as_stream(document(*entries)), ReadOptions()))


BEFORE = _records(entry(1), entry(2), entry(3), entry(4, segment="gold_standard"), entry(5, segment="gold_standard"))
AFTER = _records(
    entry(2, notes="reworded"),
    entry(1),
    entry(4, segment="development"),
    entry(5, segment="gold_standard", difficulty=2),
    entry(6),
)


def test_added_removed_changed_and_moved_entries_are_told():
    assert version_diff(BEFORE, AFTER) == VersionDiff(
        added=("6",),
        removed=("3",),
        changed=("2", "5"),
        moved=(Moved("4", "gold_standard", "development"),),
    )


def test_the_public_sees_nothing_of_secret_segments():
    assert public_diff(BEFORE, AFTER) == VersionDiff(added=("4", "6"), removed=("3",), changed=("2",))


def test_order_and_the_type_of_the_id_do_not_matter_for_what_is_the_same_entry():
    assert version_diff(BEFORE, list(reversed(BEFORE))).is_empty
    assert version_diff(_records(entry(1)), _records(entry(1, id="1"))).changed == ("1",)
