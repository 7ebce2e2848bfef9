"""The corpus version of a run and the entry of an item: always there in a campaign, optional in the columns."""

from django.utils.translation import gettext as _

from champollion.common.errors import StateError
from corpora.models import CorpusVersion, Entry
from leaderboard.models import Run
from review.models import SampleItem


def version_of(run: Run) -> CorpusVersion:
    """Return the corpus version of a run. Raises StateError where it is tied to none."""
    if run.corpus_version is None:
        raise StateError("run.unanchored", _("The run belongs to no known corpus."))
    return run.corpus_version


def entry_of(item: SampleItem) -> Entry:
    """Return the entry of an item that was read with its output. Raises StateError where there is none."""
    if item.output.entry is None:
        raise StateError("item.no_entry", _("This output belongs to no entry of the corpus."))
    return item.output.entry
