"""The secret segment in a second, empty installation: held method, ratings on a phone, transfer, audit log."""

from __future__ import annotations

import hashlib
import io
import json
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.utils import translation
from django.utils.translation import ngettext
from playwright.sync_api import Page, expect

from champollion.accounts.models import User
from champollion.audit import triggers
from champollion.audit.models import AuditEvent
from corpora.models import CorpusVersion
from leaderboard.models import Document, Run
from review.models import Nomination, Promotion, Transfer

from .by_hand import figures_by_hand
from .governing import campaign_close, campaign_open, expect_decided_by_two
from .handing_in import Held, expect_composite, run_send, run_upload
from .people import People, people_of
from .rating import rate_by_touch, rate_over_http
from .reading import board_row, expect_report, expect_whole_chain, sizes_of_corpus
from .reports import ENTRY_COUNT, WELSH, corpus_path, report_path
from .site import PHONE, Site, overflow
from .speaking import grades_of, item_places, split_count

pytestmark = [
    pytest.mark.e2e, pytest.mark.browser, pytest.mark.worker, pytest.mark.django_db(transaction=True),
]  # fmt: skip
REPORT = "8f6428"
METHOD, COMPOSITE = WELSH[REPORT]


def test_gold_standard(site, worker):
    assert not any(model.objects.exists() for model in (User, CorpusVersion, Run, AuditEvent))
    people = people_of("cy")
    corpus_is_imported()
    developer = site.enter(people.developer)
    developer_is_refused(site, developer)
    steward, second = (site.enter(one) for one in people.stewards)
    run = run_of_the_held_method(steward, people)
    developer_reads_aggregates_alone(site, developer, run)
    campaign = campaign_open(steward, METHOD)
    speakers_rate(site, people, campaign)
    campaign_close(steward, campaign)
    expected = figures_by_hand(campaign, sizes=sizes_of_corpus())
    expect_report(steward, campaign, expected)
    expect_decided_by_two(steward, second, campaign, method=METHOD, transfer="start")
    validated_on_the_official_board(site)
    transfer_is_open(second)
    expect_whole_chain(second)
    log_shows_what_is_changed_behind_its_back()


def corpus_is_imported() -> None:
    told = io.StringIO()
    call_command(
        "import_corpus", str(corpus_path()), "--organisation", "council", "--segment", "gold_standard",
        "--id", "cym-gold", "--attest-human-references", "--attested-by", "the contributors of Tatoeba",
        stdout=told, stderr=told,
    )  # fmt: skip
    assert f"with {ENTRY_COUNT} entries" in told.getvalue()


def developer_is_refused(site: Site, page: Page) -> None:
    site.foresee(403, "/submit/run/")
    run_send(page, report_path(REPORT), method=METHOD)
    expect(page.get_by_text("A run on a secret segment is handed in by a steward of the organisation")).to_be_visible()
    assert not Run.objects.exists()
    assert not Document.objects.exists()


def run_of_the_held_method(page: Page, people: People) -> str:
    """A steward's upload that names the held method is taken, scored, and nominated by itself."""
    digest = hashlib.sha256(b"the bundle of a test").hexdigest()
    held = Held(people.team.name, "method.tar.gz", digest, "safe of the council, disk 2")
    run = run_upload(page, report_path(REPORT), method=METHOD, held=held)
    expect_composite(page, run, COMPOSITE)
    stored = Run.objects.get()
    assert stored.is_organisation_run
    assert stored.method_version.held_sha256 == digest
    nomination = Nomination.objects.get()
    assert (nomination.status, nomination.nominated_by) == (Nomination.Status.NOMINATED, None)
    return run


def developer_reads_aggregates_alone(site: Site, page: Page, run: str) -> None:
    """The developer sees scores, and no sentence of the segment (LAW-2)."""
    expect_composite(page, run, COMPOSITE)
    for entry in json.loads(corpus_path().read_text())["entries"]:
        assert entry["source"] not in page.content()
    site.foresee(404, urlsplit(run).path + "entries/")
    page.goto(f"{run}entries/")


def speakers_rate(site: Site, people: People, campaign: str) -> None:
    """One by touch on a narrow phone in German, the others over HTTP."""
    places = item_places(campaign)
    phone = site.enter(people.speakers[0], **PHONE)
    _speak_german(phone)
    rate_by_touch(phone, grades_of(1, places))
    with translation.override("de"):
        done = ngettext(
            "All done, saved. Your rating has arrived.",
            "All done, saved. Your %(count)s ratings have arrived.",
            ENTRY_COUNT,
        )
    assert not done.startswith("All done"), "the German catalogue is not compiled: scripts/bootstrap dev"
    expect(phone.get_by_role("heading", level=1)).to_have_text(done % {"count": ENTRY_COUNT})
    second, third, fourth = (site.enter(one) for one in people.speakers[1:])
    assert rate_over_http(second, campaign, grades_of(2, places)) == ENTRY_COUNT
    assert rate_over_http(third, campaign, grades_of(3, places)) == ENTRY_COUNT
    assert rate_over_http(fourth, campaign, grades_of(4, places)) == split_count(places)


def _speak_german(phone: Page) -> None:
    phone.goto("/")
    phone.locator(".ch-menu > summary").tap()
    phone.locator(".ch-menu details.ch-drop > summary").first.tap()
    with phone.expect_navigation():
        phone.locator(".ch-menu button[value=de]").tap()
    assert phone.locator("html").get_attribute("lang") == "de"


def validated_on_the_official_board(site: Site) -> None:
    visitor = site.enter(viewport=PHONE["viewport"])
    row = board_row(visitor, METHOD, board="Official: gold standard")
    expect(row.locator(".ch-tier")).to_have_text("Deployable")
    expect(row.locator(".ch-verification")).to_contain_text("Community validated")
    assert overflow(visitor) == 0
    assert Promotion.objects.get().segment == "gold_standard"


def transfer_is_open(steward: Page) -> None:
    steward.goto("/governance/")
    steward.locator("section[aria-labelledby=transfers] li").filter(has_text=METHOD).get_by_role("link").click()
    transfer = Transfer.objects.get()
    assert transfer.status == Transfer.Status.INITIATED
    expect(steward.locator("li[aria-current=step]")).to_contain_text(transfer.get_status_display())


def log_shows_what_is_changed_behind_its_back() -> None:
    """The database refuses the change; whoever drops the trigger is found out (LAW-6)."""
    call_command("verify_audit_log", stdout=io.StringIO())
    signed = AuditEvent.objects.filter(act="decision.signed")
    with pytest.raises(DatabaseError), transaction.atomic():
        signed.update(reason="another reason")
    _changed_without_triggers(signed, reason="another reason")
    told = io.StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("verify_audit_log", stderr=told)
    assert ended.value.code == 1
    assert told.getvalue().strip() == (
        f"BROKEN: chain organisation:council, record {signed.get().sequence}: the record was changed."
    )
    _changed_without_triggers(signed, reason="")
    call_command("verify_audit_log", stdout=io.StringIO())


def _changed_without_triggers(records, **values: str) -> None:
    editor = SimpleNamespace(connection=connection)
    triggers.drop(None, editor)
    try:
        assert records.update(**values) == 1
    finally:
        triggers.create(None, editor)
