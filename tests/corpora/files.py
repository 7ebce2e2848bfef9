"""Small corpus files made in the test itself, of strings from Django's translated interface (BSD-3-Clause)."""

from __future__ import annotations

import io
import json
from typing import Any

#: English and Galician, from the catalogues of Django's admin.
PAIRS = [
    ("Delete multiple objects", "Eliminar múltiples obxectos"),
    ("View site", "Ver sitio"),
    ("Page not found", "Páxina non atopada"),
    ("Recent actions", "Accións recentes"),
    ("None available", "Ningunha dispoñible"),
    ("Forgotten your password or username?", "Esqueceu o seu contrasinal ou nome de usuario?"),
]


def dataset(**changes: Any) -> dict[str, Any]:
    """A complete `dataset` envelope; None takes a field out."""
    made: dict[str, Any] = {
        "id": "django-gl",
        "version": "1.0",
        "language_pair": "EN→GL",
        "source_language": "en",
        "target_language": "gl",
        "created": "2026-06-07",
        "license": "BSD-3-Clause",
        "provenance": ["corpus"],
    }
    made.update(changes)
    return {name: value for name, value in made.items() if value is not None}


def entry(number: int = 1, **changes: Any) -> dict[str, Any]:
    """A complete entry; None takes a field out."""
    source, reference = PAIRS[(number - 1) % len(PAIRS)]
    made: dict[str, Any] = {
        "id": number,
        "source": source,
        "reference": reference,
        "segment": "development",
        "difficulty": 1 + (number - 1) % 5,
        "provenance": "corpus",
        "register": "technical" if number % 2 else "formal",
        "domain": "ui",
    }
    made.update(changes)
    return {name: value for name, value in made.items() if value is not None}


def document(*entries: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """A whole file as a value."""
    return {"dataset": dataset(**changes), "entries": list(entries or (entry(),))}


def as_stream(value: Any, encoding: str = "utf-8") -> io.BytesIO:
    """The bytes of a value written as JSON."""
    return io.BytesIO(json.dumps(value, ensure_ascii=False).encode(encoding))
