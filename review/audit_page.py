"""The audit log as stewards read it: the state of the chain, its records, filtered (SPEC S-9, design 4.19)."""

from dataclasses import dataclass
from datetime import datetime, time
from typing import Any

from django.db import transaction
from django.db.models import Max, Q, QuerySet
from django.utils import timezone

from champollion.accounts.models import Organisation
from champollion.accounts.permissions import organisations_with, require
from champollion.accounts.roles import is_maintainer
from champollion.audit import services as audit
from champollion.audit.models import AuditEvent, Chain
from champollion.audit.services import Break, chain_breaks, chain_of

#: A broken chain names its first breaks; the command lists all.
BREAKS_AT_MOST = 20


@dataclass(frozen=True)
class ChainState:
    """An organisation's chain: its length, its head, and what the last verification found."""

    organisation: Organisation | None
    name: str
    record_count: int
    head: str
    verified_at: datetime | None
    verified_count: int
    breaks: list[dict[str, Any]]

    @property
    def is_whole(self) -> bool:
        return self.verified_at is not None and not self.breaks

    @property
    def slug(self) -> str:
        return self.organisation.slug if self.organisation is not None else "installation"


def chains_for(user: Any) -> list[ChainState]:
    """Return the chains that a person may read: their organisations', and a maintainer all of them. Four queries."""
    organisations = Organisation.objects.order_by("name")
    if not is_maintainer(user):
        organisations = organisations.filter(pk__in=organisations_with(user, "audit.read"))
    found: list[Organisation | None] = [*organisations]
    if is_maintainer(user):
        found.append(None)
    names = {chain_of(organisation): organisation for organisation in found}
    tails = {chain.name: chain for chain in Chain.objects.filter(name__in=names)}
    last = _last_verified(list(names))
    return [_state(organisation, name, tails.get(name), last.get(name)) for name, organisation in names.items()]


def _last_verified(names: list[str]) -> dict[str, AuditEvent]:
    """Return the latest record of a verification in each chain."""
    verified = AuditEvent.objects.filter(chain__in=names, act="audit.verified").values("chain")
    latest = [row["latest"] for row in verified.annotate(latest=Max("pk")).order_by()]
    return {record.chain: record for record in AuditEvent.objects.filter(pk__in=latest)}


def _state(organisation: Organisation | None, name: str, tail: Chain | None, verified: AuditEvent | None) -> ChainState:
    return ChainState(
        organisation=organisation,
        name=name,
        record_count=tail.last_sequence if tail else 0,
        head=tail.last_hash if tail else "",
        verified_at=verified.recorded_at if verified else None,
        verified_count=int(verified.details.get("records", 0)) if verified else 0,
        breaks=list(verified.details.get("breaks", [])) if verified else [],
    )


def records_for(chain: ChainState, filters: dict[str, Any]) -> QuerySet[AuditEvent]:
    """Return a chain's records, latest first.

    Args:
        filters: act, who, thing (part of an object's id), since and until (dates); empty ones do not filter.
    """
    records = AuditEvent.objects.filter(chain=chain.name).order_by("-sequence")
    if filters.get("act"):
        records = records.filter(act=filters["act"])
    if filters.get("who"):
        records = records.filter(Q(actor_name__icontains=filters["who"]) | Q(actor=filters["who"]))
    if filters.get("thing"):
        records = records.filter(object_id__startswith=filters["thing"].strip())
    if filters.get("since"):
        records = records.filter(recorded_at__gte=_start(filters["since"]))
    if filters.get("until"):
        records = records.filter(recorded_at__lte=_end(filters["until"]))
    return records


def _start(day: Any) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))


def _end(day: Any) -> datetime:
    """Return the last moment of a day; there is no day after the last that a calendar here knows."""
    return timezone.make_aware(datetime.combine(day, time.max))


@transaction.atomic
def chain_verify(*, actor: Any, organisation: Organisation | None) -> list[Break]:
    """Verify a chain and record what was found. Writes ``audit.verified``.

    Raises:
        AccessDenied, NotVisible: whoever may not read the chain.
    """
    if organisation is not None or not is_maintainer(actor):
        require(actor, "audit.read", organisation)
    breaks = list(chain_breaks(chain_of(organisation)))
    count = AuditEvent.objects.filter(chain=chain_of(organisation)).count()
    named = [{"sequence": found.sequence, "what": found.what} for found in breaks[:BREAKS_AT_MOST]]
    audit.record(
        "audit.verified",
        actor=actor,
        organisation=organisation,
        obj=("audit.Chain", chain_of(organisation)),
        details={"records": count, "breaks": named, "break_count": len(breaks)},
    )
    return breaks
