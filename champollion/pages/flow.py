"""The flow as six squares with live counts, and the languages that are here. Source: SPEC 00 The flow; design 4.1.

Counts are of the whole installation and name no campaign or method (LAW-9).
"""

from dataclasses import dataclass

from django.db.models import Q
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from champollion.pages.navigation import exists
from corpora.models import Corpus, CorpusVersion
from leaderboard.models import Run
from leaderboard.selectors.pairs import ListedPair, pairs_list
from review.models import Campaign, Decision, Nomination, Transfer


@dataclass(frozen=True)
class Step:
    """One square: its name, how many things stand there, and where they are listed (empty: nowhere yet)."""

    key: str
    label: str | Promise
    count: int
    url: str


def steps() -> list[Step]:
    """Return the six squares in the order of the flow."""
    board = "/leaderboard/"
    counts = (
        ("corpora", _("corpora"), _corpora(), "/corpora/"),
        ("runs", _("runs"), Run.objects.exclude(status=Run.Status.WITHDRAWN).count(), board),
        ("nominated", _("nominated"), Nomination.objects.filter(status=Nomination.Status.NOMINATED).count(), board),
        ("in_review", _("in review"), _in_review(), board),
        ("decided", _("decided"), _decided(), board),
        ("transferred", _("transferred"), Transfer.objects.filter(status="completed").count(), board),
    )
    return [Step(key, label, count, url if exists(url) else "") for key, label, count, url in counts]


def languages() -> list[ListedPair]:
    """Return the language pairs of the corpora with the counts of their boards, by target language."""
    return pairs_list()


def _corpora() -> int:
    return Corpus.objects.filter(_has_ready_version()).count()


def _has_ready_version() -> Q:
    ready = CorpusVersion.objects.filter(status=CorpusVersion.Status.READY)
    return Q(pk__in=ready.values("corpus_id"))


def _in_review() -> int:
    under_way = (Campaign.Status.OPEN, Campaign.Status.SUSPENDED, Campaign.Status.CLOSED)
    return Campaign.objects.filter(status__in=under_way).count()


def _decided() -> int:
    final = (Decision.Kind.APPROVE, Decision.Kind.REFUSE, Decision.Kind.SEND_BACK)
    return Decision.objects.filter(status=Decision.Status.CARRIED_OUT, kind__in=final).count()
