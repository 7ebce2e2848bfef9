"""Two curators store the same id and version at the same moment."""

import pytest

from champollion.common.errors import ConflictError
from corpora.formats import ReadOptions
from corpora.models import Corpus, CorpusVersion, Entry
from corpora.services.imports import Attestation, corpus_import_outcome
from tests.concurrency.racing import race

from .files import as_stream, document, entry

pytestmark = [pytest.mark.concurrency, pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def _upload(organisation, value):
    return corpus_import_outcome(
        actor=None,
        organisation=organisation,
        stream=as_stream(value),
        filename="corpus.json",
        options=ReadOptions(),
        attestation=Attestation("The operator"),
    )


def test_the_same_file_twice_at_once_is_stored_once(organisation):
    outcomes = race([lambda: _upload(organisation, document(entry(1), entry(2)))] * 4)
    assert sorted(outcome.is_new for outcome in outcomes) == [False, False, False, True]
    assert (Corpus.objects.count(), CorpusVersion.objects.count(), Entry.objects.count()) == (1, 1, 2)


def test_other_content_at_once_is_refused(organisation):
    values = [document(entry(1, notes=note)) for note in "abcd"]
    outcomes = race([lambda value=value: _upload(organisation, value) for value in values])
    refused = [outcome for outcome in outcomes if isinstance(outcome, ConflictError)]
    assert [error.code for error in refused] == ["corpus.version_taken"] * 3
    assert (CorpusVersion.objects.count(), Entry.objects.count()) == (1, 1)
