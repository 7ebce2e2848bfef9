"""The pages that belong to no single part: home, help, the style page and how pages look."""

from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class PagesConfig(AppConfig):
    name = "champollion.pages"
    label = "pages"
    verbose_name = "Pages"

    def ready(self) -> None:
        """Import each app's `needs.py`, so that its providers are registered."""
        autodiscover_modules("needs")
