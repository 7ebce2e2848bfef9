"""An organisation with its people, a developer with a team, and small corpora, all made by the services."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.test import TestCase

from champollion.accounts.models import CustodianRequirement, Organisation, Role, Team, User
from champollion.accounts.services.organisations import (
    installation_role_give,
    organisation_create,
    requirement_record,
    role_give,
    team_create,
)
from corpora.formats import ReadOptions
from corpora.models import CorpusVersion
from corpora.services.imports import Attestation, corpus_import
from leaderboard.services.intake import MethodChoice, Receipt, run_receive
from leaderboard.services.methods import HeldMethod

DOMAINS = ("ui", "tech")


@dataclass
class Stage:
    """Who is there."""

    organisation: Organisation
    steward: User
    curator: User
    speaker: User
    developer: User
    team: Team

    def corpus(self, *, count: int = 12, corpus_id: str = "unit-en-cy", **changes: Any) -> CorpusVersion:
        """Import a corpus of `count` entries; see `corpus_document`."""
        return self.store(corpus_document(count=count, corpus_id=corpus_id, **changes))

    def store(self, value: Any, **options: Any) -> CorpusVersion:
        return corpus_import(
            actor=self.curator,
            organisation=self.organisation,
            stream=io.BytesIO(json.dumps(value, ensure_ascii=False).encode()),
            filename="corpus.json",
            options=ReadOptions(**options),
            attestation=Attestation("Unit test"),
        )

    def store_file(self, path: Path, **options: Any) -> CorpusVersion:
        """Import a real file; its language must be one that nobody else governs."""
        return self.store(json.loads(path.read_text()), **options)

    def receive(
        self, data: bytes | str, *, actor: User | None = None, name: str = "Unit method", **given: Any
    ) -> Receipt:
        """Hand in a document as the developer unless another actor is given, and let its scoring run at once."""
        chosen = {key: given.pop(key) for key in ("method", "held", "configuration", "method_class") if key in given}
        choice = MethodChoice(name=name, team=given.pop("team", self.team), **chosen)
        with TestCase.captureOnCommitCallbacks(execute=True):
            return run_receive(
                actor=actor or self.developer,
                data=data.encode() if isinstance(data, str) else data,
                choice=choice,
                **given,
            )


def stage_make(*, languages: tuple[str, ...] = ("cy",), slug: str = "unit-council") -> Stage:
    organisation = organisation_create(actor=None, name="Unit council", slug=slug, languages=list(languages))
    for kind in CustodianRequirement.Kind.values:
        requirement_record(actor=None, organisation=organisation, kind=kind, evidence="recorded for the test")
    people = {
        role: User.objects.create_user(f"{role}@{slug}.example", name=role)
        for role in ("steward", "curator", "speaker")
    }
    for role, user in people.items():
        role_give(actor=None, organisation=organisation, user=user, role=role)
    developer = person_developer(f"developer@{slug}.example")
    team = team_create(name=f"Team of {slug}", slug=f"team-{slug}", members=[developer])
    return Stage(organisation, **people, developer=developer, team=team)


def person_developer(email: str) -> User:
    user = User.objects.create_user(email, name="developer")
    installation_role_give(actor=None, user=user, kind="developer")
    return user


def member(stage: Stage, email: str, role: str = Role.STEWARD) -> User:
    user = User.objects.create_user(email)
    role_give(actor=None, organisation=stage.organisation, user=user, role=role)
    return user


def corpus_document(
    *, count: int = 12, corpus_id: str = "unit-en-cy", version: str = "1.0", segment: str = "development", **entry: Any
) -> dict[str, Any]:
    """A corpus whose entries say what they are; difficulties 1 to 5 in turn, domains `ui` and `tech` in turn."""
    return {
        "dataset": {
            "id": corpus_id, "version": version, "language_pair": "EN→CY", "source_language": "en",
            "target_language": "cy", "created": "2026-06-07", "license": "CC-BY-4.0", "provenance": ["corpus"],
        },
        "entries": [entry_value(number, segment=segment, **entry) for number in range(1, count + 1)],
    }  # fmt: skip


def entry_value(number: int, **changes: Any) -> dict[str, Any]:
    made = {
        "id": f"unit_{number}",
        "source": source_of(number),
        "reference": reference_of(number),
        "segment": "development",
        "difficulty": 1 + (number - 1) % 5,
        "domain": DOMAINS[(number - 1) % len(DOMAINS)],
        "register": "formal",
        "provenance": "corpus",
    }
    return {**made, **changes}


def source_of(number: int) -> str:
    return f"The unit sentence number {number} is here"


def reference_of(number: int) -> str:
    return f"Dyma frawddeg uned rhif {number}"


def table(outputs: dict[str, str]) -> str:
    """Plain outputs as TSV."""
    return "entry_id\tpredicted\n" + "".join(f"{key}\t{text}\n" for key, text in outputs.items())


def good_outputs(count: int = 12, *, wrong: int = 0) -> dict[str, str]:
    """The reference for each entry, but for the first `wrong`, which lack a word."""
    return {
        f"unit_{n}": reference_of(n).replace("uned ", "") if n <= wrong else reference_of(n)
        for n in range(1, count + 1)
    }


def report_document(
    *,
    count: int = 12,
    model: str = "unit/model",
    overall: dict[str, Any] | None = None,
    config: dict[str, Any] | None = None,
    entries: dict[int, dict[str, Any]] | None = None,
) -> dict[str, Any]:
    """A harness test report on the corpus above; `entries` changes single entries by number."""
    rows = []
    for number in range(1, count + 1):
        row = {
            "id": f"unit_{number}", "source": source_of(number), "expected": reference_of(number),
            "predicted": reference_of(number), "segment": "", "difficulty": 1, "domain": "ui", "error": None,
            "latency_s": 0.5, "cost_usd": 0.001,
        }  # fmt: skip
        rows.append({**row, **(entries or {}).get(number, {})})
    return {
        "run_id": f"run_{model}",
        "config": {"model": model, "prompt_version": "naive", "batch_size": 25, "temperature": 0.0, **(config or {})},
        "overall": {"corpus_chrf": 100.0, "exact_match_rate": 1.0, **(overall or {})},
        "entries": rows,
    }


def held(name: str = "method.tar.gz", digit: str = "a") -> HeldMethod:
    return HeldMethod(file_name=name, sha256=digit * 64, place="safe of the council", parts=["code", "readme"])
