"""What browsers send from the rating page, read into plain values; the services say what is wrong with them.

With script the page sends JSON, without it a form; both become the same ``Sent``.
"""

import json
from typing import Any
from uuid import NAMESPACE_OID, UUID, uuid5

from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _

from champollion.common.errors import DomainError, NotVisible
from review.rating_acts import Sent
from review.words_of_text import mark_read

#: Largest body of one act, in bytes.
BODY_LIMIT = 100_000
ACTS = ("rate", "undo", "skip", "cannot_judge", "harmful")


def is_json(request: HttpRequest) -> bool:
    return request.content_type == "application/json"


def sent_read(request: HttpRequest) -> Sent:
    """Read an act from JSON or a form.

    Raises:
        DomainError: not JSON, not an object, an unknown act, or too long.
        NotVisible: no item is named.
    """
    if len(request.body) > BODY_LIMIT:
        raise DomainError("rating.too_long", _("This is more than one rating can hold."))
    values = _from_json(request.body) if is_json(request) else _from_form(request.POST)
    act = values["act"]
    if act not in ACTS:
        raise DomainError("rating.act_unknown", _("This page does not know what to do with that."))
    if act == "undo":
        values["grade"] = None
    elif act == "rate" and values["grade"] is None:
        raise DomainError("rating.grade_unknown", _("Choose one of the four grades: 1, 2, 3 or 4."))
    return Sent(act=act, item=_item(values["item"]), values=values)


def _from_json(body: bytes) -> dict[str, Any]:
    try:
        sent = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise DomainError("rating.not_json", _("What was sent is not JSON.")) from error
    if not isinstance(sent, dict):
        raise DomainError("rating.not_json", _("What was sent is not a JSON object."))
    blank: dict[str, Any] = {
        "act": "rate",
        "rater": "",
        "item": None,
        "key": None,
        "sequence": None,
        "grade": None,
        "tags": [],
        "comment": "",
        "suggestion": "",
        "marks": [],
        "focused_seconds": 0,
        "reason": "",
        "note": "",
        "wants_reference": False,
    }
    values = {name: sent.get(name, empty) for name, empty in blank.items()}
    values["reason"], values["note"] = _text(values["reason"]), _text(values["note"])
    return values


def _from_form(post: QueryDict) -> dict[str, Any]:
    """Read a form. Its key names the page that was shown; with the grade it names the act, so that a double click is
    one act and another grade from the same page is another."""
    grade, key = post.get("grade", ""), post.get("key", "")
    marks = [mark_read(value) for value in post.getlist("mark")]
    values: dict[str, Any] = {
        "act": post.get("act", "rate"),
        "rater": post.get("rater", ""),
        "item": post.get("item"),
        "sequence": None,
        "grade": int(grade) if grade in ("1", "2", "3", "4") else grade or None,
        "tags": post.getlist("tag"),
        "comment": post.get("comment", ""),
        "suggestion": post.get("suggestion", ""),
        "marks": [mark for mark in marks if mark is not None],
        "focused_seconds": 0,
        "reason": post.get("reason", ""),
        "note": post.get("note", ""),
        "wants_reference": True,
    }
    told = json.dumps(
        [key, values["act"], *(values[name] for name in ("grade", "tags", "comment", "suggestion", "marks"))]
    )
    values["key"] = uuid5(NAMESPACE_OID, told) if key else None
    return values


def _item(value: Any) -> UUID:
    try:
        return UUID(str(value))
    except ValueError as error:
        raise NotVisible("rating.not_yours", _("There is no such item, or it is not yours to rate.")) from error


def _text(value: Any) -> str:
    """Return a text as it can be stored: JSON may hold lone surrogates, which UTF-8 cannot."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else ""
