from django.apps import AppConfig


class ReviewConfig(AppConfig):
    name = "review"
    verbose_name = "Community review"

    def ready(self) -> None:
        """Listen to the apps below."""
        from review import hooks  # noqa: F401 - importing connects it
