"""Who may rate what: the languages a person speaks, and the ties that keep them from judging (LAW-10, SPEC V-4).

One function answers, ``rater_refusal``; leasing and saving both ask it. The facts come as columns of the query that
reads the campaign (``conflict_facts``), so that saving a rating costs no query more for them.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.db.models import Aggregate, CharField, Exists, OuterRef, Q, Subquery
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from langcodes import Language
from langcodes.tag_parser import LanguageTagError

from champollion.accounts.models import Relation, SpokenLanguage, TeamMembership
from champollion.accounts.permissions import RIGHTS, may
from champollion.common.errors import AccessDenied
from leaderboard.models import MethodVersion, Run
from review.anchors import version_of
from review.models import Campaign

_FACTS = ("is_maker", "is_relative_of_maker", "is_on_corpus", "spoken_tags")


class _Joined(Aggregate):
    """Tags in one text with blanks between, so that they come in the query that reads the campaign."""

    function = "GROUP_CONCAT"
    template = "%(function)s(%(expressions)s, ' ')"
    output_field = CharField()

    def as_postgresql(self, compiler: Any, connection: Any, **context: Any) -> Any:
        return self.as_sql(compiler, connection, function="STRING_AGG", **context)


@dataclass(frozen=True)
class Refusal:
    """Why a person may not rate in a campaign: a stable code and a sentence for them."""

    code: str
    sentence: str | Promise

    def __str__(self) -> str:
        return str(self.sentence)


_NOT_SPEAKER = Refusal("rater.not_speaker", RIGHTS["review.rate"].refusal)
_NO_LANGUAGES = Refusal(
    "rater.languages_unknown",
    _("We do not know yet which languages you speak. Tell your coordinator; then you can rate here."),
)
_OTHER_LANGUAGES = Refusal(
    "rater.other_languages",
    _("This campaign needs speakers of both its languages, and of its dialect where it names one."),
)
_MAKER = Refusal("rater.own_method", _("You developed or submitted what is judged here, so others rate it."))
_RELATIVE = Refusal(
    "rater.relative",
    _("Somebody who developed or submitted what is judged here is related to you, so others rate it."),
)
_ON_CORPUS = Refusal(
    "rater.on_corpus",
    _("You have a method or a run on this corpus, and its text is secret, so others rate here."),
)


def rater_refusal(user: Any, campaign: Campaign) -> Refusal | None:
    """Return why a person may not rate in a campaign, or None if they may.

    One query, and another where the campaign was read without ``conflict_facts``.
    """
    if not may(user, "review.rate", campaign.organisation):
        return _NOT_SPEAKER
    corpus = version_of(campaign.run).corpus
    facts = _facts_of(user, campaign)
    spoken = (facts["spoken_tags"] or "").split()
    if not spoken:
        return _NO_LANGUAGES
    if not (speaks(spoken, _base(corpus.source_language)) and speaks(spoken, corpus.target_language)):
        return _OTHER_LANGUAGES
    if facts["is_maker"]:
        return _MAKER
    if facts["is_relative_of_maker"]:
        return _RELATIVE
    return _ON_CORPUS if campaign.run.is_secret and facts["is_on_corpus"] else None


def rater_require(user: Any, campaign: Campaign) -> None:
    """Refuse whoever may not rate in a campaign.

    Raises:
        AccessDenied: with the code and sentence of the refusal.
    """
    refusal = rater_refusal(user, campaign)
    if refusal is not None:
        raise AccessDenied(refusal.code, refusal.sentence)


def is_own_work(user: Any, campaign: Campaign) -> bool:
    """Whether a person developed or submitted the method under review (LAW-10)."""
    return bool(_facts_of(user, campaign)["is_maker"])


def conflict_facts(user: Any, *, at: str = "") -> dict[str, Any]:
    """Return annotations that say how a person is tied to the method of a campaign, and which languages they speak.

    Args:
        at: lookup prefix from the annotated model to the campaign, such as ``item__campaign__``.
    """
    run = f"{at}run__"
    team = Q(team=OuterRef(f"{run}method_version__method__team"))
    method = OuterRef(f"{run}method_version__method")
    corpus = OuterRef(f"{run}corpus_version__corpus")
    versions = MethodVersion.objects.filter(method=method)
    runs = Run.objects.filter(method_version__method=method, is_organisation_run=False)
    own_teams = TeamMembership.objects.filter(user=user).values("team")
    related = Q(Exists(_relations(user, "user")))
    return {
        "is_maker": Q(Exists(TeamMembership.objects.filter(team, user=user)))
        | Q(Exists(versions.filter(submitted_by=user)))
        | Q(Exists(runs.filter(submitted_by=user))),
        "is_relative_of_maker": Q(Exists(TeamMembership.objects.filter(team).filter(related)))
        | Q(Exists(versions.filter(Exists(_relations(user, "submitted_by")))))
        | Q(Exists(runs.filter(Exists(_relations(user, "submitted_by"))))),
        "is_on_corpus": Q(
            Exists(
                Run.objects.filter(corpus_version__corpus=corpus).filter(
                    Q(method_version__method__team__in=own_teams)
                    | Q(method_version__submitted_by=user)
                    | Q(submitted_by=user, is_organisation_run=False)
                )
            )
        ),
        "spoken_tags": Subquery(
            SpokenLanguage.objects.filter(user=user).values("user").annotate(tags=_Joined("tag")).values("tags")
        ),
    }


def facts_move(source: Any, campaign: Campaign) -> None:
    """Give a campaign the facts that were read as columns of another row."""
    campaign.__dict__.update({name: getattr(source, name) for name in _FACTS})


def speaks(spoken: Iterable[str], asked: str) -> bool:
    """Say whether one of the recorded tags covers the language asked for.

    "es-419" covers "es"; "es" does not cover "es-MX", which asks for a dialect. Scripts are left out of account:
    who speaks a language is asked here, not who writes it.
    """
    wanted = _subtags(asked)
    return any(_subtags(tag)[: len(wanted)] == wanted for tag in spoken)


def _relations(user: Any, column: str) -> Any:
    """Return the relations between a person and whoever the outer row names, in either direction."""
    other = OuterRef(column)
    return Relation.objects.filter(Q(person=user, relative=other) | Q(person=other, relative=user))


def _facts_of(user: Any, campaign: Campaign) -> dict[str, Any]:
    read = campaign.__dict__
    if all(name in read for name in _FACTS):
        return {name: read[name] for name in _FACTS}
    return Campaign.objects.filter(pk=campaign.pk).annotate(**conflict_facts(user)).values(*_FACTS).get()


@lru_cache(maxsize=1024)
def _subtags(tag: str) -> tuple[str, ...]:
    """Return language, territory and variants, normalised ("cym" is "cy"); an unreadable tag is itself."""
    try:
        language = Language.get(tag)
    except LanguageTagError:
        return (tag.lower(),)
    parts = [language.language or tag, language.territory, *(language.variants or ())]
    return tuple(part.lower() for part in parts if part)


def _base(tag: str) -> str:
    """Return a tag's language alone: of the source a speaker needs no particular dialect."""
    return _subtags(tag)[0]
