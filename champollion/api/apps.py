from django.apps import AppConfig


class ApiConfig(AppConfig):
    name = "champollion.api"
    label = "api"
    verbose_name = "API"
