"""The guides: one page a role, in plain words."""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True)
class Guide:
    """A page under /help/: `slug` in the address and the template's name, a title and a sentence of what it holds."""

    slug: str
    title: Promise
    summary: Promise


GUIDES = (
    Guide("speakers", _("For speakers"), _("How to rate: the four grades, what is saved, and when to stop.")),
    Guide("stewards", _("For stewards"), _("How to read a report, decide with a second steward, and keep control.")),
    Guide("curators", _("For curators"), _("How to prepare a corpus, upload it and publish a new version.")),
    Guide("developers", _("For developers"), _("How to submit a run, and what its numbers mean here.")),
)
