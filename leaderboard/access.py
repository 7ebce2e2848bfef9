"""Who sees which run, which outputs and which document (SPEC C-7, R-4, L-3; LAW-2, LAW-9)."""

from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from champollion.accounts import roles
from champollion.accounts.models import Role
from champollion.common.errors import NotVisible
from corpora import access
from corpora.models import CorpusVersion
from leaderboard.models import Document, Method, MethodVersion, Run, Standing
from leaderboard.models.standing import Claim
from leaderboard.services.methods import is_own_method


def outputs_withheld(run: Run) -> bool:
    """Whether a campaign on the run is under way: then no page, file or API gives its outputs out (SPEC C-7)."""
    return Standing.objects.filter(run=run, claim=Claim.IN_REVIEW).exists()


def runs_visible(user: Any) -> QuerySet[Run]:
    """Return the runs that exist for a person: all that belong to a corpus, and their own unanchored ones (R-4)."""
    own = Q(submitted_by_id=getattr(user, "pk", None)) if getattr(user, "is_authenticated", False) else Q(pk=None)
    return Run.objects.filter(Q(corpus_version__isnull=False) | own)


def run_get(user: Any, uid: UUID) -> Run:
    """Return a run with all that its page names.

    Raises:
        NotVisible: there is none, or it is not for this person.
    """
    found = runs_visible(user).select_related(
        "method_version__method__team", "corpus_version__corpus__organisation", "document", "score_set"
    )
    run = found.filter(uid=uid).first()
    if run is None:
        raise NotVisible("run.not_visible", _("There is no such run."))
    return run


def is_withdrawn(run: Run) -> bool:
    """Whether the organisation withdrew the run or its corpus version: its figures and outputs are gone."""
    version = run.corpus_version
    return run.status == Run.Status.WITHDRAWN or (
        version is not None and version.status == CorpusVersion.Status.WITHDRAWN
    )


def may_read_cells(user: Any, run: Run) -> bool:
    """Whether a person sees the small cells of a run's breakdowns: on public segments everybody does (SPEC C-7)."""
    return not run.is_secret or may_read_secret_of(user, run)


def may_read_outputs(user: Any, run: Run) -> bool:
    """Whether a person may read a run's entries with their outputs.

    While a campaign is under way nobody does but stewards and curators of the organisation who are no speakers in it:
    who may be a rater stays blind (LAW-9).
    """
    if is_withdrawn(run):
        return False
    if run.corpus_version is None:
        return run.submitted_by_id is not None and run.submitted_by_id == getattr(user, "pk", None)
    may = not run.is_secret or may_read_secret_of(user, run)
    return may and (not outputs_withheld(run) or _governs_and_does_not_rate(user, run))


def may_read_document(user: Any, document: Document) -> bool:
    """Whether a person may download a document as received: who may read the outputs of every run in it."""
    runs = document.runs.select_related("corpus_version__corpus__organisation")
    return all(may_read_outputs(user, run) for run in runs) and (not document.is_sealed or _opens(user, document))


def may_see_failure(user: Any, run: Run) -> bool:
    """Whether a person is told why a scoring failed, and may ask for another: the uploader and the stewards."""
    if not getattr(user, "is_authenticated", False):
        return False
    if run.submitted_by_id == user.pk or run.corpus_version is None:
        return run.submitted_by_id == user.pk
    return roles.is_steward_of(user, run.corpus_version.corpus.organisation)


def may_read_secret_of(user: Any, run: Run) -> bool:
    """Whether a person may read the secret text of a run's corpus."""
    return run.corpus_version is not None and access.may_read_secret(user, run.corpus_version.corpus)


def may_see_held(user: Any, version: MethodVersion) -> bool:
    """Whether a person sees where a held method lies: its developer and members of the organisation that holds it."""
    if not getattr(user, "is_authenticated", False) or not version.is_held:
        return False
    holder = version.held_by
    return is_own_method(user, version) or (holder is not None and bool(roles.roles_in(user, holder)))


def method_get(user: Any, uid: UUID) -> Method:
    """Return a method that has a run which the person may see, or that is their team's own.

    Raises:
        NotVisible: there is none, or it is not for this person.
    """
    method = Method.objects.select_related("team").filter(uid=uid).first()
    if method is not None:
        is_own = method.team_id in roles.team_ids(user)
        if is_own or runs_visible(user).filter(method_version__method=method).exists():
            return method
    raise NotVisible("method.not_visible", _("There is no such method."))


def _governs_and_does_not_rate(user: Any, run: Run) -> bool:
    organisation = run.corpus_version.corpus.organisation if run.corpus_version else None
    if organisation is None:
        return False
    held = roles.roles_in(user, organisation)
    return bool(held & {Role.STEWARD, Role.CURATOR}) and Role.SPEAKER not in held


def _opens(user: Any, document: Document) -> bool:
    run = document.runs.select_related("corpus_version__corpus__organisation").first()
    return run is not None and may_read_secret_of(user, run)
