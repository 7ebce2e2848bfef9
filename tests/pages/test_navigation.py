"""The top bar: each role finds what waits for it first; the registry of needs."""

import pytest
from django.contrib.auth.models import AnonymousUser

from champollion.accounts.models import InstallationRole, Membership, Organisation, Role, User
from champollion.common import needs
from champollion.pages import navigation


@pytest.fixture
def every_address(monkeypatch):
    monkeypatch.setattr(navigation, "exists", lambda path: True)


@pytest.fixture
def registry(monkeypatch):
    monkeypatch.setattr(needs, "_need_providers", [])
    monkeypatch.setattr(needs, "_count_providers", {})


def labels(user, path="/"):
    return [str(entry.label) for entry in navigation.main_navigation(user, path)]


def member(role):
    user = User.objects.create_user(f"{role}@example.org")
    organisation = Organisation.objects.create(name="Council", slug=f"council-{role}")
    Membership.objects.create(user=user, organisation=organisation, role=role)
    return user


def test_a_visitor_finds_the_leaderboard_first(every_address):
    assert labels(AnonymousUser()) == ["Leaderboard", "Corpora", "Benchmarks", "Costs", "Advisor", "Help"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("role", "first"),
    [
        (Role.SPEAKER, "Review"),
        (Role.HELPER, "Review"),
        (Role.STEWARD, "Governance"),
        (Role.COORDINATOR, "Governance"),
        (Role.CURATOR, "Corpora"),
    ],
)
def test_a_member_finds_their_own_desk_first_and_nothing_twice(every_address, registry, role, first):
    shown = labels(member(role))
    assert shown[0] == first
    assert len(shown) == len(set(shown))


@pytest.mark.django_db
def test_a_developer_finds_submit_first(every_address, registry):
    user = User.objects.create_user("developer@example.org")
    InstallationRole.objects.create(user=user, kind=InstallationRole.Kind.DEVELOPER)
    assert labels(user)[0] == "Submit"


def test_an_address_that_is_not_served_is_left_out():
    navigation.exists.cache_clear()
    assert not navigation.exists("/nothing-here/")
    assert navigation.exists("/help/")


def test_the_current_page_and_the_area_of_a_page_are_marked(every_address):
    entries = {str(e.label): e.current for e in navigation.main_navigation(AnonymousUser(), "/help/style/")}
    assert entries["Help"] == "true"
    assert entries["Leaderboard"] == ""
    here = {str(e.label): e.current for e in navigation.main_navigation(AnonymousUser(), "/help/")}
    assert here["Help"] == "page"


@pytest.mark.django_db
def test_counts_of_an_area_are_summed_and_shown_to_its_role_only(every_address, registry):
    needs.register_count("governance", lambda user: 2)
    needs.register_count("governance", lambda user: 1)
    steward = navigation.main_navigation(member(Role.STEWARD), "/")
    assert (str(steward[0].label), steward[0].count) == ("Governance", 3)
    assert all(entry.count == 0 for entry in navigation.main_navigation(AnonymousUser(), "/"))


def test_an_unknown_area_is_refused(registry):
    with pytest.raises(ValueError, match="no such area"):
        needs.register_count("kitchen", lambda user: 1)


@pytest.mark.django_db
def test_the_home_page_lists_at_most_five_needs_and_counts_the_rest(client, registry):
    row = needs.Need("Rate outputs", "Council", "about 45 min", "/review/", "Rate")
    needs.register(lambda user: [row] * 7)
    client.force_login(member(Role.SPEAKER), backend="django.contrib.auth.backends.ModelBackend")
    html = client.get("/").content.decode()
    assert html.count("about 45 min") == 5
    assert "2 more are on your desk." in html
    assert html.count("ch-button-main") == 1


@pytest.mark.django_db
def test_nothing_to_do_is_said_kindly(client, registry):
    client.force_login(member(Role.SPEAKER), backend="django.contrib.auth.backends.ModelBackend")
    assert "Nothing waits for you. Thank you." in client.get("/").content.decode()


def test_a_visitor_is_asked_for_nothing(registry):
    needs.register(lambda user: [needs.Need("a", "b", "c", "/", "d")])
    assert needs.needs_of(AnonymousUser()) == []


def test_a_provider_counts_once(registry):
    def provider(user):
        return []

    needs.register(provider)
    needs.register(provider)
    assert needs._need_providers == [provider]
