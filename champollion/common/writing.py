"""How a language is written: the tag for `lang`, the direction for `dir`, the group of fonts, and its name in itself.

A text is shown in the fonts of its script by name, not by fallback. Source: design 2.4, 6; SPEC Q-4.
"""

import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from langcodes import Language
from langcodes.tag_parser import LanguageTagError

RIGHT_TO_LEFT = frozenset({"Arab", "Aran", "Hebr", "Syrc", "Thaa", "Nkoo", "Adlm", "Rohg", "Mand", "Samr", "Yezi"})
#: Languages whose Arabic script is set in Nastaliq.
_NASTALIQ = frozenset({"ur", "ks", "pnb", "skr"})
#: Scripts that share a line height and a list of fonts in `base.css`.
_GROUPS = {
    **dict.fromkeys(("Deva", "Beng", "Taml", "Telu", "Knda", "Mlym", "Gujr", "Guru", "Orya", "Sinh"), "indic"),
    **dict.fromkeys(("Khmr", "Mymr", "Tibt", "Laoo", "Thai"), "tall"),
    **dict.fromkeys(("Hans", "Hant", "Hani", "Jpan", "Kore", "Hang", "Hira", "Kana"), "han"),
}


@dataclass(frozen=True)
class Writing:
    """`tag` is BCP 47, `direction` is `ltr` or `rtl`, `script` is ISO 15924 or a group of `base.css`."""

    tag: str
    direction: str
    script: str


@lru_cache(maxsize=512)
def writing_of(tag: str) -> Writing:
    """Return how a language is written; an unknown or empty tag counts as undetermined, left to right."""
    language = _language(tag)
    if language is None:
        return Writing(tag="und", direction="ltr", script="Latn")
    script = language.maximize().script or "Latn"
    if script == "Arab" and language.language in _NASTALIQ:
        script = "Aran"
    direction = "rtl" if script in RIGHT_TO_LEFT else "ltr"
    return Writing(tag=language.to_tag(), direction=direction, script=_GROUPS.get(script, script))


def script_of_text(text: str, writing: Writing) -> str:
    """Return the font group of a text: `stacked` for Latin with marks that have no letter of their own."""
    if writing.script != "Latn":
        return writing.script
    composed = unicodedata.normalize("NFC", text)
    return "stacked" if any(unicodedata.combining(char) for char in composed) else "Latn"


@lru_cache(maxsize=512)
def own_name(tag: str) -> str:
    """Return a language's name in itself ("Cymraeg"), or its tag where no name is known."""
    language = _language(tag)
    if language is None:
        return tag
    name = language.autonym()
    return tag if name.startswith("Unknown language") else name[:1].upper() + name[1:]


@lru_cache(maxsize=2048)
def name_in(tag: str, interface: str) -> str:
    """Return a language's name in the interface language ("Welsh" in `en`), or its tag where no name is known."""
    language = _language(tag)
    if language is None:
        return tag
    name = language.display_name(interface)
    return tag if name.startswith("Unknown language") else name[:1].upper() + name[1:]


def _language(tag: str) -> Language | None:
    if not tag:
        return None
    try:
        language = Language.get(tag)
    except LanguageTagError:
        return None
    return language if language.language else None
