"""Append a record to a chain, and walk a chain to see whether it is whole (SPEC S-9, LAW-6)."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from champollion.audit.acts import ACTS
from champollion.audit.models import AuditEvent, Chain
from champollion.common.canonical import canonical_json

INSTALLATION = "installation"
GENESIS = "0" * 64
FIELDS = ("chain", "sequence", "act", "actor", "actor_name", "object_type", "object_id", "reason", "details")


def chain_of(organisation: Any | None) -> str:
    """Return the name of an organisation's chain, or of the installation's."""
    return f"organisation:{organisation.slug}" if organisation is not None else INSTALLATION


def record_hash(event: AuditEvent) -> str:
    """SHA-256 (hex) over the canonical JSON of a record and its predecessor's hash."""
    body: dict[str, Any] = {name: getattr(event, name) for name in FIELDS}
    body["recorded_at"] = event.recorded_at.isoformat()
    body["previous_hash"] = event.previous_hash
    return hashlib.sha256(canonical_json(body)).hexdigest()


def record(
    act: str,
    *,
    actor: Any | None,
    organisation: Any | None,
    obj: Any,
    reason: str = "",
    details: dict[str, Any] | None = None,
    now: datetime | None = None,
) -> AuditEvent:
    """Append one record to the organisation's chain. Locks the chain's tail until the transaction ends.

    Args:
        act: one of ``ACTS``.
        actor: the user, or None for the installation itself.
        organisation: whose chain; None for the installation's.
        obj: a model instance with ``uid`` or pk, or a pair (type, id).
        details: JSON facts without secret text (LAW-2); floats are kept as text by the caller.

    Raises:
        ValueError: an act nobody registered, or a call outside a transaction.
    """
    if act not in ACTS:
        raise ValueError(f"unregistered act {act!r}")
    if not connection.in_atomic_block:
        raise ValueError("audit.record needs a transaction, so that act and record stand or fall together")
    chain = _locked_chain(chain_of(organisation))
    object_type, object_id = obj if isinstance(obj, tuple) else (obj._meta.label, str(getattr(obj, "uid", obj.pk)))
    event = AuditEvent(
        chain=chain.name,
        sequence=chain.last_sequence + 1,
        recorded_at=(now or timezone.now()).replace(microsecond=0),
        act=act,
        actor=str(actor.uid) if actor is not None else "installation",
        actor_name=actor.display_name if actor is not None else "installation",
        object_type=object_type,
        object_id=str(object_id),
        reason=reason,
        details=details or {},
        previous_hash=chain.last_hash,
    )
    event.record_hash = record_hash(event)
    event.save(force_insert=True)
    Chain.objects.filter(pk=chain.pk).update(last_sequence=event.sequence, last_hash=event.record_hash)
    return event


def chain_hold(organisation: Any | None) -> None:
    """Take the lock of a chain's tail now, until the transaction ends.

    For acts that lock rows which others lock after they wrote a record: the chain first, then the rows, everywhere.
    """
    _locked_chain(chain_of(organisation))


def _locked_chain(name: str) -> Chain:
    chain = Chain.objects.select_for_update().filter(name=name).first()
    if chain is None:
        try:
            with transaction.atomic():
                Chain.objects.create(name=name, last_hash=GENESIS)
        except IntegrityError:
            pass
        chain = Chain.objects.select_for_update().get(name=name)
    return chain


@dataclass(frozen=True)
class Break:
    """Where a chain is broken, and how it shows."""

    chain: str
    sequence: int
    what: str


def chain_breaks(name: str) -> Iterator[Break]:
    """Yield every break of a chain, in order; nothing for a whole one."""
    previous_hash, sequence = GENESIS, 0
    for event in AuditEvent.objects.filter(chain=name).order_by("sequence").iterator(chunk_size=2000):
        sequence += 1
        if event.sequence != sequence:
            yield Break(name, sequence, "a record is missing or inserted")
            sequence = event.sequence
        if event.previous_hash != previous_hash:
            yield Break(name, event.sequence, "the record does not follow its predecessor")
        if record_hash(event) != event.record_hash:
            yield Break(name, event.sequence, "the record was changed")
        previous_hash = event.record_hash
    tail = Chain.objects.filter(name=name).first()
    if tail is not None and (tail.last_sequence != sequence or tail.last_hash != previous_hash):
        yield Break(name, sequence + 1, "the last records are missing")


def chains_verify() -> tuple[int, int, list[Break]]:
    """Verify every chain: (number of chains, number of records, breaks)."""
    names = set(Chain.objects.values_list("name", flat=True)) | set(
        AuditEvent.objects.values_list("chain", flat=True).distinct()
    )
    breaks = [found for name in sorted(names) for found in chain_breaks(name)]
    return len(names), AuditEvent.objects.count(), breaks
