"""Headers of every page, nothing from another host, nothing inline, and hostile text that stays text (SPEC Q-3)."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path
from uuid import uuid4

import pytest

from champollion.accounts.models import User
from corpora.formats import ReadOptions
from corpora.services.imports import Attestation, corpus_import
from corpora.services.problems import CorpusProblems

from . import matrix
from .addresses import address_of, values_of
from .test_access_matrix import call
from .world import corpus_value, entry_value

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parents[2]

LOADING = {"src", "srcset", "poster", "data", "action", "formaction", "background", "hx-get", "hx-post"}
BIDI_OVERRIDES = "\u202d\u202e"


class Page(HTMLParser):
    """What a page loads, what it runs inline, and where it leads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.inline: list[str] = []
        self.loaded: list[str] = []
        self.is_script = False
        self.scripts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attributes}
        self.inline += [f"{tag} {name}" for name in given if name.startswith("on") or name == "style"]
        self.loaded += [value for name, value in given.items() if name in LOADING]
        if tag in ("link", "use", "image"):
            self.loaded += [given[name] for name in ("href", "xlink:href") if name in given]
        self.is_script = tag in ("script", "style") and "src" not in given
        if tag == "script" and self.is_script and given.get("type") in ("application/json", "text/plain"):
            self.is_script = False
        if tag == "style":
            self.inline.append("style element")
        if tag in ("iframe", "object", "embed", "base"):
            self.inline.append(tag)

    def handle_data(self, text: str) -> None:
        if self.is_script and text.strip():
            self.scripts.append(text.strip())

    def handle_endtag(self, tag: str) -> None:
        self.is_script = False


@pytest.fixture
def answers(world, client_of):
    """Every page of ours, as the person who sees most of it."""
    values = values_of(world)
    roles = ("speaker", "steward", "developer")
    people = [None, *(world.person(role) for role in roles)]
    clients = [client_of(person) for person in people]

    def all_answers():
        for row in matrix.ROWS:
            if row.pattern.startswith("admin/"):
                continue
            address = address_of(row.pattern, row.values, values)
            for client in clients:
                yield address, call(client, "get", address, row, values)

    return all_answers


def is_html(response) -> bool:
    return response.headers.get("Content-Type", "").startswith("text/html")


def test_every_answer_has_the_strict_policy_and_the_other_headers(answers):
    seen, kinds = 0, set()
    for address, response in answers():
        policy = response.headers.get("Content-Security-Policy", "")
        kinds.add(response.status_code)
        for wanted in (
            "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'",
            "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
        ):  # fmt: skip
            assert wanted in policy, (address, wanted, policy)
        assert "unsafe" not in policy and "http" not in policy and "*" not in policy and "data:" not in policy, address
        assert response.headers["X-Content-Type-Options"] == "nosniff", address
        assert response.headers["X-Frame-Options"] == "DENY", address
        assert response.headers["Referrer-Policy"] == "same-origin", address
        assert response.headers["Cross-Origin-Opener-Policy"] == "same-origin", address
        assert "camera=()" in response.headers["Permissions-Policy"], address
        assert re.fullmatch("[0-9a-f]{12}", response.headers["X-Request-ID"]), address
        seen += 1
    assert seen > 200 and {200, 302, 403, 404} <= kinds


def test_no_page_loads_from_another_host_or_holds_inline_code(answers):
    pages = 0
    for address, response in answers():
        if not is_html(response) or response.status_code == 302:
            continue
        page = Page(response.content.decode())
        assert page.inline == [], address
        assert page.scripts == [], (address, page.scripts)
        outside = [url for url in page.loaded if re.match(r"^\s*(\w+:|//)", url)]
        assert outside == [], (address, outside)
        pages += 1
    assert pages > 100


def test_the_admin_holds_to_the_policy_too(world, client_of):
    maintainer = User.objects.get(pk=world.person("maintainer").pk)
    maintainer.is_staff = maintainer.is_superuser = True
    maintainer.save(update_fields=["is_staff", "is_superuser"])
    client = client_of(maintainer)
    for address in ("/admin/", "/admin/accounts/user/", f"/admin/accounts/user/{maintainer.pk}/change/"):
        response = client.get(address)
        page = Page(response.content.decode())
        assert response.status_code == 200
        assert page.scripts == [] and [url for url in page.loaded if re.match(r"^\s*(\w+:|//)", url)] == []
        assert "unsafe" not in response.headers["Content-Security-Policy"]


def test_styles_and_scripts_of_ours_load_nothing_from_elsewhere():
    files = [path for kind in ("css", "js") for path in (ROOT / "champollion/static").rglob(f"*.{kind}")]
    assert files
    for path in files:
        text = path.read_text()
        assert re.findall(r"(?:url\(|@import|fetch\(|importScripts\()\s*['\"]?(?:https?:)?//", text) == [], path


HOSTILE = [
    "<script>alert('boese')</script>",
    '"><img src=x onerror=boese()>',
    "{{ 7|add:7 }}{% debug %}",
    "javascript:boese()",
    "W" * 9_900,
    "\u200b\u200d\u2060\ufeffunsichtbar",
    "e" + "\u0301" * 500,
    "\u2067\u0627\u0644\u2069 \u200e\u200f",
]


def hostile_corpus() -> dict:
    value = corpus_value("hostile-en-cy", "cy", marks=False)
    value["entries"] = [
        {**entry_value(n, "development", "cy"), "source": f"{text} source", "reference": f"{text} reference",
         "notes": text[:500], "provenance": {"name": text[:150], "url": "javascript:boese()", "license": text[:50]}}
        for n, text in enumerate(HOSTILE, start=1)
    ]  # fmt: skip
    return value


def stored(world, value):
    return corpus_import(
        actor=world.person("curator"),
        organisation=world.own,
        stream=BytesIO(json.dumps(value, ensure_ascii=False).encode()),
        filename="hostile.json",
        options=ReadOptions(),
        attestation=Attestation("<script>alert('boese')</script>"),
    )


def test_hostile_text_stays_text(world, client_of):
    stored(world, hostile_corpus())
    for address in ("/corpora/hostile-en-cy/1.0/entries/", "/corpora/hostile-en-cy/1.0/", "/corpora/"):
        for person in (None, world.person("curator")):
            response = client_of(person).get(address)
            text, page = response.content.decode(), Page(response.content.decode())
            assert response.status_code == 200
            assert "<script>alert" not in text and "<img src=x" not in text
            assert page.scripts == [] and page.inline == []
            assert not re.search(r'href="\s*javascript:', text)
            assert "{{ 7|add:7 }}" in text or "entries" not in address
            assert not any(sign in text for sign in BIDI_OVERRIDES)


def test_hostile_text_is_data_to_the_api(world, client_of):
    version = stored(world, hostile_corpus())
    response = client_of().get("/api/v1/entries/", {"version": str(version.uid)})
    assert response.headers["Content-Type"] == "application/json"
    assert [entry["source"] for entry in response.json()["results"]] == [f"{text} source" for text in HOSTILE]


@pytest.mark.parametrize("sign", ["\u202d", "\u202e", "\u202a", "\x00", "\x1b"])
def test_signs_that_turn_text_around_are_refused(sign, world):
    value = corpus_value("turned-en-cy", "cy", marks=False)
    value["entries"][0]["source"] = f"a {sign} b"
    with pytest.raises(CorpusProblems):
        stored(world, value)


def test_hostile_names_and_searches_stay_text(world, client_of):
    speaker = User.objects.get(pk=world.person("speaker").pk)
    speaker.name = "<script>alert('boese')</script>"
    speaker.save(update_fields=["name"])
    hostile = {"q": "<script>alert('boese')</script>", "act": '"><script>', "who": "<script>", "segment": "<script>"}
    for address in ("/", "/corpora/own-en-cy/1.0/entries/", "/review/", "/governance/audit/", "/leaderboard/en--cy/",
                    "/account/tokens/"):  # fmt: skip
        for person in (speaker, world.person("steward")):
            response = client_of(person).get(address, hostile)
            assert response.status_code < 500
            assert "<script>alert" not in response.content.decode() and '"><script>' not in response.content.decode()


def test_an_address_cannot_lead_away(client_of):
    """Nobody is sent to another host by a link that looks like ours."""
    client = client_of()
    for address, field in (("/look/", "next"), ("/i18n/setlang/", "next")):
        response = client.post(address, {field: "https://elsewhere.example/", "theme": "dark", "language": "de"})
        assert response.status_code == 302 and response.headers["Location"] == "/"


def test_cookies_are_not_for_scripts_or_other_sites(world, client_of):
    form = {"act": "rate", "item": str(world.marked_item.uid), "key": str(uuid4()), "grade": "3"}
    session = client_of().post(f"/review/{world.open.uid}/ratings/", form).cookies["sessionid"]
    assert session["httponly"] and session["samesite"] == "Lax"
    look = client_of().post("/look/", {"theme": "dark"}).cookies["ch_theme"]
    assert look["httponly"] and look["samesite"] == "Lax"


@pytest.fixture
def production_environment() -> dict[str, str]:
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith(("CHAMPOLLION_", "DATABASE_"))},
        "DJANGO_SETTINGS_MODULE": "champollion.settings.production",
        "CHAMPOLLION_SECRET_KEY": "k7" * 40 + "a1b2c3d4e5f6g7h8",
        "CHAMPOLLION_ALLOWED_HOSTS": "champollion.example",
        "DATABASE_URL": "postgres://champollion@127.0.0.1/champollion",
        "CELERY_BROKER_URL": "redis://127.0.0.1:6379/0",
        "CACHE_URL": "redis://127.0.0.1:6379/1",
    }


def run_check(environment: dict[str, str]) -> subprocess.CompletedProcess:
    command = [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120)


def test_the_deployment_check_is_clean(production_environment):
    # The browser tests of the same process switch this on; an installation never does.
    clean = {key: value for key, value in production_environment.items() if key != "DJANGO_ALLOW_ASYNC_UNSAFE"}
    done = run_check(clean)
    assert done.returncode == 0, done.stderr
    assert "no issues" in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("CHAMPOLLION_SECRET_KEY", "", "CHAMPOLLION_SECRET_KEY"),
        ("CHAMPOLLION_DEBUG", "true", "CHAMPOLLION_DEBUG"),
        ("CELERY_BROKER_URL", "", "CELERY_BROKER_URL"),
    ],
)
def test_production_refuses_to_start_half_configured(name, value, told, production_environment):
    done = run_check({**production_environment, name: value})
    assert done.returncode != 0 and told in done.stderr


def test_production_cookies_and_transport(production_environment):
    code = (
        "import django; django.setup(); from django.conf import settings as s; print(s.SESSION_COOKIE_SECURE, "
        "s.CSRF_COOKIE_SECURE, s.SESSION_COOKIE_NAME, s.SECURE_HSTS_SECONDS >= 31536000, s.SECURE_SSL_REDIRECT, "
        "s.SECOND_FACTOR_REQUIRED, s.DEMO, s.DEBUG, s.REST_FRAMEWORK['NUM_PROXIES'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=production_environment, capture_output=True, text=True, timeout=120
    )
    assert done.stdout.split() == ["True", "True", "__Host-session", "True", "True", "True", "False", "False", "1"]
