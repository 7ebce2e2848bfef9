"""Addresses that exist in the demo only."""

from django.urls import path

from champollion.demo import views

app_name = "demo"
urlpatterns = [path("sign-in/<str:token>/", views.sign_in, name="sign_in")]
