"""People, organisations and corpora, made by the services."""

from __future__ import annotations

import pytest

from champollion.accounts.models import CustodianRequirement, Organisation, Role, User
from champollion.accounts.services.organisations import organisation_create, requirement_record, role_give
from corpora.formats import ReadOptions
from corpora.models import CorpusVersion
from corpora.services.imports import Attestation, corpus_import

from .files import as_stream, document, entry


@pytest.fixture
def organisation(db) -> Organisation:
    """An organisation that governs Galician and is no key custodian."""
    return organisation_create(actor=None, name="Galician council", slug="galician", languages=["gl"])


@pytest.fixture
def custodian(organisation) -> Organisation:
    """The same organisation, recorded as key custodian."""
    for kind in CustodianRequirement.Kind.values:
        requirement_record(actor=None, organisation=organisation, kind=kind, evidence="recorded for the test")
    return organisation


@pytest.fixture
def person(db):
    """Make a person, with a role in an organisation if one is given."""

    def make(email: str, organisation: Organisation | None = None, role: str = "") -> User:
        user = User.objects.create_user(email)
        if organisation is not None:
            role_give(actor=None, organisation=organisation, user=user, role=role)
        return user

    return make


@pytest.fixture
def curator(person, organisation) -> User:
    return person("curator@galician.example", organisation, Role.CURATOR)


@pytest.fixture
def steward(person, organisation) -> User:
    return person("steward@galician.example", organisation, Role.STEWARD)


@pytest.fixture
def store(organisation, curator):
    """Import a value as a corpus of the organisation; keyword arguments are options."""

    def make(value, *, actor=curator, owner=organisation, statement="", **options) -> CorpusVersion:
        return corpus_import(
            actor=actor,
            organisation=owner,
            stream=as_stream(value),
            filename="corpus.json",
            options=ReadOptions(**options),
            attestation=Attestation("Curator of the council", statement=statement),
        )

    return make


SECRET_SOURCE = "Forgotten your password or username?"


@pytest.fixture
def mixed(custodian, store) -> CorpusVersion:
    """A version with 4 public and 2 secret entries."""
    return store(
        document(
            entry(1),
            entry(2, id="b", variants=["Ver o sitio"], notes="short"),
            entry(3, segment="diagnostic", phenomenon="negation"),
            entry(4),
            entry(5, segment="gold_standard"),
            entry(6, segment="held_out", notes="kept"),
            contact="the council",
        )
    )
