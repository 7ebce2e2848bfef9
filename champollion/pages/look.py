"""How pages look on this device: theme and size of the sentences, kept in two cookies. Source: design 2.4, 2.5."""

from collections.abc import Mapping

THEME_COOKIE, TEXT_SIZE_COOKIE = "ch_theme", "ch_text_size"
THEMES = ("device", "light", "dark")
TEXT_SIZES = ("normal", "smaller", "larger", "largest")
COOKIE_SECONDS = 365 * 24 * 3600


def theme_of(cookies: Mapping[str, str]) -> str:
    """Return the chosen theme; the device's own where none or an unknown one was chosen."""
    chosen = cookies.get(THEME_COOKIE, "")
    return chosen if chosen in THEMES else THEMES[0]


def text_size_of(cookies: Mapping[str, str]) -> str:
    """Return the chosen size of corpus text."""
    chosen = cookies.get(TEXT_SIZE_COOKIE, "")
    return chosen if chosen in TEXT_SIZES else TEXT_SIZES[0]
