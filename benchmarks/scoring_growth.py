"""Scoring of 1,000 to 100,000 entries, in chunks as workers make them: seconds an entry, and peak memory (SPEC Q-1).

Each size runs in a process of its own, so that one's peak is not another's. Groups by difficulty and domain, intervals
with 1,000 draws. The time of an entry stays the same where time is linear.

    python -m benchmarks.scoring_growth [--sizes 1000 10000 100000] [--quick]
"""

import argparse
import json
import resource
import subprocess
import sys
import time
from itertools import islice

from benchmarks._catalogue_pairs import real_pairs
from leaderboard.metrics.base import MetricSettings
from leaderboard.scoring.chunks import ChunkStats, score_chunk
from leaderboard.scoring.run import reduce_chunks

SIZES = (1000, 10_000, 100_000)
QUICK_SIZES = (1000, 5000)
CHUNK_SIZE = 500  # as `leaderboard.services.scoring` has it
MB = 1024  # ru_maxrss is in KB


def measure(size: int) -> dict[str, float]:
    """Score that many entries; return processor seconds of both steps, and MB at the peak of each."""
    pairs = real_pairs(size)
    settings = MetricSettings.detect(
        sources=[pair.source for pair in pairs[:50]], references=[pair.references[0] for pair in pairs[:50]]
    )
    score_chunk(pairs[:10], settings)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    started = time.process_time()
    waiting, chunks = iter(pairs), []
    while part := list(islice(waiting, CHUNK_SIZE)):
        chunks.append(score_chunk(part, settings).to_bytes())
    counted, chunk_peak = time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    reduce_chunks(
        map(ChunkStats.from_bytes, chunks),
        [pair.entry_id for pair in pairs],
        groups={
            "difficulty": [place % 5 + 1 for place in range(size)],
            "domain": ["ui" if place % 3 else "docs" for place in range(size)],
        },
    )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {
        "count": counted - started,
        "reduce": time.process_time() - counted,
        "before": before / MB,
        "count_peak": chunk_peak / MB,
        "peak": peak / MB,
    }


def main() -> None:
    """Print one line of figures."""
    parser = argparse.ArgumentParser(description="Measure how the time and memory of scoring grow.")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--quick", action="store_true", help="two small sizes")
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measure(options.one)))
        return
    cells = []
    for size in QUICK_SIZES if options.quick else options.sizes:
        command = [sys.executable, "-m", "benchmarks.scoring_growth", "--one", str(size)]
        found = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        counting, reducing = (1e6 * found[step] / size for step in ("count", "reduce"))
        cells.append(
            f"{size}: {found['count'] + found['reduce']:.1f} s ({counting:.0f} + {reducing:.0f} µs an entry),"
            f" {found['count_peak'] - found['before']:.0f} MB for chunks, {found['peak']:.0f} MB at the peak"
        )
    print(f"scoring grows, counting + reducing: {'; '.join(cells)}")


if __name__ == "__main__":
    main()
