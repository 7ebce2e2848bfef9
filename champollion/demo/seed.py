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
from champollion.demo.ratings import ratings_generate
from champollion.demo.runs import caveats_acknowledge, runs_seed, work_at_once
from corpora.formats.base import ReadOptions
from corpora.models import CorpusVersion
from corpora.services.imports import Attestation, corpus_import
from leaderboard.models import Run
from review.models import Campaign
from review.models.campaign import SampleItemKind
from review.services.campaigns import campaign_open

#: What the demo's curator attests: the catalogues are the work of Django's translators, whom the corpus credits.
ATTESTED_BY = "Translators of Django, credited in the corpus"
#: The pair whose caveats the demo's steward acknowledges, so that a campaign is open; the others wait on the desk.
WITH_CAMPAIGN = "nb-nn"


def seed(*, with_generated_ratings: bool = False) -> Iterator[str]:
    """Seed everything; yield a line for each part that is ready.

    Args:
        with_generated_ratings: also let a program rate the Catalan campaign, for looking at a report.
    """
    organisations = organisations_seed()
    team = team_seed()
    yield f"{len(organisations)} organisations with their sign-ins"
    with work_at_once():
        for pair in PAIRS:
            version = corpus_seed(pair, organisations[pair.organisation])
            runs = runs_seed(pair, version, team)
            if pair.slug == WITH_CAMPAIGN:
                caveats_acknowledge(pair, runs)
            yield f"{version}: {version.entry_count} entries; composite {_figures(runs)}"
        campaign = campaign_seed(organisations["nynorsk"])
        yield f"an open campaign for Nynorsk: {_sample_count(campaign)} items drawn, which nobody has rated"
        if with_generated_ratings:
            yield _generated(campaign_seed(organisations["catalan"]))


def _generated(campaign: Campaign) -> str:
    if not campaign.has_generated_ratings:
        campaign = ratings_generate(campaign)
    return f"a closed campaign for Catalan: {_sample_count(campaign)} items, rated by a program"


def _sample_count(campaign: Campaign) -> int:
    return campaign.items.filter(kind=SampleItemKind.SAMPLE).count()


def _figures(runs: list[Run]) -> str:
    """Return the composite of each run as "segment 0.7500"."""
    for run in runs:
        run.refresh_from_db()
    scored = [(run.segment, run.score_set.composite) for run in runs if run.score_set]
    return ", ".join(f"{value:.4f} on {segment}" for segment, value in scored)


def campaign_seed(organisation: Organisation) -> Campaign:
    """Open the drafted campaign of an organisation as its steward."""
    campaign = Campaign.objects.filter(organisation=organisation).exclude(status=Campaign.Status.WITHDRAWN).get()
    if campaign.status == Campaign.Status.DRAFT:
        campaign = campaign_open(actor=role_user("steward", organisation.slug), campaign=campaign)
    return campaign


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
