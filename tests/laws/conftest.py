"""One world a module, made by the services: see ``tests/security/world.py``."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import transaction

from tests.security.world import World, world_make


@pytest.fixture(scope="module")
def module_world(django_db_setup, django_db_blocker) -> Iterator[World]:
    """Make the world once for a module; it is gone when the module ends."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield world_make()
        transaction.set_rollback(True)


@pytest.fixture
def world(module_world, db) -> World:
    """The module's world; what a test changes in the database is taken back."""
    return module_world


@pytest.fixture
def client_of(client):
    """Return a function that signs the test's client in as a person."""

    def sign_in(person):
        client.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
        return client

    return sign_in
