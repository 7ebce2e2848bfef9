"""Storing an uploaded corpus as a new version, or nothing of it (SPEC C-3 to C-6)."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from typing import Any, BinaryIO

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from champollion.accounts import permissions
from champollion.accounts.models import GovernedLanguage, Organisation
from champollion.accounts.services.organisations import is_custodian
from champollion.audit import services as audit
from champollion.common.errors import ConflictError, DomainError
from corpora import vault
from corpora.formats.base import EntryRecord, Envelope, Problem, ReadOptions
from corpora.formats.canonical import canonical_lines, digest_of, entry_to_dict, public_lines
from corpora.models import Corpus, CorpusDigest, CorpusVersion, Entry
from corpora.services.editions import COLUMNS
from corpora.services.problems import CorpusProblems
from corpora.validation import Validation, ValidationOptions, checked, validate, version_key
from corpora.validation.corpus import provenance_tag
from corpora.vocabulary import is_secret

_BATCH = 2_000


@dataclass(frozen=True)
class Attestation:
    """That people wrote the references: who says so, and what a curator states about a word of C-5's list.

    Source: SPEC C-5.
    """

    name: str
    is_given: bool = True
    statement: str = ""


@dataclass(frozen=True)
class ImportOutcome:
    """What an import came to: the version, whether it is new (else it was here already), and what was found in the
    file.
    """

    version: CorpusVersion
    is_new: bool
    validation: Validation


@dataclass(frozen=True)
class _Upload:
    """A validated file and what is needed to store it."""

    validation: Validation
    stream: BinaryIO
    options: ReadOptions
    filename: str
    attestation: Attestation
    canonical_sha256: str
    public_sha256: str
    now: datetime = field(default_factory=timezone.now)

    @property
    def envelope(self) -> Envelope:
        return self.validation.envelope


def corpus_import(
    *,
    actor: Any | None,
    organisation: Organisation,
    stream: BinaryIO,
    filename: str,
    options: ReadOptions,
    attestation: Attestation,
) -> CorpusVersion:
    """Store a file as a corpus version and return it; the same file again returns the version that is here.

    See `corpus_import_outcome`, which also says which of the two it was.
    """
    return corpus_import_outcome(
        actor=actor,
        organisation=organisation,
        stream=stream,
        filename=filename,
        options=options,
        attestation=attestation,
    ).version


def corpus_import_outcome(
    *,
    actor: Any | None,
    organisation: Organisation,
    stream: BinaryIO,
    filename: str,
    options: ReadOptions,
    attestation: Attestation,
    progress: Callable[[int], None] | None = None,
) -> ImportOutcome:
    """Validate a seekable binary stream and store it in one transaction: a version with all its entries, or nothing.

    Args:
        actor: a curator of the organisation; None for the operator at the command line.
        progress: told the number of entries validated so far.

    Raises:
        CorpusProblems: errors in the file, all of them.
        DomainError: no attestation, or secret segments for an organisation that is no key custodian.
        ConflictError: the id belongs to another organisation, the language is governed by another, or the same id and
            version stand for other content.
        AccessDenied, NotVisible: the actor is no curator of the organisation.

    Writes `corpus.imported`, and `corpus.term_explained` for a statement about a provenance word.
    Source: SPEC C-4, C-5, C-6, S-1.
    """
    _check_rights(actor, organisation)
    _check_attestation(attestation)
    validation = corpus_check(stream=stream, options=options, statement=attestation.statement, progress=progress)
    if validation.log.has_errors:
        raise CorpusProblems(validation)
    _check_custody(organisation, validation)
    upload = _prepare(validation, stream, options, filename, attestation)
    repeated = _find_repeated(organisation, upload)
    if repeated is not None:
        return ImportOutcome(repeated, is_new=False, validation=validation)
    try:
        version = _store(actor, organisation, upload)
    except IntegrityError:
        # Somebody stored the same id and version a moment ago: then it is the same again, or refused.
        repeated = _find_repeated(organisation, upload)
        if repeated is None:
            raise
        return ImportOutcome(repeated, is_new=False, validation=validation)
    return ImportOutcome(version, is_new=True, validation=validation)


def corpus_check(
    *,
    stream: BinaryIO,
    options: ReadOptions,
    statement: str = "",
    progress: Callable[[int], None] | None = None,
) -> Validation:
    """Validate a file and store nothing: what a dry run shows."""
    return validate(
        stream,
        ValidationOptions(
            read=options,
            file_limit=settings.MAX_UPLOAD_BYTES,
            machine_word_statement=statement,
            progress=progress,
        ),
    )


def _check_rights(actor: Any | None, organisation: Organisation) -> None:
    if actor is not None:
        permissions.require(actor, "corpus.import", organisation)


def _check_attestation(attestation: Attestation) -> None:
    if not attestation.is_given or not attestation.name.strip():
        raise DomainError(
            "corpus.attestation_missing",
            _("Say that people wrote the references. Machine-made references are not taken."),
        )


def _check_custody(organisation: Organisation, validation: Validation) -> None:
    if validation.counts.has_secret and not is_custodian(organisation):
        raise DomainError(
            "corpus.not_custodian",
            _(
                "This corpus has secret segments. Only an organisation recorded as key custodian, with the five "
                "requirements, may own them."
            ),
        )
    target = str(validation.envelope.target_language)
    governed = GovernedLanguage.objects.filter(tag=target).exclude(organisation=organisation)
    if governed.exists():
        raise ConflictError(
            "corpus.language_governed",
            _("Another organisation governs the language %(tag)s here, so its corpora are that organisation's.")
            % {"tag": target},
        )


def _prepare(
    validation: Validation, stream: BinaryIO, options: ReadOptions, filename: str, attestation: Attestation
) -> _Upload:
    envelope, has_secret = validation.envelope, validation.counts.has_secret
    canonical = digest_of(canonical_lines(envelope, checked(stream, options)))
    public = digest_of(public_lines(envelope, checked(stream, options), has_secret=True)) if has_secret else canonical
    return _Upload(validation, stream, options, filename[-255:], attestation, canonical, public)


def _find_repeated(organisation: Organisation, upload: _Upload) -> CorpusVersion | None:
    """Return the version that this upload repeats, or None where it is new; refuse what contradicts what is here."""
    envelope = upload.envelope
    corpus = Corpus.objects.filter(corpus_id=envelope.id).first()
    if corpus is None:
        return None
    _check_corpus(corpus, organisation, envelope)
    version = CorpusVersion.objects.filter(corpus=corpus, order_key=order_key(str(envelope.version))).first()
    if version is None:
        return None
    if version.status != CorpusVersion.Status.READY:
        raise ConflictError(
            "corpus.version_withdrawn", _("This version was withdrawn by the organisation and cannot be stored again.")
        )
    if not _is_same(version, upload):
        raise ConflictError(
            "corpus.version_taken",
            _("%(corpus)s %(version)s is here already, with other content. Versions do not change: bump the version.")
            % {"corpus": corpus.corpus_id, "version": version.version},
        )
    return version


def _check_corpus(corpus: Corpus, organisation: Organisation, envelope: Envelope) -> None:
    if corpus.organisation_id != organisation.pk:
        raise ConflictError(
            "corpus.id_taken",
            _("The corpus id %(id)s belongs to another organisation. Choose another id.") % {"id": corpus.corpus_id},
        )
    if (corpus.source_language, corpus.target_language) != (envelope.source_language, envelope.target_language):
        raise ConflictError(
            "corpus.languages_differ",
            _("The corpus %(id)s has the languages %(source)s and %(target)s. Other languages need another corpus id.")
            % {"id": corpus.corpus_id, "source": corpus.source_language, "target": corpus.target_language},
        )


def _is_same(version: CorpusVersion, upload: _Upload) -> bool:
    # Where options say part of it, the raw file alone does not identify the content. Source: SPEC C-6.
    if upload.validation.is_raw_identity:
        return version.sha256 == upload.validation.raw_sha256
    return version.canonical_sha256 == upload.canonical_sha256


@transaction.atomic
def _store(actor: Any | None, organisation: Organisation, upload: _Upload) -> CorpusVersion:
    corpus = _corpus_for(organisation, upload.envelope)
    version = _version_row(corpus, actor, upload)
    version.full_clean(
        exclude=["uploaded_by", "envelope", "warnings"], validate_unique=False, validate_constraints=False
    )
    version.save()
    CorpusDigest.objects.bulk_create(_digest_rows(version, upload))
    records = checked(upload.stream, upload.options)
    while batch := list(islice(records, _BATCH)):
        Entry.objects.bulk_create([_entry_row(version, corpus, record) for record in batch])
    _record(actor, organisation, version, upload)
    return version


def _corpus_for(organisation: Organisation, envelope: Envelope) -> Corpus:
    corpus = Corpus.objects.select_for_update(no_key=True).filter(corpus_id=envelope.id).first()
    if corpus is None:
        corpus = Corpus(
            corpus_id=envelope.id,
            organisation=organisation,
            source_language=envelope.source_language,
            target_language=envelope.target_language,
        )
        corpus.full_clean(validate_unique=False)
        corpus.save()
    return corpus


def _version_row(corpus: Corpus, actor: Any | None, upload: _Upload) -> CorpusVersion:
    envelope = upload.envelope
    return CorpusVersion(
        corpus=corpus,
        version=envelope.version,
        order_key=order_key(str(envelope.version)),
        sha256=upload.validation.raw_sha256,
        canonical_sha256=upload.canonical_sha256,
        public_sha256=upload.public_sha256,
        license=envelope.license,
        created_as_given=envelope.created,
        provenance_tags=list(envelope.provenance),
        envelope=envelope.rest,
        source_format=upload.options.format or "json",
        file_name=upload.filename,
        entry_count=upload.validation.counts.total,
        warnings=_stored_warnings(upload.validation),
        uploaded_by=actor,
        attested_by_name=upload.attestation.name.strip()[:200],
        attested_at=upload.now,
        attestation_note=upload.attestation.statement.strip(),
    )


def _digest_rows(version: CorpusVersion, upload: _Upload) -> Iterator[CorpusDigest]:
    kinds = CorpusDigest.Kind
    yield CorpusDigest(version=version, kind=kinds.FULL, sha256=upload.validation.raw_sha256)
    yield CorpusDigest(version=version, kind=kinds.PUBLIC, sha256=upload.public_sha256)
    yield CorpusDigest(version=version, kind=kinds.CANONICAL, sha256=upload.canonical_sha256)


def _entry_row(version: CorpusVersion, corpus: Corpus, record: EntryRecord) -> Entry:
    fields = {name: value for name, value in entry_to_dict(record).items() if name not in COLUMNS}
    entry = Entry(
        version=version,
        position=record.number,
        entry_id=record.key,
        id_is_integer=isinstance(record.entry_id, int),
        segment=record.segment,
        difficulty=record.difficulty,
        domain=record.domain or "",
        register=record.register or "",
        context=record.context or "",
        provenance_name=provenance_tag(record)[:200],
    )
    if is_secret(record.segment):
        entry.sealed = vault.seal(corpus, {"source": record.source, "reference": record.reference, "fields": fields})
    else:
        entry.source, entry.reference, entry.fields = record.source, record.reference, fields
    return entry


def _stored_warnings(validation: Validation) -> list[dict[str, Any]]:
    """Return the printed warnings for the version's page, without the values where some of the file's text is secret
    (LAW-2).
    """
    return [
        _stored_warning(problem, keep_value=not validation.counts.has_secret) for problem in validation.log.warnings
    ]


def _stored_warning(problem: Problem, *, keep_value: bool) -> dict[str, Any]:
    return {
        "code": problem.code,
        "place": problem.place,
        "field": problem.field,
        "entry_id": problem.entry_id,
        "value": problem.value if keep_value else "",
        "params": problem.params,
    }


def _record(actor: Any | None, organisation: Organisation, version: CorpusVersion, upload: _Upload) -> None:
    counts = {str(segment): count for segment, count in upload.validation.counts.by(0).items()}
    details = {
        "corpus": version.corpus.corpus_id,
        "version": version.version,
        "public_sha256": version.public_sha256,
        "entries": counts,
        "attested_by": version.attested_by_name,
    }
    audit.record("corpus.imported", actor=actor, organisation=organisation, obj=version, details=details)
    if version.attestation_note:
        audit.record(
            "corpus.term_explained",
            actor=actor,
            organisation=organisation,
            obj=version,
            reason=version.attestation_note,
        )


def order_key(version: str) -> str:
    """Return the text by which versions sort, "1.0" like 1.0.0. Raises ValueError for what is no version."""
    numbers = version_key(version)
    if numbers is None:
        raise ValueError(f"{version!r} is no version")
    return ".".join(f"{number:09d}" for number in numbers)
