from django.apps import AppConfig


class CommonConfig(AppConfig):
    name = "champollion.common"
    label = "common"
    verbose_name = "Shared parts"
