"""The environment: every variable the installation reads, with its type and default (SPEC I-6).

The table in ``docs/operators.md`` is checked against ``VARIABLES`` by a test.
"""

import environ

#: name -> (type, default, what it does)
VARIABLES: dict[str, tuple[type, object, str]] = {
    "CHAMPOLLION_SECRET_KEY": (str, "", "Signs sessions and links; required in production."),
    "CHAMPOLLION_DEBUG": (bool, False, "Never on in production."),
    "CHAMPOLLION_ALLOWED_HOSTS": (list, [], "Host names that the site answers to."),
    "CHAMPOLLION_CSRF_TRUSTED_ORIGINS": (list, [], "Origins behind a proxy, with scheme."),
    "DATABASE_URL": (str, "", "postgres://… or sqlite:///…"),
    "CELERY_BROKER_URL": (str, "", "redis://… in production; sqla+sqlite:///… in the demo."),
    "CACHE_URL": (str, "", "redis://… ; the database cache where empty."),
    "EMAIL_URL": (str, "consolemail://", "smtp+tls://user:password@host:587"),
    "CHAMPOLLION_FROM_EMAIL": (str, "champollion@localhost", "Sender of every mail."),
    "CHAMPOLLION_STATE_DIR": (str, "", "Folder for the database file and static files of a small installation."),
    "CHAMPOLLION_MAX_UPLOAD_BYTES": (int, 200_000_000, "Largest corpus file (SPEC C-4)."),
    "CHAMPOLLION_MAX_DOCUMENT_BYTES": (int, 64_000_000, "Largest run document (SPEC R-2)."),
    "CHAMPOLLION_WEB_PROCESSES": (int, 1, "Web worker processes; more than one needs PostgreSQL."),
    "CHAMPOLLION_LANGUAGES_DIR": (
        str,
        "",
        "Folder of languages' analysers and glossaries; `languages` in the state folder where empty.",
    ),
    "CHAMPOLLION_EMBEDDING_MODEL": (str, "", "Entry point of a local model for the semantic score; none where empty."),
    "CHAMPOLLION_EMBEDDING_FOLDER": (str, "", "Folder that the model loads from; nothing is ever downloaded."),
    "CHAMPOLLION_LOG_LEVEL": (str, "INFO", "Level of the log on standard error."),
}

env = environ.Env()


def read(name: str) -> object:
    """Return the value of a variable in ``VARIABLES``, typed, or its default."""
    kind, default, _ = VARIABLES[name]
    readers = {str: env.str, bool: env.bool, list: env.list, int: env.int}
    return readers[kind](name, default=default)
