"""The world of the security tests, and clients that call the API with a token."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.db import transaction
from django.test import Client

from champollion.api.tokens import token_make
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
def caller():
    """Return a function that gives a client with a token of a person, or without one."""

    def make(person=None) -> Client:
        if person is None:
            return Client()
        _token, text = token_make(user=person, name="a test")
        return Client(headers={"Authorization": f"Bearer {text}"})

    return make


@pytest.fixture(autouse=True)
def fresh_limits() -> Iterator[None]:
    """Let no test use up another's calls."""
    cache.clear()
    yield
    cache.clear()
