"""Run acts at the same moment, each in a thread with a database connection of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

from django.db import connection

WAIT = 60


def race(acts: Sequence[Callable[[], Any]]) -> list[Any]:
    """Start all acts at once and return what each returned, or the exception it raised."""
    start = threading.Barrier(len(acts))
    results: list[Any] = [None] * len(acts)

    def run(place: int) -> None:
        try:
            start.wait(WAIT)
            results[place] = acts[place]()
        except Exception as error:  # noqa: BLE001 - the test looks at what came
            results[place] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(place,), daemon=True) for place in range(len(acts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(WAIT)
    assert not any(thread.is_alive() for thread in threads), "an act waits for ever"
    return results
