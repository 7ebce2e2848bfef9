"""Addresses of corpora (SPEC I-3)."""

from django.urls import path

from corpora.views import corpora, entries, uploads

app_name = "corpora"
urlpatterns = [
    path("", corpora.corpus_list, name="list"),
    path("new/", uploads.corpus_new, name="new"),
    path("<str:corpus_id>/", corpora.corpus_newest, name="newest"),
    path("<str:corpus_id>/<str:version>/", corpora.version_detail, name="version"),
    path("<str:corpus_id>/<str:version>/entries/", entries.entry_list, name="entries"),
    path("<str:corpus_id>/<str:version>/public.json", corpora.public_download, name="public"),
]
