"""Home, help, style page, error pages and the switches: what they show, and nothing inline or from elsewhere."""

import re

import pytest
from django.test import Client
from django.utils import translation

from champollion.pages import look
from champollion.pages.guides import GUIDES

pytestmark = pytest.mark.django_db

ADDRESSES = ("/", "/help/", "/help/style/", *(f"/help/{guide.slug}/" for guide in GUIDES))


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_page_has_one_main_one_h1_a_title_and_a_way_to_skip(client, address):
    answer = client.get(address)
    html = answer.content.decode()
    assert answer.status_code == 200
    assert html.count("<h1") == 1
    assert html.count("<main") == 1
    assert 'href="#main"' in html
    assert re.search(r"<title>\S.* – Champollion</title>", html)
    assert html.count('role="status"') == 1


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_page_has_nothing_inline_and_nothing_of_another_host(client, address):
    html = client.get(address).content.decode()
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=\"|javascript:", html)
    assert not re.search(r"<script(?![^>]*\bsrc=)[^>]*>", html)
    assert not re.search(r"(?:src|href|action)=\"(?:https?:)?//", html)


@pytest.mark.parametrize("address", ADDRESSES)
def test_no_id_stands_twice_and_every_reference_has_its_id(client, address):
    html = client.get(address).content.decode()
    ids = re.findall(r'\sid="([^"]+)"', html)
    assert len(ids) == len(set(ids))
    wanted = {one for found in re.findall(r'aria-(?:labelledby|describedby)="([^"]+)"', html) for one in found.split()}
    assert wanted <= set(ids)


def test_the_home_page_shows_the_flow_in_six_steps(client):
    html = client.get("/").content.decode()
    words = ["corpora", "runs", "nominated", "in review", "decided", "transferred"]
    assert html.count('class="ch-flow-step"') == 6
    places = [html.index(f"<span>{word}</span>") for word in words]
    assert places == sorted(places)


def test_the_home_page_says_that_no_corpus_is_here_yet(client):
    assert "No corpus is here yet." in client.get("/").content.decode()


def test_an_unknown_guide_is_not_found_in_plain_words(client):
    answer = client.get("/help/nobody/")
    assert answer.status_code == 404
    assert "There is no page at this address" in answer.content.decode()


def test_the_page_of_a_breakdown_needs_neither_request_nor_database(django_assert_num_queries):
    from django.template.loader import render_to_string

    with django_assert_num_queries(0):
        html = render_to_string("500.html")
    assert "What you had saved before is kept." in html


@pytest.mark.parametrize("theme", look.THEMES)
def test_a_theme_is_kept_and_sent_with_the_first_byte(client, theme):
    answer = client.post("/look/", {"theme": theme, "next": "/help/"})
    assert (answer.status_code, answer.url) == (302, "/help/")
    assert f'data-theme="{theme}"' in client.get("/").content.decode()


@pytest.mark.parametrize("size", look.TEXT_SIZES)
def test_a_text_size_is_kept(client, size):
    client.post("/look/", {"text_size": size})
    assert f'data-text-size="{size}"' in client.get("/").content.decode()


def test_an_unknown_theme_changes_nothing(client):
    answer = client.post("/look/", {"theme": '"><script>'})
    assert look.THEME_COOKIE not in answer.cookies
    client.cookies[look.THEME_COOKIE] = "neon"
    assert 'data-theme="device"' in client.get("/").content.decode()


@pytest.mark.parametrize("target", ["https://elsewhere.example/", "//elsewhere.example", "javascript:alert(1)"])
def test_the_switch_never_leads_to_another_host(client, target):
    assert client.post("/look/", {"theme": "dark", "next": target}).url == "/"


def test_the_switch_takes_posts_with_a_token_only(client):
    assert client.get("/look/").status_code == 405
    assert Client(enforce_csrf_checks=True).post("/look/", {"theme": "dark"}).status_code == 403


def test_the_language_is_switched_and_the_page_says_its_own(client):
    with translation.override("en"):  # the middleware activates German for the thread, beyond the request
        client.post("/i18n/setlang/", {"language": "de", "next": "/"})
        assert '<html lang="de" dir="ltr"' in client.get("/").content.decode()


def test_a_date_is_written_the_british_way():
    from datetime import date

    from django.utils.formats import date_format

    with translation.override("en"):
        assert date_format(date(2026, 11, 24)) == "24 November 2026"
    with translation.override("de"):
        assert date_format(date(2026, 11, 24)) == "24. November 2026"


def test_a_pages_own_variables_do_not_hide_those_of_the_frame(rf):
    from django.template.loader import render_to_string

    from champollion.pages.context import frame

    request = rf.get("/help/")
    html = render_to_string("403.html", {"version": "of a corpus", "theme": "x", **frame(request)}, request=request)
    assert "Champollion 0.1.0, Apache-2.0" in html
    assert 'data-theme="device"' in html


@pytest.mark.parametrize("address", ["/account/login/", "/account/signup/"])
def test_the_sign_in_pages_have_the_whole_frame_and_no_placeholder_for_a_label(client, address):
    html = client.get(address).content.decode()
    assert 'href="/leaderboard/"' in html
    assert "Champollion 0.1.0, Apache-2.0" in html
    assert 'data-theme="device"' in html
    assert "placeholder" not in html
    assert html.count("ch-button-main") == 1


def test_a_language_on_the_home_page_leads_to_the_board_of_its_pair(client):
    from tests.leaderboard.stage import stage_make

    stage_make().corpus()
    html = client.get("/").content.decode()
    assert 'href="/leaderboard/en--cy/">' in html
    assert "Cymraeg" in html
    assert "English to Welsh" in html
