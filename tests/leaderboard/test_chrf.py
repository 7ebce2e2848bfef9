"""chrF++ and chrF from one count: words, several references. Source: SPEC M-1; 90-harness-facts 4.2."""

import numpy as np
from sacrebleu.metrics import CHRF

from leaderboard.metrics.batch import Batch
from leaderboard.metrics.chrf import chrf_matrix, chrf_statistics

from .surface import ours, pair, statistics


def test_chrf_and_chrf_plus_plus_share_one_count():
    batch = Batch([pair("Moitas grazas.", "Grazas."), pair("", "x")])
    both, plain = chrf_matrix(batch), chrf_matrix(batch, word_order=0)
    assert np.array_equal(both[:, :18], plain)
    assert plain.base is both.base or plain.base is both  # a view: nothing is counted twice


def test_one_mark_is_split_off_each_word():
    for text in ("(hi)", "hi!", "«hi»", "...", ".", "a", "'tis", "x,y,", '""', "e\u0301."):
        expected = CHRF(word_order=2)._extract_corpus_statistics([text], [["hi ! ( . a"]])[0]
        assert list(chrf_statistics(text, ("hi ! ( . a",))) == expected


def test_the_best_reference_may_be_another_for_chrf_than_for_chrf_plus_plus():
    chosen = pair("a b c d e f g h", "a b c d e f g x", "abcd efgh")
    references = [chosen.references[:1], chosen.references[1:]]
    for name in ("chrf_plus_plus", "chrf_plain"):
        each = [ours(name, [pair(chosen.output, *one)])[0] for one in references]
        assert ours(name, [chosen])[0] == max(each)
    assert statistics("chrf_plus_plus", [chosen])[0, :18].tolist() != statistics("chrf_plain", [chosen])[0].tolist()


def test_an_entry_without_reference_counts_as_one_with_an_empty_reference():
    assert chrf_statistics("Ola", ()) == chrf_statistics("Ola", ("",))
