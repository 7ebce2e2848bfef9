"""Addresses for stewards and coordinators: the desk and what it leads to."""

from django.urls.resolvers import URLPattern

urlpatterns: list[URLPattern] = []
