"""Addresses of this part (SPEC I-3)."""

from django.urls.resolvers import URLPattern

urlpatterns: list[URLPattern] = []
