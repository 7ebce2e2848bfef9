"""Carry out what a rater sent from the rating page, and keep what a signed-out rater sent until they are back."""

from base64 import b64decode, b64encode
from collections.abc import MutableMapping
from typing import Any
from uuid import UUID, uuid4

from django.utils.translation import gettext as _

from champollion.accounts.models import User
from champollion.common.errors import DomainError, NotVisible
from corpora import vault
from review.access import campaigns_with_texts
from review.anchors import version_of
from review.models import Campaign
from review.rating_acts import Sent
from review.services.assignment import item_cannot_judge, item_skip
from review.services.harm import harm_flag
from review.services.ratings import SavedRating, rating_submit

KEPT = "kept_rating"


def act_carry_out(*, rater: User, campaign_uid: UUID, sent: Sent) -> dict[str, Any]:
    """Do one act and return what became of it, as JSON values that tell nothing of others or of the method (LAW-9)."""
    values = sent.values
    if sent.act in ("rate", "undo"):
        return _answer(_rating_save(rater, campaign_uid, sent), sent)
    if sent.act == "skip":
        item_skip(rater=rater, item_uid=sent.item)
    elif sent.act == "cannot_judge":
        item_cannot_judge(rater=rater, item_uid=sent.item, reason=values["reason"], note=values["note"])
    else:
        harm_flag(actor=rater, item_uid=sent.item, note=values["note"])
    return {"item": str(sent.item), "act": sent.act}


def act_keep(session: MutableMapping[str, Any], campaign_uid: UUID, sent: Sent) -> bool:
    """Keep a rating that came after the session had ended until its rater is signed in again, its words sealed.

    Only one is kept, the last; what is no rating is not kept. Returns whether it was kept.
    """
    campaign = campaigns_with_texts().filter(uid=campaign_uid).first()
    if campaign is None or sent.act not in ("rate", "undo"):
        return False
    kept = {**sent.values, "key": str(sent.values["key"] or uuid4()), "item": str(sent.item), "act": sent.act}
    session[KEPT] = {
        "campaign": str(campaign.uid),
        "sealed": b64encode(vault.seal(version_of(campaign.run).corpus, kept)).decode(),
    }
    return True


def act_send_kept(session: MutableMapping[str, Any], *, rater: User, campaign: Campaign) -> bool:
    """Save the rating that was kept for this campaign, if there is one; say whether it was saved.

    Raises:
        NotVisible: somebody else sent it on this device, from a page that was shown to them.
        DomainError: it cannot be saved any more; it is then no longer kept.
    """
    kept = session.get(KEPT)
    if not kept or kept["campaign"] != str(campaign.uid):
        return False
    del session[KEPT]
    values = vault.unseal(version_of(campaign.run).corpus, b64decode(kept["sealed"]))
    if values.get("rater") not in (None, "", str(rater.uid)):
        raise NotVisible("rating.not_yours", _("There is no such item, or it is not yours to rate."))
    sent = Sent(act=values["act"], item=UUID(values["item"]), values=values)
    _rating_save(rater, campaign.uid, sent)
    return True


def _rating_save(rater: User, campaign_uid: UUID, sent: Sent) -> SavedRating:
    wants_reference = sent.values["wants_reference"] is True
    arguments = {**sent.rating, "wants_reference": wants_reference, "campaign_uid": campaign_uid}
    saved = rating_submit(rater=rater, item_uid=sent.item, **arguments)
    if saved.is_repeat and sent.values["sequence"] is None and saved.rating.grade != sent.values["grade"]:
        # Without script: back in the browser to a page sent before, and the same grade pressed again.
        arguments["key"] = uuid4()
        saved = rating_submit(rater=rater, item_uid=sent.item, **arguments)
    return saved


def _answer(saved: SavedRating, sent: Sent) -> dict[str, Any]:
    return {
        "item": str(sent.item),
        "act": sent.act,
        "rating": str(saved.rating.uid),
        "grade": saved.rating.grade,
        "sequence": saved.rating.sequence,
        "is_current": saved.is_current,
        "reference": saved.reference,
    }


def refusal_values(error: DomainError) -> dict[str, Any]:
    """Return an error as JSON values for the page."""
    return {"code": error.code, "message": str(error.message)}
