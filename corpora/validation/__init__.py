"""All of C-4 and C-5 on one file, at once and as a stream. Pure: no Django, no storage.

`validate` reads a file to its end and says what is wrong; `checked` gives the entries of a file that was found right.
"""

from corpora.validation.checks import Validation, ValidationOptions, checked, validate
from corpora.validation.log import ProblemLog
from corpora.validation.versions import version_key

__all__ = ["ProblemLog", "Validation", "ValidationOptions", "checked", "validate", "version_key"]
