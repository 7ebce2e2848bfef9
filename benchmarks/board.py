"""The board with 100,000 runs in one language pair: queries and time of a page, on PostgreSQL (SPEC Q-1).

The rows are generated in a database of their own and marked as a load test; no figure in them is a score of anything.
Aims: at most 12 queries however many runs there are, 95 % of the pages under 150 ms.

    python -m benchmarks.board [--runs 100000] [--pages 100] [--quick]
"""

from __future__ import annotations

import argparse
import random
import time
from typing import TYPE_CHECKING

from benchmarks._throwaway import MARK, analyse, corpus_make, organisation_make, percentile, throwaway

if TYPE_CHECKING:
    from corpora.models import CorpusVersion

QUICK_RUNS, QUICK_PAGES = 2000, 20
VERSIONS_PER_METHOD = 50
BATCH = 5000
ADDRESSES = (
    "?segment=development",
    "?segment=development&page=7",
    "?segment=development&page=400",
    "?segment=development&sort=-chrf",
    "?segment=development&method_class=raw-llm",
    "?segment=development&domain=ui",
)


def runs_write(version: CorpusVersion, count: int) -> None:
    """Write methods, their versions, a run of each and its row of the board."""
    from champollion.accounts.services.organisations import team_create
    from leaderboard.models import CutStanding, Document, Method, MethodVersion, Run, Standing

    draw = random.Random(1)
    team = team_create(name=f"Team of a {MARK}", slug="load-test", members=[])
    Method.objects.bulk_create(
        Method(slug=f"load-test-{number}", name=f"{MARK} {number}", team=team)
        for number in range(-(-count // VERSIONS_PER_METHOD))
    )
    methods = list(Method.objects.order_by("pk"))
    for start in range(0, count, BATCH):
        numbers = range(start, min(start + BATCH, count))
        documents = Document.objects.bulk_create(
            Document(kind=Document.Kind.OUTPUTS, sha256=f"{number:064d}", byte_count=1, content=b"-")
            for number in numbers
        )
        versions = MethodVersion.objects.bulk_create(
            MethodVersion(
                method=methods[number // VERSIONS_PER_METHOD],
                number=1 + number % VERSIONS_PER_METHOD,
                identity_sha256=f"{number:064d}",
            )
            for number in numbers
        )
        runs = Run.objects.bulk_create(
            Run(
                document=document,
                method_version=method_version,
                corpus_version=version,
                segment="development",
                status=Run.Status.SCORED,
                configuration={"generated for": MARK},
            )
            for document, method_version in zip(documents, versions, strict=True)
        )
        figures = [draw.random() for _number in numbers]
        standings = Standing.objects.bulk_create(
            Standing(
                method_version=run.method_version,
                corpus_version=version,
                segment="development",
                run=run,
                is_ranked=True,
                composite=round(figure, 4),
                chrf=round(100 * figure, 2),
                exact_match=round(figure / 2, 4),
                public_tier="functional",
                metric_set="chrf_plus_plus exact_match_rate",
            )
            for run, figure in zip(runs, figures, strict=True)
        )
        CutStanding.objects.bulk_create(
            CutStanding(
                standing=standing,
                cut="domain",
                key="ui",
                entry_count=100,
                is_ranked=True,
                composite=standing.composite,
                chrf=standing.chrf,
            )
            for standing in standings
        )


def measure(address: str, pages: int) -> tuple[int, list[float], list[float]]:
    """Read the board's pages in turn; return the most queries of one, and each one's seconds and our processor's."""
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    client, queries = Client(), 0
    seconds, ours = [], []
    for parameters in ADDRESSES:
        with CaptureQueriesContext(connection) as captured:
            response = client.get(address + parameters)
        if response.status_code != 200:
            raise RuntimeError(f"{address}{parameters} answered {response.status_code}")
        queries = max(queries, len(captured))
    for number in range(pages):
        started, began = time.perf_counter(), time.process_time()
        client.get(address + ADDRESSES[number % len(ADDRESSES)])
        seconds.append(time.perf_counter() - started)
        ours.append(time.process_time() - began)
    return queries, seconds, ours


def main() -> None:
    """Print one line of figures."""
    parser = argparse.ArgumentParser(description="Measure the board of a language pair with many runs.")
    parser.add_argument("--runs", type=int, default=100_000)
    parser.add_argument("--pages", type=int, default=120)
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_RUNS} runs, {QUICK_PAGES} pages")
    options = parser.parse_args()
    count, pages = (QUICK_RUNS, QUICK_PAGES) if options.quick else (options.runs, options.pages)
    with throwaway():
        from django.db import connection

        from leaderboard.services.standings import ranks_refresh

        version = corpus_make(organisation_make("cy"), count=100, language="cy")
        started = time.perf_counter()
        runs_write(version, count)
        written = time.perf_counter()
        ranks_refresh(corpus_version=version, segment="development")
        ranked = time.perf_counter()
        analyse()
        queries, seconds, ours = measure(f"/leaderboard/{version.corpus.pair}/", pages)
        server = connection.cursor().connection.info.server_version // 10_000
    print(
        f"board of {count} generated runs ({MARK}), PostgreSQL {server}: {queries} queries a page,"
        f" median {percentile(seconds, 0.5)}, p95 {percentile(seconds, 0.95)} of {len(seconds)} pages by the clock,"
        f" {percentile(ours, 0.5)} and {percentile(ours, 0.95)} of the web process;"
        f" rows written in {written - started:.0f} s, whole board ranked in {ranked - written:.0f} s"
    )


if __name__ == "__main__":
    main()
