"""Tie a run to the corpus version that it ran on (SPEC R-4).

A digest decides where the document names one; otherwise every id, source and expected text that it carries. Secret
entries do not exist for whoever may not read them, in every message.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext as _

from champollion.common.errors import DomainError, ProblemList
from champollion.common.text import same_text
from corpora import access
from corpora.constants import PUBLIC_SEGMENTS, SECRET_SEGMENTS, Segment
from corpora.models import CorpusDigest, CorpusVersion, Entry
from leaderboard.cards.parsed import Kind, ParsedOutput, ParsedRun
from leaderboard.cards.plain import assign_in_order

#: A version that holds at least this share of a run's ids was meant; the rest is reported as unknown.
MEANT_SHARE = 0.5
#: Ids in one query; SQLite takes few parameters.
LOOKED_UP = 500


@dataclass(frozen=True)
class AnchorProblem:
    """One result that does not fit its corpus, for the person who uploaded it."""

    code: str
    place: str
    entry_id: str
    field: str
    value: str
    remedy: str


@dataclass(frozen=True)
class Anchor:
    """Where a run belongs: a version, and for each segment that it touches the outputs by entry id."""

    version: CorpusVersion
    by_segment: dict[str, dict[str, ParsedOutput]]


def anchor_find(
    parsed: ParsedRun, *, actor: Any, version: CorpusVersion | None = None, segment: str = ""
) -> Anchor | None:
    """Return the anchor of a run, or None where its corpus is unknown here.

    Args:
        version: the version that the uploader names, if any.
        segment: for outputs that come one a line, the segment whose order they follow.

    Raises:
        DomainError: a digest of no version of a known corpus; several versions fit.
        ProblemList: ids that the corpus lacks, or texts that differ from it.
    """
    version = version or _by_digest(parsed)
    if parsed.kind is Kind.OUTPUTS and not parsed.names_entries:
        return _in_order(parsed, version=version, segment=segment, actor=actor)
    if version is None:
        version = _by_content(parsed, actor=actor)
    if version is None:
        return None
    return _fit(parsed, version=version, segment=segment, actor=actor)


def matches_secret_segment(parsed: ParsedRun, *, actor: Any) -> bool:
    """Whether every id, source and expected text of a run stands in a secret segment that the actor may not read.

    Whoever uploads that holds the text already; keeping the run would put it to rest in the open (LAW-2).
    """
    if not parsed.outputs or not all(o.entry_id and o.source for o in parsed.outputs):
        return False
    by_id = {output.entry_id: output for output in parsed.outputs}
    entries = Entry.objects.filter(segment__in=SECRET_SEGMENTS)
    counts = _id_counts(entries, by_id)
    for version in CorpusVersion.objects.filter(pk__in=[pk for pk, n in counts.items() if n == len(by_id)]):
        found = entries.filter(version=version, entry_id__in=list(by_id)).select_related("version__corpus")
        texts = access.open_entries(found, version.corpus)
        if all(same_text(by_id[t.entry.entry_id].source or "", t.source) for t in texts):
            return not access.may_read_secret(actor, version.corpus)
    return False


def _by_digest(parsed: ParsedRun) -> CorpusVersion | None:
    if not parsed.corpus.sha256:
        return None
    digest = CorpusDigest.objects.filter(sha256=parsed.corpus.sha256).select_related("version__corpus").first()
    if digest is not None:
        return digest.version
    known = CorpusVersion.objects.filter(corpus__corpus_id=parsed.corpus.id or "").order_by("order_key")
    if known:
        raise DomainError(
            "run.unknown_digest",
            _(
                "The card names corpus %(corpus)s with the digest %(digest)s, which is none of its versions here. "
                "Known versions: %(versions)s."
            )
            % {
                "corpus": parsed.corpus.id,
                "digest": parsed.corpus.sha256[:12],
                "versions": ", ".join(f"{v.version} ({(v.public_sha256 or v.sha256)[:12]})" for v in known),
            },
        )
    return None


def readable_entries(actor: Any, version: CorpusVersion) -> QuerySet[Entry]:
    """Return the entries of a version that exist for a person."""
    entries = version.entries.exclude(segment=Segment.HELD_OUT)
    return entries if access.may_read_secret(actor, version.corpus) else entries.filter(segment__in=PUBLIC_SEGMENTS)


def _id_counts(entries: QuerySet[Entry], ids: Iterable[str]) -> dict[int, int]:
    """Count, per corpus version, how many of the ids it holds."""
    counts: Counter[int] = Counter()
    for found in _looked_up(entries, sorted(ids)):
        rows = found.order_by().values_list("version_id").annotate(n=Count("pk"))
        counts.update(dict(rows))
    return dict(counts)


def _by_content(parsed: ParsedRun, *, actor: Any) -> CorpusVersion | None:
    ids = {output.entry_id for output in parsed.outputs}
    if not ids:
        return None
    organisations = access.organisations_readable(actor)
    visible = Q(segment__in=PUBLIC_SEGMENTS) | Q(version__corpus__organisation__in=organisations)
    entries = Entry.objects.filter(visible, version__status=CorpusVersion.Status.READY).exclude(
        segment=Segment.HELD_OUT
    )
    counts = _id_counts(entries, ids)
    best = max(counts.values(), default=0)
    if best < len(ids) * MEANT_SHARE:
        return None
    versions = list(
        CorpusVersion.objects.filter(pk__in=[pk for pk, n in counts.items() if n == best])
        .select_related("corpus__organisation")
        .order_by("corpus_id", "order_key")
    )
    fitting = [version for version in versions if not _differences(parsed, version, actor=actor)]
    if len(fitting) > 1:
        names = ", ".join(f"{v.corpus.corpus_id} {v.version}" for v in fitting)
        raise DomainError(
            "run.several_corpora",
            _("The entries of this run stand in several corpus versions: %(names)s. Say which one it ran on.")
            % {"names": names},
            versions=names,
        )
    return (fitting or versions)[-1]


def _differences(parsed: ParsedRun, version: CorpusVersion, *, actor: Any) -> list[AnchorProblem]:
    """Compare every text that a run carries with the corpus; beyond NFC and white space nothing may differ."""
    outputs = {o.entry_id: o for o in parsed.outputs if o.source is not None or o.expected is not None}
    problems = []
    for entries in _looked_up(readable_entries(actor, version), outputs):
        for text in access.open_entries(entries.order_by("position"), version.corpus):
            problems += output_differences(outputs[text.entry.entry_id], text)
    return problems


def _looked_up(entries: QuerySet[Entry], ids: Iterable[str]) -> Iterator[QuerySet[Entry]]:
    """Yield the entries of these ids in batches: a corpus may have many more than a run carries, or a query takes."""
    wanted = list(ids)
    for start in range(0, len(wanted), LOOKED_UP):
        yield entries.filter(entry_id__in=wanted[start : start + LOOKED_UP])


def output_differences(output: ParsedOutput, text: access.EntryText) -> list[AnchorProblem]:
    """Return where a result's own source or expected text is not the corpus's."""
    pairs = (("source", output.source, text.source), ("expected", output.expected, text.reference))
    return [
        _differs(output, field, given, ours)
        for field, given, ours in pairs
        if given is not None and not same_text(given, ours)
    ]


def output_unknown(output: ParsedOutput, version: CorpusVersion) -> AnchorProblem:
    """Return what is said of a result whose id is no entry's."""
    return AnchorProblem(
        code="run.unknown_entry",
        place=output.place,
        entry_id=output.entry_id,
        field="entry_id",
        value=output.entry_id[:120],
        remedy=_("%(corpus)s %(version)s has no such entry. Leave it out, or name the version that has it.")
        % {"corpus": version.corpus.corpus_id, "version": version.version},
    )


def does_not_fit(problems: list[AnchorProblem]) -> ProblemList:
    """Return the error of a run whose results do not fit their corpus."""
    return ProblemList(
        "run.does_not_fit",
        _("The run was not stored: %(count)s of its results do not fit the corpus.") % {"count": len(problems)},
        problems,
    )


def _differs(output: ParsedOutput, field: str, given: str, ours: str) -> AnchorProblem:
    return AnchorProblem(
        code="run.text_differs",
        place=output.place,
        entry_id=output.entry_id,
        field=field,
        value=given[:120],
        remedy=_("The corpus has “%(text)s” here. Run the method on this version of the corpus.")
        % {"text": ours[:120]},
    )


def _fit(parsed: ParsedRun, *, version: CorpusVersion, segment: str, actor: Any) -> Anchor:
    segments: dict[str, str] = {}
    for entries in _looked_up(readable_entries(actor, version), [output.entry_id for output in parsed.outputs]):
        segments.update(entries.values_list("entry_id", "segment"))
    unknown = [
        output_unknown(output, version)
        for output in parsed.outputs
        if output.entry_id not in segments or (segment and segments[output.entry_id] != segment)
    ]
    problems = unknown + _differences(parsed, version, actor=actor)
    if problems:
        raise does_not_fit(problems)
    by_segment: dict[str, dict[str, ParsedOutput]] = {}
    for output in parsed.outputs:
        by_segment.setdefault(segments[output.entry_id], {})[output.entry_id] = output
    return Anchor(version, by_segment)


def _in_order(parsed: ParsedRun, *, version: CorpusVersion | None, segment: str, actor: Any) -> Anchor:
    if version is None or not segment:
        raise DomainError(
            "run.corpus_needed",
            _("These are outputs without entry ids, one a line: say which corpus, version and segment they follow."),
        )
    ids = list(
        readable_entries(actor, version).filter(segment=segment).order_by("position").values_list("entry_id", flat=True)
    )
    named = assign_in_order(parsed, ids)
    return Anchor(version, {segment: {output.entry_id: output for output in named.outputs}})
