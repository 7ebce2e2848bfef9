"""Whole numbers per entry from which a run's caveats follow: they lie in its chunks beside the metrics' statistics.

Texts are compared across entries by a short digest, because chunks hold no text; chunks are sealed like text all the
same. Source: SPEC M-2.
"""

import hashlib

from champollion.common.text import normalise_exact
from leaderboard.caveats import detectors
from leaderboard.metrics.base import MetricSettings, Pair, to_units
from leaderboard.metrics.exact import exact_match
from leaderboard.metrics.length import length_ratio

COLUMNS = (
    "empty",
    "source_copied",
    "engine_marks",
    "wrong_script",
    "repeated",
    "normal_form",
    "length_ratio",
    "with_ratio",
    "output_digest",
    "source_digest",
    "short",
)
_DIGEST_BYTES = 6  # under 2**48, so that a float64 holds it


class CaveatMarks:
    """Shaped like a metric where chunks are made, with nothing to aggregate."""

    name = "caveats"
    columns = COLUMNS

    def statistics(self, pair: Pair, settings: MetricSettings) -> tuple[int, ...]:
        """Return what is odd about an entry's output, and the digests by which outputs are compared.

        An empty output is odd in this alone. An output that equals a reference has no digest: however many sources
        share it, it is right.
        """
        if pair.is_empty:
            return (1, *(0 for _column in COLUMNS[1:]))
        source, output, references = pair.source, pair.output, pair.references
        ratio = length_ratio(output, references[0] if references else "")
        right = exact_match(output, references)
        return (
            0,
            int(detectors.is_source_copied(source, output, references)),
            int(bool(detectors.engine_marks(source, output, references))),
            int(detectors.is_wrong_script(output, references, settings.target_scripts)),
            int(detectors.repeats_alone(source, output, references)),
            int(detectors.normal_form(output)),
            0 if ratio is None else to_units(ratio),
            int(ratio is not None),
            0 if right else _digest(output),
            _digest(source),
            int(detectors.is_short(output)),
        )


def _digest(text: str) -> int:
    data = normalise_exact(text).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(data, digest_size=_DIGEST_BYTES).digest(), "big") or 1
