"""The flow as six squares with live counts, and the languages that are here. Source: SPEC 00 The flow; design 4.1.

Counts are of the whole installation and name no campaign or method (LAW-9).
"""

from dataclasses import dataclass

from django.db.models import Count, Q
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from champollion.pages.navigation import exists
from corpora.models import Corpus, CorpusVersion
from leaderboard.models import Run, Standing
from review.models import Campaign, Decision, Nomination, Transfer


@dataclass(frozen=True)
class Step:
    """One square: its name, how many things stand there, and where they are listed (empty: nowhere yet)."""

    key: str
    label: str | Promise
    count: int
    url: str


@dataclass(frozen=True)
class LanguageHere:
    """A target language: how many of its methods are approved at Deployable or above, and how many are in review."""

    tag: str
    deployable: int
    in_review: int
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


def languages() -> list[LanguageHere]:
    """Return the target languages of the corpora, by tag."""
    tags = sorted(set(Corpus.objects.filter(_has_ready_version()).values_list("target_language", flat=True)))
    rows = Standing.objects.filter(corpus_version__status=CorpusVersion.Status.READY).values(
        "corpus_version__corpus__target_language"
    )
    counted = rows.annotate(
        deployable=Count("method_version__method", filter=_deployable(), distinct=True),
        in_review=Count("method_version__method", filter=Q(claim="in_review"), distinct=True),
    )
    by_tag = {row["corpus_version__corpus__target_language"]: row for row in counted}
    url = "/leaderboard/" if exists("/leaderboard/") else ""
    empty = {"deployable": 0, "in_review": 0}
    return [
        LanguageHere(tag, by_tag.get(tag, empty)["deployable"], by_tag.get(tag, empty)["in_review"], url)
        for tag in tags
    ]


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


def _deployable() -> Q:
    return Q(public_tier__in=("deployable", "fluent"))
