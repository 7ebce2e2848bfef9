"""Storing a corpus: all or nothing, identity, custody, rights, the audit record."""

import io
import json

import pytest
from django.db import DatabaseError, transaction

from champollion.accounts.models import Role
from champollion.accounts.services.organisations import organisation_create
from champollion.audit.models import AuditEvent
from champollion.common.canonical import sha256_hex
from champollion.common.errors import AccessDenied, ConflictError, DomainError, NotVisible
from corpora import access
from corpora.formats import ReadOptions
from corpora.models import Corpus, CorpusDigest, CorpusVersion, Entry
from corpora.services.editions import full_edition, public_edition, version_records
from corpora.services.imports import Attestation, corpus_import, corpus_import_outcome, order_key
from corpora.services.problems import CorpusProblems
from corpora.validation import checked

from .conftest import SECRET_SOURCE
from .files import as_stream, document, entry
from .test_real_files import REAL


def test_a_version_is_stored_with_its_entries(store, curator, organisation):
    version = store(document(entry(1), entry(2, id="2b", register=None, domain=None, difficulty=None)))
    assert (version.corpus.corpus_id, version.version, version.entry_count) == ("django-gl", "1.0", 2)
    assert (version.corpus.source_language, version.corpus.target_language) == ("en", "gl")
    assert version.uploaded_by == curator
    assert (version.attested_by_name, version.license) == ("Curator of the council", "BSD-3-Clause")
    first, second = version.entries.order_by("position")
    assert (first.entry_id, first.id_is_integer, first.source, first.difficulty) == (
        "1",
        True,
        "Delete multiple objects",
        1,
    )
    assert (second.entry_id, second.id_is_integer, second.difficulty, second.domain) == ("2b", False, None, "")


def test_the_records_come_back_as_they_were(mixed):
    value = document(
        entry(1),
        entry(2, id="b", variants=["Ver o sitio"], notes="short"),
        entry(3, segment="diagnostic", phenomenon="negation"),
        entry(4),
        entry(5, segment="gold_standard"),
        entry(6, segment="held_out", notes="kept"),
    )
    assert list(version_records(mixed)) == list(checked(as_stream(value), ReadOptions()))


def test_the_digests_are_those_of_the_editions(mixed):
    full, public = b"".join(full_edition(mixed)), b"".join(public_edition(mixed))
    assert (sha256_hex(full), sha256_hex(public)) == (mixed.canonical_sha256, mixed.public_sha256)
    assert SECRET_SOURCE.encode() in full
    assert SECRET_SOURCE.encode() not in public
    assert json.loads(full)["dataset"]["contact"] == "the council"
    kinds = dict(CorpusDigest.objects.filter(version=mixed).values_list("kind", "sha256"))
    assert kinds == {"full": mixed.sha256, "public": mixed.public_sha256, "canonical": mixed.canonical_sha256}


def test_secret_text_lies_sealed_only(mixed):
    secret = Entry.objects.get(version=mixed, segment="held_out")
    assert (secret.source, secret.reference, secret.fields) == ("", "", {})
    assert access.open_entry(secret, mixed.corpus).source == SECRET_SOURCE
    assert access.open_entry(secret, mixed.corpus).fields["notes"] == "kept"


def test_stored_warnings_hold_no_text_of_a_corpus_with_secret_segments(custodian, store):
    twice = [entry(6, id=number, segment="gold_standard", register="odd") for number in (1, 2)]
    version = store(document(*twice))
    assert "duplicate_pair" in [warning["code"] for warning in version.warnings]
    assert SECRET_SOURCE not in json.dumps(version.warnings)
    assert store(document(entry(1, register="odd"), id="public-only")).warnings[0]["value"] == "odd"


def test_a_file_with_an_error_stores_nothing_and_reports_all(store):
    with pytest.raises(CorpusProblems) as raised:
        store(document(entry(1, difficulty=7), entry(1, domain="x")))
    codes = sorted(problem.code for problem in raised.value.problems)
    assert codes == ["bad_difficulty", "duplicate_id", "unknown_domain"]
    assert "3 things" in str(raised.value)
    assert not Corpus.objects.exists()
    assert not AuditEvent.objects.filter(act="corpus.imported").exists()


def test_the_refusal_repeats_no_value_in_its_message(store):
    with pytest.raises(CorpusProblems) as raised:
        store(document(entry(1, source="\x00 hidden words")))
    assert "hidden words" not in str(raised.value) + str(raised.value.context)


def test_the_same_file_again_changes_nothing_and_says_so(organisation, curator):
    def upload():
        return corpus_import_outcome(
            actor=curator,
            organisation=organisation,
            stream=as_stream(document()),
            filename="corpus.json",
            options=ReadOptions(),
            attestation=Attestation("Curator"),
        )

    first, second = upload(), upload()
    assert (first.is_new, second.is_new) == (True, False)
    assert first.version == second.version
    assert (CorpusVersion.objects.count(), Entry.objects.count()) == (1, 1)
    assert AuditEvent.objects.filter(act="corpus.imported").count() == 1


@pytest.mark.parametrize("version", ["1.0", "1.0.0"])
def test_the_same_version_with_other_content_is_refused(store, version):
    store(document())
    with pytest.raises(ConflictError, match="bump the version") as raised:
        store(document(entry(1, notes="new"), version=version))
    assert raised.value.code == "corpus.version_taken"
    assert CorpusVersion.objects.count() == 1


def test_another_version_of_the_corpus_is_stored_beside_the_first(store):
    first, second = store(document()), store(document(version="1.1"))
    assert first.corpus == second.corpus
    assert first.order_key < second.order_key


def test_where_options_say_part_of_it_the_canonical_digest_is_the_identity(store):
    bare = [entry(1)]
    options = {
        "id": "django-gl",
        "version": "1.0",
        "source_language": "en",
        "target_language": "gl",
        "license": "MIT",
        "created": "2026-06-07",
    }
    first = store(bare, **options)
    assert store(bare, **options) == first
    with pytest.raises(ConflictError):
        store(bare, **{**options, "license": "BSD-3-Clause"})


def test_the_id_of_another_organisation_is_refused(store, person):
    store(document())
    other = organisation_create(actor=None, name="Other", slug="other", languages=["cy"])
    welsh = document(id="django-gl", target_language="cy", language_pair=None, version="2.0")
    with pytest.raises(ConflictError) as raised:
        store(welsh, actor=person("c@other.example", other, Role.CURATOR), owner=other)
    assert raised.value.code == "corpus.id_taken"


def test_a_language_that_another_organisation_governs_is_refused(store, person):
    other = organisation_create(actor=None, name="Other", slug="other", languages=["cy"])
    with pytest.raises(ConflictError) as raised:
        store(document(), actor=person("c@other.example", other, Role.CURATOR), owner=other)
    assert raised.value.code == "corpus.language_governed"


def test_other_languages_under_the_same_id_are_refused(store):
    store(document())
    with pytest.raises(ConflictError) as raised:
        store(document(source_language="es", language_pair=None, version="2.0"))
    assert raised.value.code == "corpus.languages_differ"


def test_secret_segments_need_a_key_custodian(store, organisation):
    with pytest.raises(DomainError) as raised:
        store(document(entry(1, segment="gold_standard")))
    assert raised.value.code == "corpus.not_custodian"
    assert not Corpus.objects.exists()


def test_a_custodian_may_own_secret_segments(custodian, store):
    assert store(document(entry(1, segment="gold_standard"))).entry_count == 1


@pytest.mark.parametrize("attestation", [Attestation("Curator", is_given=False), Attestation("  ")])
def test_without_attestation_nothing_is_stored(organisation, curator, attestation):
    with pytest.raises(DomainError) as raised:
        corpus_import(
            actor=curator,
            organisation=organisation,
            stream=as_stream(document()),
            filename="corpus.json",
            options=ReadOptions(),
            attestation=attestation,
        )
    assert raised.value.code == "corpus.attestation_missing"


def test_a_statement_about_a_word_is_stored_and_recorded(store):
    value = document(entry(1, provenance="Gemini, a printed journal"))
    with pytest.raises(CorpusProblems):
        store(value)
    version = store(value, statement="The name of a printed journal.")
    assert version.attestation_note == "The name of a printed journal."
    assert AuditEvent.objects.get(act="corpus.term_explained").reason == "The name of a printed journal."


def test_only_curators_of_the_organisation_import(store, person, organisation, steward):
    with pytest.raises(AccessDenied):
        store(document(), actor=steward)
    with pytest.raises(NotVisible):
        store(document(), actor=person("stranger@else.example"))
    assert not Corpus.objects.exists()


def test_the_import_is_recorded_without_text(mixed, curator):
    event = AuditEvent.objects.get(act="corpus.imported")
    assert (event.actor, event.chain) == (str(curator.uid), "organisation:galician")
    assert event.details["entries"] == {"development": 3, "diagnostic": 1, "gold_standard": 1, "held_out": 1}
    assert SECRET_SOURCE not in json.dumps(event.details)
    assert mixed.sha256 not in json.dumps(event.details)


@pytest.mark.django_db(transaction=True)
def test_a_failure_while_storing_leaves_nothing(store, monkeypatch):
    def fail(*_args, **_kwargs):
        raise DatabaseError("the disk is full")

    monkeypatch.setattr(Entry.objects, "bulk_create", fail)
    with pytest.raises(DatabaseError):
        store(document())
    assert not Corpus.objects.exists()
    assert not CorpusVersion.objects.exists()


def test_stored_entries_do_not_change(mixed):
    with pytest.raises(DatabaseError), transaction.atomic():
        Entry.objects.filter(version=mixed, position=1).update(source="other")
    assert Entry.objects.get(version=mixed, position=1).source == "Delete multiple objects"


def test_versions_sort_by_their_numbers():
    assert sorted(["1.10", "1.9", "0.10.2", "2.0"], key=order_key) == ["0.10.2", "1.9", "1.10", "2.0"]
    assert order_key("1.0") == order_key("1.0.0")
    with pytest.raises(ValueError):
        order_key("one")


@pytest.mark.parametrize("name", REAL)
def test_a_real_corpus_is_stored_and_its_edition_reads_back(shared_data, db, name):
    data = (shared_data / "corpora" / f"{name}.json").read_bytes()
    count, corpus_id, source, target = REAL[name]
    owner = organisation_create(actor=None, name="Council", slug="council", languages=[target])
    version = corpus_import(
        actor=None,
        organisation=owner,
        stream=io.BytesIO(data),
        filename=f"{name}.json",
        options=ReadOptions(),
        attestation=Attestation("The operator"),
    )
    assert (version.entries.count(), version.corpus.corpus_id, version.corpus.source_language) == (
        count,
        corpus_id,
        source,
    )
    assert version.sha256 == sha256_hex(data)
    edition = b"".join(public_edition(version))
    assert sha256_hex(edition) == version.public_sha256 == version.canonical_sha256
    assert list(checked(io.BytesIO(edition), ReadOptions())) == list(checked(io.BytesIO(data), ReadOptions()))
