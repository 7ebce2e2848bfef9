"""Home, help and the switches of how pages look (SPEC I-3)."""

from django.urls import path

from champollion.pages import views

app_name = "pages"
urlpatterns = [
    path("", views.home, name="home"),
    path("help/", views.help_index, name="help"),
    path("help/style/", views.style, name="style"),
    path("help/<slug:slug>/", views.help_guide, name="guide"),
    path("look/", views.look_change, name="look"),
]
