"""Caveats of a score set: what a steward says to one before the run may be nominated (SPEC M-2)."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from champollion.accounts.permissions import require
from champollion.audit import services as audit
from champollion.common.errors import DomainError, StateError
from leaderboard.caveats.report import Caveat
from leaderboard.models import Run, ScoreSet

_ACKNOWLEDGEMENT = ("acknowledged_by", "acknowledged_at", "reason")


def caveats_stored(run: Run, caveats: Iterable[Caveat]) -> list[dict[str, Any]]:
    """Return a new score set's caveats as they are stored.

    An acknowledgement of the run's present score set holds on where the caveat did not grow: a steward knew of as much.
    Source: SPEC M-2.
    """
    known = {str(one.get("code")): one for one in run.score_set.caveats} if run.score_set else {}
    stored = []
    for caveat in caveats:
        row, before = caveat.to_dict(), known.get(caveat.code.value, {})
        if before.get("acknowledged_by") and float(before.get("share") or 0) >= caveat.share:
            row |= {name: before[name] for name in _ACKNOWLEDGEMENT if name in before}
        stored.append(row)
    return stored


@transaction.atomic
def caveat_acknowledge(*, actor: Any, run: Run, code: str, reason: str, now: datetime | None = None) -> ScoreSet:
    """Record that a steward knows of a caveat, and why the run may be nominated all the same. No number changes.

    Locks the score set. Writes ``caveat.acknowledged``.

    Raises:
        NotVisible, AccessDenied: no steward of the corpus's organisation.
        StateError: the run has no such caveat, or it is acknowledged already.
        DomainError: no reason.

    Source: SPEC M-2.
    """
    now = now or timezone.now()
    if run.corpus_version is None or run.score_set_id is None:
        raise StateError("caveat.unknown", _("This run has no such caveat."))
    organisation = run.corpus_version.corpus.organisation
    require(actor, "caveat.acknowledge", organisation)
    if not reason.strip():
        raise DomainError("caveat.reason_missing", _("Write your reason; it is kept in the audit log."))
    score_set = ScoreSet.objects.select_for_update(no_key=True).get(pk=run.score_set_id)
    caveats = [dict(caveat) for caveat in score_set.caveats]
    caveat = next((one for one in caveats if one.get("code") == code and not one.get("acknowledged_by")), None)
    if caveat is None:
        raise StateError("caveat.unknown", _("This run has no such caveat, or it is acknowledged already."))
    caveat |= {"acknowledged_by": str(actor.uid), "acknowledged_at": now.isoformat(), "reason": reason.strip()}
    score_set.caveats = caveats
    score_set.save(update_fields=["caveats"])
    audit.record(
        "caveat.acknowledged",
        actor=actor,
        organisation=organisation,
        obj=run,
        reason=reason.strip(),
        details={"caveat": code, "score_set": score_set.number},
        now=now,
    )
    return score_set
