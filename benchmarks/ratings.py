"""Saving a rating as the rating page does: queries and time of each POST, on PostgreSQL (SPEC Q-1).

Aim: at most 12 queries. The campaign is generated in a database of its own; its texts say what they are.

    python -m benchmarks.ratings [--items 300] [--quick]
"""

from __future__ import annotations

import argparse
import json
import time
from uuid import uuid4

from benchmarks._throwaway import percentile, throwaway

QUICK_ITEMS = 30
RATERS = 3


def ratings_save(count: int) -> tuple[int, list[float], list[float]]:
    """Let speakers rate every item of a campaign; return the most queries of one save, seconds and our processor's."""
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext
    from django.urls import reverse

    from review.models import Rating
    from review.services.assignment import block_lease
    from tests.factories import flow as make

    flow = make.flow(speakers=RATERS, count=count)
    address = reverse("review:ratings", args=[flow.campaign.uid])
    queries, seconds, ours = 0, [], []
    for place, rater in enumerate(flow.speakers):
        client = Client()
        client.force_login(rater)
        while leases := block_lease(rater=rater, campaign=flow.campaign):
            for lease in leases:
                body = {"item": str(lease.item.uid), "key": str(uuid4()), "sequence": 1, "act": "rate"}
                grade = 1 + (lease.place + place) % 4
                started, began = time.perf_counter(), time.process_time()
                with CaptureQueriesContext(connection) as captured:
                    response = client.post(address, json.dumps({**body, "grade": grade}), "application/json")
                seconds.append(time.perf_counter() - started)
                ours.append(time.process_time() - began)
                if response.status_code != 200:
                    raise RuntimeError(f"saving answered {response.status_code}: {response.content[:200]!r}")
                queries = max(queries, len(captured))
    if Rating.objects.count() != len(seconds):
        raise RuntimeError(f"{len(seconds)} ratings were saved and {Rating.objects.count()} are there")
    return queries, seconds, ours


def main() -> None:
    """Print one line of figures."""
    parser = argparse.ArgumentParser(description="Measure the saving of ratings.")
    parser.add_argument("--items", type=int, default=300)
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_ITEMS} items")
    options = parser.parse_args()
    with throwaway():
        queries, seconds, ours = ratings_save(QUICK_ITEMS if options.quick else options.items)
    print(
        f"saving {len(seconds)} ratings (load test, PostgreSQL without fsync): at most {queries} queries each,"
        f" median {percentile(seconds, 0.5)}, p95 {percentile(seconds, 0.95)} by the clock,"
        f" {percentile(ours, 0.5)} and {percentile(ours, 0.95)} of the web process"
    )


if __name__ == "__main__":
    main()
