"""Addresses for speakers. An address names the campaign, by its random uid, and never a method (LAW-9)."""

from django.urls import path

from review.views import rate, speaker

urlpatterns = [
    path("review/", speaker.my_campaigns, name="my_campaigns"),
    path("review/<uuid:uid>/rate/", rate.rate, name="rate"),
    path("review/<uuid:uid>/block/", rate.block, name="block"),
    path("review/<uuid:uid>/ratings/", rate.ratings, name="ratings"),
]
