"""Addresses of this part (SPEC I-3): what speakers see, and what stewards and coordinators see."""

from review.urls import governance, speaker

app_name = "review"
urlpatterns = [*speaker.urlpatterns, *governance.urlpatterns]
