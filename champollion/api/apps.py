from django.apps import AppConfig


class ApiConfig(AppConfig):
    name = "champollion.api"
    label = "api"
    verbose_name = "API"

    def ready(self) -> None:
        """Tell the schema how calls are signed in."""
        from champollion.api import authentication  # noqa: F401 - importing registers it
