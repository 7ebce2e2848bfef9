"""What ``doctor`` says of the files that languages bring: whether each analyser and glossary can be used (SPEC M-1)."""

import json
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from champollion.common.health import Finding, Level, check
from leaderboard.labels import null_reason
from leaderboard.metrics.glossary import Glossary, GlossaryError
from leaderboard.plugins.hfst import AnalyserFileError, analyser_file_read


@check("languages")
def languages() -> Finding:
    """Read every analyser and glossary; runs are scored without those that have faults."""
    folder = Path(settings.LANGUAGES_DIR)
    files = [*folder.glob("*/analyser.hfstol"), *folder.glob("*/glossary.json")]
    faults = [f"{path.parent.name}/{path.name}: {fault}" for path, fault in _faults(sorted(files))]
    if faults:
        remedy = _("Replace the file; docs/languages.md says what it has to be.")
        return Finding("languages", Level.PROBLEM, "; ".join(faults), remedy)
    message = ngettext(
        "%(count)s file of languages can be used.", "%(count)s files of languages can be used.", len(files)
    )
    return Finding("languages", Level.OK, message % {"count": len(files)})


def _faults(files: list[Path]) -> Iterator[tuple[Path, str]]:
    for path in files:
        try:
            if path.name == "analyser.hfstol":
                analyser_file_read(path)
            else:
                Glossary.parse(json.loads(path.read_text(encoding="utf-8")))
        except AnalyserFileError as error:
            yield path, null_reason({"code": f"analyser_{error.code}"})
        except (GlossaryError, OSError, ValueError):
            yield path, null_reason({"code": "glossary_refused"})
