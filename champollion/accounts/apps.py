from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "champollion.accounts"
    label = "accounts"
    verbose_name = "People and organisations"
