"""A real installation. Refuses to start half configured (SPEC I-6)."""

from django.core.exceptions import ImproperlyConfigured

from .base import *

if not SECRET_KEY:
    raise ImproperlyConfigured("Set CHAMPOLLION_SECRET_KEY to a long random value.")
if DEBUG:
    raise ImproperlyConfigured("CHAMPOLLION_DEBUG must be off in production.")
if DATABASES["default"]["ENGINE"].endswith("sqlite3") and int(str(read("CHAMPOLLION_WEB_PROCESSES"))) > 1:
    raise ImproperlyConfigured("SQLite serves one web process; set CHAMPOLLION_WEB_PROCESSES=1 or use PostgreSQL.")
if CELERY_BROKER_URL == "memory://":
    raise ImproperlyConfigured("Set CELERY_BROKER_URL, for example redis://127.0.0.1:6379/0.")

SECURE_SSL_REDIRECT = True
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SECURE_HSTS_SECONDS = 31_536_000
SECURE_HSTS_INCLUDE_SUBDOMAINS = True
SECURE_HSTS_PRELOAD = True
SESSION_COOKIE_SECURE = True
CSRF_COOKIE_SECURE = True
SESSION_COOKIE_NAME = "__Host-session"
CSRF_COOKIE_NAME = "__Host-csrf"
#: The proxy in front adds the visitor's address to X-Forwarded-For; only its entry counts.
REST_FRAMEWORK = {**REST_FRAMEWORK, "NUM_PROXIES": 1}
# The limits of the sign-in count by visitor too, not all visitors behind the proxy as one.
ALLAUTH_TRUSTED_PROXY_COUNT = 1
