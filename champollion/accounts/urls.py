"""Sign-in by an e-mailed code stands in for allauth's password form; the rest of allauth follows in ``urls``."""

from allauth.account.views import RequestLoginCodeView
from django.urls import path

urlpatterns = [path("login/", RequestLoginCodeView.as_view(), name="account_login")]
