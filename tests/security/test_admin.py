"""The admin is for repair: people, organisations and roles, nothing else, even to read (SPEC I-3)."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.contrib import admin

from champollion.accounts.models import Membership, Organisation, User
from champollion.audit.models import AuditEvent

from .world import marks_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def maintainer(world) -> User:
    user = User.objects.get(pk=world.person("maintainer").pk)
    user.is_staff = user.is_superuser = True
    user.save(update_fields=["is_staff", "is_superuser"])
    return user


def test_people_organisations_and_roles_alone_are_registered():
    assert set(admin.site._registry) == {User, Organisation, Membership}


def test_nothing_secret_no_rating_decision_promotion_or_audit_row_is_registered():
    ours = {"corpora", "leaderboard", "review", "audit", "common", "api", "mfa", "account", "sessions"}
    assert {model._meta.app_label for model in admin.site._registry} & ours == set()
    assert {app.label for app in apps.get_app_configs()} >= ours - {"sessions"}


def test_signing_in_goes_through_the_sites_own_sign_in(client):
    response = client.get("/admin/login/")
    assert response.status_code == 302 and response.headers["Location"].startswith("/account/login/")
    refused = client.post("/admin/login/", {"username": "a@b.example", "password": "x"})
    assert refused.status_code == 302 and refused.headers["Location"].startswith("/account/login/")


def test_a_maintainer_without_the_operators_leave_does_not_enter(world, client_of):
    response = client_of(world.person("maintainer", "other")).get("/admin/")
    assert response.status_code == 302
    assert client_of(world.person("maintainer", "other")).get("/admin/login/").status_code == 403


def test_whoever_may_enter_needs_a_second_factor(world, client_of, maintainer, settings):
    settings.SECOND_FACTOR_REQUIRED = True
    response = client_of(maintainer).get("/admin/")
    assert response.status_code == 302 and response.headers["Location"] == "/account/2fa/"


def test_no_page_of_the_admin_holds_secret_text(world, client_of, maintainer):
    client = client_of(maintainer)
    own = world.person("speaker")
    for address in (
        "/admin/", "/admin/accounts/", "/admin/accounts/user/", f"/admin/accounts/user/{own.pk}/change/",
        f"/admin/accounts/user/{own.pk}/history/", "/admin/accounts/organisation/", "/admin/accounts/membership/add/",
        f"/admin/accounts/organisation/{world.own.pk}/change/",
    ):  # fmt: skip
        response = client.get(address)
        assert response.status_code == 200, address
        assert marks_in(response.content.decode()) == []


def test_a_role_given_in_the_admin_leaves_its_record(world, client_of, maintainer):
    user = world.person("developer", "other")
    form = {"organisation": world.own.pk, "user": user.pk, "role": "helper"}
    response = client_of(maintainer).post("/admin/accounts/membership/add/", form)
    assert response.status_code == 302
    membership = Membership.objects.get(user=user, organisation=world.own)
    given = AuditEvent.objects.filter(act="role.given", chain="organisation:own").latest("sequence")
    assert (given.actor, given.object_id, given.details) == (str(maintainer.uid), str(user.uid), {"role": "helper"})

    response = client_of(maintainer).post(f"/admin/accounts/membership/{membership.pk}/delete/", {"post": "yes"})
    assert response.status_code == 302
    assert not Membership.objects.filter(pk=membership.pk).exists()
    assert AuditEvent.objects.filter(act="role.taken", chain="organisation:own", object_id=str(user.uid)).exists()


def test_a_repaired_organisation_leaves_its_record_and_keeps_its_quorum(world, client_of, maintainer):
    client = client_of(maintainer)
    response = client.post(f"/admin/accounts/organisation/{world.own.pk}/change/", {"name": "New name", "quorum": "9"})
    assert response.status_code == 302
    world.own.refresh_from_db()
    assert (world.own.name, world.own.quorum) == ("New name", 2)
    record = AuditEvent.objects.filter(act="organisation.changed").latest("pk")
    assert record.details == {"changed": ["name"], "way": "admin"}


@pytest.mark.parametrize("address", ["user/add/", "organisation/add/"])
def test_nothing_is_made_in_the_admin_but_roles(address, world, client_of, maintainer):
    assert client_of(maintainer).get(f"/admin/accounts/{address}").status_code == 403


def test_nobody_is_deleted_or_made_a_superuser_in_the_admin(world, client_of, maintainer):
    user, client = world.person("helper"), client_of(maintainer)
    assert client.post(f"/admin/accounts/user/{user.pk}/delete/", {"post": "yes"}).status_code == 403
    form = {"email": user.email, "name": "Renamed", "is_active": "on", "is_staff": "on", "is_superuser": "on"}
    assert client.post(f"/admin/accounts/user/{user.pk}/change/", form).status_code == 302
    user.refresh_from_db()
    assert (user.name, user.is_staff, user.is_superuser) == ("Renamed", False, False)
