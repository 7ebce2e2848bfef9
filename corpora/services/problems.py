"""The refusal of a file: all that is wrong with it, at once."""

from typing import Any

from django.utils.translation import ngettext

from champollion.common.errors import ProblemList
from corpora.validation import Validation


class CorpusProblems(ProblemList):
    """A file with errors; nothing was stored.

    `validation` holds everything that was found, warnings too. Its values may be secret text: they are for the uploader
    alone, and neither the message nor the context repeats them.
    """

    def __init__(self, validation: Validation) -> None:
        log = validation.log
        message = ngettext(
            "Nothing was stored: %(count)s thing to put right.",
            "Nothing was stored: %(count)s things to put right.",
            log.error_count,
        ) % {"count": log.error_count}
        problems: list[Any] = list(log.errors)
        super().__init__("corpus.problems", message, problems, counts=log.counts("error"))
        self.validation = validation
