"""Every address of the installation (SPEC I-3)."""

from django.conf import settings
from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("", include("champollion.pages.urls")),
    path("", include("champollion.common.urls")),
    path("corpora/", include("corpora.urls")),
    path("", include("leaderboard.urls")),
    path("", include("review.urls")),
    path("account/", include("champollion.accounts.urls")),
    path("account/tokens/", include("champollion.api.account_urls")),
    path("account/", include("allauth.urls")),
    path("api/", include("champollion.api.urls")),
    path("i18n/", include("django.conf.urls.i18n")),
    path("admin/", admin.site.urls),
]
if settings.DEMO:
    urlpatterns.append(path("demo/", include("champollion.demo.urls")))
