"""What the detectors say of people's own translations: under this floor a metric says nothing about a method.

Source: SPEC M-2.
"""

from collections.abc import Mapping

from leaderboard.metrics.base import RATE_UNITS, MetricSettings, to_units
from leaderboard.metrics.code_switching import code_switching
from leaderboard.metrics.hallucination import hallucination

SHOWN_ABOVE = 0.02
DECIMALS = 4


class ReferenceFloors:
    """Takes references one by one, so that a corpus of any size goes through."""

    def __init__(self, settings: MetricSettings) -> None:
        """Take the scripts of the corpus."""
        self._settings = settings
        self._count = 0
        self._units = {"code_switching_rate": 0, "hallucination_rate": 0}

    def add(self, *, source: str, reference: str) -> None:
        """Run the detectors on one reference, as if it were an output."""
        self._count += 1
        self._units["code_switching_rate"] += to_units(code_switching(source, reference, self._settings).rate)
        self._units["hallucination_rate"] += to_units(hallucination(source, reference).rate)

    def values(self) -> dict[str, float]:
        """Return the mean rate by metric, 0-1 to 4 decimals; empty before the first reference."""
        if not self._count:
            return {}
        return {name: round(units / RATE_UNITS / self._count, DECIMALS) for name, units in self._units.items()}


def floors_to_show(floors: Mapping[str, float]) -> dict[str, float]:
    """Return the floors of which a page says something: those over 0.02."""
    return {name: floor for name, floor in floors.items() if floor > SHOWN_ABOVE}
