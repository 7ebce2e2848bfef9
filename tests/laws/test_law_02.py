"""LAW-2 Secret stays secret. The search for marked words in everything that goes out is ``security/test_canary.py``."""

import pytest
from django.db import IntegrityError, transaction

from champollion.audit.models import AuditEvent
from champollion.common.errors import NotVisible
from corpora import access, vault
from corpora.models import Entry
from leaderboard.models import RunOutput
from tests.security.world import SOURCE

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("role", ["steward", "curator"])
def test_those_who_may_read_secret_text_and_it_is_recorded(role, world):
    person = world.person(role)
    before = AuditEvent.objects.filter(act="secret.read", actor=str(person.uid)).count()
    [text] = access.read_entries([world.marked_entry], version=world.version, reader=person, purpose="a test")
    assert SOURCE in text.source
    records = AuditEvent.objects.filter(act="secret.read", actor=str(person.uid))
    assert records.count() == before + 1
    assert records.latest("sequence").details == {"purpose": "a test", "entries": 1}


@pytest.mark.parametrize(
    ("role", "place"),
    [("speaker", "own"), ("helper", "own"), ("coordinator", "own"), ("developer", "own"), ("maintainer", "own"),
     ("steward", "other"), ("curator", "other")],
)  # fmt: skip
def test_to_everybody_else_the_entry_does_not_exist(role, place, world):
    before = AuditEvent.objects.count()
    with pytest.raises(NotVisible) as refusal:
        access.read_entries([world.marked_entry], version=world.version, reader=world.person(role, place), purpose="x")
    assert SOURCE not in str(refusal.value) and AuditEvent.objects.count() == before


def test_public_text_is_everybodys_and_unrecorded(world):
    before = AuditEvent.objects.count()
    [text] = access.read_entries([world.public_entry], version=world.version, reader=None, purpose="x")
    assert text.source and AuditEvent.objects.count() == before


def test_the_database_takes_no_secret_text_in_the_open(world):
    entry = Entry(
        version=world.version, position=900, entry_id="open", segment="gold_standard", source="text", reference="text"
    )
    with pytest.raises(IntegrityError), transaction.atomic():
        entry.save(force_insert=True)
    output = world.decided_run.outputs.first()
    with pytest.raises(IntegrityError), transaction.atomic():
        RunOutput.objects.filter(pk=output.pk).update(text="in the open")


def test_a_digest_of_secret_text_is_keyed(world):
    corpus, other = world.version.corpus, world.other_version.corpus
    keyed = vault.keyed_hash(corpus, SOURCE)
    import hashlib

    assert keyed != hashlib.sha256(SOURCE.encode()).hexdigest()
    assert keyed != vault.keyed_hash(other, SOURCE) and keyed == vault.keyed_hash(corpus, SOURCE)
