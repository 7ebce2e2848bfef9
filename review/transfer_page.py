"""The stepper of an ownership transfer: steps taken, the current one, those to come (SPEC S-8, design 4.18)."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from review.models import Transfer, TransferStep
from review.models.decision import TransferStatus

#: The way from opening to completion; a waiver, a dispute and a suspension leave it.
PATH = (
    TransferStatus.INITIATED,
    TransferStatus.NOTIFIED,
    TransferStatus.ACKNOWLEDGED,
    TransferStatus.POSSESSION_CONFIRMED,
    TransferStatus.COMPLETED,
)


@dataclass(frozen=True)
class Stage:
    """One row: its square (a process code), its words, the step where it was taken, and what it means if to come."""

    process: str
    word: str
    step: TransferStep | None
    about: str
    is_current: bool


def transfer_stages(transfer: Transfer) -> list[Stage]:
    """Return the steps that were taken, in order, and after them those still to come. One query."""
    steps = list(transfer.steps.select_related("by").order_by("created_at", "pk"))
    taken = [_taken(step, is_last=step is steps[-1]) for step in steps]
    return taken + [_to_come(status) for status in _rest(transfer.status)]


def _taken(step: TransferStep, *, is_last: bool) -> Stage:
    process = {TransferStatus.WAIVED: "withdrawn", TransferStatus.SUSPENDED: "suspended"}
    square = process.get(TransferStatus(step.status), "decided")
    return Stage(square, str(TransferStatus(step.status).label), step, "", is_last)


def _rest(status: str) -> list[TransferStatus]:
    if status not in PATH:
        return []
    return list(PATH[PATH.index(TransferStatus(status)) + 1 :])


def _to_come(status: TransferStatus) -> Stage:
    about = {
        TransferStatus.NOTIFIED: _("A steward tells the developer; silence for 30 days counts as acknowledged."),
        TransferStatus.ACKNOWLEDGED: _("The developer acknowledges, or disputes with a statement."),
        TransferStatus.POSSESSION_CONFIRMED: _(
            "A steward confirms that the held method has the recorded digest, and it is run again with the same result."
        ),
        TransferStatus.COMPLETED: _("Two stewards sign; a certificate is made."),
    }
    return Stage("draft", str(status.label), None, about[status], False)
