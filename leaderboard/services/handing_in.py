"""Hand in a run with a method, and a team, that may be new: one act for page, API and command.

Team and run come or go together: a refused file leaves no team behind.
"""

from dataclasses import dataclass, field
from io import SEEK_END
from typing import Any, BinaryIO

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _

from champollion.accounts import roles
from champollion.accounts.models import Team, User
from champollion.accounts.services.organisations import team_create
from champollion.common.errors import DomainError
from corpora.models import CorpusVersion
from leaderboard.cards.streamed import FILE_LIMIT, is_streamable
from leaderboard.models import Method
from leaderboard.models.method import MethodClass
from leaderboard.services.intake import MethodChoice, Receipt, run_receive
from leaderboard.services.intake_stream import run_receive_stream
from leaderboard.services.methods import HeldMethod

#: Bytes from which on a file of outputs is not held in memory.
STREAMED_FROM = 8_000_000


@dataclass(frozen=True)
class MethodWish:
    """Which method a run is to belong to; see ``MethodChoice``. ``team_name`` names a team that is to be made."""

    method: Method | None = None
    name: str = ""
    team: Team | None = None
    team_name: str = ""
    method_class: str = MethodClass.RAW_LLM
    configuration: dict[str, Any] = field(default_factory=dict)
    held: HeldMethod | None = None


@transaction.atomic
def run_hand_in(
    *,
    actor: User | None,
    data: bytes | BinaryIO,
    wish: MethodWish,
    rows: bytes | None = None,
    log: bytes | None = None,
    file_name: str = "",
    version: CorpusVersion | None = None,
    segment: str = "",
) -> Receipt:
    """Take in a document; the arguments are those of ``run_receive``, with a team that may be new.

    A file of outputs that is too large to hold is read as a stream; any other is read whole.

    A new team has the actor as its member if they are a developer; a steward who hands in a held method names the team
    of others.

    Raises:
        DomainError: another team has that name; and all that ``run_receive`` raises.
    """
    team = wish.team
    if wish.method is None and team is None and wish.team_name:
        team = _team(actor, wish.team_name, is_held=wish.held is not None)
    choice = MethodChoice(
        method=wish.method,
        name=wish.name,
        team=team,
        method_class=wish.method_class,
        configuration=wish.configuration,
        held=wish.held,
    )
    if not isinstance(data, bytes):
        if is_streamed(data):
            return _receive_streamed(
                actor=actor, stream=data, choice=choice, file_name=file_name, version=version, segment=segment
            )
        data.seek(0)
        data = data.read(settings.MAX_DOCUMENT_BYTES + 1)
    return run_receive(
        actor=actor,
        data=data,
        rows=rows,
        log=log,
        choice=choice,
        file_name=file_name,
        version=version,
        segment=segment,
    )


def size_of(stream: BinaryIO) -> int:
    """Return how many bytes a seekable file has; leaves it at its start."""
    size = stream.seek(0, SEEK_END)
    stream.seek(0)
    return size


def is_streamed(stream: BinaryIO) -> bool:
    """Say whether a file is read as a stream: outputs with entry ids, too many to hold."""
    return size_of(stream) > STREAMED_FROM and is_streamable(stream)


def largest_file(stream: BinaryIO) -> int:
    """Return how many bytes a file may have: more where it holds one result a line (SPEC R-2)."""
    return FILE_LIMIT if is_streamable(stream) else settings.MAX_DOCUMENT_BYTES


def _receive_streamed(*, actor: User | None, stream: BinaryIO, choice: MethodChoice, **where: Any) -> Receipt:
    try:
        return run_receive_stream(actor=actor, stream=stream, choice=choice, **where)
    except DomainError as error:
        if error.code != "run.large_unknown_corpus" or size_of(stream) > settings.MAX_DOCUMENT_BYTES:
            raise
    # Its corpus is unknown, and it is small enough to be kept until that comes.
    stream.seek(0)
    return run_receive(actor=actor, data=stream.read(), choice=choice, **where)


def _team(actor: User | None, name: str, *, is_held: bool) -> Team:
    """Return the team of that name that the actor may name, or make it."""
    slug = slugify(name)[:60] or "team"
    members = [actor] if actor is not None and not is_held and roles.is_developer(actor) else []
    try:
        with transaction.atomic():
            return team_create(name=name, slug=slug, members=members)
    except (IntegrityError, ValidationError):
        team = Team.objects.filter(slug=slug).first()
    if team is None or (members and team.pk not in roles.team_ids(actor)):
        raise DomainError(
            "team.name_taken", _("Another team is called %(name)s here; choose another name.") % {"name": name}
        )
    return team
