"""Scoring a run against sacreBLEU called metric by metric, on 9,000 real pairs (SPEC Q-1).

sacreBLEU makes each metric's corpus score with its own bootstrap and then each entry's score; for TER its entries are
left out, which would double its time. Ours are made from one matrix of statistics, for one metric alone first, then all
of them at once with detectors, caveats and the composite's interval. Times are of the processor, so that a busy machine
changes little; all figures of both are compared.

    python -m benchmarks.scoring [--pairs 9000] [--draws 1000] [--quick]
"""

import argparse
import resource
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from sacrebleu.metrics import BLEU, CHRF, TER

from benchmarks._catalogue_pairs import real_pairs
from leaderboard.metrics.base import FloatArray, MetricSettings, Pair
from leaderboard.metrics.batch import Batch, statistics_of
from leaderboard.metrics.registry import METRICS
from leaderboard.scoring.bootstrap import drawn_sums
from leaderboard.scoring.chunks import BATCH_SIZE, score_chunk
from leaderboard.scoring.run import ScoreOptions, reduce_chunks

PEERS: dict[str, Callable[[], CHRF | BLEU | TER]] = {
    "chrf_plus_plus": lambda: CHRF(word_order=2),
    "chrf_plain": CHRF,
    "corpus_bleu": BLEU,
    "ter": TER,
}
WITHOUT_TER = ("chrf_plus_plus", "chrf_plain", "corpus_bleu")
WITHOUT_TER = ("chrf_plus_plus", "chrf_plain", "corpus_bleu")
QUICK_PAIRS, QUICK_DRAWS = 1000, 200


@dataclass(frozen=True)
class Figures:
    """Seconds, corpus score, score of each entry (none for sacreBLEU's TER)."""

    seconds: float
    corpus: float
    entries: FloatArray


def ours(names: Sequence[str], pairs: list[Pair], draws: int) -> tuple[float, dict[str, Figures]]:
    """Make the figures of some metrics from one matrix and one set of draws; return the seconds of all and each's."""
    chosen = [metric for metric in METRICS if metric.name in names]
    started = time.process_time()
    parts = [Batch(pairs[start : start + BATCH_SIZE]) for start in range(0, len(pairs), BATCH_SIZE)]
    counted = [[statistics_of(metric, part, MetricSettings()) for metric in chosen] for part in parts]
    statistics = np.concatenate([np.concatenate(part, axis=1) for part in counted])
    sums, drawn = statistics.sum(axis=0).astype(np.float64), drawn_sums(statistics, draws=draws)
    found, start = {}, 0
    for metric in chosen:
        columns = slice(start, start := start + len(metric.columns))
        corpus = metric.aggregate(sums[columns], np.array(float(len(pairs))))
        np.sort(metric.aggregate(drawn[:, columns], np.full(draws, float(len(pairs)))))
        found[metric.name] = Figures(0.0, float(corpus), metric.per_entry(statistics[:, columns]))
    return time.process_time() - started, found


def theirs(name: str, pairs: list[Pair], draws: int) -> Figures:
    """Let sacreBLEU make the same."""
    metric = PEERS[name]()
    outputs, references = [pair.output for pair in pairs], [pair.references[0] for pair in pairs]
    started = time.process_time()
    corpus = metric.corpus_score(outputs, [references], n_bootstrap=draws).score
    entries = []
    if name != "ter":
        entries = [metric.corpus_score([pair.output], [[pair.references[0]]]).score for pair in pairs]
    return Figures(time.process_time() - started, corpus, np.array(entries))


def difference(first: Figures, second: Figures) -> float:
    """Return how far two scorings are apart at most."""
    apart = np.abs(first.entries - second.entries).max() if len(second.entries) else 0.0
    return float(max(apart, abs(first.corpus - second.corpus)))


def full_scoring(pairs: list[Pair], draws: int) -> tuple[float, float]:
    """Return seconds and peak memory (MB) of everything that a run's scoring does without the database."""
    started = time.process_time()
    settings = MetricSettings.detect(
        sources=[pair.source for pair in pairs], references=[pair.references[0] for pair in pairs]
    )
    chunk = score_chunk(pairs, settings)
    reduce_chunks([chunk], [pair.entry_id for pair in pairs], options=ScoreOptions(draws=draws))
    return time.process_time() - started, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    """Print one line of figures."""
    parser = argparse.ArgumentParser(description="Score real pairs against sacreBLEU called metric by metric.")
    parser.add_argument("--pairs", type=int, default=9000)
    parser.add_argument("--draws", type=int, default=1000)
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_PAIRS} pairs, {QUICK_DRAWS} draws")
    options = parser.parse_args()
    count, draws = (QUICK_PAIRS, QUICK_DRAWS) if options.quick else (options.pairs, options.draws)
    pairs = real_pairs(count)
    whole, memory = full_scoring(pairs, draws)  # first, while sacreBLEU's bootstrap has not raised the peak
    together, _figures = ours(WITHOUT_TER, pairs, draws)
    mine = {}
    for name in PEERS:
        seconds, found = ours([name], pairs, draws)
        mine[name] = replace(found[name], seconds=seconds)
    peers = {name: theirs(name, pairs, draws) for name in PEERS}
    cells = [
        f"{name} {peers[name].seconds:.1f}/{mine[name].seconds:.2f} s ({peers[name].seconds / mine[name].seconds:.0f}x)"
        for name in PEERS
    ]
    without_ter = sum(peers[name].seconds for name in WITHOUT_TER)
    apart = max(difference(mine[name], peers[name]) for name in PEERS)
    print(
        f"scoring {count} real pairs, {draws} draws, sacreBLEU/ours: {', '.join(cells)};"
        f" all without TER {without_ter:.1f}/{together:.2f} s ({without_ter / together:.0f}x);"
        f" ours with TER, every other metric, caveats and composite {whole:.1f} s, peak {memory:.0f} MB;"
        f" largest difference {apart:.0e}"
    )


if __name__ == "__main__":
    main()
