"""What holds for every address."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("address", [
    "/corpora/%00/", "/corpora/a%00b/1.0/", "/corpora/a/1.0%00/public.json", "/leaderboard/en%00--cy/",
    "/leaderboard/en--c%00y/board.csv",
])  # fmt: skip
def test_address_with_nul_names_nothing_and_is_not_looked_for(client, address):
    """PostgreSQL refuses a NUL in a text, which would be a fault of ours; SQLite finds nothing."""
    with CaptureQueriesContext(connection) as queries:
        assert client.get(address).status_code == 404
    assert not [query for query in queries.captured_queries if "corpora_corpus" in query["sql"]]
