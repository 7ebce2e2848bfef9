"""The demo's runs of Apertium: handed in and scored; what follows from them is the product's doing (SPEC I-2, V-1)."""

from __future__ import annotations

import csv
import hashlib
import io
import logging
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings

from champollion.accounts.models import Team, User
from champollion.celery import app
from champollion.demo import apertium
from champollion.demo.accounts import role_user, user_of
from champollion.demo.catalogues import DemoPair
from champollion.demo.people import INSTALLATION_PEOPLE
from corpora.models import CorpusVersion
from leaderboard.models import Method, Run
from leaderboard.models.method import MethodClass
from leaderboard.services.intake import MethodChoice, run_receive
from leaderboard.services.methods import HeldMethod
from review.services.caveats import run_caveat_acknowledge
from review.services.nominations import run_open_caveats

#: What the organisation holds of the method: the page that names engine, mode and data by their versions.
DESCRIPTION = apertium.OUTPUTS / "README.md"
#: Why the demo's steward lets the Nynorsk run be nominated for all its copied sources.
CAVEAT_REASON = "Bokmål and Nynorsk write many short strings alike; speakers are to say which copies are right."
#: Segments that are run, with the role that hands the run in: only a steward does on a secret one (SPEC L-3).
SEGMENTS = (("development", "developer"), ("gold_standard", "steward"))


@contextmanager
def work_at_once() -> Iterator[None]:
    """Do the work for later within this process and send no mail: the demo is complete before its worker starts."""
    eager, backend, log = app.conf.task_always_eager, settings.EMAIL_BACKEND, logging.getLogger("celery")
    app.loader.import_default_modules()
    app.conf.task_always_eager = True
    settings.EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
    log.setLevel(logging.WARNING)
    try:
        yield
    finally:
        app.conf.task_always_eager, settings.EMAIL_BACKEND = eager, backend
        log.setLevel(logging.NOTSET)


def runs_seed(pair: DemoPair, version: CorpusVersion, team: Team) -> list[Run]:
    """Hand in the committed outputs, a run for each segment; the same file again is the run that is here."""
    outputs = apertium.outputs_read(pair)
    runs: list[Run] = []
    for segment, role in SEGMENTS:
        receipt = run_receive(
            actor=_actor(role, pair),
            data=_document(outputs, version, segment),
            choice=_choice(pair, team),
            file_name=f"{pair.corpus_id}-{segment}.tsv",
            version=version,
            segment=segment,
        )
        runs += receipt.runs
    return runs


def caveats_acknowledge(pair: DemoPair, runs: list[Run]) -> None:
    """Acknowledge, as the pair's steward, the caveats that keep its secret run from being nominated (SPEC M-2)."""
    steward = role_user("steward", pair.organisation)
    for run in runs:
        run.refresh_from_db()
        for code in run_open_caveats(run) if run.is_secret else []:
            run_caveat_acknowledge(actor=steward, run=run, code=code, reason=CAVEAT_REASON)


def _actor(role: str, pair: DemoPair) -> User:
    return role_user(role, pair.organisation) if role == "steward" else user_of(INSTALLATION_PEOPLE[0])


def _document(outputs: dict[str, str], version: CorpusVersion, segment: str) -> bytes:
    """Return the outputs of a segment as a table of entry id and output, in the corpus's order."""
    ids = version.entries.filter(segment=segment).order_by("position").values_list("entry_id", flat=True)
    text = io.StringIO()
    writer = csv.writer(text, delimiter="\t", quoting=csv.QUOTE_NONE, quotechar=None, lineterminator="\n")
    writer.writerow(["entry_id", "predicted"])
    writer.writerows([entry_id, outputs[entry_id]] for entry_id in ids)
    return text.getvalue().encode()


def _choice(pair: DemoPair, team: Team) -> MethodChoice:
    name = f"Apertium {pair.engine}"
    return MethodChoice(
        method=Method.objects.filter(name=name, team=team).first(),
        name=name,
        team=team,
        method_class=MethodClass.CUSTOM_PLUGIN,
        configuration={"model": name, "condition": "rule-based"},
        held=_held(pair),
    )


def _held(pair: DemoPair) -> HeldMethod:
    digest = hashlib.sha256(DESCRIPTION.read_bytes() + pair.engine.encode()).hexdigest()
    return HeldMethod(
        file_name=DESCRIPTION.name, sha256=digest, place="champollion/demo/outputs", parts=["dependencies", "readme"]
    )
