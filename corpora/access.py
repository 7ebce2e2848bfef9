"""The only way to the text of an entry: for work, and for people, each read of secret text recorded (SPEC C-7)."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from champollion.accounts import roles
from champollion.accounts.models import Membership, Organisation, Role
from champollion.audit import services as audit
from champollion.audit.models import AuditEvent
from champollion.common.errors import NotVisible
from corpora import vault
from corpora.models import Corpus, CorpusVersion, Entry


@dataclass(frozen=True)
class EntryText:
    """An entry with its text in the open."""

    entry: Entry
    source: str
    reference: str
    fields: dict[str, Any]

    @property
    def variants(self) -> list[str]:
        """Acceptable other translations (SPEC C-2)."""
        return [str(text) for text in self.fields.get("variants") or []]


class _Installation:
    """Stands for the installation where a person's rights are asked; it reads everything, for work."""

    is_authenticated = True
    is_active = True


#: The reader of commands and tasks: no person, no audit record.
INSTALLATION = _Installation()


def may_read_secret(user: Any, corpus: Corpus) -> bool:
    """Whether a person may read a corpus's secret text: its stewards and curators, and members given the right."""
    if user is INSTALLATION:
        return True
    if not getattr(user, "is_authenticated", False):
        return False
    if roles.has_role(user, corpus.organisation, Role.STEWARD, Role.CURATOR):
        return True
    return Membership.objects.filter(organisation=corpus.organisation, user=user, may_read_secret=True).exists()


def open_entry(entry: Entry, corpus: Corpus) -> EntryText:
    """Return an entry's text for work inside the installation (scoring, sampling). No person sees it."""
    if entry.sealed is None:
        return EntryText(entry, entry.source, entry.reference, entry.fields)
    value = vault.unseal(corpus, entry.sealed)
    return EntryText(entry, value["source"], value["reference"], value["fields"])


def open_entries(entries: Iterable[Entry], corpus: Corpus) -> Iterator[EntryText]:
    """Open many entries for work; a stream, in the order given."""
    return (open_entry(entry, corpus) for entry in entries)


def read_entries(entries: Iterable[Entry], *, version: CorpusVersion, reader: Any, purpose: str) -> list[EntryText]:
    """Open entries for a person: public ones for anybody, secret ones for those who may, with an audit record.

    Raises:
        NotVisible: a secret entry, and the person has no right to read it. Unknown and forbidden look alike.
    """
    opened = list(open_entries(entries, version.corpus))
    secret = [text for text in opened if text.entry.is_secret]
    if secret:
        if not may_read_secret(reader, version.corpus):
            raise NotVisible("entry.not_visible", _("There is no such entry."))
        secret_read_record(corpus=version.corpus, version=version, reader=reader, purpose=purpose, count=len(secret))
    return opened


@transaction.atomic
def secret_read_record(*, corpus: Corpus, version: CorpusVersion, reader: Any, purpose: str, count: int) -> None:
    """Write the audit record of a person's read of secret text: how many entries, what for, no text."""
    audit.record(
        "secret.read",
        actor=reader,
        organisation=corpus.organisation,
        obj=version,
        details={"purpose": purpose, "entries": count},
    )


#: Providers of further evidence that a person saw secret text of a corpus: fn(user, corpus) -> a sentence or "".
_evidence_providers: list[Callable[[Any, Corpus], str]] = []


def register_read_evidence(provider: Callable[[Any, Corpus], str]) -> None:
    """Let an app above say who saw secret text through it, such as a rater to whom an item was shown."""
    if provider not in _evidence_providers:
        _evidence_providers.append(provider)


def read_evidence(user: Any, corpus: Corpus) -> str:
    """Return the sentence that says why a person could have read secret text of a corpus, or "" (LAW-10)."""
    if not corpus.versions.filter(entries__sealed__isnull=False).exists():
        return ""
    if may_read_secret(user, corpus):
        return _("You have the right to read the secret text of %(corpus)s.") % {"corpus": corpus.corpus_id}
    event = AuditEvent.objects.filter(
        act="secret.read",
        actor=str(user.uid),
        object_type="corpora.CorpusVersion",
        object_id__in=[str(uid) for uid in corpus.versions.values_list("uid", flat=True)],
    ).first()
    if event is not None:
        return _("You read secret text of %(corpus)s on %(day)s (record %(number)s).") % {
            "corpus": corpus.corpus_id,
            "day": event.recorded_at.date().isoformat(),
            "number": event.sequence,
        }
    return next((sentence for provider in _evidence_providers if (sentence := provider(user, corpus))), "")


def organisations_readable(user: Any) -> list[int]:
    """Return the pks of the organisations whose secret text a person may read."""
    if user is INSTALLATION:
        return list(Organisation.objects.values_list("pk", flat=True))
    if not getattr(user, "is_authenticated", False):
        return []
    by_right = Membership.objects.filter(user=user, may_read_secret=True)
    return sorted(
        {*roles.organisations_as(user, Role.STEWARD, Role.CURATOR), *by_right.values_list("organisation_id", flat=True)}
    )
