"""The schema is whole and true: it validates, and calls made from it find no fault of ours (SPEC I-4, Q-3)."""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO

import pytest
import schemathesis
from django.conf import settings as django_settings
from django.core import signals
from django.core.management import call_command
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, transaction
from drf_spectacular.generators import SchemaGenerator
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from champollion.api.docs import operations_of
from champollion.api.tokens import token_make
from tests.security.addresses import values_of

pytestmark = pytest.mark.django_db
EXAMPLES = 4
#: What a call from the schema may be answered with; anything else is not in the schema, or a fault of ours.
BODIES = ("application/json", "application/problem+json", "application/vnd.oai.openapi")


@pytest.fixture(scope="module")
def schema() -> dict:
    return SchemaGenerator().get_schema(request=None, public=True)


def test_the_schema_validates_without_a_warning():
    out = StringIO()
    call_command("spectacular", "--validate", "--fail-on-warn", stdout=out)
    assert out.getvalue().startswith("openapi: 3.1.0")


def test_the_schema_is_served(client):
    answer = client.get("/api/schema/?format=json")
    assert answer.status_code == 200 and answer.json()["openapi"] == "3.1.0"
    assert client.get("/api/schema/").headers["Content-Type"].startswith("application/vnd.oai.openapi")


def test_every_operation_says_what_it_is_and_how_it_fails(schema):
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            name = f"{method} {path}"
            assert operation["description"], name
            assert {"400", "401", "403", "404", "429"} <= set(operation["responses"]), name
            if method == "post":
                assert {"409", "422"} <= set(operation["responses"]), name
                assert "Idempotency-Key" in [one["name"] for one in operation["parameters"]], name


def test_sign_in_is_asked_where_it_is_needed(schema):
    optional = {
        path for path, ops in schema["paths"].items() if {} in ops["get" if "get" in ops else "post"]["security"]
    }
    assert {"/api/v1/corpora/", "/api/v1/runs/", "/api/v1/leaderboard/"} <= optional
    assert not {"/api/v1/ratings/", "/api/v1/campaigns/", "/api/v1/audit-log/", "/api/v1/items/"} & optional
    assert {} not in schema["paths"]["/api/v1/runs/"]["post"]["security"]


def test_the_page_documents_every_operation(schema, client):
    page = client.get("/api/docs/").content.decode()
    groups = operations_of(schema)
    count = sum(len(methods) for methods in schema["paths"].values())
    assert sum(len(operations) for _name, operations in groups) == count
    assert all(operation.path in page for _name, operations in groups for operation in operations)


@pytest.fixture
def tokens(world) -> list[dict[str, str]]:
    people = [world.person(role) for role in ("steward", "developer", "speaker", "maintainer")]
    made = [token_make(user=person, name="a test")[1] for person in people]
    return [{}, *({"Authorization": f"Bearer {text}"} for text in made)]


#: path -> what fills it, so that calls reach what is there; half of them keep what the schema's generator made up.
REAL = {
    "/api/v1/organisations/{slug}/": {"slug": "organisation"},
    "/api/v1/corpora/{corpus_id}/": {"corpus_id": "corpus"},
    "/api/v1/corpus-versions/{uid}/": {"uid": "version"},
    "/api/v1/entries/{uid}/": {"uid": "secret_entry"},
    "/api/v1/methods/{uid}/": {"uid": "method"},
    "/api/v1/runs/{uid}/": {"uid": "secret_run"},
    "/api/v1/score-sets/{uid}/": {"uid": "score_set"},
    "/api/v1/nominations/{uid}/": {"uid": "nomination"},
    "/api/v1/campaigns/{uid}/": {"uid": "open"},
    "/api/v1/decisions/{uid}/": {"uid": "decision"},
    "/api/v1/transfers/{uid}/": {"uid": "transfer"},
    "/api/v1/jobs/{uid}/": {"uid": "job"},
}


@pytest.fixture
def kept_connection() -> Iterator[None]:
    """Let no call close the test's connection, as the test client does not either."""
    both = (signals.request_started, signals.request_finished)
    for signal in both:
        signal.disconnect(close_old_connections)
    yield
    for signal in both:
        signal.connect(close_old_connections)


def test_calls_made_from_the_schema_find_no_fault(world, tokens, schema, kept_connection):
    values, app = values_of(world), get_wsgi_application()
    api = schemathesis.openapi.from_wsgi("/api/schema/?format=json", app)
    operations = [result.ok() for result in api.get_all_operations()]
    assert len(operations) == sum(len(methods) for methods in schema["paths"].values())
    faults: list[str] = []
    for operation in operations:
        calls_try(operation, tokens, values, faults)
    assert faults == []


def calls_try(operation, tokens: list[dict[str, str]], values: dict, faults: list[str]) -> None:
    """Call an operation as everybody, with what a generator makes of the schema."""
    real = {name: str(values[key]) for name, key in REAL.get(operation.path, {}).items()}

    @settings(
        max_examples=EXAMPLES * len(tokens), phases=[Phase.generate], database=None, derandomize=True, deadline=None,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(case=operation.as_strategy(), token=st.sampled_from(tokens), is_real=st.booleans())
    def calls(case, token, is_real):
        if is_real and real:
            case.path_parameters = real
        if is_real and "version" in (case.query or {}):
            case.query["version"] = str(values["version"])
        with transaction.atomic():
            response = case.call(headers=token)
            transaction.set_rollback(True)
        if response.status_code >= 500:
            faults.append(f"{operation.method} {operation.path}: {response.status_code} {case.as_curl_command()}")
        elif response.status_code not in (304,):
            kind = response.headers["content-type"][0]
            if not kind.startswith(BODIES):
                faults.append(f"{operation.method} {operation.path}: {response.status_code} {kind}")

    calls()


def test_the_limits_of_the_product_are_its_own():
    """The tests have wide limits; the product's are those of the settings."""
    from champollion.settings import base

    assert base.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"] == {"anon": "120/min", "user": "600/min"}
    assert django_settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"]["anon"] == "100000/min"
