"""Figures for people: how many decimals each kind has, in the interface language, and words for what is not known.

Composite 3 decimals in lists and 4 on the run page; chrF++ 1; shares in whole percent; cost 2 significant figures;
time in seconds, from 90 s in minutes. An unknown value is a word, never 0 or a blank. Source: design 1.
"""

from decimal import Decimal
from math import floor, isfinite, log10

from django.utils.formats import number_format
from django.utils.translation import gettext as _

THIN = "\u202f"
NO_BREAK = "\u00a0"
_LONG_SECONDS = 90


def fixed(value: float | Decimal | None, decimals: int, *, unknown: str = "") -> str:
    """Write a number with exactly that many decimals, in the interface language."""
    if value is None or not isfinite(value):
        return unknown or _("not stated")
    return _rounded(value, decimals)


def share(value: float | None, *, unknown: str = "") -> str:
    """Write a share (0 to 1) as whole percent. A share that is neither none nor all never reads 0 % or 100 %."""
    if value is None or not isfinite(value):
        return unknown or _("not stated")
    whole = round(100 * value)
    if value > 0:
        whole = max(whole, 1)
    if value < 1:
        whole = min(whole, 99)
    return _("%(number)s %%") % {"number": number_format(whole)}


def share_range(low: float, high: float) -> str:
    """Write an interval of shares: "81–89 %"."""
    numbers = {"low": number_format(round(100 * low)), "high": number_format(round(100 * high))}
    return _("%(low)s–%(high)s %%") % numbers


def significant(value: float | Decimal, figures: int = 2) -> str:
    """Write a positive number with that many significant figures and no exponent: 0.00412 is "0.0041"."""
    number = float(value)
    if number == 0:
        return number_format(0)
    decimals = max(0, figures - 1 - floor(log10(abs(number))))
    return _rounded(number, decimals)


def cost(value: float | Decimal | None, *, currency: str = "USD") -> str:
    """Write a cost: "0.41 ¢", from a tenth "0.41 USD"; "free" for 0 and "not stated" for what is not known.

    Cents are for dollars alone: in a table, four zeros after the point are hard to compare and take too much room.
    """
    if value is None or not isfinite(value):
        return _("not stated")
    if value == 0:
        return _("free")
    if currency == "USD" and 0 < value < 0.1:
        return f"{significant(100 * value)}{NO_BREAK}¢"
    return f"{significant(value)}{NO_BREAK}{currency}"


def duration(seconds: float | None) -> str:
    """Write a time: "1.2 s"; from 90 s "2 min"."""
    if seconds is None or not isfinite(seconds):
        return _("not stated")
    if seconds >= _LONG_SECONDS:
        return _("%(number)s min") % {"number": number_format(round(seconds / 60))}
    written = number_format(0) if seconds == 0 else significant(seconds)
    return _("%(number)s s") % {"number": written}


def _rounded(value: float | Decimal, decimals: int) -> str:
    """Round, then write: Django's own number format cuts decimals off."""
    return number_format(f"{value:.{decimals}f}", decimal_pos=decimals)
