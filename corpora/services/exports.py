"""Giving a whole version out as a file (SPEC C-3): the organisation's own data, secret text included."""

from collections.abc import Iterator
from typing import Any

from django.db import transaction

from champollion.accounts import permissions
from champollion.audit import services as audit
from corpora import access
from corpora.models import CorpusVersion
from corpora.services.editions import full_edition, has_secret_entries


@transaction.atomic
def corpus_export(*, actor: Any | None, version: CorpusVersion) -> Iterator[bytes]:
    """Return the full edition of a version in pieces, after the export is recorded.

    Args:
        actor: a steward or curator of the organisation; None for the operator at the command line.

    Raises:
        AccessDenied, NotVisible: the actor may not read the corpus's secret text.

    Writes `corpus.exported`, and `secret.read` where the version holds secret segments.
    """
    organisation = version.corpus.organisation
    if actor is not None:
        permissions.require(actor, "corpus.read_secret", organisation)
    details = {"corpus": version.corpus.corpus_id, "version": version.version, "entries": version.entry_count}
    audit.record("corpus.exported", actor=actor, organisation=organisation, obj=version, details=details)
    if has_secret_entries(version):
        access.secret_read_record(
            corpus=version.corpus, version=version, reader=actor, purpose="export", count=version.entry_count
        )
    return full_edition(version)
