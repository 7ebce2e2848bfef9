"""LAW-6 Acts leave a trace, in a chain that anybody with the log can verify."""

from types import SimpleNamespace

import pytest
from django.db import DatabaseError, connection, transaction

from champollion.audit import services as audit
from champollion.audit import triggers
from champollion.audit.models import AuditEvent, Chain

pytestmark = pytest.mark.django_db
OWN = "organisation:own"


def test_every_step_of_the_flow_left_its_record(world):
    acts = set(AuditEvent.objects.filter(chain=OWN).values_list("act", flat=True))
    assert {
        "organisation.created", "organisation.requirement_recorded", "role.given", "corpus.imported", "run.received",
        "run.scored", "method.held", "nomination.opened", "campaign.drafted", "campaign.opened", "secret.read",
        "harm.flagged", "campaign.closed", "decision.proposed", "decision.signed", "decision.carried_out",
        "promotion.made", "verification.changed", "transfer.initiated",
    } <= acts  # fmt: skip


def test_the_chains_are_whole(world):
    chain_count, record_count, breaks = audit.chains_verify()
    assert breaks == [] and chain_count == 3 and record_count == AuditEvent.objects.count()


@pytest.mark.parametrize(
    ("tamper", "what"),
    [
        (lambda rows: rows.filter(sequence=5).update(reason="another"), "the record was changed"),
        (lambda rows: rows.filter(sequence=5).delete(), "a record is missing or inserted"),
        (lambda rows: rows.filter(sequence=rows.count()).delete(), "the last records are missing"),
    ],
)
def test_whoever_changes_a_record_behind_our_back_is_found_out(tamper, what, world):
    editor = SimpleNamespace(connection=connection)
    triggers.drop(None, editor)
    try:
        tamper(AuditEvent.objects.filter(chain=OWN))
        breaks = list(audit.chain_breaks(OWN))
    finally:
        triggers.create(None, editor)
    assert breaks[0].what == what
    assert breaks[0].sequence in (5, Chain.objects.get(name=OWN).last_sequence)


@pytest.mark.parametrize("act", ["update", "delete"])
def test_the_database_refuses_to_change_the_log(act, world):
    rows = AuditEvent.objects.filter(chain=OWN, sequence=1)
    with pytest.raises(DatabaseError), transaction.atomic():
        rows.update(reason="x") if act == "update" else rows.delete()


def test_an_unknown_act_is_not_written(world):
    with pytest.raises(ValueError, match="unregistered act"):
        audit.record("something.else", actor=None, organisation=None, obj=world.own)


def test_chains_are_apart(world):
    """An organisation's chain verifies alone: nothing of another stands in it."""
    other = AuditEvent.objects.filter(chain="organisation:other")
    assert other.exists() and list(audit.chain_breaks("organisation:other")) == []
    assert str(world.open.uid) not in " ".join(other.values_list("object_id", flat=True))
