"""Finding the campaign that a command line names."""

from django.core.management.base import CommandError, CommandParser

from review.models import Campaign

SHORTEST = 8


def campaign_argument_add(parser: CommandParser) -> None:
    """Add CAMPAIGN and --json."""
    parser.add_argument("campaign", help="the campaign's id, or at least its first eight characters")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def campaign_named(text: str) -> Campaign:
    """Return the one campaign whose id begins with what was given.

    Raises:
        CommandError: none does, several do, or it is too short.
    """
    wanted = text.strip().lower()
    if len(wanted) < SHORTEST:
        raise CommandError(f"Give at least {SHORTEST} characters of the campaign's id.")
    uids = [uid for uid in Campaign.objects.values_list("uid", flat=True) if str(uid).startswith(wanted)]
    if len(uids) != 1:
        found = "Several campaigns begin" if uids else "No campaign begins"
        raise CommandError(f"{found} with {text}.")
    related = ("run__corpus_version__corpus", "nomination__run", "nomination__corpus_version")
    return Campaign.objects.select_related(*related).get(uid=uids[0])
