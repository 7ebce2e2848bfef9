"""The pages of corpora: who sees what, what is hidden, what is recorded."""

import hashlib
import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from champollion.accounts.models import Role
from champollion.audit.models import AuditEvent
from corpora.models import Corpus, CorpusVersion
from corpora.selectors import segments_by_difficulty

from .conftest import SECRET_SOURCE
from .files import PAIRS, document, entry

VERSION_PAGE = "/corpora/django-gl/1.0/"
ENTRIES_PAGE = "/corpora/django-gl/1.0/entries/"
SECRET_ENTRIES = ENTRIES_PAGE + "?segment=held_out"


def _text(response):
    return b"".join(response.streaming_content if response.streaming else [response.content]).decode()


def test_the_list_is_for_all_and_says_what_to_do_when_empty(client, db):
    response = client.get("/corpora/")
    assert response.status_code == 200
    assert "There is no corpus here yet." in _text(response)


def test_the_list_shows_each_corpus_with_its_newest_version(client, mixed, store):
    store(document(version="1.1"))
    text = _text(client.get("/corpora/"))
    assert "/corpora/django-gl/1.1/" in text
    assert "/corpora/django-gl/1.0/" not in text
    assert "Galician council" in text


def test_the_list_takes_the_same_queries_for_one_and_for_many(client, store, django_assert_num_queries):
    store(document(id="corpus-0"))
    with django_assert_num_queries(3):
        client.get("/corpora/")
    for number in range(1, 6):
        store(document(id=f"corpus-{number}"))
    with django_assert_num_queries(3):
        client.get("/corpora/")


def test_the_version_page_shows_counts_digests_and_attestation(client, mixed):
    text = _text(client.get(VERSION_PAGE))
    assert mixed.sha256 in text
    assert mixed.public_sha256 in text
    assert "attested by Curator of the council" in text
    for label in ("development", "diagnostic", "gold standard", "held out"):
        assert label in text


@pytest.mark.parametrize(
    "path", ["/corpora/nothing/", "/corpora/nothing/1.0/", "/corpora/django-gl/9.9/", "/corpora/django-gl/9.9/entries/"]
)
def test_unknown_corpora_are_not_found(client, mixed, path):
    assert client.get(path).status_code == 404


def test_the_address_of_a_corpus_leads_to_its_newest_version(client, mixed):
    assert client.get("/corpora/django-gl/").headers["Location"] == VERSION_PAGE


def test_small_counts_of_secret_segments_are_hidden_from_strangers(client, mixed, curator):
    assert "&lt;5" in _text(client.get(VERSION_PAGE))
    client.force_login(curator)
    assert "&lt;5" not in _text(client.get(VERSION_PAGE))


def test_no_total_gives_a_small_segment_away(client, custodian, store, steward):
    gold = [entry(1, id=number, segment="gold_standard") for number in range(6)]
    store(document(*gold, entry(2, id="h", segment="held_out")))
    assert client.get("/corpora/").context["listed"][0].secret_count.count is None
    assert "7 entries" not in _text(client.get(VERSION_PAGE))
    client.force_login(steward)
    assert "7 entries" in _text(client.get(VERSION_PAGE))


def test_counts_hide_what_would_follow_by_subtraction(custodian, store):
    levels = [1] * 6 + [2] * 9 + [3] * 7 + [4] * 8 + [5] * 2
    entries = [
        entry(number, source=f"{PAIRS[0][0]} {number}", segment="gold_standard", difficulty=level)
        for number, level in enumerate(levels, start=1)
    ]
    version = store(document(*entries))
    row = segments_by_difficulty(version, may_read=False).rows[2]
    assert row.total.count == 32
    assert [cell.count for cell in row.cells] == [None, 9, 7, 8, None]
    assert [cell.count for cell in segments_by_difficulty(version, may_read=True).rows[2].cells] == [6, 9, 7, 8, 2]


@pytest.mark.parametrize(
    "path", ["/corpora/", VERSION_PAGE, ENTRIES_PAGE, SECRET_ENTRIES, "/corpora/django-gl/1.0/public.json"]
)
@pytest.mark.parametrize("role", [None, "stranger", Role.COORDINATOR, Role.SPEAKER, Role.HELPER])
def test_secret_text_reaches_nobody_without_the_right(client, mixed, person, organisation, path, role):
    if role is not None:
        client.force_login(person("p@else.example", organisation if role != "stranger" else None, role))
    response = client.get(path)
    assert response.status_code == 200
    assert SECRET_SOURCE not in _text(response)
    assert not AuditEvent.objects.filter(act="secret.read").exists()


@pytest.mark.parametrize("who", ["curator", "steward"])
def test_stewards_and_curators_read_secret_entries_and_each_read_is_recorded(client, mixed, request, who):
    reader = request.getfixturevalue(who)
    client.force_login(reader)
    response = client.get(SECRET_ENTRIES)
    assert SECRET_SOURCE in _text(response)
    assert "no-store" in response.headers["Cache-Control"]
    event = AuditEvent.objects.get(act="secret.read")
    assert (event.actor, event.details["entries"]) == (str(reader.uid), 1)
    assert SECRET_SOURCE not in json.dumps(event.details)


def test_a_member_with_the_reading_right_reads_and_is_recorded(client, mixed, person, organisation):
    member = person("speaker@galician.example", organisation, Role.SPEAKER)
    member.memberships.update(may_read_secret=True)
    client.force_login(member)
    assert SECRET_SOURCE in _text(client.get(SECRET_ENTRIES))
    assert AuditEvent.objects.get(act="secret.read").actor == str(member.uid)


def test_public_pages_of_a_steward_are_no_secret_read(client, mixed, steward):
    client.force_login(steward)
    assert SECRET_SOURCE not in _text(client.get(ENTRIES_PAGE))
    assert SECRET_SOURCE not in _text(client.get(VERSION_PAGE))
    assert not AuditEvent.objects.filter(act="secret.read").exists()


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", {"1", "b", "3", "4"}),
        ("q=site", {"b"}),
        ("q=SITIO", {"b"}),
        ("q=b", {"1", "b"}),  # in “objects”, and the id itself
        ("segment=diagnostic", {"3"}),
        ("difficulty=2", {"b"}),
        ("domain=ui&register=formal", {"b", "4"}),
        ("provenance=corpus", {"1", "b", "3", "4"}),
        ("phenomenon=negat", {"3"}),
        ("difficulty=9", {"1", "b", "3", "4"}),
        ("segment=gold_standard", {"1", "b", "3", "4"}),
        ("domain=edu", set()),
    ],
)
def test_public_entries_are_filtered_by_every_field(client, mixed, query, found):
    response = client.get(f"{ENTRIES_PAGE}?{query}")
    assert {row["entry"].entry_id for row in response.context["rows"]} == found


def test_entries_come_in_pages_with_the_same_number_of_queries(client, store, django_assert_max_num_queries):
    entries = [entry(number, source=f"{PAIRS[0][0]} {number}") for number in range(1, 121)]
    store(document(*entries))
    with django_assert_max_num_queries(8):
        response = client.get(ENTRIES_PAGE + "?domain=ui&page=2")
    assert [row["entry"].entry_id for row in response.context["rows"]] == [str(number) for number in range(51, 101)]
    assert "?domain=ui&amp;page=3" in _text(response)
    assert len(client.get(ENTRIES_PAGE + "?page=99").context["rows"]) == 20


def test_corpus_text_carries_its_language_and_hostile_text_is_harmless(client, store):
    hostile = entry(
        1, source="<script>alert(1)</script>", provenance={"source_name": "x", "url": "javascript:alert(1)"}
    )
    store(document(hostile))
    text = _text(client.get(ENTRIES_PAGE))
    assert "<script>alert" not in text
    assert "javascript:" not in text
    assert 'lang="gl"' in text


def test_the_public_edition_is_the_file_of_its_digest(client, mixed):
    response = client.get("/corpora/django-gl/1.0/public.json")
    data = b"".join(response.streaming_content)
    assert hashlib.sha256(data).hexdigest() == mixed.public_sha256
    assert [one["id"] for one in json.loads(data)["entries"]] == [1, "b", 3, 4]
    again = client.get("/corpora/django-gl/1.0/public.json", headers={"If-None-Match": response.headers["ETag"]})
    assert again.status_code == 304


def test_differences_of_secret_segments_are_for_those_who_may_read(client, mixed, custodian, store, steward):
    store(
        document(
            entry(1),
            entry(2, id="b"),
            entry(5, segment="gold_standard"),
            entry(6, segment="gold_standard"),
            version="1.1",
        )
    )
    public = client.get("/corpora/django-gl/1.1/").context["differences"]
    assert public.named == {"added": [], "removed": ["3", "4"], "changed": ["b"], "moved": []}
    client.force_login(steward)
    every = client.get("/corpora/django-gl/1.1/").context["differences"]
    assert every.named == {"added": [], "removed": ["3", "4"], "changed": ["b", "6"], "moved": ["6"]}


def test_a_withdrawn_version_keeps_its_page_and_loses_its_texts(client, mixed):
    CorpusVersion.objects.filter(pk=mixed.pk).update(status=CorpusVersion.Status.WITHDRAWN)
    assert "Withdrawn by the organisation." in _text(client.get(VERSION_PAGE))
    assert client.get(ENTRIES_PAGE).status_code == 404
    assert client.get("/corpora/django-gl/1.0/public.json").status_code == 404
    assert client.get("/corpora/django-gl/").status_code == 404


def _upload(client, value, button="publish", **fields):
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    file = SimpleUploadedFile("corpus.json", data, content_type="application/json")
    given = {"organisation": "galician", "attested": "on", button: "1", **fields}
    return client.post("/corpora/new/", {**given, "file": file})


def test_the_upload_is_for_curators(client, person, organisation, steward, curator):
    assert client.get("/corpora/new/").status_code == 302
    client.force_login(steward)
    assert client.get("/corpora/new/").status_code == 403
    client.force_login(curator)
    response = client.get("/corpora/new/")
    assert response.status_code == 200
    assert "back translation · " in _text(response)  # the list of refused words is published


def test_a_curator_uploads_a_corpus(client, curator):
    client.force_login(curator)
    response = _upload(client, document(entry(1), entry(2)))
    assert (response.status_code, response.headers["Location"]) == (302, VERSION_PAGE)
    assert "django-gl 1.0 is stored, with 2 entries." in _text(client.get(VERSION_PAGE))
    assert CorpusVersion.objects.get().attested_by_name == curator.display_name
    _upload(client, document(entry(1), entry(2)))
    assert "is here already, with the same content" in _text(client.get(VERSION_PAGE))


def test_errors_and_warnings_of_a_file_are_shown_in_tables_and_nothing_is_stored(client, curator):
    client.force_login(curator)
    response = _upload(client, document(entry(1, difficulty=7), entry(2, domain="general", reference="")))
    text = _text(response)
    assert response.status_code == 422
    assert "Nothing was stored: 3 things to put right" in text
    assert "entry 2" in text
    assert "Use a whole number from 1 to 5, without quotes." in text
    assert "which do not stop it" in text
    assert "no-store" in response.headers["Cache-Control"]
    assert not Corpus.objects.exists()


def test_a_check_stores_nothing_and_needs_no_attestation(client, curator):
    client.force_login(curator)
    response = _upload(client, document(entry(1), entry(2)), button="check", attested="")
    assert response.status_code == 200
    assert "2 entries were checked and are right" in _text(response)
    assert not Corpus.objects.exists()


def test_what_the_file_does_not_say_is_given_in_the_form(client, curator):
    client.force_login(curator)
    fields = {"id": "given", "version": "2.0", "source_language": "en", "target_language": "gl", "license": "MIT"}
    bare = [entry(1, segment=None, domain=None)]
    assert "--created" in _text(_upload(client, bare, **fields))
    _upload(client, bare, **fields, created="2026-06-07", segment="diagnostic", domain="edu")
    stored = CorpusVersion.objects.get().entries.get()
    assert (stored.segment, stored.domain, stored.version.corpus.corpus_id) == ("diagnostic", "edu", "given")


def test_publishing_without_attestation_is_refused(client, curator):
    client.force_login(curator)
    response = _upload(client, document(), attested="")
    assert response.status_code == 422
    assert "Machine-made references are not taken." in _text(response)
    assert not Corpus.objects.exists()


def test_a_refusal_of_the_service_is_shown_in_the_form(client, curator):
    client.force_login(curator)
    response = _upload(client, document(entry(1, segment="gold_standard")))
    assert response.status_code == 422
    assert "Only an organisation recorded as key custodian" in _text(response)


def test_a_curator_of_another_organisation_cannot_choose_this_one(client, curator, person):
    from champollion.accounts.services.organisations import organisation_create

    other = organisation_create(actor=None, name="Other", slug="other", languages=["cy"])
    client.force_login(person("c@other.example", other, Role.CURATOR))
    assert _upload(client, document()).status_code == 422
    assert not Corpus.objects.exists()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("2023-12-04", "4 December 2023"),
        ("2023-12-04T10:11:12Z", "4 December 2023"),
        ("in spring 2023", "in spring 2023"),
        ("2023-13-45", "2023-13-45"),
    ],
)
def test_the_day_of_a_file_is_shown_as_a_day(given, said):
    from corpora.views.corpora import _day_or_words

    assert _day_or_words(given) == said
