from django.apps import AppConfig


class LeaderboardConfig(AppConfig):
    name = "leaderboard"
    verbose_name = "Leaderboard"

    def ready(self) -> None:
        """Say to whom roles that read secret text are not given, and what languages' files look like."""
        from leaderboard import checks, conflicts  # noqa: F401 - importing registers them
