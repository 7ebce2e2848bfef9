"""spBLEU: only with its model, which is never downloaded. Source: SPEC M-1.

The tests make a small model of their own, of the references of a real corpus; sacreBLEU reads it from the same file.
"""

import hashlib
import json
import socket

import numpy as np
import pytest
from sacrebleu import utils
from sacrebleu.metrics import BLEU
from sacrebleu.tokenizers import tokenizer_spm

from leaderboard.metrics.base import MetricSettings
from leaderboard.metrics.batch import Batch
from leaderboard.metrics.pieces import PiecesError, model_digest
from leaderboard.metrics.registry import SPBLEU
from leaderboard.scoring.chunks import score_chunk
from leaderboard.scoring.run import reduce_chunks
from tests.shared import SHARED_DATA

from .surface import pair, real_runs

needs_data = pytest.mark.skipif(not SHARED_DATA.is_dir(), reason="../shared/data is not here")


@pytest.fixture
def no_network(monkeypatch):
    def refuse(*_args, **_kwargs):
        raise AssertionError("nothing may be fetched")

    monkeypatch.setattr(socket.socket, "connect", refuse)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder in the place of sacreBLEU's own."""
    monkeypatch.setattr(utils, "SACREBLEU_DIR", str(tmp_path))
    monkeypatch.setattr(tokenizer_spm, "SACREBLEU_DIR", str(tmp_path))
    return tmp_path


@pytest.fixture
def model(folder):
    sentencepiece = pytest.importorskip("sentencepiece")
    entries = json.loads((SHARED_DATA / "corpora" / "eng-cym-dev-v1.json").read_text(encoding="utf-8"))["entries"]
    path = folder / "models" / "flores200sacrebleuspm"
    path.parent.mkdir()
    with path.open("wb") as file:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter([entry["reference"] for entry in entries]),
            model_writer=file,
            vocab_size=120,
            hard_vocab_limit=False,
            minloglevel=2,
        )
    return path


def test_without_the_model_it_is_null_and_nothing_is_fetched(folder, no_network):
    assert model_digest() == ""
    pairs = [pair("Ola mundo", "Ola mundo")]
    statistics = SPBLEU.batch_statistics(Batch(pairs), MetricSettings(spbleu_model=model_digest()))
    assert not statistics.any()
    assert np.isnan(SPBLEU.per_entry(statistics)).all()
    scores = reduce_chunks([score_chunk(pairs, MetricSettings())], [""])
    assert scores.metrics["spbleu"] is None
    assert "spbleu" not in scores.intervals


def test_a_worker_without_the_runs_model_says_so_and_counts_nothing(folder, no_network):
    with pytest.raises(PiecesError):
        SPBLEU.batch_statistics(Batch([pair("a", "a")]), MetricSettings(spbleu_model="0" * 64))


@needs_data
def test_with_the_model_every_figure_is_sacrebleus(model, no_network):
    digest = model_digest()
    assert digest == hashlib.sha256(model.read_bytes()).hexdigest()
    settings = MetricSettings(spbleu_model=digest)
    assert MetricSettings.from_dict(json.loads(json.dumps(settings.to_dict()))) == settings
    pairs = [*next(iter(real_runs().values())), pair("", "x"), pair("a b c d e", "a b c d", "b c d e")]
    statistics = SPBLEU.batch_statistics(Batch(pairs), settings)
    metric = BLEU(tokenize="flores200")
    expected = [metric.corpus_score([one.output], [[text] for text in one.references]).score for one in pairs]
    assert SPBLEU.per_entry(statistics) == pytest.approx(expected, abs=1e-9)
    single = [one for one in pairs if len(one.references) == 1]
    corpus = metric.corpus_score([one.output for one in single], [[one.references[0] for one in single]]).score
    sums = SPBLEU.batch_statistics(Batch(single), settings).sum(axis=0).astype(float)
    assert float(SPBLEU.aggregate(sums, np.array(float(len(single))))) == pytest.approx(corpus, abs=1e-9)
    assert str(metric.get_signature()).startswith("nrefs:1|case:mixed|eff:no|tok:flores200|smooth:exp")
