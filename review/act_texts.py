"""What is read before an act of a campaign: the question, what happens, what is lost (design 3)."""

from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from review.models import Campaign


@dataclass(frozen=True)
class ActTexts:
    """The words of a confirmation page. ``is_grave`` gives the button a danger outline."""

    question: str
    happens: list[str]
    lost: list[str]
    button: str
    done: str
    is_grave: bool = field(default=False)


def act_texts(act: str, campaign: Campaign) -> ActTexts:
    """Return the words for one of the acts of a campaign.

    Raises:
        KeyError: no such act.
    """
    return {
        "open": _open,
        "discard": _discard,
        "suspend": _suspend,
        "resume": _resume,
        "close": _close,
        "withdraw": _withdraw,
    }[act](campaign)


def _open(campaign: Campaign) -> ActTexts:
    return ActTexts(
        question=_("Open this campaign?"),
        happens=[
            _("The plan is frozen, and its hash is written to the audit log: sample, order and policy among it."),
            _("Speakers of your organisation can rate from now on."),
            _("Results stay hidden from everyone until the campaign closes."),
        ],
        lost=[_("The plan cannot be changed afterwards.")],
        button=_("Open the campaign"),
        done=_("The campaign is open. Its plan is frozen."),
    )


def _discard(campaign: Campaign) -> ActTexts:
    return ActTexts(
        question=_("Discard this draft?"),
        happens=[_("The draft is thrown away. The nomination stays, and its next draft has the same seed.")],
        lost=[_("Changes that you made to the draft.")],
        button=_("Discard the draft"),
        done=_("The draft is discarded. The nomination stays open."),
        is_grave=True,
    )


def _suspend(campaign: Campaign) -> ActTexts:
    return ActTexts(
        question=_("Suspend this campaign?"),
        happens=[_("No sentence is given out and no rating is taken until somebody lets it go on.")],
        lost=[_("Nothing. Every rating is kept.")],
        button=_("Suspend the campaign"),
        done=_("The campaign is suspended. Every rating is kept."),
    )


def _resume(campaign: Campaign) -> ActTexts:
    return ActTexts(
        question=_("Let this campaign go on?"),
        happens=[_("Speakers can rate again, where they left off.")],
        lost=[_("Nothing.")],
        button=_("Let it go on"),
        done=_("The campaign is open again."),
    )


def _close(campaign: Campaign) -> ActTexts:
    return ActTexts(
        question=_("Close this campaign?"),
        happens=[
            _("Speakers can no longer rate or change a rating."),
            _("The figures are computed and kept, and the report becomes readable for stewards."),
            _("If items are without a verdict, only a steward can close, with a reason; nothing can be approved then."),
        ],
        lost=[_("It cannot be opened again, but once for the plan's own extension.")],
        button=_("Close the campaign"),
        done=_("The campaign is closed. Its report is ready for the stewards."),
        is_grave=True,
    )


def _withdraw(campaign: Campaign) -> ActTexts:
    return ActTexts(
        question=_("Withdraw this campaign?"),
        happens=[_("The campaign and its nomination end without a verdict. Every rating is kept.")],
        lost=[_("The work of the speakers leads to no decision; a new attempt draws new items.")],
        button=_("Withdraw the campaign"),
        done=_("The campaign is withdrawn. Every rating is kept."),
        is_grave=True,
    )
