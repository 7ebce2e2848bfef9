"""The page of one's tokens, among the other pages of the account."""

from django.urls import path

from champollion.api.views import tokens

app_name = "tokens"
urlpatterns = [
    path("", tokens.tokens, name="list"),
    path("<uuid:uid>/revoke/", tokens.revoke, name="revoke"),
]
