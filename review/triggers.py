"""Triggers that keep a frozen plan and the versions of a rating as they were (SPEC V-2, V-5), for both databases."""

from typing import Any

_COLUMNS = (
    "plan, plan_sha256, seed, policy, policy_name, policy_version, overlap, chosen_size, shows_reference, "
    "has_calibration, run_id, nomination_id, organisation_id"
)
_PLAN = "the plan of a campaign does not change after its opening"
_VERSION = "a version of a rating does not change"
SQLITE_CREATE = [
    f"CREATE TRIGGER campaign_plan_frozen BEFORE UPDATE OF {_COLUMNS} ON review_campaign WHEN OLD.plan_sha256 <> '' "
    f"BEGIN SELECT RAISE(ABORT, '{_PLAN}'); END",
    "CREATE TRIGGER rating_version_no_update BEFORE UPDATE OF rating_id, key, sequence, grade, tags "
    f"ON review_ratingversion BEGIN SELECT RAISE(ABORT, '{_VERSION}'); END",
]
SQLITE_DROP = ["DROP TRIGGER IF EXISTS campaign_plan_frozen", "DROP TRIGGER IF EXISTS rating_version_no_update"]
POSTGRESQL_CREATE = [
    "CREATE OR REPLACE FUNCTION campaign_plan_refuse() RETURNS trigger LANGUAGE plpgsql AS "
    f"$$ BEGIN RAISE EXCEPTION '{_PLAN}' USING ERRCODE = 'integrity_constraint_violation'; END $$",
    f"CREATE TRIGGER campaign_plan_frozen BEFORE UPDATE OF {_COLUMNS} ON review_campaign "
    "FOR EACH ROW WHEN (OLD.plan_sha256 <> '') "
    "EXECUTE FUNCTION campaign_plan_refuse()",
    "CREATE OR REPLACE FUNCTION rating_version_refuse() RETURNS trigger LANGUAGE plpgsql AS "
    f"$$ BEGIN RAISE EXCEPTION '{_VERSION}' USING ERRCODE = 'integrity_constraint_violation'; END $$",
    "CREATE TRIGGER rating_version_no_update BEFORE UPDATE OF rating_id, key, sequence, grade, tags "
    "ON review_ratingversion FOR EACH ROW EXECUTE FUNCTION rating_version_refuse()",
]
POSTGRESQL_DROP = [
    "DROP TRIGGER IF EXISTS campaign_plan_frozen ON review_campaign",
    "DROP FUNCTION IF EXISTS campaign_plan_refuse()",
    "DROP TRIGGER IF EXISTS rating_version_no_update ON review_ratingversion",
    "DROP FUNCTION IF EXISTS rating_version_refuse()",
]


def _run(schema_editor: Any, by_vendor: dict[str, list[str]]) -> None:
    with schema_editor.connection.cursor() as cursor:
        for statement in by_vendor[schema_editor.connection.vendor]:
            cursor.execute(statement)


def create(apps: Any, schema_editor: Any) -> None:
    _run(schema_editor, {"sqlite": SQLITE_CREATE, "postgresql": POSTGRESQL_CREATE})


def drop(apps: Any, schema_editor: Any) -> None:
    _run(schema_editor, {"sqlite": SQLITE_DROP, "postgresql": POSTGRESQL_DROP})
