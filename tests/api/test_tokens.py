"""Tokens: shown once, kept as a digest, refused when they end (SPEC I-4, S-1)."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from champollion.accounts.models import User
from champollion.accounts.services import organisations as acts
from champollion.api.models import ApiToken
from champollion.api.tokens import LIFETIME, TOKENS_AT_MOST, token_find, token_make, token_revoke
from champollion.audit.models import AuditEvent
from champollion.common.canonical import sha256_hex
from champollion.common.errors import DomainError, NotVisible, QuotaExceeded

pytestmark = pytest.mark.django_db


@pytest.fixture
def person() -> User:
    return User.objects.create_user("developer@tokens.example", name="developer")


def signed_in(person: User) -> Client:
    client = Client()
    client.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
    return client


def test_the_text_is_returned_once_and_only_its_digest_is_kept(person):
    token, text = token_make(user=person, name="harness")
    kept = ApiToken.objects.get()
    assert text.startswith("chp_") and len(text) > 40
    assert kept.digest == sha256_hex(text.encode()) and kept.prefix == text[:10]
    assert text not in repr(ApiToken.objects.values())
    assert token_find(text) == token


def test_each_token_is_another(person):
    assert token_make(user=person, name="a")[1] != token_make(user=person, name="a")[1]


@pytest.mark.parametrize("text", ["", "chp_", "chp_" + "x" * 43, "other", "chp_" + "x" * 200])
def test_what_was_never_made_opens_nothing(text, person):
    assert token_find(text) is None


def test_a_token_ends_by_revoking_by_time_and_with_its_person(person):
    now = timezone.now()
    token, text = token_make(user=person, name="a", now=now)
    assert token_find(text, now=now + LIFETIME - timedelta(seconds=1)) == token
    assert token_find(text, now=now + LIFETIME) is None
    other, other_text = token_make(user=person, name="b")
    token_revoke(user=person, uid=other.uid)
    assert token_find(other_text) is None
    person.is_active = False
    person.save(update_fields=["is_active"])
    assert token_find(text) is None


def test_nobody_revokes_anothers_token(person):
    token, text = token_make(user=person, name="a")
    with pytest.raises(NotVisible):
        token_revoke(user=User.objects.create_user("other@tokens.example"), uid=token.uid)
    assert token_find(text) == token


def test_a_token_needs_a_name_and_there_are_at_most_twenty(person):
    for name in ("", "   ", "x" * 81):
        with pytest.raises(DomainError):
            token_make(user=person, name=name)
    for number in range(TOKENS_AT_MOST):
        token_make(user=person, name=str(number))
    with pytest.raises(QuotaExceeded):
        token_make(user=person, name="one more")


def test_making_and_revoking_leave_a_record_without_the_text(person):
    token, text = token_make(user=person, name="a")
    token_revoke(user=person, uid=token.uid)
    token_revoke(user=person, uid=token.uid)
    records = AuditEvent.objects.filter(object_id=str(token.uid)).order_by("sequence")
    assert [record.act for record in records] == ["token.made", "token.revoked"]
    assert text not in repr(list(records.values()))


def test_the_last_use_is_noted(person):
    token, text = token_make(user=person, name="a")
    assert token.last_used_at is None
    token_find(text)
    token.refresh_from_db()
    assert token.last_used_at is not None


def test_the_page_shows_the_text_once(person):
    client = signed_in(person)
    made = client.post("/account/tokens/", {"name": "harness"})
    text = made.content.decode().split('<code id="token">')[1].split("</code>")[0]
    assert token_find(text).name == "harness"
    assert "no-store" in made.headers["Cache-Control"]
    again = client.get("/account/tokens/").content.decode()
    assert text not in again and text[:10] in again and "harness" in again


def test_the_page_says_what_is_wrong_and_keeps_the_name(person):
    response = signed_in(person).post("/account/tokens/", {"name": "x" * 81})
    assert response.status_code == 422
    assert "at most 80 characters" in response.content.decode() and not ApiToken.objects.exists()


def test_the_page_revokes(person):
    token, text = token_make(user=person, name="a")
    response = signed_in(person).post(f"/account/tokens/{token.uid}/revoke/")
    assert response.status_code == 302 and response.headers["Location"] == "/account/tokens/"
    assert token_find(text) is None
    assert signed_in(person).post(f"/account/tokens/{uuid4()}/revoke/").status_code == 404


def test_a_bad_token_is_refused_not_ignored(person):
    """Whoever sends a token means to be somebody: they are not answered as a visitor."""
    for header in ("Bearer chp_nothing", "Bearer", "Bearer a b", "bearer chp_x"):
        answer = Client(headers={"Authorization": header}).get("/api/v1/corpora/")
        assert answer.status_code == 401
        assert answer.headers["WWW-Authenticate"].startswith("Bearer")
        assert answer.headers["Content-Type"] == "application/problem+json"


def test_a_token_stands_in_for_its_person_and_needs_no_form_token(person):
    acts.installation_role_give(actor=None, user=person, kind="developer")
    _token, text = token_make(user=person, name="a")
    client = Client(enforce_csrf_checks=True, headers={"Authorization": f"Bearer {text}"})
    answer = client.post("/api/v1/runs/", {"method_name": "A method"})
    assert answer.status_code == 422 and answer.json()["problems"][0]["field"] == "document"


def test_a_token_does_not_go_round_the_second_factor(settings):
    """A token made before its person became a steward opens nothing until the second factor is set up."""
    organisation = acts.organisation_create(actor=None, name="Council", slug="council", languages=["cy"])
    person = User.objects.create_user("steward@tokens.example")
    _token, text = token_make(user=person, name="a")
    client = Client(headers={"Authorization": f"Bearer {text}"})
    settings.SECOND_FACTOR_REQUIRED = True
    assert client.get("/api/v1/corpora/").status_code == 200
    acts.role_give(actor=None, organisation=organisation, user=person, role="steward")
    refused = client.get("/api/v1/campaigns/")
    assert refused.status_code == 403 and "second factor" in refused.json()["detail"]


def test_no_token_is_made_before_the_second_factor(settings):
    organisation = acts.organisation_create(actor=None, name="Council", slug="council", languages=["cy"])
    person = User.objects.create_user("steward@tokens.example")
    acts.role_give(actor=None, organisation=organisation, user=person, role="steward")
    settings.SECOND_FACTOR_REQUIRED = True
    response = signed_in(person).post("/account/tokens/", {"name": "a"})
    assert response.status_code == 302 and response.headers["Location"] == "/account/2fa/"
    assert not ApiToken.objects.exists()
