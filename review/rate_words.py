"""The sentences that the script of the rating page says, translated here, since scripts hold no words of their own."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

#: Numbers that are said exactly; what is more is said with the last one. A queue rarely outgrows a block or two.
COUNTED = 40


def words_for_script() -> list[tuple[str, str]]:
    """Return (name, sentence) pairs; a name that ends in -1, -2, … is the sentence for that number."""
    sentences = {
        "saved": _("Saved"),
        "all-saved": _("All saved"),
        "saving": _("Saving…"),
        "elsewhere": _("Saved elsewhere"),
        "choose-first": _("Choose a grade first, or skip."),
        "offline": _("No connection. Go on: your ratings stay on this phone and are sent when it is back."),
        "offline-secret": _("No connection. Go on, and leave this page open: your ratings are sent when it is back."),
        "skipped": _("Skipped. Someone else can rate it."),
        "put-aside": _("Noted. Another speaker gets this item."),
        "told": _("Stewards have been told. You need not rate this item. A pause is fine; all is saved."),
        "undone": _("Your rating is taken back."),
        "two-tabs": _("You changed this rating in another window since. The later one counts; both are kept."),
        "marked": _("Marked."),
        "leave": _("Some ratings are not sent yet."),
        "failed": _("This did not reach us. Try again when the connection is back."),
    }
    return [*sentences.items(), *(pair for number in range(1, COUNTED + 1) for pair in _counted(number))]


def _counted(number: int) -> list[tuple[str, str]]:
    values = {"count": number}
    kept = ngettext("%(count)s kept on this phone", "%(count)s kept on this phone", number)
    sending = ngettext("Sending %(count)s…", "Sending %(count)s…", number)
    refused = ngettext("%(count)s not saved", "%(count)s not saved", number)
    sign_in = ngettext("Sign in to send %(count)s", "Sign in to send %(count)s", number)
    sentences = {"kept": kept, "sending": sending, "refused": refused, "sign-in": sign_in}
    return [(f"{name}-{number}", sentence % values) for name, sentence in sentences.items()]
