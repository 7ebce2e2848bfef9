"""Every address, every role, the object's organisation and another one (SPEC S-1, Q-3); see ``matrix``."""

from __future__ import annotations

import json
from http.cookies import SimpleCookie
from uuid import uuid4

import pytest
from django.db import transaction
from django.test import Client
from django.urls import Resolver404, resolve

from champollion.accounts.permissions import RIGHTS

from . import matrix
from .addresses import COLUMNS, Expectation, address_of, columns_of, patterns, values_of

pytestmark = pytest.mark.django_db
GROUPS = ("PAGES", "CORPORA", "LEADERBOARD", "REVIEW", "GOVERNANCE", "ACCOUNT", "API", "ADMIN")


@pytest.fixture
def clients(world, client_of) -> dict:
    return {column: client_of(None if column == "anonymous" else world.person(*column)) for column in COLUMNS}


def call(client: Client, method: str, address: str, row: matrix.Row, values: dict):
    """Send a request whose changes to the database, and to the client's session, are taken back."""
    cookies = {name: morsel.value for name, morsel in client.cookies.items()}
    given = {name: _value(value, values) for name, value in (row.query if method == "get" else row.body).items()}
    with transaction.atomic():
        if method == "post" and row.as_json:
            response = client.post(address, json.dumps(given), content_type="application/json")
        else:
            response = getattr(client, method)(address, given)
        transaction.set_rollback(True)
    client.cookies = SimpleCookie(cookies)
    return response


def _value(given: object, values: dict) -> object:
    if given == "new key":
        return str(uuid4())
    found = values.get(given, given) if isinstance(given, str) else given
    return found if isinstance(found, int) else str(found)


def differences(rows: list[matrix.Row], clients: dict, values: dict) -> list[str]:
    found = []
    for row in rows:
        address = address_of(row.pattern, row.values, values)
        for method, cell in (("get", row.reads), ("post", row.acts)):
            for column, expected in columns_of(cell).items() if cell else ():
                response = call(clients[column], method, address, row, values)
                got = response.status_code, response.headers.get("Location", "")
                if not expected.holds(*got):
                    found.append(f"{method.upper()} {address} {row.query or ''} {column}: {got}, not {expected.status}")
    return found


@pytest.mark.parametrize("group", GROUPS)
def test_every_role_gets_what_the_matrix_says(group, world, clients):
    assert differences(getattr(matrix, group), clients, values_of(world)) == []


def test_every_address_has_a_row():
    missing = set(patterns()) - {row.pattern for row in matrix.ROWS}
    assert sorted(missing) == [], "write a row for each in tests/security/matrix.py"


def test_every_row_has_an_address_and_is_in_a_group():
    grouped = [row for group in GROUPS for row in getattr(matrix, group)]
    assert [row.pattern for row in matrix.ROWS if row.pattern not in patterns()] == []
    assert grouped == matrix.ROWS


def test_an_address_without_acts_takes_no_post(world, clients):
    values = values_of(world)
    for row in matrix.ROWS:
        if not row.acts:
            for column in ("anonymous", ("steward", "own"), ("maintainer", "own")):
                address = address_of(row.pattern, row.values, values)
                response = call(clients[column], "post", address, row, values)
                is_sign_in = response.headers.get("Location", "").startswith("/account/login/")
                assert response.status_code in (401, 404, 405) or is_sign_in, (address, column, response.status_code)


def test_no_form_is_taken_without_its_token(world):
    """A page elsewhere cannot make a signed-in person's browser act here."""
    values, people = values_of(world), {"steward": world.person("steward"), "speaker": world.person("speaker")}
    for row in matrix.ROWS:
        if not row.acts or row.pattern.startswith("account/login"):
            continue
        for person in people.values():
            client = Client(enforce_csrf_checks=True, raise_request_exception=False)
            client.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
            response = call(client, "post", address_of(row.pattern, row.values, values), row, values)
            assert response.status_code in (403, 404), (row.pattern, response.status_code)


def test_a_cell_must_speak_of_everybody():
    with pytest.raises(AssertionError, match="says nothing of"):
        columns_of("anonymous login; own steward 200")
    assert columns_of("own steward 200; own rest 403; rest 404")["developer", "own"] == Expectation(404)
    assert columns_of("own steward 200; own rest 403; rest 404")["helper", "own"] == Expectation(403)


def test_addresses_are_not_guessable(world):
    """No address of ours names a row by its number."""
    ours = [pattern for pattern in patterns() if not pattern.startswith(("admin/", "account/^password"))]
    assert [pattern for pattern in ours if "<int:" in pattern or "<pk" in pattern] == []
    for number in ("1", "2"):
        with pytest.raises(Resolver404):
            resolve(f"/governance/campaigns/{number}/")


def test_no_right_is_without_a_role():
    assert [name for name, right in RIGHTS.items() if not right.roles and not right.installation] == []
