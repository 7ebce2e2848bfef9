"""Triggers that keep the entries of a corpus version as they were stored (LAW-8), for both databases.

``sealed`` alone may be written again: the same text under a new key.
"""

from typing import Any

COLUMNS = (
    "version_id, position, entry_id, id_is_integer, segment, difficulty, domain, register, context, "
    "provenance_name, source, reference, fields"
)
_REFUSAL = "a corpus version does not change"
SQLITE_CREATE = [
    f"CREATE TRIGGER entry_no_update BEFORE UPDATE OF {COLUMNS} ON corpora_entry "
    f"BEGIN SELECT RAISE(ABORT, '{_REFUSAL}'); END",
]
POSTGRESQL_CREATE = [
    "CREATE OR REPLACE FUNCTION entry_refuse() RETURNS trigger LANGUAGE plpgsql AS "
    f"$$ BEGIN RAISE EXCEPTION '{_REFUSAL}' USING ERRCODE = 'integrity_constraint_violation'; END $$",
    f"CREATE TRIGGER entry_no_update BEFORE UPDATE OF {COLUMNS} ON corpora_entry "
    "FOR EACH ROW EXECUTE FUNCTION entry_refuse()",
]
SQLITE_DROP = ["DROP TRIGGER IF EXISTS entry_no_update"]
POSTGRESQL_DROP = [
    "DROP TRIGGER IF EXISTS entry_no_update ON corpora_entry",
    "DROP FUNCTION IF EXISTS entry_refuse()",
]


def _run(schema_editor: Any, by_vendor: dict[str, list[str]]) -> None:
    with schema_editor.connection.cursor() as cursor:
        for statement in by_vendor[schema_editor.connection.vendor]:
            cursor.execute(statement)


def create(apps: Any, schema_editor: Any) -> None:
    _run(schema_editor, {"sqlite": SQLITE_CREATE, "postgresql": POSTGRESQL_CREATE})


def drop(apps: Any, schema_editor: Any) -> None:
    _run(schema_editor, {"sqlite": SQLITE_DROP, "postgresql": POSTGRESQL_DROP})
