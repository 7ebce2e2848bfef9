"""spBLEU: BLEU over SentencePiece pieces, only where their model is installed. Shown, never in the composite.

Source: SPEC M-1.
"""

import numpy as np

from leaderboard.metrics.base import FloatArray, IntArray, MetricSettings, Pair
from leaderboard.metrics.batch import Batch
from leaderboard.metrics.bleu import COLUMNS, bleu_from_statistics, bleu_matrix, bleu_signature
from leaderboard.metrics.pieces import TOKENISER, pieces

_COUNTED = len(COLUMNS)


def spbleu_signature() -> str:
    """Return the signature that sacreBLEU would give, without loading the model."""
    return bleu_signature().replace("tok:13a", f"tok:{TOKENISER}")


class SpBleuMetric:
    """Corpus spBLEU from summed counts; null where the run's settings name no model."""

    name = "spbleu"
    scale = 100.0
    lower_is_better = False
    decimals = 2
    columns = (*COLUMNS, "counted")

    def statistics(self, pair: Pair, settings: MetricSettings) -> tuple[int, ...]:
        """Return the entry's counts and 1, or nothing but 0 without a model."""
        return tuple(int(count) for count in self.batch_statistics(Batch([pair]), settings)[0])

    def batch_statistics(self, batch: Batch, settings: MetricSettings) -> IntArray:
        """Return the counts of all entries. Raises PiecesError where this worker lacks the model."""
        matrix = np.zeros((len(batch), len(self.columns)), dtype=np.int64)
        model = settings.spbleu_model
        if model and len(batch):
            references = [[split] for split in pieces(batch.references, model)]
            for place in batch.with_several_references:
                references[place] = pieces(batch.pairs[place].references, model)
            matrix[:, :_COUNTED] = bleu_matrix(pieces(batch.outputs, model), references)
            matrix[:, _COUNTED] = 1
        return matrix

    def per_entry(self, statistics: IntArray) -> FloatArray:
        """Return each entry's own spBLEU, unrounded; NaN without a model."""
        return self.aggregate(statistics.astype(np.float64), np.ones(len(statistics)))

    def aggregate(self, sums: FloatArray, counts: FloatArray) -> FloatArray:
        """Return corpus spBLEU; NaN where no entry was counted."""
        return np.where(sums[..., _COUNTED] > 0, bleu_from_statistics(sums[..., :_COUNTED]), np.nan)

    def aggregate_as_harness(self, sums: FloatArray, counts: FloatArray) -> FloatArray:
        """Return corpus spBLEU: the harness counts the same, over its own choice of entries."""
        return self.aggregate(sums, counts)
