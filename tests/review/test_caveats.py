"""Caveats on one entry in twenty or more: acknowledged by a steward before a nomination (SPEC M-2, V-1)."""

import pytest
from django.urls import reverse

from champollion.audit.models import AuditEvent
from champollion.common.errors import AccessDenied, DomainError, NotVisible, StateError
from review.models import Nomination
from review.services.caveats import run_caveat_acknowledge
from review.services.nominations import run_consider

from .closed_campaigns import GOLD, steward_add
from .reviewed_runs import run_make, stage_make

pytestmark = pytest.mark.django_db
MANY = [{"code": "source_copied", "share": 0.08, "entry_count": 3}]


@pytest.fixture
def gold():
    return stage_make(sizes={1: 40}, segment=GOLD)


def acknowledge(stage, run, *, by=None, code="source_copied", reason="These are names."):
    run_caveat_acknowledge(actor=by or stage.stewards[0], run=run, code=code, reason=reason)


def test_an_acknowledged_caveat_lets_the_nomination_come_by_itself(gold):
    run = run_make(gold, composite=0.8, caveats=MANY)
    assert run_consider(run) is None
    composite = run.score_set.composite
    acknowledge(gold, run)
    assert Nomination.objects.get().run == run
    run.score_set.refresh_from_db()
    assert run.score_set.composite == composite
    assert AuditEvent.objects.get(act="caveat.acknowledged").reason == "These are names."


def test_only_a_steward_who_did_not_make_the_method_acknowledges_and_only_with_a_reason(gold):
    run = run_make(gold, composite=0.8, caveats=MANY)
    with pytest.raises(DomainError):
        acknowledge(gold, run, reason=" ")
    with pytest.raises(StateError):
        acknowledge(gold, run, code="another")
    with pytest.raises(AccessDenied):
        acknowledge(gold, run, by=gold.coordinator)
    with pytest.raises(NotVisible):
        acknowledge(gold, run, by=stage_make(slug="kernewek", sizes={1: 1}).stewards[0])
    maker = steward_add(gold, "maker")
    run.method_version.submitted_by = maker
    run.method_version.save()
    with pytest.raises(AccessDenied):
        acknowledge(gold, run, by=maker)
    assert not Nomination.objects.exists()


def test_the_desk_leads_to_the_caveats_and_the_page_takes_the_acknowledgement(gold, client):
    run = run_make(gold, composite=0.8, caveats=MANY)
    page = reverse("review:caveats", args=[run.uid])
    client.force_login(gold.stewards[0])
    assert page in client.get(reverse("review:governance")).content.decode()
    assert client.post(page, {"code": "source_copied", "reason": ""}).status_code == 422
    assert client.post(page, {"code": "source_copied", "reason": "Names."}).status_code == 302
    assert Nomination.objects.exists()
    assert page not in client.get(reverse("review:governance")).content.decode()
    client.force_login(gold.coordinator)
    assert client.get(page).status_code == 403
    client.force_login(gold.developer)
    assert client.get(page).status_code == 404


def test_a_caveat_on_few_entries_waits_for_nobody(gold):
    run = run_make(gold, composite=0.8, caveats=[{"code": "source_copied", "share": 0.049}])
    assert run_consider(run) is not None
