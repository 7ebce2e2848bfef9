"""Words for what the pure code says in codes: problems, and the things that problems expect."""

from typing import Any

from django.utils.translation import gettext as _

from corpora.formats.base import Problem
from corpora.formats.messages import REMEDIES
from corpora.validation.envelope import OPTION_OF

#: Parameters that are phrases of our own, marked for translation where they are made.
_TRANSLATED = ("expected",)
#: The field of the upload form for each part of the envelope, by its option.
_FIELD_OF = {option: name for name, option in OPTION_OF.items()}


def problem_text(code: str, params: dict[str, Any]) -> str:
    """Return what would be right, in the reader's language. Raises KeyError for an unknown code."""
    told = {name: _(value) if name in _TRANSLATED else value for name, value in params.items()}
    return _(REMEDIES[code]) % told


def problem_row(problem: Problem) -> dict[str, str]:
    """Return a problem as a row for a page, its remedy in the reader's language."""
    return {
        **problem.to_dict(),
        "remedy": problem_text(problem.code, problem.params),
        "place": place_text(problem.place),
    }


def place_text(place: str) -> str:
    """Return a place in the reader's language: "entry 12", "line 3, column 7", "envelope"."""
    kind, _space, rest = place.partition(" ")
    if kind == "entry":
        return _("entry %(number)s") % {"number": rest}
    if kind == "line":
        line, _comma, column = rest.partition(", column ")
        if column:
            return _("line %(line)s, column %(column)s") % {"line": line, "column": column}
        return _("line %(line)s") % {"line": line}
    return {"envelope": _("envelope"), "corpus": _("corpus"), "file": _("file")}.get(place, place)


def form_field_of(option: str) -> str:
    """Return the name of the form field that gives the same as a command-line option."""
    return _FIELD_OF.get(option, "")
