"""LAW-11 People wrote the references: machine-made ones are refused on import and cannot be made here."""

import io
import json

import pytest

from champollion.common.errors import DomainError
from corpora.formats import ReadOptions
from corpora.models import CorpusVersion
from corpora.services.imports import Attestation, corpus_import
from corpora.services.problems import CorpusProblems
from tests.leaderboard import stage as stages

pytestmark = pytest.mark.django_db


@pytest.fixture
def stage():
    return stages.stage_make()


def store(stage, value, attestation):
    return corpus_import(
        actor=stage.curator,
        organisation=stage.organisation,
        stream=io.BytesIO(json.dumps(value).encode()),
        filename="corpus.json",
        options=ReadOptions(),
        attestation=attestation,
    )


def test_an_attested_corpus_is_stored_with_the_name_and_the_time(stage):
    version = store(stage, stages.corpus_document(), Attestation("The curator"))
    assert version.attested_by_name == "The curator" and version.attested_at is not None


@pytest.mark.parametrize("attestation", [Attestation("The curator", is_given=False), Attestation("  ")])
def test_without_an_attestation_nothing_is_stored(attestation, stage):
    with pytest.raises(DomainError) as refusal:
        store(stage, stages.corpus_document(), attestation)
    assert refusal.value.code == "corpus.attestation_missing" and not CorpusVersion.objects.exists()


@pytest.mark.parametrize("word", ["machine translation", "back-translation", "synthetic", "pseudo-parallel"])
def test_machine_made_references_are_refused_by_their_provenance(word, stage):
    with pytest.raises(CorpusProblems) as refusal:
        store(stage, stages.corpus_document(provenance=word), Attestation("The curator"))
    assert {problem.field for problem in refusal.value.problems} == {"provenance"}
    assert not CorpusVersion.objects.exists()


def test_a_written_statement_about_the_word_is_kept(stage):
    said = "The word names a textbook about machines."
    version = store(stage, stages.corpus_document(provenance="synthetic"), Attestation("The curator", statement=said))
    assert version.attestation_note == said


def test_no_address_makes_a_reference():
    """The one way in is the import; no page or call of ours takes a reference, or asks an engine for one."""
    from tests.security.addresses import patterns

    assert [pattern for pattern in patterns() if "translate" in pattern or "reference" in pattern] == []
