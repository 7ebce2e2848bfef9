"""Addresses of this part (SPEC Q-2)."""

from django.urls import path

from champollion.common import views

urlpatterns = [
    path("healthz", views.healthz, name="healthz"),
    path("readyz", views.readyz, name="readyz"),
]
