"""Giving versions out as files."""

import io

import pytest
from django.core.management import CommandError, call_command

from champollion.accounts.models import Role
from champollion.audit.models import AuditEvent
from champollion.common.canonical import sha256_hex
from champollion.common.errors import AccessDenied, NotVisible
from corpora.services.exports import corpus_export


def test_the_public_edition_is_written(mixed, tmp_path):
    file = tmp_path / "public.json"
    out = io.StringIO()
    call_command("export_corpus", "django-gl", str(file), "--version", "1.0", stdout=out)
    assert sha256_hex(file.read_bytes()) == mixed.public_sha256
    assert "public edition of django-gl 1.0" in out.getvalue()
    assert not AuditEvent.objects.filter(act="corpus.exported").exists()


def test_the_full_edition_is_recorded(mixed, tmp_path):
    file = tmp_path / "full.json"
    call_command("export_corpus", "django-gl", str(file), "--full", stdout=io.StringIO())
    assert sha256_hex(file.read_bytes()) == mixed.canonical_sha256
    assert AuditEvent.objects.filter(act__in=["corpus.exported", "secret.read"]).count() == 2


def test_a_file_that_is_there_is_not_overwritten(mixed, tmp_path):
    file = tmp_path / "public.json"
    file.write_text("mine")
    with pytest.raises(CommandError, match="cannot be written"):
        call_command("export_corpus", "django-gl", str(file))
    assert file.read_text() == "mine"


def test_an_unknown_corpus_is_said(db, tmp_path):
    with pytest.raises(CommandError, match="no such corpus"):
        call_command("export_corpus", "nothing", str(tmp_path / "x.json"))


def test_only_those_who_may_read_export(mixed, steward, person, organisation):
    assert b"".join(corpus_export(actor=steward, version=mixed))
    with pytest.raises(AccessDenied):
        corpus_export(actor=person("s@galician.example", organisation, Role.SPEAKER), version=mixed)
    with pytest.raises(NotVisible):
        corpus_export(actor=person("x@else.example"), version=mixed)
    assert AuditEvent.objects.filter(act="corpus.exported").count() == 1
