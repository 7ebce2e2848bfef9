"""Language tags: parsing, the normal form, names, and the scripts in which a language is written. Source: SPEC C-1."""

import re
from functools import lru_cache

from langcodes import Language, LanguageTagError, standardize_tag

_LETTERS_FIRST = re.compile(r"[A-Za-z]{1,8}(?:[-_]|$)")
_COMPOSITE_SCRIPTS = {
    "Jpan": {"Hira", "Kana", "Hani"},
    "Kore": {"Hang", "Hani"},
    "Hans": {"Hani", "Bopo"},
    "Hant": {"Hani", "Bopo"},
    "Hrkt": {"Hira", "Kana"},
}
#: Languages written in more scripts than the one that CLDR thinks likely. A warning about such a text would be noise.
_MORE_SCRIPTS = {
    "az": {"Latn", "Cyrl", "Arab"},
    "ber": {"Latn", "Tfng", "Arab"},
    "bs": {"Latn", "Cyrl"},
    "chr": {"Cher", "Latn"},
    "ckb": {"Arab", "Latn"},
    "cr": {"Cans", "Latn"},
    "crk": {"Cans", "Latn"},
    "csw": {"Cans", "Latn"},
    "ff": {"Latn", "Adlm"},
    "ha": {"Latn", "Arab"},
    "ike": {"Cans", "Latn"},
    "iu": {"Cans", "Latn"},
    "kk": {"Cyrl", "Latn", "Arab"},
    "ks": {"Arab", "Deva"},
    "ku": {"Latn", "Arab", "Cyrl"},
    "ky": {"Cyrl", "Arab", "Latn"},
    "mn": {"Cyrl", "Mong"},
    "ms": {"Latn", "Arab"},
    "oj": {"Cans", "Latn"},
    "ojb": {"Cans", "Latn"},
    "ojs": {"Cans", "Latn"},
    "pa": {"Guru", "Arab"},
    "sat": {"Olck", "Latn", "Deva", "Beng"},
    "sd": {"Arab", "Deva"},
    "sr": {"Cyrl", "Latn"},
    "tg": {"Cyrl", "Arab"},
    "tk": {"Latn", "Cyrl", "Arab"},
    "tt": {"Cyrl", "Latn"},
    "ug": {"Arab", "Cyrl", "Latn"},
    "uz": {"Latn", "Cyrl", "Arab"},
    "zgh": {"Tfng", "Latn"},
}


@lru_cache(maxsize=1024)
def normal_tag(tag: str) -> str | None:
    """Return the BCP 47 tag in its normal form (`eng` as `en`, `CRK` as `crk`); None where it does not parse."""
    if not _LETTERS_FIRST.match(tag):
        return None
    try:
        return standardize_tag(tag)
    except LanguageTagError:
        return None


@lru_cache(maxsize=1024)
def is_registered(tag: str) -> bool:
    """Say whether all parts of a tag that parses are in the registry that the library ships."""
    return Language.get(tag).is_valid()


@lru_cache(maxsize=1024)
def language_name(tag: str, in_language: str = "en") -> str:
    """Return the name of the language in `in_language`, or the tag where the library knows no name."""
    language = Language.get(tag)
    name = language.display_name(in_language)
    return tag if name.startswith("Unknown language") else name


@lru_cache(maxsize=1024)
def own_name(tag: str) -> str:
    """Return the language's name in itself, or the tag where the library knows none."""
    name = Language.get(tag).autonym()
    return tag if name.startswith("Unknown language") else name


@lru_cache(maxsize=1024)
def scripts_of(tag: str) -> frozenset[str]:
    """Return the ISO 15924 codes of the scripts in which texts of this language may be; the one of the tag if it names
    one.
    """
    language = Language.get(tag)
    if language.script:
        scripts = {language.script}
    else:
        likely = language.maximize().script
        scripts = set(_MORE_SCRIPTS.get(language.language or "", set())) | ({likely} if likely else set())
    wide: set[str] = set()
    for script in scripts:
        wide |= _COMPOSITE_SCRIPTS.get(script, {script})
    return frozenset(wide)
