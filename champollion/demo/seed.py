"""Fill an empty installation with the demo's data, through the services that a person's act would use (SPEC I-2).

A step that has been done is not done again, so that a second seeding adds what is missing and nothing else.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator

from champollion.accounts.models import Organisation
from champollion.demo.accounts import organisations_seed, role_user, team_seed
from champollion.demo.catalogues import PAIRS, DemoPair, corpus_document
from corpora.formats.base import ReadOptions
from corpora.models import CorpusVersion
from corpora.services.imports import Attestation, corpus_import

#: What the demo's curator attests: the catalogues are the work of Django's translators, whom the corpus credits.
ATTESTED_BY = "Translators of Django, credited in the corpus"


def seed() -> Iterator[str]:
    """Seed everything; yield a line for each part that is ready."""
    organisations = organisations_seed()
    team_seed()
    yield f"{len(organisations)} organisations with their sign-ins"
    for pair in PAIRS:
        version = corpus_seed(pair, organisations[pair.organisation])
        yield f"corpus {version} with {version.entry_count} entries"


def corpus_seed(pair: DemoPair, organisation: Organisation) -> CorpusVersion:
    """Import a pair's corpus as its curator; the same corpus again is the version that is here."""
    document = json.dumps(corpus_document(pair), ensure_ascii=False, indent=1).encode()
    return corpus_import(
        actor=role_user("curator", organisation.slug),
        organisation=organisation,
        stream=io.BytesIO(document),
        filename=f"{pair.corpus_id}.json",
        options=ReadOptions(),
        attestation=Attestation(name=ATTESTED_BY),
    )
