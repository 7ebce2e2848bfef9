"""The world of the security tests, one a module, and a client for each person in it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import transaction
from django.test import Client

from .world import World, world_make


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
def client_of():
    """Return a function that gives a client signed in as a person, or nobody."""

    def make(person=None) -> Client:
        client = Client(raise_request_exception=False)
        if person is not None:
            client.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
        return client

    return make
