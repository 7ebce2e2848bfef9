"""The desk: what waits for a steward or coordinator, by weight (SPEC I-3, design 4.8). Reads only.

Coordinators see campaigns; nothing here shows them an estimate.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from champollion.accounts.permissions import organisations_with
from leaderboard.models import Run
from review.caveats import runs_with_caveats
from review.models import Campaign, Decision, HarmFlag, Nomination, Transfer

SHOWN_AT_MOST = 5
#: "All" shows no more than this; older ones are found from the campaigns they belong to.
LISTED_AT_MOST = 200
_RUN = ("run__method_version__method", "run__corpus_version__corpus")


@dataclass(frozen=True)
class DeskRow:
    """One thing that waits: what, more about it, since when, where to. Signs are codes, empty for none."""

    what: str
    about: str
    since: datetime | None
    url: str
    button: str
    verdict: str = ""
    process: str = ""
    harm: bool = False


@dataclass(frozen=True)
class Section:
    """A heading of the desk with its rows; ``nothing`` is the line shown where there are none."""

    key: str
    title: str
    nothing: str
    total: int
    rows: list[DeskRow] = field(default_factory=list)

    @property
    def has_more(self) -> bool:
        return self.total > len(self.rows)


def desk_for(user: Any, *, all_of: str = "") -> list[Section]:
    """Return the sections a person may see, by weight; one query for the count and one for the rows of each.

    Args:
        all_of: key of the section that is shown whole.
    """
    stewarded = organisations_with(user, "decision.sign")
    read = organisations_with(user, "governance.read")
    sections = []
    if stewarded:
        sections += [
            _section(
                "decisions",
                _("Decisions waiting"),
                _("No decision waits."),
                _closed(stewarded),
                _closed_row(user),
                all_of,
            ),
            _section("harm", _("Harm flags"), _("None open."), _flags(stewarded), _flag_row, all_of),
        ]
    if stewarded:
        sections.append(_caveats(stewarded, all_of))
    sections.append(
        _section("drafts", _("Campaigns to open"), _("No draft waits."), _drafts(read), _campaign_row, all_of)
    )
    if stewarded:
        sections.append(
            _section(
                "candidates", _("Candidates"), _("No candidate waits."), _candidates(stewarded), _candidate_row, all_of
            )
        )
    sections.append(
        _section(
            "campaigns",
            _("Campaigns under way"),
            _("No campaign is open."),
            _running(read, stewarded),
            _campaign_row,
            all_of,
        )
    )
    if stewarded:
        sections += [
            _section(
                "nominations",
                _("Nominations without a campaign"),
                _("None waits."),
                _undrafted(stewarded),
                _nomination_row,
                all_of,
            ),
            _section(
                "transfers",
                _("Ownership transfers"),
                _("None is under way."),
                _transfers(stewarded),
                _transfer_row,
                all_of,
            ),
        ]
    return sections


def waiting_count(user: Any) -> int:
    """Return how many things wait for a person as steward: the number beside Governance in the top bar."""
    stewarded = organisations_with(user, "decision.sign")
    if not stewarded:
        return 0
    signed = Decision.objects.filter(campaign=OuterRef("pk"), status=Decision.Status.PROPOSED, signatures__steward=user)
    closed = Campaign.objects.filter(organisation__in=stewarded, status=Campaign.Status.CLOSED)
    return (
        closed.exclude(Exists(signed)).count()
        + _flags(stewarded).exclude(opinions__steward=user).count()
        + _drafts(stewarded).count()
    )


def _section(
    key: str,
    title: str,
    nothing: str,
    rows: QuerySet[Any],
    as_row: Callable[[Any], DeskRow],
    all_of: str,
) -> Section:
    limit = LISTED_AT_MOST if key == all_of else SHOWN_AT_MOST
    shown = [as_row(one) for one in rows[:limit]]
    total = len(shown) if len(shown) < limit else rows.count()
    return Section(key, title, nothing, total, shown)


def _closed(organisations: list[int]) -> QuerySet[Campaign]:
    waiting = Decision.objects.filter(status=Decision.Status.PROPOSED).prefetch_related("signatures")
    return (
        Campaign.objects.filter(organisation__in=organisations, status=Campaign.Status.CLOSED)
        .select_related(*_RUN)
        .prefetch_related(Prefetch("decisions", queryset=waiting, to_attr="waiting"))
        .order_by("closed_at")
    )


def _closed_row(user: Any) -> Callable[[Campaign], DeskRow]:
    def as_row(campaign: Campaign) -> DeskRow:
        decision = next(iter(campaign.waiting), None)  # type: ignore[attr-defined]
        url = reverse("review:report", args=[campaign.uid])
        about, button = _("report ready, nobody has decided yet"), _("Read")
        if decision is not None:
            url = reverse("review:decision", args=[decision.uid])
            mine = any(signature.steward_id == user.pk for signature in decision.signatures.all())
            about = _("waits for another steward") if mine else _("proposed; your signature is asked for")
            button = _("Look") if mine else _("Read")
        outcome = campaign.evidence.get("verdict", {}).get("outcome", "")
        return DeskRow(_method(campaign.run), about, campaign.closed_at, url, button, verdict=outcome)

    return as_row


def _flags(organisations: list[int]) -> QuerySet[HarmFlag]:
    return (
        HarmFlag.objects.filter(item__campaign__organisation__in=organisations, status=HarmFlag.Status.OPEN)
        .select_related("item__campaign")
        .order_by("created_at")
    )


def _flag_row(flag: HarmFlag) -> DeskRow:
    about = _("a speaker calls an output harmful")
    what = _("Campaign %(id)s") % {"id": str(flag.item.campaign.uid)[:8]}
    return DeskRow(what, about, flag.created_at, reverse("review:harm", args=[flag.uid]), _("Look"), harm=True)


def _drafts(organisations: list[int]) -> QuerySet[Campaign]:
    drafts = Campaign.objects.filter(organisation__in=organisations, status=Campaign.Status.DRAFT)
    return _with_talks(drafts).order_by("created_at")


def _running(organisations: list[int], stewarded: list[int]) -> QuerySet[Campaign]:
    """Return what runs; a closed one stands among the decisions of a steward, and here for a coordinator."""
    states = [Campaign.Status.OPEN, Campaign.Status.SUSPENDED]
    closed = Q(status=Campaign.Status.CLOSED) & ~Q(organisation__in=stewarded)
    running = Campaign.objects.filter(Q(status__in=states) | closed, organisation__in=organisations)
    return _with_talks(running).order_by("opened_at")


def _with_talks(campaigns: QuerySet[Campaign]) -> QuerySet[Campaign]:
    asked = Q(items__needs_talk=True, items__talk__isnull=True)
    return campaigns.select_related(*_RUN).annotate(talk_count=Count("items", filter=asked))


def _campaign_row(campaign: Campaign) -> DeskRow:
    count = campaign.talk_count  # type: ignore[attr-defined]
    about = (
        ngettext("%(count)s item needs a talk", "%(count)s items need a talk", count) % {"count": count}
        if count
        else ""
    )
    button = _("Check") if campaign.status == Campaign.Status.DRAFT else _("Look")
    since = campaign.opened_at or campaign.created_at
    url = reverse("review:campaign", args=[campaign.uid])
    return DeskRow(_method(campaign.run), about, since, url, button, process=campaign.status)


def _caveats(organisations: list[int], all_of: str) -> Section:
    rows = [_caveat_row(run) for run in runs_with_caveats(organisations)]
    limit = LISTED_AT_MOST if all_of == "caveats" else SHOWN_AT_MOST
    return Section("caveats", _("Caveats to acknowledge"), _("None waits."), len(rows), rows[:limit])


def _caveat_row(run: Run) -> DeskRow:
    url = reverse("review:caveats", args=[run.uid])
    return DeskRow(_method(run), _("reached the bound; a caveat keeps it"), run.scored_at, url, _("Look"))


def _candidates(organisations: list[int]) -> QuerySet[Nomination]:
    return _nominations(organisations).filter(status=Nomination.Status.CANDIDATE)


def _undrafted(organisations: list[int]) -> QuerySet[Nomination]:
    live = Campaign.objects.filter(nomination=OuterRef("pk")).exclude(status=Campaign.Status.WITHDRAWN)
    return _nominations(organisations).filter(status=Nomination.Status.NOMINATED).exclude(Exists(live))


def _nominations(organisations: list[int]) -> QuerySet[Nomination]:
    return (
        Nomination.objects.filter(corpus_version__corpus__organisation__in=organisations)
        .select_related(*_RUN)
        .order_by("created_at")
    )


def _candidate_row(nomination: Nomination) -> DeskRow:
    about = _("reached the bound on a public segment")
    return _of_nomination(nomination, about, nomination.created_at)


def _nomination_row(nomination: Nomination) -> DeskRow:
    return _of_nomination(nomination, _("its campaign is being drafted"), nomination.nominated_at)


def _of_nomination(nomination: Nomination, about: str, since: datetime | None) -> DeskRow:
    url = reverse("review:nomination", args=[nomination.uid])
    return DeskRow(_method(nomination.run), about, since, url, _("Look"))


def _transfers(organisations: list[int]) -> QuerySet[Transfer]:
    over = [Transfer.Status.COMPLETED, Transfer.Status.WAIVED]
    return (
        Transfer.objects.filter(promotion__decision__campaign__organisation__in=organisations)
        .exclude(status__in=over)
        .select_related("method_version__method", "promotion__corpus_version__corpus")
        .order_by("created_at")
    )


def _transfer_row(transfer: Transfer) -> DeskRow:
    url = reverse("review:transfer", args=[transfer.uid])
    about = str(transfer.get_status_display())
    return DeskRow(str(transfer.method_version), about, transfer.created_at, url, _("Look"))


def _method(run: Any) -> str:
    """Name what a row is about: method version, corpus version and segment."""
    names = {"method": run.method_version, "corpus": run.corpus_version, "segment": run.get_segment_display()}
    return _("%(method)s on %(corpus)s, %(segment)s") % names


def keys(sections: Iterable[Section]) -> list[str]:
    """Return the keys of sections, for the links that show one whole."""
    return [section.key for section in sections]
