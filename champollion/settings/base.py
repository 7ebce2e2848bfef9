"""Settings shared by every installation; the other modules only override (SPEC I-6)."""

from pathlib import Path
from typing import Any

import environ
from django.utils.translation import gettext_lazy as _

from champollion.env import env, read

BASE_DIR = Path(__file__).resolve().parent.parent.parent
STATE_DIR = Path(str(read("CHAMPOLLION_STATE_DIR")) or BASE_DIR / ".state")

SECRET_KEY = str(read("CHAMPOLLION_SECRET_KEY"))
DEBUG = bool(read("CHAMPOLLION_DEBUG"))
ALLOWED_HOSTS = read("CHAMPOLLION_ALLOWED_HOSTS")
CSRF_TRUSTED_ORIGINS = read("CHAMPOLLION_CSRF_TRUSTED_ORIGINS")

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "django.forms",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "csp",
    "django_htmx",
    "rest_framework",
    "drf_spectacular",
    "champollion.common",
    "champollion.audit",
    "champollion.accounts",
    "corpora",
    "leaderboard",
    "review",
    "champollion.api",
    "champollion.pages",
    "champollion.demo",
]

MIDDLEWARE = [
    "champollion.common.middleware.RequestIdMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "champollion.common.middleware.PermissionsPolicyMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "champollion.accounts.middleware.SecondFactorMiddleware",
    "champollion.common.middleware.DomainErrorMiddleware",
]

ROOT_URLCONF = "champollion.urls"
WSGI_APPLICATION = "champollion.wsgi.application"

TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "champollion" / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "champollion.pages.context.frame",
            ],
            "builtins": ["champollion.common.templatetags.champollion"],
        },
    }
]
FORM_RENDERER = "django.forms.renderers.TemplatesSetting"

_database_url = str(read("DATABASE_URL")) or f"sqlite:///{STATE_DIR / 'champollion.sqlite3'}"
DATABASES = {"default": environ.Env.db_url_config(_database_url)}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # One writer at a time: take the lock at BEGIN, wait for it, and let readers go on (WAL).
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;",
    }
else:
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

_cache_url = str(read("CACHE_URL"))
CACHES = {
    "default": environ.Env.cache_url_config(_cache_url)
    if _cache_url
    else {"BACKEND": "django.core.cache.backends.db.DatabaseCache", "LOCATION": "django_cache"}
}

# Accounts: an e-mailed code signs a person in; nobody has a user name (SPEC S-1).
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_BY_CODE_ENABLED = True
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = "Champollion: "
ACCOUNT_ADAPTER = "champollion.accounts.adapters.AccountAdapter"
ACCOUNT_SESSION_REMEMBER = True
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
SESSION_COOKIE_AGE = 14 * 24 * 3600
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_HTTPONLY = True
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
#: The second factor of stewards and maintainers (SPEC S-1); off in the demo only, whose pages say so.
SECOND_FACTOR_REQUIRED = True

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("de", _("German"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = "UTC"
USE_TZ = True
FORMAT_MODULE_PATH = ["champollion.formats"]
USE_I18N = True

STATIC_URL = "/static/"
STATIC_ROOT = STATE_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "champollion" / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

# Uploads: a file is parsed from memory or the system's temporary folder and never stored as a file.
MAX_UPLOAD_BYTES = int(str(read("CHAMPOLLION_MAX_UPLOAD_BYTES")))
MAX_DOCUMENT_BYTES = int(str(read("CHAMPOLLION_MAX_DOCUMENT_BYTES")))
DATA_UPLOAD_MAX_MEMORY_SIZE = 10_000_000

# What languages bring to scoring beside their corpora: leaderboard.services.language_side (SPEC M-1).
LANGUAGES_DIR = Path(str(read("CHAMPOLLION_LANGUAGES_DIR")) or STATE_DIR / "languages")
EMBEDDING_MODEL = str(read("CHAMPOLLION_EMBEDDING_MODEL"))
EMBEDDING_FOLDER = str(read("CHAMPOLLION_EMBEDDING_FOLDER"))

EMAIL_CONFIG = env.email_url("EMAIL_URL", default="consolemail://")
vars().update(EMAIL_CONFIG)
DEFAULT_FROM_EMAIL = str(read("CHAMPOLLION_FROM_EMAIL"))

X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'"],
        "font-src": ["'self'"],
        "connect-src": ["'self'"],
        "manifest-src": ["'self'"],
        "worker-src": ["'self'"],
        "form-action": ["'self'"],
        "base-uri": ["'none'"],
        "frame-ancestors": ["'none'"],
    }
}

# Work for later. The Job table is the outbox: what the broker does not take now, the sweeper sends later (SPEC Q-2).
CELERY_BROKER_URL = str(read("CELERY_BROKER_URL")) or "memory://"
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_TIME_LIMIT = 3600
CELERY_TASK_SOFT_TIME_LIMIT = 3500
CELERY_TASK_PUBLISH_RETRY = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, object] = {"socket_connect_timeout": 2, "socket_timeout": 5}
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TASK_DEFAULT_QUEUE = "default"
CELERY_TASK_ROUTES: dict[str, dict[str, str]] = {"leaderboard.*": {"queue": "scoring"}, "review.*": {"queue": "review"}}
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULE = {
    "sweep-jobs": {"task": "common.sweep_jobs", "schedule": 20.0},
    "worker-heartbeat": {"task": "common.worker_heartbeat", "schedule": 20.0},
    "consider-scored-runs": {"task": "review.consider_scored_runs", "schedule": 60.0},
    "take-looks": {"task": "review.take_looks", "schedule": 60.0},
    "anchor-runs": {"task": "leaderboard.anchor_runs", "schedule": 60.0},
}

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "champollion.api.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_SCHEMA_CLASS": "champollion.api.schema.Schema",
    "DEFAULT_PAGINATION_CLASS": "champollion.api.pagination.CreatedCursorPagination",
    "EXCEPTION_HANDLER": "champollion.api.errors.problem_details",
    "DEFAULT_THROTTLE_CLASSES": [
        "champollion.api.throttles.VisitorThrottle",
        "champollion.api.throttles.PersonThrottle",
    ],
    "DEFAULT_THROTTLE_RATES": {"anon": "120/min", "user": "600/min"},
    # Visitors are told apart by the address that the connection comes from, never by a header they write themselves.
    "NUM_PROXIES": 0,
    "PAGE_SIZE": 50,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Champollion",
    "DESCRIPTION": (
        "Corpora, runs, community review and the leaderboard. Sign in with a token of the page My tokens "
        "(`Authorization: Bearer chp_…`) or in the browser. Errors are RFC 9457 problem details."
    ),
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SERVE_INCLUDE_SCHEMA": False,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "POSTPROCESSING_HOOKS": [],
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"request_id": {"()": "champollion.common.middleware.RequestIdFilter"}},
    "formatters": {
        "plain": {"format": "{asctime} {levelname} {name} [{request_id}] {message}", "style": "{"},
    },
    "handlers": {
        "stderr": {"class": "logging.StreamHandler", "formatter": "plain", "filters": ["request_id"]},
    },
    "root": {"handlers": ["stderr"], "level": str(read("CHAMPOLLION_LOG_LEVEL"))},
}

#: The demo's sign-in links and banner; on in ``champollion.settings.demo`` alone.
DEMO = False
SILENCED_SYSTEM_CHECKS: list[str] = []
