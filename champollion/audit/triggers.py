"""The triggers that make the audit log append-only, for SQLite and PostgreSQL (SPEC S-9)."""

from typing import Any

TABLE = "audit_auditevent"
_REFUSAL = "the audit log is append-only"

SQLITE_CREATE = [
    f"CREATE TRIGGER audit_no_{verb.lower()} BEFORE {verb} ON {TABLE} BEGIN SELECT RAISE(ABORT, '{_REFUSAL}'); END"
    for verb in ("UPDATE", "DELETE")
]
SQLITE_DROP = ["DROP TRIGGER IF EXISTS audit_no_update", "DROP TRIGGER IF EXISTS audit_no_delete"]
POSTGRESQL_CREATE = [
    "CREATE OR REPLACE FUNCTION audit_refuse() RETURNS trigger LANGUAGE plpgsql AS "
    f"$$ BEGIN RAISE EXCEPTION '{_REFUSAL}' USING ERRCODE = 'integrity_constraint_violation'; END $$",
    f"CREATE TRIGGER audit_no_change BEFORE UPDATE OR DELETE ON {TABLE} FOR EACH ROW EXECUTE FUNCTION audit_refuse()",
    f"CREATE TRIGGER audit_no_truncate BEFORE TRUNCATE ON {TABLE} FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse()",
]
POSTGRESQL_DROP = [
    f"DROP TRIGGER IF EXISTS audit_no_change ON {TABLE}",
    f"DROP TRIGGER IF EXISTS audit_no_truncate ON {TABLE}",
    "DROP FUNCTION IF EXISTS audit_refuse()",
]


def _run(schema_editor: Any, by_vendor: dict[str, list[str]]) -> None:
    with schema_editor.connection.cursor() as cursor:
        for statement in by_vendor[schema_editor.connection.vendor]:
            cursor.execute(statement)


def create(apps: Any, schema_editor: Any) -> None:
    """Migration step: make the triggers."""
    _run(schema_editor, {"sqlite": SQLITE_CREATE, "postgresql": POSTGRESQL_CREATE})


def drop(apps: Any, schema_editor: Any) -> None:
    """Migration step backwards; also used by the test runner around a flush."""
    _run(schema_editor, {"sqlite": SQLITE_DROP, "postgresql": POSTGRESQL_DROP})
