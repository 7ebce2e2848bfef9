"""What made a score: stored beside each score set, so that two can be told apart. Source: SPEC 30-scoring, head."""

import unicodedata
from typing import Any

import numpy as np

from leaderboard.metrics.bleu import bleu_signature
from leaderboard.metrics.chrf import chrf_signature, sacrebleu_version
from leaderboard.metrics.spbleu import spbleu_signature
from leaderboard.metrics.ter import ter_signature

SCORER_VERSION = "1.2"
"""Raised whenever the same corpus version and outputs would give another figure."""


def scorer_info() -> dict[str, Any]:
    """Return scorer version, library versions and sacreBLEU signatures, JSON-serialisable."""
    return {
        "scorer_version": SCORER_VERSION,
        "libraries": {
            "sacrebleu": sacrebleu_version(),
            "numpy": np.__version__,
            "unicode": unicodedata.unidata_version,
        },
        "signatures": {
            "chrf_plus_plus": chrf_signature(),
            "corpus_bleu": bleu_signature(),
            "chrf_plain": chrf_signature(word_order=0),
            "spbleu": spbleu_signature(),
            "ter": ter_signature(),
        },
    }
