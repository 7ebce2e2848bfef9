from typing import Any

from django.db import migrations

# Versions of a policy never change, so their numbers stand here as they were.
PRESETS: list[dict[str, Any]] = [
    {
        "rule": "bounds",
        "name": "community-1",
        "version": 1,
        "usable_share": 0.7,
        "reject_share": 0.15,
        "level": 0.97,
        "look_meets_level": 0.995,
        "look_fails_level": 0.95,
        "look_size": 60,
        "extension_size": 40,
        "stratum_share": 0.5,
        "stratum_minimum": 8,
        "stratum_level": 0.95,
        "agreement_share": 0.75,
        "agreement_level": 0.95,
        "item_minimum": 30,
        "rater_minimum": 2,
    },
    {
        "rule": "points",
        "name": "two-speakers-70",
        "version": 1,
        "pass_share": 0.7,
        "strata": ["2", "3", "4", "5"],
        "item_minimum": 30,
        "rater_minimum": 2,
    },
]


def create(apps: Any, schema_editor: Any) -> None:
    policy = apps.get_model("review", "AcceptancePolicy")
    for numbers in PRESETS:
        policy.objects.get_or_create(
            organisation=None, name=numbers["name"], version=numbers["version"], defaults={"numbers": numbers}
        )


def drop(apps: Any, schema_editor: Any) -> None:
    names = [numbers["name"] for numbers in PRESETS]
    apps.get_model("review", "AcceptancePolicy").objects.filter(organisation=None, name__in=names).delete()


class Migration(migrations.Migration):
    dependencies = [("review", "0002_frozen_plan")]

    operations = [migrations.RunPython(create, drop)]
