"""Drawing the sample of a run of 100,000 results: allocation, order, look and extension (SPEC Q-1, V-3).

Aim: under 1 s. Times are of the processor, so that a busy machine changes little, and by the clock. The frame is
generated: ids, difficulties, domains and registers, and no text.

    python -m benchmarks.drawing [--entries 100000] [--times 5] [--quick]
"""

from __future__ import annotations

import argparse
import random
import statistics
import time

from review.sampling import SAMPLE_SIZE_NEAR_BOUND, FrameEntry, draw

QUICK_ENTRIES = 5000
SEED = "5" * 64


def frame_make(count: int) -> list[FrameEntry]:
    """Return a frame of a load test: five difficulties, one entry in a hundred without one, four domains."""
    pick = random.Random(1)
    return [
        FrameEntry(
            entry_id=f"load-test-{number}",
            difficulty=pick.choices([1, 2, 3, 4, 5, None], [10, 25, 30, 24, 10, 1])[0],
            domain=pick.choice(["ui", "tech", "general", ""]),
            register=pick.choice(["formal", "informal", ""]),
            usable=pick.random() > 0.01,
            rated_before=pick.random() < 0.001,
        )
        for number in range(count)
    ]


def main() -> None:
    """Print one line of figures."""
    parser = argparse.ArgumentParser(description="Measure the draw of a sample.")
    parser.add_argument("--entries", type=int, default=100_000)
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_ENTRIES} entries")
    options = parser.parse_args()
    frame = frame_make(QUICK_ENTRIES if options.quick else options.entries)
    seconds, waited = [], []
    for _time in range(options.times):
        started, began = time.process_time(), time.perf_counter()
        drawn = draw(frame, seed=SEED, size=SAMPLE_SIZE_NEAR_BOUND)
        seconds.append(time.process_time() - started)
        waited.append(time.perf_counter() - began)
    print(
        f"drawing {drawn.size} of {len(frame)} generated results (load test):"
        f" median {statistics.median(seconds):.2f} s, longest {max(seconds):.2f} s of {len(seconds)} draws;"
        f" by the clock {statistics.median(waited):.2f} s"
    )


if __name__ == "__main__":
    main()
