"""The script of a letter, from its Unicode name: enough to tell a Cyrillic letter in a Welsh text."""

import unicodedata
from functools import lru_cache

#: First words of Unicode character names, and the ISO 15924 code of the script. Letters of other scripts are not
#: judged.
_NAME_STARTS = {
    "ADLAM": "Adlm",
    "ARABIC": "Arab",
    "ARMENIAN": "Armn",
    "BALINESE": "Bali",
    "BENGALI": "Beng",
    "BOPOMOFO": "Bopo",
    "CANADIAN": "Cans",
    "CHAM": "Cham",
    "CHEROKEE": "Cher",
    "CJK": "Hani",
    "COPTIC": "Copt",
    "CYRILLIC": "Cyrl",
    "DEVANAGARI": "Deva",
    "ETHIOPIC": "Ethi",
    "GEORGIAN": "Geor",
    "GREEK": "Grek",
    "GUJARATI": "Gujr",
    "GURMUKHI": "Guru",
    "HANGUL": "Hang",
    "HEBREW": "Hebr",
    "HIRAGANA": "Hira",
    "JAVANESE": "Java",
    "KANNADA": "Knda",
    "KATAKANA": "Kana",
    "KHMER": "Khmr",
    "LAO": "Laoo",
    "LATIN": "Latn",
    "LISU": "Lisu",
    "MALAYALAM": "Mlym",
    "MEETEI": "Mtei",
    "MONGOLIAN": "Mong",
    "MYANMAR": "Mymr",
    "NKO": "Nkoo",
    "OL": "Olck",
    "ORIYA": "Orya",
    "OSAGE": "Osge",
    "SINHALA": "Sinh",
    "SUNDANESE": "Sund",
    "SYRIAC": "Syrc",
    "TAMIL": "Taml",
    "TELUGU": "Telu",
    "THAANA": "Thaa",
    "THAI": "Thai",
    "TIBETAN": "Tibt",
    "TIFINAGH": "Tfng",
    "VAI": "Vaii",
    "YI": "Yiii",
}


@lru_cache(maxsize=8192)
def script_of(char: str) -> str:
    """Return the script of a letter; "" for what is no letter, is shared, or is of a script not listed here."""
    if not char.isalpha():
        return ""
    name = unicodedata.name(char, "")
    if unicodedata.category(char) == "Lm":  # modifier letters such as ʻ and ʼ are used with many scripts
        return ""
    return _NAME_STARTS.get(name.split(" ")[0].split("-")[0], "")


def foreign_letters(text: str, allowed: frozenset[str]) -> dict[str, str]:
    """Return the letters of scripts outside `allowed`, by script, each once and in order; empty where `allowed` is
    unknown.
    """
    found: dict[str, str] = {}
    if not allowed or ("Latn" in allowed and text.isascii()):
        return found
    for char in text:
        script = script_of(char)
        if script and script not in allowed and char not in found.get(script, ""):
            found[script] = found.get(script, "") + char
    return found
